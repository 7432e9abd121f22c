//! A server of this machine, for itself alone, in a thread of its own.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use tokio::sync::{Semaphore, oneshot};

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

/// Holds the answers to requests of one kind back, after what they ask for is done.
pub struct Gate {
    kind: Mutex<Option<&'static str>>,
    held: Semaphore,
    released: Semaphore,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate { kind: Mutex::default(), held: Semaphore::new(0), released: Semaphore::new(0) }
    }
}

impl Gate {
    /// The router, with the gate before its answers.
    pub(crate) fn before(self: Arc<Gate>, router: Router) -> Router {
        router.layer(from_fn(move |request: Request, next: Next| {
            let gate = self.clone();
            async move {
                let kind = format!("{} {}", request.method(), request.uri().path());
                let response = next.run(request).await;
                let is_held =
                    *gate.kind.lock().unwrap_or_else(PoisonError::into_inner) == Some(kind.as_str());
                if is_held {
                    gate.held.add_permits(1);
                    gate.released.acquire().await.into_iter().for_each(|permit| permit.forget());
                }
                response
            }
        }))
    }

    /// Holds the answers to these requests back from now on, as in `POST /token`.
    pub fn hold(&self, kind: &'static str) {
        *self.kind.lock().unwrap_or_else(PoisonError::into_inner) = Some(kind);
    }

    /// Waits until an answer is held back.
    pub async fn held(&self) {
        self.held.acquire().await.into_iter().for_each(|permit| permit.forget());
    }

    /// Sends the answer that is held back, and holds no more.
    pub fn release(&self) {
        *self.kind.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.released.add_permits(1);
    }
}
