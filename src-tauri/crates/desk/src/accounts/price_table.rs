//! Adds or changes one price in the text of a price table; everything else, comments too, stays as it is.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::api::TokenPrice;

/// The line that begins a price.
const HEAD: &str = "[[price]]";

/// The table with this price in the model's own line that holds today, if there is one. `holds` tells whether the day
/// of a line has come.
pub(crate) fn with_changed_price(
    text: &str,
    provider: &str,
    model: &str,
    price: TokenPrice,
    holds: impl Fn(Option<&str>) -> bool,
) -> Result<String, toml_edit::TomlError> {
    let mut document: DocumentMut = text.parse()?;
    // An array of inline tables becomes an array of tables, to which one can be added.
    if document.get("price").is_some_and(Item::is_array)
        && let Some(Ok(tables)) = document.remove("price").map(Item::into_array_of_tables)
    {
        document.insert("price", Item::ArrayOfTables(tables));
    }
    let Some(tables) = document.get_mut("price").and_then(Item::as_array_of_tables_mut) else {
        return Ok(document.to_string());
    };
    if let Some(index) = index_of(tables, provider, model, holds)
        && let Some(table) = tables.get_mut(index)
    {
        put(table, "input", price.input);
        put(table, "output", price.output);
    }
    Ok(document.to_string())
}

/// The index of the latest of a model's own lines that holds; of two with the same day the first.
fn index_of(
    tables: &ArrayOfTables,
    provider: &str,
    model: &str,
    holds: impl Fn(Option<&str>) -> bool,
) -> Option<usize> {
    let is = |table: &Table, key: &str, wanted: &str| table.get(key).and_then(Item::as_str) == Some(wanted);
    let mut found: Option<(usize, Option<String>)> = None;
    for (index, table) in tables.iter().enumerate() {
        let since = since(table);
        if !is(table, "provider", provider) || !is(table, "model", model) || !holds(since.as_deref()) {
            continue;
        }
        if found.as_ref().is_none_or(|(_, latest)| since > *latest) {
            found = Some((index, since));
        }
    }
    found.map(|(index, _)| index)
}

/// The date of a line as text.
fn since(table: &Table) -> Option<String> {
    let item = table.get("since")?;
    item.as_str().map(str::to_owned).or_else(|| item.as_datetime().map(ToString::to_string))
}

/// Sets a number and keeps the comment behind it.
fn put(table: &mut Table, key: &str, amount: f64) {
    let decor = table.get(key).and_then(Item::as_value).map(|value| value.decor().clone());
    let mut item = value(amount);
    if let (Some(value), Some(decor)) = (item.as_value_mut(), decor) {
        *value.decor_mut() = decor;
    }
    table.insert(key, item);
}

/// The table with this price before all others, so that no line for several models precedes it. The comment at the head
/// of the file stays there.
pub(crate) fn with_first_price(text: &str, provider: &str, model: &str, price: TokenPrice) -> String {
    let mut table = Table::new();
    table.insert("provider", value(provider));
    table.insert("model", value(model));
    table.insert("input", value(price.input));
    table.insert("output", value(price.output));
    let own = format!("{HEAD}\n{table}");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(first) = lines.iter().position(|line| line.trim_start().starts_with(HEAD)) else {
        let gap = match text {
            "" => "",
            _ if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        return format!("{text}{gap}{own}");
    };
    // The comment of the first price stays with it.
    let comments = lines[..first].iter().rev().take_while(|line| line.trim_start().starts_with('#')).count();
    let (head, rest) = lines.split_at(first - comments);
    format!("{}{own}\n{}", head.concat(), rest.concat())
}

#[cfg(test)]
mod tests {
    use kernel::TokenUsage;

    use crate::accounts::prices::{FILE, PriceList};
    use crate::api::TokenPrice;

    const TOKENS: TokenUsage =
        TokenUsage { input_tokens: 1_000_000, output_tokens: 500_000, cached_tokens: 0 };

    #[test]
    fn a_price_is_set_beside_what_stands_in_the_table_and_holds_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let list = PriceList::of(folder.path());
        let read = || std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        let cost = |model: &str| list.current().cost("openai", model, TOKENS);
        let price = |input, output| TokenPrice { input, output };
        list.set("openai", "house", price(2.0, 8.0)).unwrap();
        assert_eq!(cost("house"), Some(6.0));
        // A line for several models comes first in the table, but after the new one.
        let wide = "# Mine.\n\n# All of the house.\n[[price]]\nprovider = \"openai\"\nmodel = \"house*\"\ninput = 9.0 # net\noutput = 9.0\n";
        std::fs::write(folder.path().join(FILE), wide).unwrap();
        list.set("openai", "house", price(0.5, 1.0)).unwrap();
        assert_eq!((cost("house"), cost("house-2")), (Some(1.0), Some(13.5)));
        assert!(
            read().starts_with("# Mine.\n\n[[price]]\nprovider = \"openai\"\nmodel = \"house\"\n"),
            "{}",
            read()
        );
        assert!(read().contains("# All of the house.\n[[price]]"), "{}", read());
        // The model's own line is changed and keeps its comment.
        list.set("openai", "house*", price(4.0, 2.0)).unwrap();
        list.set("openai", "house", price(1.0, 2.0)).unwrap();
        assert_eq!((cost("house"), cost("house-2")), (Some(2.0), Some(5.0)));
        assert!(
            read().contains("input = 4.0 # net") && read().matches("[[price]]").count() == 2,
            "{}",
            read()
        );
        // Inline tables, and a line that holds only in the future.
        let inline = "price = [{ provider = \"openai\", model = \"house\", input = 7.0, output = 7.0, since = 2999-01-01 }]\n";
        std::fs::write(folder.path().join(FILE), inline).unwrap();
        list.set("openai", "house", price(1.0, 1.0)).unwrap();
        assert_eq!(cost("house"), Some(1.5));
        assert!(read().contains("2999-01-01"), "{}", read());
    }

    #[test]
    fn an_unreadable_table_is_reported_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let list = PriceList::of(folder.path());
        for text in ["[[price", "[[price]]\nprovider = \"openai\"\n"] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            let error = list.set("openai", "house", TokenPrice { input: 1.0, output: 1.0 }).unwrap_err();
            assert!(
                error.message.contains("nothing was changed") && error.message.contains(FILE),
                "{error:?}"
            );
            assert_eq!(std::fs::read_to_string(folder.path().join(FILE)).unwrap(), text);
        }
    }
}
