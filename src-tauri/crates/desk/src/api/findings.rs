//! The lines of the doctor's report: its results and suggested fixes in English. The page has translations.

use kernel::{Form, Phrase, form};

use super::{DoctorLine, Finding, Remedy, Topic, Wanted};

/// A line about the only subject of its topic.
pub(crate) fn line<F: Into<Finding>>(topic: Topic, found: Result<F, F>, remedy: Remedy) -> DoctorLine {
    about(topic, "", found, remedy)
}

/// A line about one of several subjects.
pub(crate) fn about<F: Into<Finding>>(
    topic: Topic,
    subject: &str,
    found: Result<F, F>,
    remedy: Remedy,
) -> DoctorLine {
    let is_well = found.is_ok();
    let finding: Finding = found.unwrap_or_else(|error| error).into();
    let remedy = if is_well { Remedy::Nothing } else { remedy };
    DoctorLine {
        topic,
        name: format!("{} {subject}", topic.words()).trim_end().to_owned(),
        subject: subject.to_owned(),
        is_well,
        found: finding.words(),
        finding,
        fix: remedy.words(),
        remedy,
    }
}

impl From<Phrase> for Finding {
    fn from(phrase: Phrase) -> Finding {
        Finding::Text { phrase }
    }
}

/// Names, versions and paths are not translated.
impl From<String> for Finding {
    fn from(text: String) -> Finding {
        Phrase::verbatim(text).into()
    }
}

impl Wanted {
    pub(crate) fn words(self) -> Form {
        match self {
            Wanted::Nothing => form!("is no setting"),
            Wanted::Text => form!("must be a text in quotes"),
            Wanted::Texts => form!("must be a text in quotes, or a list of them"),
            Wanted::Number => form!("must be a number"),
            Wanted::Table => form!("must be a table"),
        }
    }
}

impl Finding {
    pub(crate) fn words(&self) -> String {
        let of = |provider: &str, sign: &str| {
            if provider.is_empty() { String::new() } else { format!("{provider}{sign} ") }
        };
        match self {
            Finding::Text { phrase } => phrase.english(),
            Finding::UnknownVersion => "its version is not known".to_owned(),
            Finding::OnlyOwner => "only you may read the data folder".to_owned(),
            Finding::OthersMayRead { path } => format!("other users of this machine may read {path}"),
            Finding::WholeDatabase { file, runs, values } => {
                format!("{file}, {runs} runs and {values} large values, all of them whole")
            }
            Finding::DamagedDatabase { file, runs: 0, problem } => format!("{file} is damaged: {problem}"),
            Finding::DamagedDatabase { file, runs, problem } => {
                format!("{file} is damaged: {problem}; {runs} runs cannot be read to their end")
            }
            Finding::Backups { newest: None, .. } => "none yet; one is made after the next run".to_owned(),
            Finding::Backups { count, bytes, newest: Some(newest) } => {
                let megabytes = *bytes as f64 / 1e6;
                format!("{count}, {megabytes:.1} MB in all, the newest {newest}")
            }
            Finding::Setting { wanted } => format!("{} and has no effect", wanted.words().0),
            Finding::Articles { count } => format!("{count} articles"),
            Finding::PipelineFiles { count } => format!("{count} of your own can run"),
            Finding::FaultyPipeline { faults } => {
                let reasons: Vec<String> = faults.iter().map(ToString::to_string).collect();
                format!("cannot run: {}", reasons.join("; "))
            }
            Finding::NoKeyring => {
                "none can be used here; keys can be kept for a session or in the environment".to_owned()
            }
            Finding::KeyInKeyring { provider, last_four } if last_four.is_empty() => {
                format!("{}key in the keyring", of(provider, ","))
            }
            Finding::KeyInKeyring { provider, last_four } => {
                format!("{}key in the keyring, ending in {last_four}", of(provider, ","))
            }
            Finding::KeyForSession { provider } => {
                format!("{}key given for this session", of(provider, ","))
            }
            Finding::NoKeyKept { provider } => format!("{provider}, no key kept"),
            Finding::KeyInEnvironment { provider, variable } => {
                format!("{}key from the environment variable {variable}", of(provider, ","))
            }
            Finding::VariableNotSet { provider, variable } => {
                format!("{}the environment variable {variable} is not set", of(provider, ":"))
            }
            Finding::SourceNotSetUp { page } => format!("not set up; keys are given out at {page}"),
            Finding::SourceWithoutKey => "works without a key, less often".to_owned(),
            Finding::Feeds { count, file } => format!("{count} in {file}"),
            Finding::NoHosts => "none by searches of this process".to_owned(),
            Finding::Answers => "answers".to_owned(),
            Finding::DoesNotAnswer => "does not answer".to_owned(),
            Finding::OwnPrices => "the program's own".to_owned(),
            Finding::PricesIn { file } => format!("{file}, then the program's own"),
        }
    }
}

impl Remedy {
    pub(crate) fn words(&self) -> String {
        match self {
            Remedy::Nothing => String::new(),
            Remedy::InstallWebView => "Install the system's web view anew".to_owned(),
            Remedy::MakeWritable => "Make the folder writable, or choose another with --data-dir".to_owned(),
            Remedy::FreeDatabase => {
                "Close other programs that hold the file, or run `galley recover`".to_owned()
            }
            Remedy::MakePrivate { folder } => format!("Take their rights away: `chmod -R go= {folder}`"),
            Remedy::RecoverDatabase => {
                "Close every other Galley, then run `galley recover`: it sets the database aside and \
                begins with a backup or with what can be read"
                    .to_owned()
            }
            Remedy::MendSettings { file } => format!("Change or remove it in {file}"),
            Remedy::ImportFiles => "Import files with `galley library import PATH`".to_owned(),
            Remedy::MendPipeline { file } => format!("Mend the file {file}, or remove it"),
            Remedy::UnlockKeyring => "Unlock the keyring, or start its service, and look again".to_owned(),
            Remedy::AddProfile { name } => format!("Add the profile anew: `galley profile add {name} …`"),
            Remedy::SaveKey { name } => {
                format!("Open the profile and save a key, or `galley profile add {name} … --key-stdin`")
            }
            Remedy::SetVariable { name } => {
                format!("Set the variable, or add the profile anew: `galley profile add {name} …`")
            }
            Remedy::SetVariableOfService { name } => format!(
                "Set the variable, or name another: `galley config set services.{name}.key_env VARIABLE`"
            ),
            Remedy::MendFeeds => {
                "Mend the file, or remove it to begin with the program's own list".to_owned()
            }
            Remedy::MendPrices => "Mend the file, or remove it to have the program's own prices".to_owned(),
            Remedy::GetModel { way } => way.english(),
            Remedy::CheckCollector => "Start the collector, or name another: `galley config set otlp.url URL`; without one nothing is exported"
                .to_owned(),
            Remedy::CheckNetwork => {
                "Check the network, the address of the profile, and whether its server runs".to_owned()
            }
        }
    }
}
