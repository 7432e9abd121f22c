//! The articles of the user's library, and the removed articles of the sample.

use std::collections::BTreeMap;

use engine::LibraryArticle;
use kernel::Hash;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::{library_embeddings, library_words};
use crate::{LibraryEntry, NewArticle, words};

pub(crate) const CREATE: &str = "CREATE TABLE library (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,         -- of title and text
    published TEXT NOT NULL,           -- YYYY-MM-DD, or empty
    added_at_ms INTEGER NOT NULL,
    is_sample INTEGER NOT NULL,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    source TEXT NOT NULL,
    origin TEXT NOT NULL,
    authors TEXT NOT NULL,             -- JSON array of texts
    categories TEXT NOT NULL,          -- JSON array of texts
    text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX library_by_url ON library (url) WHERE url <> '';
CREATE TABLE library_removed (id TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;";

/// The result of importing an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportOutcome {
    Added,
    Updated,
    Unchanged,
}

/// Imports an article, or recognizes it by id, address or content.
pub(crate) fn take(
    connection: &Connection,
    new: &NewArticle,
    hash: &Hash,
    (is_sample, now_ms): (bool, i64),
) -> Result<ImportOutcome> {
    let article = &new.article;
    let url = article.url.trim();
    let known: Option<(i64, String)> = connection
        .prepare_cached(
            "SELECT number, hash FROM library WHERE id = ?1
             UNION ALL SELECT number, hash FROM library WHERE url = ?2 AND url <> ''
             UNION ALL SELECT number, hash FROM library WHERE hash = ?3 LIMIT 1",
        )?
        .query_row((&article.id, url, &hash.0), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let published = day(&article.published);
    let list = |texts: &[String]| serde_json::Value::from(texts).to_string();
    if let Some((number, stored)) = known {
        // Another article may have the same text already; then this one keeps its own.
        if stored == hash.0 || number_of(connection, "hash", &hash.0)?.is_some() {
            return Ok(ImportOutcome::Unchanged);
        }
        connection
            .prepare_cached(
                "UPDATE library SET hash = ?2, title = ?3, source = ?4, published = ?5, origin = ?6, authors = ?7,
                     categories = ?8, text = ?9 WHERE number = ?1",
            )?
            .execute(params![
                number,
                hash.0,
                article.title,
                article.source,
                published,
                new.origin,
                list(&new.authors),
                list(&new.categories),
                article.text,
            ])?;
        library_words::replace(connection, number, &article.title, &article.text)?;
        return Ok(ImportOutcome::Updated);
    }
    let id = if article.id.is_empty() { format!("doc-{}", &hash.0[..12]) } else { article.id.clone() };
    connection
        .prepare_cached(
            "INSERT INTO library (id, hash, published, added_at_ms, is_sample, title, url, source, origin, authors,
                 categories, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            id,
            hash.0,
            published,
            now_ms,
            is_sample,
            article.title,
            url,
            article.source,
            new.origin,
            list(&new.authors),
            list(&new.categories),
            article.text,
        ])?;
    library_words::insert(connection, connection.last_insert_rowid(), &article.title, &article.text)?;
    if !is_sample {
        connection.prepare_cached("DELETE FROM library_removed WHERE id = ?1")?.execute([&id])?;
    }
    Ok(ImportOutcome::Added)
}

/// The day at the beginning of a date, or an empty text.
fn day(published: &str) -> String {
    let first = published.trim().get(..10).unwrap_or_default();
    first.parse::<jiff::civil::Date>().map(|date| date.to_string()).unwrap_or_default()
}

/// Whether the user removed this article of the sample.
pub(crate) fn was_removed(connection: &Connection, id: &str) -> Result<bool> {
    connection.prepare_cached("SELECT 1 FROM library_removed WHERE id = ?1")?.exists([id])
}

/// Removes an article; returns whether it existed.
pub(crate) fn remove(connection: &Connection, id: &str) -> Result<bool> {
    let Some(number) = number_of(connection, "id", id)? else { return Ok(false) };
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO library_removed (id) SELECT id FROM library WHERE number = ?1 AND is_sample",
        )?
        .execute([number])?;
    connection.prepare_cached("DELETE FROM library WHERE number = ?1")?.execute([number])?;
    library_embeddings::remove(connection, number)?;
    library_words::remove(connection, number)?;
    Ok(true)
}

fn number_of(connection: &Connection, column: &'static str, value: &str) -> Result<Option<i64>> {
    connection
        .prepare_cached(&format!("SELECT number FROM library WHERE {column} = ?1"))?
        .query_row([value], |row| row.get(0))
        .optional()
}

/// The latest date of an article; `None` when no article has one.
pub(crate) fn latest_day(connection: &Connection) -> Result<Option<String>> {
    connection
        .prepare_cached("SELECT max(published) FROM library WHERE published <> ''")?
        .query_row([], |row| row.get(0))
}

pub(crate) fn count(connection: &Connection) -> Result<u64> {
    let count: i64 =
        connection.prepare_cached("SELECT count(*) FROM library")?.query_row([], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

fn article(row: &Row<'_>) -> Result<LibraryArticle> {
    Ok(LibraryArticle {
        id: row.get(0)?,
        title: row.get(1)?,
        url: row.get(2)?,
        source: row.get(3)?,
        published: row.get(4)?,
        text: row.get(5)?,
        is_sample: row.get(6)?,
    })
}

pub(crate) fn get(connection: &Connection, id: &str) -> Result<Option<LibraryArticle>> {
    connection
        .prepare_cached(
            "SELECT id, title, url, source, published, text, is_sample FROM library WHERE id = ?1",
        )?
        .query_row([id], article)
        .optional()
}

/// An article with all its imported data.
pub(crate) fn whole(connection: &Connection, id: &str) -> Result<Option<NewArticle>> {
    let texts = |row: &Row<'_>, column: usize| -> Result<Vec<String>> {
        Ok(serde_json::from_str(&row.get::<_, String>(column)?).unwrap_or_default())
    };
    connection
        .prepare_cached(
            "SELECT id, title, url, source, published, text, is_sample, authors, categories, origin FROM library
             WHERE id = ?1",
        )?
        .query_row([id], |row| {
            Ok(NewArticle {
                article: article(row)?,
                authors: texts(row, 7)?,
                categories: texts(row, 8)?,
                origin: row.get(9)?,
            })
        })
        .optional()
}

/// The best matches first, within the period if one is given; a match in the title counts four times one in the text.
pub(crate) fn candidates(
    connection: &Connection,
    question: &str,
    (from, until): (Option<&str>, Option<&str>),
    limit: u32,
) -> Result<Vec<LibraryArticle>> {
    // Undated articles have an empty day, which sorts before all others.
    let is_windowed = from.is_some() || until.is_some();
    let first = from.unwrap_or(if is_windowed { "0" } else { "" });
    connection
        .prepare_cached(
            "SELECT library.id, library.title, url, source, published, library.text, is_sample
             FROM library_words JOIN library ON library.number = library_words.rowid
             WHERE library_words MATCH ?1 AND published >= ?2 AND (?3 IS NULL OR published <= ?3)
             ORDER BY bm25(library_words, 4.0, 1.0), library.id LIMIT ?4",
        )?
        .query_map((question, first, until, limit), article)?
        .collect()
}

/// Undated candidates among the user's own articles, best first.
pub(crate) fn undated(connection: &Connection, question: &str, limit: u32) -> Result<Vec<LibraryArticle>> {
    connection
        .prepare_cached(
            "SELECT library.id, library.title, url, source, published, library.text, is_sample
             FROM library_words JOIN library ON library.number = library_words.rowid
             WHERE library_words MATCH ?1 AND published = '' AND is_sample = 0
             ORDER BY bm25(library_words, 4.0, 1.0), library.id LIMIT ?2",
        )?
        .query_map((question, limit), article)?
        .collect()
}

/// The least length of a word for spelling correction: shorter ones resemble too many other words.
const LEAST_MISSPELT: usize = 5;
/// The least length of a word for two corrections.
const LONG_WORD: usize = 9;

/// The word of a title with the most similar spelling: the nearest, then the most common.
pub(crate) fn similar_word(connection: &Connection, word: &str) -> Result<Option<String>> {
    let length = word.chars().count();
    if length < LEAST_MISSPELT || !word.chars().all(char::is_alphabetic) {
        return Ok(None);
    }
    let most = if length < LONG_WORD { 1 } else { 2 };
    let mut near: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut statement = connection.prepare_cached("SELECT title FROM library")?;
    let mut titles = statement.query(())?;
    while let Some(row) = titles.next()? {
        let title = row.get_ref(0)?.as_str()?.to_lowercase();
        for other in title.split(|character: char| !character.is_alphanumeric()) {
            if other.chars().count().abs_diff(length) > most {
                continue;
            }
            if let Some((_, times)) = near.get_mut(other) {
                *times += 1;
                continue;
            }
            let slips = strsim::osa_distance(word, other);
            if slips <= most {
                near.insert(other.to_owned(), (slips, 1));
            }
        }
    }
    let nearest = near.into_iter().min_by_key(|(_, (slips, times))| (*slips, usize::MAX - times));
    Ok(nearest.map(|(word, _)| word))
}

const ENTRY: &str =
    "library.id, library.title, url, source, published, authors, categories, origin, added_at_ms,
    library.text";

fn entry(row: &Row<'_>, search: Option<&str>) -> Result<LibraryEntry> {
    let list = |column| -> Result<Vec<String>> {
        Ok(serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default())
    };
    let text = row.get_ref(9)?.as_str()?;
    let found = search.and_then(|search| words::snippet(text, search));
    Ok(LibraryEntry {
        id: row.get(0)?,
        title: row.get(1)?,
        url: row.get(2)?,
        source: row.get(3)?,
        published: row.get(4)?,
        authors: list(5)?,
        categories: list(6)?,
        origin: row.get(7)?,
        added_at_ms: row.get(8)?,
        snippet: found.unwrap_or_else(|| words::beginning(text)),
    })
}

pub(crate) fn newest(connection: &Connection, limit: u32) -> Result<Vec<LibraryEntry>> {
    connection
        .prepare_cached(&format!("SELECT {ENTRY} FROM library ORDER BY published DESC, id LIMIT ?1"))?
        .query_map([limit], |row| entry(row, None))?
        .collect()
}

pub(crate) fn best(
    connection: &Connection,
    question: &str,
    search: &str,
    limit: u32,
) -> Result<Vec<LibraryEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {ENTRY} FROM library_words JOIN library ON library.number = library_words.rowid
             WHERE library_words MATCH ?1 ORDER BY bm25(library_words, 4.0, 1.0), library.id LIMIT ?2"
        ))?
        .query_map((question, limit), |row| entry(row, Some(search)))?
        .collect()
}
