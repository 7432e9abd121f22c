//! Favourites: saved forms, in `favourites.toml` of the data folder.

use std::path::Path;

use kernel::{Code, Phrase, form, phrase};
use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::api::{Favourite, Favourites, Named, Nothing, SaveFavourite};
use crate::program::toml_file::TomlFile;
use crate::runs::RunService;

/// The file in the data folder.
const FILE: &str = "favourites.toml";
/// Most favourites.
const MOST_SAVED: usize = 100;
/// The longest name, in characters.
const LONGEST_NAME: usize = 80;

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    #[serde(default, rename = "favourite", skip_serializing_if = "Vec::is_empty")]
    favourites: Vec<SavedFavourite>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFavourite {
    name: String,
    /// The request as JSON, because TOML has no `null`, which lifts a limit.
    request: String,
}

/// The favourites of a data folder.
pub(crate) struct SavedFavourites(TomlFile<Saved>);

impl SavedFavourites {
    pub(crate) fn of(folder: &Path) -> SavedFavourites {
        SavedFavourites(TomlFile::new(folder, FILE, form!("Your favourites")))
    }
}

impl RunService {
    pub(crate) async fn list_favourites(&self, _: Nothing) -> Result<Favourites, ApiError> {
        let saved = self.favourites.0.read()?.favourites;
        let favourites = saved.into_iter().map(|SavedFavourite { name, request }| {
            let request = serde_json::from_str(&request).map_err(|error| {
                let message = phrase!(
                    "The favourite “{name}” in {file} cannot be read: {error}; mend or remove it there",
                    name = name.clone(),
                    file = FILE,
                    error = error.to_string()
                );
                ApiError::new(Code::BadInput, message)
            })?;
            Ok(Favourite { name, request })
        });
        Ok(Favourites { favourites: favourites.collect::<Result<_, ApiError>>()? })
    }

    pub(crate) async fn save_favourite(&self, asked: SaveFavourite) -> Result<Favourites, ApiError> {
        let name = asked.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return bad(phrase!("A favourite needs a name; type one"));
        }
        if name.chars().count() > LONGEST_NAME {
            let message = phrase!("A name has at most {most} characters; shorten it", most = LONGEST_NAME);
            return bad(message);
        }
        let request = serde_json::to_string(&asked.request).map_err(|error| {
            let message = phrase!("The favourite cannot be written: {error}", error = error.to_string());
            ApiError::new(Code::Internal, message)
        })?;
        self.favourites.0.change(|saved| {
            let all = &mut saved.favourites;
            let place = match &asked.replaces {
                Some(former) => Some(place_of(all, former)?),
                None => None,
            };
            let is_taken =
                |(at, other): (usize, &SavedFavourite)| is_same(&other.name, &name) && place != Some(at);
            if all.iter().enumerate().any(is_taken) {
                return bad(phrase!("You have a favourite “{name}” already; choose another name", name));
            }
            let favourite = SavedFavourite { name, request };
            if let Some(at) = place {
                all.remove(at);
                all.insert(at, favourite);
            } else if all.len() < MOST_SAVED {
                all.push(favourite);
            } else {
                let message =
                    phrase!("You have {most} favourites already; remove one first", most = MOST_SAVED);
                return bad(message);
            }
            Ok(())
        })?;
        self.list_favourites(Nothing {}).await
    }

    pub(crate) async fn remove_favourite(&self, named: Named) -> Result<Favourites, ApiError> {
        self.favourites.0.change(|saved| {
            let at = place_of(&saved.favourites, &named.name)?;
            saved.favourites.remove(at);
            Ok(())
        })?;
        self.list_favourites(Nothing {}).await
    }
}

fn place_of(all: &[SavedFavourite], name: &str) -> Result<usize, ApiError> {
    all.iter()
        .position(|saved| is_same(&saved.name, name))
        .ok_or_else(|| ApiError::new(Code::NotFound, phrase!("You have no favourite “{name}”", name)))
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}
