//! The arguments of `galley export`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// md, html, pdf, docx, report (one page with the run inside), json, csv, adk (a session of the Agent Development Kit) or
    /// seed (events as partial states); of a planned trip also map (a web page), booklet (PDF), ics, links (to Google Maps),
    /// gpx, geojson or kml
    #[arg(long)]
    pub(crate) format: String,
    /// Leave this out; may be repeated. Of the journal (csv) events: run, stage, state, asked, answered or note. Of a whole
    /// run (report, json): prompts, pages, file-names, addresses or amounts
    #[arg(long, value_name = "KIND")]
    pub(crate) without: Vec<String>,
    /// The file or folder to write to [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) yes: bool,
}
