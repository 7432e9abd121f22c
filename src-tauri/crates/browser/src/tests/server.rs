//! Local servers: one that answers, and one that only counts connections.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The answer for a path.
pub(super) enum Reply {
    Page(String),
    Redirect(String),
    /// Endless bytes.
    Flood,
    /// No answer at all.
    Silence,
}

/// Answers each connection in its own thread. Stops when dropped.
pub(super) struct Server {
    pub(super) base: String,
    paths: Arc<Mutex<Vec<String>>>,
    end: End,
}

impl Server {
    pub(super) fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (paths, answer) = (Arc::<Mutex<Vec<String>>>::default(), Arc::new(answer));
        let kept = paths.clone();
        let end = End::of(listener, move |stream, is_over| {
            let (kept, answer, is_over) = (kept.clone(), answer.clone(), is_over.clone());
            std::thread::spawn(move || serve(stream, &kept, &*answer, &is_over));
        });
        Server { base, paths, end }
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.paths.lock().unwrap().clone()
    }

    /// Whether this path was requested within the time limit.
    pub(super) async fn is_asked(&self, path: &str) {
        while !self.paths().iter().any(|asked| asked == path) {
            assert!(!self.end.is_over.load(Ordering::SeqCst));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn serve(
    mut stream: TcpStream,
    paths: &Mutex<Vec<String>>,
    answer: &(dyn Fn(&str) -> Reply + Send + Sync),
    is_over: &AtomicBool,
) {
    let (mut head, mut byte) = (Vec::new(), [0; 1]);
    while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    paths.lock().unwrap().push(path.clone());
    let start = "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\nconnection: close\r\n";
    // The browser may have closed the connection, which some tests want.
    let _hung_up = match answer(&path) {
        Reply::Page(body) => {
            stream.write_all(format!("{start}content-length: {}\r\n\r\n{body}", body.len()).as_bytes())
        }
        Reply::Redirect(to) => stream.write_all(
            format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .as_bytes(),
        ),
        Reply::Flood => {
            let mut sent = stream.write_all(format!("{start}\r\n").as_bytes());
            while sent.is_ok() && !is_over.load(Ordering::SeqCst) {
                sent = stream.write_all(&[b'x'; 64 << 10]);
            }
            sent
        }
        Reply::Silence => {
            while !is_over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }
    };
}

/// What no page may reach: a local TCP server and a UDP socket.
pub(super) struct Victim {
    /// Without `127.0.0.1`: pages write addresses in many ways.
    pub(super) port: u16,
    pub(super) packets_port: u16,
    reached: Arc<AtomicUsize>,
    packets: UdpSocket,
    _end: End,
}

impl Victim {
    pub(super) fn start() -> Victim {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let reached = Arc::new(AtomicUsize::new(0));
        let count = reached.clone();
        let end = End::of(listener, move |mut stream, is_over| {
            if !is_over.load(Ordering::SeqCst) {
                count.fetch_add(1, Ordering::SeqCst);
                let _hung_up = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nSECRET");
            }
        });
        let packets = UdpSocket::bind("127.0.0.1:0").unwrap();
        packets.set_nonblocking(true).unwrap();
        let packets_port = packets.local_addr().unwrap().port();
        Victim { port, packets_port, reached, packets, _end: end }
    }

    /// The number of connections and packets received.
    pub(super) fn reached(&self) -> (usize, usize) {
        let mut packets = 0;
        while self.packets.recv(&mut [0; 2048]).is_ok() {
            packets += 1;
        }
        (self.reached.load(Ordering::SeqCst), packets)
    }
}

/// Ends a server's thread when dropped.
struct End {
    address: std::net::SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl End {
    fn of(listener: TcpListener, mut on: impl FnMut(TcpStream, &Arc<AtomicBool>) + Send + 'static) -> End {
        let address = listener.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                on(stream, &over);
                if over.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        End { address, is_over, thread: Some(thread) }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _wakes_it = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}
