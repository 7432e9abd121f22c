//! Lists the models of a profile, for people to choose from.
//!
//! Not here: what a model costs (the ledger).

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};

use crate::listing::ModelCard;
use crate::provider_client::ProviderClient;
use crate::{ProfileAccess, error, http, provider_of};

/// Most pages of a list that are requested.
const MOST_PAGES: usize = 20;
/// Most models that are kept: some gateways list thousands.
const MOST_MODELS: usize = 5000;

/// The models of a profile, in the provider's order.
///
/// # Errors
/// As for [`connect`](crate::connect), and the error of the request in the words that a run would show.
pub async fn list_models(mut access: ProfileAccess) -> Result<Vec<ModelCard>, Error> {
    let provider = provider_of(&mut access)?;
    listed(&ProviderClient::open(access, provider)?).await
}

/// The models that a client lists.
pub(crate) async fn listed(client: &ProviderClient) -> Result<Vec<ModelCard>, Error> {
    let listing = client.listing();
    let (path, query) = listing.path.split_once('?').unwrap_or((listing.path, ""));
    let mut url = client.url(path);
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        url.query_pairs_mut().append_pair(name, value);
    }
    let first = url.clone();
    let mut models = Vec::new();
    for _ in 0..MOST_PAGES {
        let mut request = client.http().get(url.clone());
        for (name, value) in listing.headers {
            request = request.header(*name, *value);
        }
        let response = http::send(client, "", request, |_| {}).await.map_err(|failure| *failure.error)?;
        let body = http::json(client, response).await?;
        let Some(page) = (listing.read)(&body) else { return Err(error::broken(client)) };
        models.extend(page.models.into_iter().filter(|model| !model.name.is_empty()));
        let next = page.next.filter(|(_, value)| !value.is_empty() && models.len() < MOST_MODELS);
        let Some((name, value)) = next else { break };
        url = first.clone();
        url.query_pairs_mut().append_pair(name, &value);
    }
    models.truncate(MOST_MODELS);
    if models.is_empty() {
        let message = phrase!(
            "{server} lists no models; install or enable one there, or name one for profile `{profile}` yourself.",
            server = client.server(),
            profile = client.profile()
        );
        return Err(client.error(Code::NotFound, message, None));
    }
    let redactor = client.redactor();
    for model in &mut models {
        model.name = redactor.whole(&model.name);
        model.title = redactor.whole(&model.title);
        model.shutdown_date = redactor.whole(&model.shutdown_date);
    }
    Ok(models)
}

/// Timeout for the names of the other models if one does not exist.
const NAMES_WITHIN: Duration = Duration::from_secs(5);
/// Most names in that error.
const MOST_NAMES: usize = 8;

/// The names of the models of a server, the most similar to this one first; `None` if it lists none, or lists this one.
pub(crate) async fn others_than(model: &str, client: &ProviderClient) -> Option<Phrase> {
    let listed = tokio::time::timeout(NAMES_WITHIN, listed(client)).await.ok()?.ok()?;
    if listed.iter().any(|card| card.name == model) {
        return None;
    }
    let mut names: Vec<&str> = listed.iter().map(|card| card.name.as_str()).collect();
    let wanted = model.to_lowercase();
    names.sort_by_key(|name| {
        let name = name.to_lowercase();
        let alike = name.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        std::cmp::Reverse((name.contains(&wanted) || wanted.contains(&name), alike))
    });
    let named: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    Some(match names.len().saturating_sub(named.len()) {
        0 => phrase!("{named}", named),
        more => phrase!("{named} and {more} more", named, more),
    })
}
