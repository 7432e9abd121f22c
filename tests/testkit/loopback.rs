//! A server of this machine, for itself alone, in a thread of its own.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread::JoinHandle;

use axum::Router;
use tokio::sync::oneshot;

/// A place on the loopback address that nobody has.
pub(crate) struct FreePlace {
    /// `http://127.0.0.1:PORT`.
    pub(crate) base_url: String,
    listener: TcpListener,
}

/// A running server; it ends when this is dropped.
pub(crate) struct Loopback {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FreePlace {
    #[expect(clippy::expect_used, reason = "without its server a test cannot begin")]
    pub(crate) fn find() -> FreePlace {
        let find = || -> io::Result<FreePlace> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            listener.set_nonblocking(true)?;
            let base_url = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
            Ok(FreePlace { base_url, listener })
        };
        find().expect("a free port on the loopback address")
    }

    /// A server here that answers as the router does.
    #[expect(clippy::expect_used, reason = "without its server a test cannot begin")]
    pub(crate) fn serve(self, name: &str, router: Router) -> Loopback {
        let start = || -> io::Result<Loopback> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let (stop, stopped) = oneshot::channel();
            let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
                runtime.block_on(async {
                    let Ok(listener) = tokio::net::TcpListener::from_std(self.listener) else { return };
                    tokio::select! {
                        _ = axum::serve(listener, router) => {}
                        _ = stopped => {}
                    }
                });
            })?;
            Ok(Loopback { stop: Some(stop), thread: Some(thread) })
        };
        start().expect("a thread for a server")
    }
}

impl Loopback {
    /// Ends the server; tells whether it had crashed.
    pub(crate) fn end(&mut self) -> bool {
        drop(self.stop.take());
        self.thread.take().is_some_and(|thread| thread.join().is_err())
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        let _crashed = self.end();
    }
}
