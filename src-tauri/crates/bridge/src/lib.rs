//! L5: the same API over HTTP on 127.0.0.1 with a token, for browsers and tests; never in a release.
//!
//! Whoever has the token may ask for everything the desk offers. A page of another origin has none, and a name that
//! somebody made point here is not answered either.

mod files;
mod guard;
mod routes;
mod running;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use desk::Desk;
use tokio::net::TcpListener;

/// A bridge that listens, and does not answer yet.
pub struct Bridge {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl Bridge {
    /// Takes a port of the loopback; 0 lets the system choose one.
    pub async fn bind(port: u16) -> std::io::Result<Bridge> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        // An id of version 7 holds 74 random bits; two hold more than anybody can guess.
        let part = || uuid::Uuid::now_v7().simple().to_string();
        Ok(Bridge { listener, address, token: part() + &part() })
    }

    /// The page's address, with the token that it needs.
    pub fn url(&self) -> String {
        format!("http://{}/#token={}", self.address, self.token)
    }

    /// Answers with the desk, and with the page's files from `page`, until dropped.
    pub async fn serve(self, desk: Desk, page: Option<PathBuf>) -> std::io::Result<()> {
        axum::serve(self.listener, routes::router(desk, self.token, page)).await
    }
}

pub use files::find_page;
pub use running::{Arguments, run};
