//! The tables of `clean`: HTML entities and LaTeX commands with the characters they stand for.

/// The character of the HTML entity at the start of `rest`, and the entity's length in bytes.
pub(crate) fn entity(rest: &str) -> Option<(char, usize)> {
    let end = rest.as_bytes().iter().take(12).position(|byte| *byte == b';')?;
    let name = rest.get(1..end)?;
    let decoded = if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
            None => number.parse().ok()?,
        };
        char::from_u32(code)?
    } else {
        ENTITIES.iter().find(|(known, _)| *known == name)?.1
    };
    Some((decoded, end + 1))
}

/// The superscript form of a digit, a sign or "n".
pub(crate) fn superscript(character: char) -> Option<char> {
    Some(match character {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(0x2070 + character as u32 - '0' as u32)?,
        '+' => '⁺',
        '-' => '⁻',
        'n' => 'ⁿ',
        _ => return None,
    })
}

static ENTITIES: [(&str, char); 14] = [
    ("amp", '&'),
    ("apos", '\''),
    ("gt", '>'),
    ("hellip", '…'),
    ("ldquo", '“'),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("mdash", '—'),
    ("nbsp", ' '),
    ("ndash", '–'),
    ("quot", '"'),
    ("rdquo", '”'),
    ("rsquo", '’'),
    ("times", '×'),
];

/// LaTeX commands without arguments, with their text.
pub(crate) static SYMBOLS: [(&str, &str); 56] = [
    ("times", "×"),
    ("leq", "≤"),
    ("le", "≤"),
    ("geq", "≥"),
    ("ge", "≥"),
    ("pm", "±"),
    ("sim", "~"),
    ("approx", "≈"),
    ("neq", "≠"),
    ("ne", "≠"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("leftarrow", "←"),
    ("leftrightarrow", "↔"),
    ("Rightarrow", "⇒"),
    ("uparrow", "↑"),
    ("downarrow", "↓"),
    ("infty", "∞"),
    ("cdot", "·"),
    ("in", "∈"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("ell", "ℓ"),
    ("circ", "°"),
    ("degree", "°"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("Delta", "Δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("Lambda", "Λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("Sigma", "Σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Omega", "Ω"),
    ("eg", "e.g."),
    ("ie", "i.e."),
    ("etal", "et al."),
];
