//! `galley doctor`: reports what works and what does not, each problem with a fix.

use std::path::PathBuf;

use desk::api::{DoctorLine, DoctorReport, Finding, Remedy, Topic};
use desk::{ApiError, Desk, ErrorCode, Options};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;
use crate::table::one_line;

/// `galley doctor`. It also reports if the data folder cannot be opened, and settings without effect.
pub(crate) async fn doctor(data_dir: Option<PathBuf>, is_json: bool) -> Result<u8, ApiError> {
    let options = Options { data_dir: data_dir.clone(), ..Options::default() };
    let report = match Desk::open(options).await {
        Ok(desk) => {
            let bar = if output::can_draw() { ProgressBar::new(100) } else { ProgressBar::hidden() };
            bar.set_message("Looking at the database");
            let style = ProgressStyle::with_template("{bar:30} {percent}% {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            let moving = bar.clone();
            let report = desk.doctor().examine(move |done, total| {
                moving.set_length(total.into());
                moving.set_position(done.into());
            });
            let report = report.await;
            bar.finish_and_clear();
            report?
        }
        Err(error) => broken(data_dir, &error),
    };
    if is_json {
        output::write_json(&report)?;
    } else {
        for line in &report.lines {
            let mark = if line.is_well { "✓" } else { "✗" };
            output::write(&format!("{mark} {}: {}\n", line.name, one_line(&line.found)))?;
            if !line.is_well && !line.fix.is_empty() {
                output::write(&format!("    {}\n", one_line(&line.fix)))?;
            }
        }
    }
    Ok(u8::from(report.lines.iter().any(|line| !line.is_well)))
}

fn broken(data_dir: Option<PathBuf>, error: &ApiError) -> DoctorReport {
    let version = DoctorLine {
        topic: Topic::Program,
        subject: String::new(),
        name: "Galley".to_owned(),
        is_well: true,
        found: env!("CARGO_PKG_VERSION").to_owned(),
        finding: Finding::from(env!("CARGO_PKG_VERSION").to_owned()),
        fix: String::new(),
        remedy: Remedy::Nothing,
    };
    let folder = desk::data_folder(data_dir).map(|folder| folder.display().to_string()).unwrap_or_default();
    let (remedy, fix) = match error.code {
        ErrorCode::DatabaseCorrupt | ErrorCode::DatabaseMissing => (
            Remedy::RecoverDatabase,
            "Run `galley recover`, or choose another folder with --data-dir".to_owned(),
        ),
        _ => (
            Remedy::MakeWritable,
            format!("Mend what is said above in {folder}, or choose another folder with --data-dir"),
        ),
    };
    let data = DoctorLine {
        topic: Topic::DataFolder,
        subject: String::new(),
        name: "Data folder".to_owned(),
        is_well: false,
        found: output::sentence(error),
        finding: Finding::Text { phrase: (*error.phrase).clone() },
        remedy,
        fix,
    };
    DoctorReport { lines: vec![version, data], redacted: String::new() }
}
