//! Asks a running `dragnet serve` as many clients at once would, compares every answer with the table, and
//! prints as JSON how quickly the answers come.
//!
//! ```text
//! dragnet serve tables &
//! cargo run --profile dist -p dragnet --example server_load -- 127.0.0.1:4747 tables/open-12x12.dtb
//! ```
//!
//! Each client has one connection and asks again when it has its answer. With `--rate` it asks at fixed
//! times instead, and a request's latency begins at its time, also where the client comes to it late.

#![allow(clippy::unwrap_used, reason = "a program to measure with, which may end at the first surprise")]

use clap::Parser;
use dragnet_probe::{Cell, Open, Outcome, Pieces, Position, Side, Table};
use fastrand::Rng;
use serde_json::json;
use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::PathBuf,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

/// Measures a running `dragnet serve`.
#[derive(Parser)]
struct Arguments {
    /// Address and port of the server
    address: String,
    /// The file of a pursuit table that the server has, by the name of the file
    table: PathBuf,
    /// Clients at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// Seconds to ask for
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Requests a second, of all clients together [default: as many as are answered]
    #[arg(long)]
    rate: Option<f64>,
    /// Ask for the values of this many positions in a request, in the form of numbers, instead of for one
    /// position and its moves
    #[arg(long)]
    batch: Option<usize>,
}

/// A request, and what must be in the answer.
struct Exchange {
    request: Vec<u8>,
    answer: Vec<u8>,
}

fn main() {
    let arguments = Arguments::parse();
    let table = Open::path(&arguments.table).pursuit().unwrap();
    let open: Vec<Cell> = table.board().open_cells().collect();
    let name = arguments.table.file_stem().unwrap().to_str().unwrap();
    let mut random = Rng::with_seed(20);
    let exchanges: Vec<Exchange> = match arguments.batch {
        None => (0..10_000).map(|_| single(&table, &open, name, &mut random)).collect(),
        Some(size) => (0..50).map(|_| batch(&table, &open, name, size, &mut random)).collect(),
    };
    let ready = Barrier::new(arguments.clients);
    let mut latencies: Vec<Duration> = thread::scope(|scope| {
        let client = |number| {
            let (arguments, exchanges, ready) = (&arguments, &exchanges, &ready);
            scope.spawn(move || ask(arguments, exchanges, number, ready))
        };
        let clients: Vec<_> = (0..arguments.clients).map(client).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    latencies.sort_unstable();
    let part = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize].as_micros() as f64 / 1e3;
    let requests_per_second = latencies.len() as f64 / arguments.seconds as f64;
    let figures = json!({
        "table": name,
        "clients": arguments.clients,
        "seconds": arguments.seconds,
        "asked_per_second": arguments.rate,
        "positions_per_request": arguments.batch.unwrap_or(1),
        "requests": latencies.len(),
        "requests_per_second": requests_per_second.round(),
        "positions_per_second": (requests_per_second * arguments.batch.unwrap_or(1) as f64).round(),
        "median_milliseconds": part(0.5),
        "p99_milliseconds": part(0.99),
        "p999_milliseconds": part(0.999),
        "slowest_milliseconds": part(1.0),
    });
    println!("{figures:#}");
}

/// Returns the question for a random position and its moves.
fn single(table: &Table, open: &[Cell], name: &str, random: &mut Rng) -> Exchange {
    let position = random_position(table, open, random);
    let value = table.value(position).unwrap();
    let cells: Vec<String> =
        position.police.iter().map(|cell| format!("{},{}", cell.row, cell.col)).collect();
    let (thief, turn) = (position.thief, position.turn);
    let request = format!(
        "GET /v1/tables/{name}/position?police={}&thief={},{}&turn={turn} HTTP/1.1\r\nhost: localhost\r\n\r\n",
        cells.join("+"),
        thief.row,
        thief.col,
    );
    let outcome = match value.outcome(turn) {
        Outcome::Draw => "\"outcome\":\"draw\",\"dtw\":null".to_owned(),
        decided => format!("\"outcome\":\"{}\",\"dtw\":{}", decided.winner().unwrap(), value.dtw().unwrap()),
    };
    Exchange {
        request: request.into_bytes(),
        answer: format!("{{\"unit\":\"plies\",{outcome},").into_bytes(),
    }
}

/// Returns the question for the values of `size` random positions.
fn batch(table: &Table, open: &[Cell], name: &str, size: usize, random: &mut Rng) -> Exchange {
    let positions: Vec<Position> = (0..size).map(|_| random_position(table, open, random)).collect();
    let mut body = Vec::new();
    for position in &positions {
        for cell in position.police.iter().chain([&position.thief]) {
            body.extend([cell.row, cell.col].map(u16::to_le_bytes).concat());
        }
        body.extend(u16::from(position.turn == Side::Thief).to_le_bytes());
        body.extend((position.world as u16).to_le_bytes());
    }
    let mut request = format!(
        "POST /v1/tables/{name}/positions HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/octet-stream\r\ncontent-length: {}\r\n\r\n",
        body.len(),
    )
    .into_bytes();
    request.extend(body);
    let values = table.values(&positions).unwrap();
    Exchange { request, answer: values.iter().flat_map(|value| value.code().to_le_bytes()).collect() }
}

/// Returns a position of the table with pieces on cells of `open`.
fn random_position(table: &Table, open: &[Cell], random: &mut Rng) -> Position {
    let mut cell = || open[random.usize(0..open.len())];
    let police: Vec<_> = (0..table.officers()).map(|_| cell()).collect();
    let thief = cell();
    let turn = if random.bool() { Side::Police } else { Side::Thief };
    Position::new(Pieces::new(&police).unwrap(), thief, turn)
}

/// Asks until the time is over, and returns the latency of every request.
fn ask(arguments: &Arguments, exchanges: &[Exchange], number: usize, ready: &Barrier) -> Vec<Duration> {
    let mut stream = TcpStream::connect(&arguments.address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::with_capacity(1 << 16, stream.try_clone().unwrap());
    let mut body = Vec::new();
    let mut latencies = Vec::new();
    let interval = arguments.rate.map(|rate| Duration::from_secs_f64(arguments.clients as f64 / rate));
    ready.wait();
    let begin = Instant::now();
    // The clients take turns within an interval.
    let first =
        interval.map_or(Duration::ZERO, |interval| interval * number as u32 / arguments.clients as u32);
    // Each client begins elsewhere among the exchanges.
    for (turn, exchange) in (0..).zip(exchanges.iter().cycle().skip(number * 97 % exchanges.len())) {
        let due = interval.map_or_else(Instant::now, |interval| begin + first + interval * turn);
        if due.duration_since(begin).as_secs() >= arguments.seconds {
            return latencies;
        }
        thread::sleep(due.saturating_duration_since(Instant::now()));
        stream.write_all(&exchange.request).unwrap();
        read_answer(&mut reader, &mut body);
        latencies.push(due.elapsed());
        assert!(body.starts_with(&exchange.answer), "another answer: {}", String::from_utf8_lossy(&body));
    }
    unreachable!("the exchanges are cycled through")
}

/// Reads the answer to a request into `body`, which must have status 200.
fn read_answer(reader: &mut impl BufRead, body: &mut Vec<u8>) {
    let mut length = None;
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200 "), "expected status 200, found {line:?}");
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = Some(value.parse().unwrap());
            }
            Some(_) => {}
            None => break,
        }
    }
    body.resize(length.expect("a length of the answer"), 0);
    reader.read_exact(body).unwrap();
}
