//! `galley models`: lists the models of a profile's provider.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::{ModelCard, ModelList, Named};

use crate::desk_client::{ask, open};
use crate::output;
use crate::table::{one_line, table};

/// `galley models`.
pub(crate) async fn models(data_dir: Option<PathBuf>, name: String) -> Result<u8, ApiError> {
    let found: ModelList = ask(&open(data_dir).await?, "list_models", Named { name }).await?;
    let field = |text: &str| if text.is_empty() { "–".to_owned() } else { one_line(text) };
    let count = |tokens: u64| if tokens == 0 { "–".to_owned() } else { tokens.to_string() };
    let row = |model: &ModelCard| {
        vec![
            one_line(&model.name),
            field(&model.title),
            count(model.input_tokens),
            count(model.output_tokens),
            field(&model.shutdown_date),
        ]
    };
    let rows: Vec<Vec<String>> = found.models.iter().map(row).collect();
    output::write(&table(&["NAME", "TITLE", "TOKENS IN", "TOKENS OUT", "SHUT DOWN"], &rows))?;
    Ok(0)
}
