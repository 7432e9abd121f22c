//! Tables of a Word file.

use docx_rs::{
    AlignmentType, Paragraph, Shading, ShdType, Table, TableAlignmentType, TableCell, TableLayoutType,
    TableRow, WidthType,
};

use super::{MARGIN, PAGE, Writer};
use crate::document::{self, Alignment, Inline, words};

/// The limits of a column's width in characters; within them its longest cell decides.
const NARROWEST: usize = 6;
const WIDEST: usize = 40;

impl Writer<'_> {
    pub(super) fn table(&mut self, table: &document::Table) -> Table {
        let widths = widths(table);
        let mut rows = Vec::new();
        for (index, row) in std::iter::once(&table.head).chain(&table.rows).enumerate() {
            let is_head = index == 0;
            let cells = row.iter().zip(&table.columns).zip(&widths);
            let cells = cells
                .map(|((text, alignment), width)| self.cell(text, *alignment, *width, is_head))
                .collect();
            let row = TableRow::new(cells);
            // `package` turns rows that cannot be split into table heads.
            rows.push(if is_head { row.cant_split() } else { row });
        }
        Table::new(rows)
            .set_grid(widths.clone())
            .width(widths.iter().sum(), WidthType::Dxa)
            .align(TableAlignmentType::Left)
            .layout(TableLayoutType::Fixed)
    }

    fn cell(&mut self, text: &[Inline], alignment: Alignment, width: usize, is_head: bool) -> TableCell {
        let alignment = match alignment {
            Alignment::Start => AlignmentType::Left,
            Alignment::Center => AlignmentType::Center,
            Alignment::End => AlignmentType::Right,
        };
        let strong = [Inline::Strong(text.to_vec())];
        let text = if is_head { &strong } else { text };
        let paragraph = self.line(Paragraph::new().style("TableContents").align(alignment), text, true);
        let cell = TableCell::new().width(width, WidthType::Dxa).add_paragraph(paragraph);
        match is_head {
            true => cell.shading(Shading::new().shd_type(ShdType::Clear).color("auto").fill("F3F4F6")),
            false => cell,
        }
    }
}

/// The width of each column, in twentieths of a point; the sum is the width of the page.
fn widths(table: &document::Table) -> Vec<usize> {
    let whole = usize::try_from(i64::from(PAGE.0) - i64::from(2 * MARGIN)).unwrap_or(9_000);
    let longest = |column: usize| {
        let cells = std::iter::once(&table.head).chain(&table.rows).filter_map(|row| row.get(column));
        // East Asian characters are twice as wide.
        let width = |cell: &Vec<Inline>| {
            words(cell).chars().map(|c| if prose::is_ideographic(c) { 2 } else { 1 }).sum::<usize>()
        };
        cells.map(width).max().unwrap_or(0).clamp(NARROWEST, WIDEST)
    };
    let lengths: Vec<usize> = (0..table.columns.len()).map(longest).collect();
    let all = lengths.iter().sum::<usize>().max(1);
    lengths.into_iter().map(|length| whole * length / all).collect()
}
