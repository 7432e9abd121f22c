//! L5: the same API over HTTP on 127.0.0.1 with a token, for browsers and tests; never in a release.
//!
//! A client with the token may use every command of the desk. A page of another origin does not have it, and requests
//! for another host name are refused.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod files;
mod guard;
mod program;
mod routes;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use desk::Desk;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// The timeout for the headers of a request, after which the connection is closed, and their largest size.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 64 * 1024;

/// A bridge that listens and does not serve yet.
pub struct Bridge {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl Bridge {
    /// Binds a port of the loopback; 0 lets the system choose one.
    ///
    /// # Errors
    /// The port is in use.
    pub async fn bind(port: u16) -> std::io::Result<Bridge> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Bridge { listener, address, token: desk::new_secret() })
    }

    /// The page's address with its token.
    pub fn url(&self) -> String {
        format!("http://{}/#token={}", self.address, self.token)
    }

    /// Serves the desk, and the page's files from `page`, until dropped.
    ///
    /// # Errors
    /// The socket fails.
    pub async fn serve(self, desk: Desk, page: Option<PathBuf>) -> std::io::Result<()> {
        let router = TowerToHyperService::new(routes::router(desk, self.token, page));
        // Dropped connections end with the bridge.
        let mut connections = JoinSet::new();
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // The client disconnected, or there are too many connections: the next one may succeed.
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                },
                Some(_) = connections.join_next() => continue,
            };
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(MOST_HEADERS);
            connections.spawn(http.serve_connection(TokioIo::new(stream), router.clone()));
        }
    }
}

pub use files::find_page;
pub use program::start;
