//! `galley recover`: recovers from a damaged or missing database.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use desk::api::{BackupCard, DoctorLine, Recovered, Replacement};
use desk::{ApiError, Desk, ErrorCode, Options, backups, data_folder};

use crate::arguments::Recover;
use crate::table::one_line;
use crate::{option_values, output};

/// Sets the database aside and starts with a replacement.
pub(crate) async fn recover(data_dir: Option<PathBuf>, asked: Recover) -> Result<u8, ApiError> {
    let folder = data_folder(data_dir)?;
    if asked.from.is_none() {
        match damage(&folder).await? {
            Some(words) => output::tell(&one_line(&words)),
            None => {
                output::write("The database is whole; nothing was changed\n")?;
                return Ok(0);
            }
        }
    }
    let known = backups(&folder)?;
    let replacement = replacement(&folder, asked.from.as_deref());
    if !asked.yes && !agrees(&known, &replacement)? {
        output::tell("Nothing was changed");
        return Ok(130);
    }
    let Recovered { kept, backup, runs, shortened, without_definition, lost } =
        desk::recover(folder, replacement).await?;
    let with = backup.map_or("what can be read".to_owned(), |backup| format!("the backup {backup}"));
    let mut report = if runs == 0 {
        "Begun with an empty history".to_owned()
    } else {
        format!("Begun with {with}: {runs} runs")
    };
    if shortened > 0 {
        report.push_str(&format!(", {shortened} of them only up to what cannot be read"));
    }
    if without_definition > 0 {
        report.push_str(&format!(
            ", {without_definition} of them without what they were started with: these can be read and exported, not resumed \
             or replayed"
        ));
    }
    if lost > 0 {
        report.push_str(&format!("; {lost} runs could not be read at all"));
    }
    if let Some(kept) = kept {
        report.push_str(&format!(". The database from before is kept as {kept}"));
    }
    output::write(&format!("{report}\n"))?;
    Ok(0)
}

/// The damage of the database; `None` if it is intact.
async fn damage(folder: &Path) -> Result<Option<String>, ApiError> {
    match Desk::open(Options { data_dir: Some(folder.to_owned()), ..Options::default() }).await {
        Ok(desk) => {
            let DoctorLine { is_well, found, .. } = desk.doctor().about_database(|_, _| {}).await;
            // The database must be closed before it is set aside.
            desk.close().await;
            Ok((!is_well).then_some(found))
        }
        Err(error) if matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::DatabaseMissing) => {
            Ok(Some(error.message))
        }
        Err(error) => Err(error),
    }
}

fn replacement(folder: &Path, from: Option<&str>) -> Replacement {
    match from {
        None => Replacement::Fullest,
        Some("readable") => Replacement::Readable,
        Some("empty") => Replacement::Empty,
        Some(name) => {
            // A backup may be given by its name or by its path: it is one of those in the folder in either case.
            let path = Path::new(name);
            let is_there = path.parent().is_some_and(|parent| parent == folder);
            let file = path.file_name().filter(|_| is_there).map(|file| file.to_string_lossy().into_owned());
            Replacement::Backup { file: file.unwrap_or_else(|| name.to_owned()) }
        }
    }
}

/// Shows the available replacements, and asks.
fn agrees(known: &[BackupCard], replacement: &Replacement) -> Result<bool, ApiError> {
    let names: Vec<&str> = known.iter().map(|backup| backup.file.as_str()).collect();
    let there = if names.is_empty() { "no backup".to_owned() } else { names.join(", ") };
    if !std::io::stdin().is_terminal() {
        return Err(option_values::refused(format!(
            "Nobody can be asked here; add --yes, and --from with a backup ({there}), `readable` or `empty` where the \
             richest is not wanted"
        )));
    }
    let with = match replacement {
        Replacement::Backup { file } => format!("the backup {file}"),
        Replacement::Readable => "what can be read of it".to_owned(),
        Replacement::Empty => "an empty history".to_owned(),
        Replacement::Fullest => {
            "what can be read of it, or the newest backup where that holds more runs".to_owned()
        }
    };
    output::tell(&format!(
        "Backups: {there}. --from BACKUP, --from readable or --from empty choose what to begin with."
    ));
    output::tell(&format!("Set the database aside and begin with {with}? [y/N]"));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}
