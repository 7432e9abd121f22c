//! Embeddings of the person's articles, kept from one search to the next. An embedding belongs to one text and one model: once
//! the article has another text, or the program another model, it counts no more.

use engine::{KeptEmbedding, OwnArticle};
use rusqlite::{Connection, Result};

pub(crate) const CREATE: &str = "CREATE TABLE library_embeddings (
    number INTEGER PRIMARY KEY,        -- of the article
    hash TEXT NOT NULL,                -- of its title and text
    model TEXT NOT NULL,
    embedding BLOB NOT NULL
) STRICT;";

/// Bytes beyond which something is no embedding.
const LONGEST: u32 = 4_096;

/// The newest articles that the person added, of these days, then those without one.
pub(crate) fn own(
    connection: &Connection,
    (from, until): (&str, &str),
    model: &str,
    limit: u32,
) -> Result<Vec<OwnArticle>> {
    // Chosen by their numbers first, so that no text is sorted.
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

/// Keeps an embedding, if the article still has the text that it was made of.
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
