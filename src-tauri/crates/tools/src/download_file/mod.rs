//! Downloads a file of any kind from the web, unmodified, into the run's folder.
//!
//! The whole body is read before anything is written, so that no partial file is left in the folder. Not in here:
//! fetching (`web::web_client`), access to the folder (`run_folder`), reading the downloaded file.

mod file_name;
mod media_types;
#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input};
use kernel::{Code, EffectClass, Error, Phrase, phrase};
use net::{Answer, Caps, Url};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run_folder::path::{RunPath, journal_text as shown_path};
use crate::run_folder::{Existing, Folder, LARGEST_FILE};
use crate::web::pages::{address, refused_status};
use crate::web::web_client::{WebClient, journal_text as shown_url};

/// The name of the tool that downloads a file.
pub const DOWNLOAD_FILE: &str = "download_file";

const CAPS: Caps = Caps { most_bytes: LARGEST_FILE as usize, within: Duration::from_secs(120), redirects: 6 };

/// A compressed answer would be decompressed in transit: the file would differ and its size would not be known
/// beforehand.
const HEADERS: [(&str, &str); 2] = [("accept", "*/*"), ("accept-encoding", "identity")];

/// Downloads a file.
pub struct DownloadFileTool {
    client: WebClient,
}

/// Which file to download, and where it goes.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DownloadFileInput {
    /// The whole address of the file, beginning with `https://` or `http://`.
    pub url: String,
    /// Where the file goes, as seen from the folder of the run: a file such as `papers/tides.pdf`, or a folder with `/` at its
    /// end, in which the file has the name that its server gives it. Nothing is the folder of the run.
    #[serde(default)]
    pub path: String,
}

/// What was downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DownloadFileOutput {
    /// The file, as seen from the folder of the run.
    pub path: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its name.
    pub name: String,
    /// Where the address led in the end.
    pub url: String,
    /// Its kind, as its server names it: `application/pdf`.
    pub media_type: String,
}

impl DownloadFileTool {
    /// Creates the tool with the client that fetches the files.
    pub fn new(client: WebClient) -> DownloadFileTool {
        DownloadFileTool { client }
    }
}

#[async_trait]
impl TypedTool for DownloadFileTool {
    type Input = DownloadFileInput;
    type Output = DownloadFileOutput;
    const NAME: &'static str = DOWNLOAD_FILE;
    const DESCRIPTION: &'static str = "Downloads a file of any kind from a public address of the web into the folder of this run, as it \
         is. A file that exists is not replaced. A file has at most 50 MiB.";
    const USES_FOLDER: bool = true;

    fn access(&self, input: &DownloadFileInput) -> Access {
        Access { class: EffectClass::Repeatable, ..WebClient::access(&input.url) }
    }

    fn title(&self, input: &DownloadFileInput) -> Phrase {
        phrase!("downloaded {url}", url = shown_url(&input.url))
    }

    fn intent(&self, input: &DownloadFileInput) -> Phrase {
        let url = shown_url(&input.url);
        match shown_path(&input.path) {
            path if path.is_empty() => phrase!("Downloads {url} into the folder of the run", url),
            path => phrase!("Downloads {url} to {path} in the folder of the run", url, path),
        }
    }

    fn timeout(&self) -> Duration {
        // The write waits for other work in the folder.
        CAPS.within + Duration::from_secs(30)
    }

    /// No examples of results: web content changes.
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(
        &self,
        input: DownloadFileInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<DownloadFileOutput>, Error> {
        let target = Target::of(&input.path).map_err(|why| bad_input(DOWNLOAD_FILE, "/path", &why))?;
        let folder = Folder::of(DOWNLOAD_FILE, context, LARGEST_FILE)?;
        let answer = self.client.fetch(DOWNLOAD_FILE, &input.url, &HEADERS, CAPS, context).await?;
        // Only these statuses carry the whole file.
        if !matches!(answer.status, 200 | 203) {
            let host = answer.url.host_str().unwrap_or_default().to_owned();
            let why = phrase!("{host} {reason}", host, reason = refused_status(&answer));
            let message = phrase!("{why}; check the address or download another file", why);
            return Err(Error::new(Code::ToolFailed, message));
        }
        let media_type = media_types::of(&answer);
        let path = match target {
            Target::File(path) => path,
            Target::Folder(folder) => {
                let name = file_name::of(&answer, &media_type);
                folder.join(&name).map_err(|why| bad_input(DOWNLOAD_FILE, "/path", &why))?
            }
        };
        let missed = missed_extension(&input.url, &answer, path.name());
        let (url, name) = (answer.url.to_string(), path.name().to_owned());
        let write = move |folder: &Folder| folder.write(&path, &answer.body, Existing::Refused);
        let file = folder.work(context, write).await?;
        let (path, bytes) = (file.path.clone(), file.bytes);
        let summary = match missed {
            None => phrase!("{path} has {bytes} bytes of {media_type}", path, bytes, media_type),
            Some(extension) => phrase!(
                "{path} has {bytes} bytes of a web page, although the address looks like a .{extension} file; read the page to see why",
                path,
                bytes,
                extension
            ),
        };
        let output = DownloadFileOutput { path: file.path.clone(), bytes, name, url, media_type };
        Ok(ToolOutput { files: vec![file], ..ToolOutput::new(output, summary) })
    }
}

/// Where the downloaded file is written.
enum Target {
    File(RunPath),
    /// Into this folder, under the name from the answer.
    Folder(RunPath),
}

impl Target {
    fn of(path: &str) -> Result<Target, String> {
        if !path.is_empty() && path != "." && !path.ends_with('/') {
            return RunPath::of_file(path).map(Target::File);
        }
        let folder = RunPath::of_folder(path)?;
        // Refuse a folder that is too deep for any file before the download.
        folder.join(file_name::FALLBACK_NAME)?;
        Ok(Target::Folder(folder))
    }
}

/// The extension that the address promises, when an HTML page came instead: a login form, or a landing page that links
/// to the file.
fn missed_extension(asked: &str, answer: &Answer, name: &str) -> Option<String> {
    let last = |url: &Url| url.path_segments()?.next_back().map(str::to_owned);
    let asked = address(asked).ok().as_ref().and_then(last);
    let names = [asked, last(&answer.url), Some(name.to_owned())];
    let extensions = names.into_iter().flatten().filter_map(|name| media_types::known_extension(&name));
    let mut missed = extensions.filter(|extension| !media_types::is_of_page(extension));
    missed.next().filter(|_| media_types::is_page(answer))
}
