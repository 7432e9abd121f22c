//! `galley library`: imports, lists, searches and removes files.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use desk::api::{Imported, LibraryPage, ListLibrary, Named, Nothing};
use desk::{ApiError, Desk, ImportProgress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::Library;
use crate::desk_client::ask;
use crate::output;
use crate::table::{cell, one_line, table};

const MOST_LISTED: u32 = 1_000;

/// `galley library`.
pub(crate) async fn library(desk: &Desk, asked: Library) -> Result<u8, ApiError> {
    match asked {
        Library::Import { paths } => import(desk, paths).await,
        Library::Search { text } => list(desk, &text).await,
        Library::List => list(desk, "").await,
        Library::Remove { id } => {
            let _: Nothing = ask(desk, "remove_library", Named { name: id }).await?;
            Ok(0)
        }
    }
}

async fn import(desk: &Desk, paths: Vec<PathBuf>) -> Result<u8, ApiError> {
    let moving = if output::can_draw() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    moving.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let begun = AtomicU64::new(0);
    let bar = moving.clone();
    let imported = desk.library().import(paths, move |progress| match progress {
        ImportProgress::Reading { file, index, total } => {
            begun.store(*index as u64, Ordering::Relaxed);
            bar.set_length(*total as u64);
            bar.set_position((*index as u64).saturating_sub(1));
            bar.set_message(one_line(file));
        }
        ImportProgress::Read { .. } => bar.set_position(begun.load(Ordering::Relaxed)),
        ImportProgress::Noted { file, note } => {
            bar.suspend(|| output::tell(&one_line(&format!("{file}: {note}"))))
        }
        // Skipped files are reported together at the end.
        ImportProgress::Skipped { .. } => {}
    });
    let imported: Result<Imported, ApiError> = imported.await;
    moving.finish_and_clear();
    let imported = imported?;
    for reason in &imported.skipped {
        output::tell(&format!("Skipped {}", one_line(&reason.english())));
    }
    let (added, unchanged, skipped) = (imported.added, imported.unchanged, imported.skipped.len());
    let undated = match imported.undated {
        0 => String::new(),
        undated => format!("; {undated} without a date, which a search by date finds last"),
    };
    output::write(&format!("{added} added, {unchanged} already there, {skipped} skipped{undated}\n"))?;
    Ok(if added + unchanged == 0 && skipped > 0 { 2 } else { 0 })
}

async fn list(desk: &Desk, search: &str) -> Result<u8, ApiError> {
    let request = ListLibrary { search: search.to_owned(), limit: Some(MOST_LISTED) };
    let page: LibraryPage = ask(desk, "list_library", request).await?;
    let row = |entry: &desk::api::LibraryCard| {
        let title = match search {
            "" => cell(&entry.title, 100),
            _ => format!("{}  {}", cell(&entry.title, 60), cell(&entry.snippet, 80)),
        };
        vec![entry.id.clone(), entry.published.clone(), cell(&entry.source, 24), title]
    };
    let rows: Vec<Vec<String>> = page.entries.iter().map(row).collect();
    if rows.is_empty() {
        output::tell("Nothing is found in the library");
        return Ok(0);
    }
    output::write(&table(&["ID", "PUBLISHED", "SOURCE", "TITLE"], &rows))?;
    if page.total as usize > rows.len() {
        output::tell(&format!(
            "{} of {} entries; `galley library search TEXT` finds the others",
            rows.len(),
            page.total
        ));
    }
    Ok(0)
}
