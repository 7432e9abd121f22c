//! The full-text index over the library: words only, the text itself is in `library`.

use rusqlite::{Connection, Result};

use crate::words;

pub(crate) const CREATE: &str = "CREATE VIRTUAL TABLE library_words USING fts5 (
    title, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);";

pub(crate) fn replace(connection: &Connection, article: i64, title: &str, text: &str) -> Result<()> {
    remove(connection, article)?;
    insert(connection, article, title, text)
}

pub(crate) fn insert(connection: &Connection, article: i64, title: &str, text: &str) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO library_words (rowid, title, text) VALUES (?1, ?2, ?3)")?
        .execute((article, words::indexed(title), words::indexed(text)))?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, article: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM library_words WHERE rowid = ?1")?.execute([article])?;
    Ok(())
}

/// The number of matching articles.
pub(crate) fn count(connection: &Connection, question: &str) -> Result<u64> {
    let count: i64 = connection
        .prepare_cached("SELECT count(*) FROM library_words WHERE library_words MATCH ?1")?
        .query_row([question], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}
