//! `dragnet serve`: tables over HTTP.

use crate::{
    catalogue,
    failure::Failure,
    input::{
        arguments::whole_number,
        limits::{Memory, byte_count},
    },
    output::console::print_line,
    serve::{HangUp, Library, RequestLimits, Server, Settings, Solving},
};
use clap::Args;
use dragnet_maps::MapSelectors;
use std::{
    fs::OpenOptions,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

/// Serve tables over HTTP: values and moves as JSON, the tables in pieces, and pages that show them
///
/// Answers at the address that is printed until Ctrl-C. Of a folder all tables are served, also those in
/// folders within it; SIGHUP looks into the folders again, unless it comes because the terminal is closed,
/// which ends the server. Nothing else can be read. /openapi.json describes the interface.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Serve {
    /// Tables, boards, graphs, or folders of tables
    #[arg(value_name = "FILE|DIR", default_value = "tables")]
    paths: Vec<PathBuf>,
    /// The address to answer at, or a port of 127.0.0.1; port 0 is any free one. Other machines reach
    /// 0.0.0.0:4747
    #[arg(long, value_name = "[ADDRESS:]PORT", default_value = "127.0.0.1:4747", value_parser = address)]
    listen: SocketAddr,
    /// An origin whose pages may ask, such as https://example.org; * for all
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    cors: Vec<String>,
    /// A name by which the server is asked, such as that of a proxy before it; without any, a server that
    /// only this machine reaches answers to localhost and loopback addresses
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Write a line for each request to this file: time, method, address, status, microseconds
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Solve boards that clients send, of at most this many open cells
    #[arg(long, value_name = "MAX_CELLS", value_parser = whole_number(1usize..=1 << 16))]
    solve: Option<usize>,
    /// Seconds that solving a board may take
    #[arg(long, value_name = "SECONDS", default_value = "20", requires = "solve", value_parser = whole_number(1u64..=3600))]
    solve_seconds: u64,
    /// Boards that are solved at once
    #[arg(long, value_name = "N", default_value = "1", requires = "solve", value_parser = whole_number(1usize..=64))]
    solve_at_once: usize,
    /// Memory for unpacked parts of tables, as in 1GiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = byte_count)]
    cache: u64,
    #[command(flatten)]
    memory: Memory,
    /// The most connections at once
    #[arg(long, value_name = "N", default_value = "1024", value_parser = whole_number(1usize..=1 << 16))]
    connections: usize,
    /// The most positions in a batch
    #[arg(long, value_name = "N", default_value = "100000", value_parser = whole_number(1usize..=1 << 20))]
    batch: usize,
}

const AFTER_HELP: &str = "\
Limits:
  heads of 16 KiB within 10 s, bodies of 4 MiB, answers within 30 s

Examples:
  dragnet serve                          the tables in tables/
  dragnet serve --listen 8080            at another port of this machine
  dragnet serve maps --listen 0.0.0.0:8080 --cors '*'
  dragnet serve --solve 4096             also solves boards of clients
  curl 'localhost:4747/v1/tables/open-08x08/position?police=7,7&thief=0,3'";

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let limits =
            RequestLimits { connections: self.connections, batch: self.batch, ..RequestLimits::default() };
        let access_log = match &self.access_log {
            None => None,
            Some(path) => {
                let opened = OpenOptions::new().create(true).append(true).open(path);
                let cannot = |error| Failure::cannot("write", path, error);
                Some(opened.map_err(cannot)?)
            }
        };
        // Shares of all that may be at work at once: boards, and statistics or a picture.
        let shares = self.solve.map_or(1, |_| self.solve_at_once as u64 + 1);
        let memory = self.memory.limit() / shares;
        let solving = self.solve.map(|cells| Solving {
            cells,
            time: Duration::from_secs(self.solve_seconds),
            at_once: self.solve_at_once,
            memory,
        });
        let library = Library::new(self.paths, self.cache, MapSelectors::default())?;
        let counted = catalogue::counted(&library.list());
        let settings = Settings {
            limits,
            origins: self.cors,
            hosts: self.host,
            access_log,
            solving,
            memory,
            hang_up: HangUp::LooksAgain,
        };
        let server = Server::new(self.listen, library, settings)?;
        print_line(&format!("serving {counted} at http://{}/", server.address()))?;
        server.run()
    }
}

/// Reads an address to answer at: `PORT`, `:PORT`, `localhost:PORT` or `ADDRESS:PORT`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let port = port.parse().map_err(|_| "expected a port, or an address and a port like 127.0.0.1:4747")?;
    if host.is_empty() || host.eq_ignore_ascii_case("localhost") {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    text.parse()
        .map_err(|_| "expected the address of this machine before the port, as in 0.0.0.0:4747".to_owned())
}

/// Reads an origin as browsers write it, or `*`.
fn origin(text: &str) -> Result<String, String> {
    if text == "*" {
        return Ok(text.to_owned());
    }
    let wrong = || "expected an origin like https://example.org, without a path, or *".to_owned();
    let lower = text.to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://").ok_or_else(wrong)?;
    let scheme_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let host_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (rest, None),
    };
    let is_host =
        host.starts_with('[') == host.ends_with(']') && (host.starts_with('[') || !host.contains(':'));
    let is_right = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(scheme_byte)
        && !host.is_empty()
        && is_host
        && host.bytes().all(host_byte)
        && port.is_none_or(|port| port.parse::<u16>().is_ok());
    if !is_right {
        return Err(wrong());
    }
    // Browsers leave the usual port out.
    let usual = [("http", "80"), ("https", "443")].contains(&(scheme, port.unwrap_or("")));
    Ok(match port.filter(|_| !usual) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}
