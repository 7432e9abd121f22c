//! Cached embeddings of the user's articles. An embedding belongs to one text and one model, and is invalid once either
//! changes.

use engine::{KeptEmbedding, OwnArticle};
use rusqlite::{Connection, Result};

pub(crate) const CREATE: &str = "CREATE TABLE library_embeddings (
    number INTEGER PRIMARY KEY,        -- of the article
    hash TEXT NOT NULL,                -- of its title and text
    model TEXT NOT NULL,
    embedding BLOB NOT NULL
) STRICT;";

/// The longest valid embedding, in bytes.
const LONGEST: u32 = 4_096;

/// The newest own articles of this period, then those without a date.
pub(crate) fn own(
    connection: &Connection,
    (from, until): (&str, &str),
    model: &str,
    limit: u32,
) -> Result<Vec<OwnArticle>> {
    // The rows are selected first, so that texts are not sorted.
    connection
        .prepare_cached(
            "SELECT id, library.hash, substr(title, 1, 300), substr(text, 1, 2000), published <> '', embedding
             FROM (SELECT number AS chosen FROM library
                   WHERE is_sample = 0 AND (published = '' OR published BETWEEN ?1 AND ?2)
                   ORDER BY published DESC, id LIMIT ?4)
             JOIN library ON library.number = chosen
             LEFT JOIN library_embeddings AS kept ON kept.number = chosen AND kept.hash = library.hash
                 AND kept.model = ?3 AND length(kept.embedding) <= ?5
             ORDER BY published DESC, id",
        )?
        .query_map((from, until, model, limit, LONGEST), |row| {
            Ok(OwnArticle {
                id: row.get(0)?,
                hash: row.get(1)?,
                title: row.get(2)?,
                beginning: row.get(3)?,
                is_dated: row.get(4)?,
                embedding: row.get(5)?,
            })
        })?
        .collect()
}

/// Stores an embedding, if the article still has the text it was made from.
pub(crate) fn keep(connection: &Connection, model: &str, kept: &KeptEmbedding) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO library_embeddings (number, hash, model, embedding)
             SELECT number, hash, ?3, ?4 FROM library WHERE id = ?1 AND hash = ?2",
        )?
        .execute((&kept.id, &kept.hash, model, &kept.bytes))?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, number: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM library_embeddings WHERE number = ?1")?.execute([number])?;
    Ok(())
}
