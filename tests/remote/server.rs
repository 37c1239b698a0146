//! A web server in a thread: it answers as a test tells it, breaks off where it should, and remembers what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Request {
    /// Path and query.
    pub target: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let target = lines.next()?.split(' ').nth(1)?.to_owned();
        let headers = lines.take_while(|line| !line.is_empty());
        let headers =
            headers.filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())));
        Some(Self { target, headers: headers.collect() })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Where the range begins that is asked for.
    pub fn from(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.split('-').next()?.parse().ok()
    }
}

pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// None: the server does not say.
    length: Option<usize>,
    wait: Duration,
}

impl Answer {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self { status, headers: Vec::new(), length: Some(body.len()), body, wait: Duration::ZERO }
    }

    pub fn header(mut self, name: &str, value: impl ToString) -> Self {
        self.headers.push((name.into(), value.to_string()));
        self
    }

    /// Promises all, and breaks off after so many bytes.
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.body.truncate(bytes);
        self
    }

    pub fn without_length(mut self) -> Self {
        self.length = None;
        self
    }

    pub fn after(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// What is left of a body from this byte on.
    pub fn rest(body: &[u8], from: usize) -> Self {
        let range = format!("bytes {from}-{}/{}", body.len() - 1, body.len());
        Self::new(206, &body[from..]).header("content-range", range)
    }

    fn send(&self, mut stream: &TcpStream) -> std::io::Result<()> {
        std::thread::sleep(self.wait);
        let mut head = format!("HTTP/1.1 {} Told\r\nconnection: close\r\n", self.status);
        let length = self.length.map(|length| ("content-length".to_owned(), length.to_string()));
        for (name, value) in self.headers.iter().chain(&length) {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(head.as_bytes())?;
        stream.write_all(b"\r\n")?;
        stream.write_all(&self.body)
    }
}

/// Runs for as long as the test's process does.
pub struct Server {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// `answer` is given the request, and how many came before it.
    pub fn start(answer: impl Fn(&Request, usize) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(request) = Request::read(&stream) else { continue };
                let before = seen.lock().unwrap().len();
                seen.lock().unwrap().push(request.clone());
                // A client that has gone away is no trouble of the server's.
                let _ = answer(&request, before).send(&stream);
            }
        });
        Self { address, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}
