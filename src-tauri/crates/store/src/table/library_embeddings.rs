//! Embeddings of the person's articles, kept from one search to the next. An embedding belongs to one text: once the article
//! has another, it counts no more.

use engine::OwnArticle;
use rusqlite::{Connection, Result};

use super::library;

pub(crate) const CREATE: &str = "CREATE TABLE library_embeddings (
    number INTEGER PRIMARY KEY,        -- of the article
    hash TEXT NOT NULL,                -- of its title and text
    embedding BLOB NOT NULL
) STRICT;";

/// The newest articles that the person added, of these days or without one.
pub(crate) fn own(
    connection: &Connection,
    (from, until): (&str, &str),
    limit: u32,
) -> Result<Vec<OwnArticle>> {
    connection
        .prepare_cached(
            "SELECT id, title, url, source, published, text, is_sample, embedding
             FROM library LEFT JOIN library_embeddings AS kept
                 ON kept.number = library.number AND kept.hash = library.hash
             WHERE is_sample = 0 AND (published = '' OR published BETWEEN ?1 AND ?2)
             ORDER BY published DESC, id LIMIT ?3",
        )?
        .query_map((from, until, limit), |row| {
            Ok(OwnArticle { article: library::article(row)?, embedding: row.get(7)? })
        })?
        .collect()
}

/// Keeps the embedding of an article in the text that it has now; of one that is gone, nothing.
pub(crate) fn keep(connection: &Connection, id: &str, embedding: &[u8]) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO library_embeddings (number, hash, embedding)
             SELECT number, hash, ?2 FROM library WHERE id = ?1",
        )?
        .execute((id, embedding))?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, number: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM library_embeddings WHERE number = ?1")?.execute([number])?;
    Ok(())
}
