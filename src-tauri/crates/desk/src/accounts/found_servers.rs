//! The model servers that run on this machine, and the profiles that ask them.

use models::LocalServer;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::profile_card::address_of;
use crate::api::{FoundServer, FoundServers, Nothing, ProfileCard};

impl AccountService {
    /// Searches this machine for model servers. Only the person's wish to see them starts it.
    pub(crate) async fn find_servers(&self, _: Nothing) -> Result<FoundServers, ApiError> {
        let profiles = self.settings.profiles()?;
        let found = models::local_servers(net::note_contact).await;
        let mut servers: Vec<FoundServer> = Vec::with_capacity(found.len());
        for server in found {
            let profile = profiles.iter().find(|card| asks(card, &server)).map(|card| card.name.clone());
            let is_taken = |name: &str| {
                profiles.iter().any(|card| card.name == name)
                    || servers.iter().any(|other| other.free_name == name)
            };
            servers.push(FoundServer {
                free_name: free_name(server.id, is_taken),
                provider: server.provider.to_owned(),
                title: server.title.to_owned(),
                address: server.address.as_str().trim_end_matches('/').to_owned(),
                base_url: server.base_url,
                models: server.models,
                next_step: server.next_step,
                profile,
            });
        }
        Ok(FoundServers { servers })
    }
}

/// Whether the requests of a profile go to this server.
fn asks(card: &ProfileCard, server: &LocalServer) -> bool {
    address_of(card).is_some_and(|address| {
        address.port_or_known_default() == server.address.port_or_known_default()
            && net::is_of_this_machine(&address)
    })
}

/// The wanted name, or the first with a number that is not taken.
fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2_u32..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
