//! A running server, and a client that says exactly what it sends.

use serde_json::Value as Json;
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// The longest time that an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own, which ends with the test.
pub(crate) struct Running {
    child: Child,
    /// Host and port.
    pub(crate) address: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Returns a header, empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Returns the body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Checks that the answer is an error with this status, whose reason has all these parts.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, parts: &[&str]) {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let json = self.json();
        assert_eq!(json["status"], status);
        for part in parts {
            assert!(json["detail"].as_str().unwrap().contains(part), "expected {part:?} in {json}");
        }
    }
}

/// Starts `dragnet serve` in `folder` with these further arguments.
#[track_caller]
pub(crate) fn serve(folder: &Path, arguments: &str) -> Running {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let (_, address) =
        line.trim_end().split_once("http://").unwrap_or_else(|| panic!("no address: {line:?}"));
    Running { child, address: address.trim_end_matches('/').to_owned() }
}

impl Running {
    /// Opens a connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends these bytes on a connection of their own and returns the answer.
    #[track_caller]
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        read_answer(&mut BufReader::new(stream), bytes.starts_with(b"HEAD ")).expect("expected an answer")
    }

    /// Asks with a method, a target, further header lines and a body.
    #[track_caller]
    pub(crate) fn ask(&self, method: &str, target: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut head =
            format!("{method} {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for header in headers {
            head += &format!("{header}\r\n");
        }
        if !body.is_empty() {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        self.send(&[head.as_bytes(), b"\r\n", body].concat())
    }

    #[track_caller]
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[], b"")
    }

    #[track_caller]
    pub(crate) fn get_with(&self, target: &str, headers: &[&str]) -> Answer {
        self.ask("GET", target, headers, b"")
    }

    #[track_caller]
    pub(crate) fn post_json(&self, target: &str, body: &Json) -> Answer {
        self.ask("POST", target, &["Content-Type: application/json"], body.to_string().as_bytes())
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until the server has ended, and returns its status and what it wrote on standard error.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut err = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert!(!err.contains("panicked"), "{err}");
        (status, err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer; returns `None` if the connection ends before one begins.
pub(crate) fn read_answer(stream: &mut impl BufRead, head_only: bool) -> Option<Answer> {
    let mut line = String::new();
    if stream.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        stream.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = Vec::new();
    if head_only || status == 304 {
        return Some(Answer { status, headers, body });
    }
    match headers.get("content-length").and_then(|length| length.parse().ok()) {
        Some(length) => {
            body.resize(length, 0);
            stream.read_exact(&mut body).ok()?;
        }
        None => loop {
            line.clear();
            stream.read_line(&mut line).ok()?;
            let length = usize::from_str_radix(line.trim_end(), 16).ok()?;
            let mut chunk = vec![0; length + 2];
            stream.read_exact(&mut chunk).ok()?;
            if length == 0 {
                break;
            }
            body.extend_from_slice(&chunk[..length]);
        },
    }
    Some(Answer { status, headers, body })
}
