//! Maps the code points of Word's symbol fonts to Unicode characters.

/// The font `Symbol` from 0x20 and from 0xa0 on, as published by its maker.
const SYMBOL_LOW: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
const SYMBOL_HIGH: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{fffd}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/// The characters of the font `Wingdings` that texts use.
const WINGDINGS: [(u32, char); 22] = [
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '●'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

/// The character at a code point of a symbol font; the replacement character when it is unknown.
pub(super) fn symbol(font: &str, place: u32) -> char {
    // Word moves these code points into the private use area.
    let is_moved = (0xf000..=0xf0ff).contains(&place);
    let code = if is_moved { place - 0xf000 } else { place };
    let nth = |table: &str, from: u32| table.chars().nth(usize::try_from(code.checked_sub(from)?).ok()?);
    let known = match font {
        "Symbol" if code < 0xa0 => nth(SYMBOL_LOW, 0x20),
        "Symbol" => nth(SYMBOL_HIGH, 0xa0),
        "Wingdings" => WINGDINGS.iter().find(|(known, _)| *known == code).map(|(_, character)| *character),
        _ if is_moved => None,
        _ => char::from_u32(place),
    };
    known.filter(|character| !character.is_control()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The words of a run in this font, whose characters may be code points of a symbol font.
pub(super) fn in_letters(words: &str, font: &str) -> String {
    let is_place = |character: char| ('\u{f000}'..='\u{f0ff}').contains(&character);
    words.chars().map(|c| if is_place(c) { symbol(font, u32::from(c)) } else { c }).collect()
}
