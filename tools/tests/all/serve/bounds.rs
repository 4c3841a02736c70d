//! Bounds of what clients ask: it ends when they leave, takes so much at most, and is not for everybody.

use super::{
    YARD,
    client::{Running, serve},
    folder, run,
};
use serde_json::json;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const BINARY: [&str; 1] = ["Content-Type: application/octet-stream"];

/// The time that a server has for what takes it a moment.
const PATIENCE: Duration = Duration::from_secs(120);

/// Moves over the whole board for both sides: the dearest questions that there are.
const FAR: &str = "[police]\nmoves = \"king\"\nsteps = 40\n[thief]\nmoves = \"king\"\nsteps = 40\n";

/// Returns the bytes of a batch that asks `count` times for a position with the thief to move.
fn batch(count: usize) -> Vec<u8> {
    [0u16, 0, 15, 15, 1, 0].iter().flat_map(|number| number.to_le_bytes()).cycle().take(12 * count).collect()
}

/// Sends a request and closes the connection without waiting for the answer.
fn ask_and_leave(server: &Running, target: &str, content_type: &str, body: &[u8]) {
    let mut stream = server.connect();
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: {}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
}

#[test]
fn batches_of_clients_that_have_left_leave_room_for_others() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("far.toml"), FAR).unwrap();
    run(scratch.path(), "generate --size 20x20 --rules far.toml").done();
    let server = serve(scratch.path(), "tables");
    let target = "/v1/tables/open-20x20/positions";
    // Each takes minutes of processor time.
    for _ in 0..40 {
        ask_and_leave(&server, target, "application/octet-stream", &batch(100_000));
    }
    let answer = server.ask("POST", target, &BINARY, &batch(1));
    assert_eq!((answer.status, answer.body.len()), (200, 4));
}

#[test]
fn a_batch_in_many_pieces_has_the_values_in_the_order_of_its_positions() {
    let server = serve(folder().path(), "tables");
    let positions: Vec<_> = [[5u16, 10u16], [1, 2], [5, 10], [0, 9]].into_iter().cycle().take(401).collect();
    let asked: Vec<_> =
        positions.iter().map(|thief| json!({ "police": [7, 1], "thief": thief, "turn": "police" })).collect();
    let answer = server.post_json("/v1/tables/yard/positions", &json!(asked)).json();
    let values = answer["values"].as_array().unwrap();
    assert_eq!(values.len(), positions.len());
    assert!(values.iter().zip(values.iter().skip(4)).all(|(value, again)| value == again));
    assert_eq!((&values[0]["dtw"], &values[3]["dtw"]), (&json!(12), &json!(0)));
    assert_ne!(values[0], values[1]);
    // The first of the wrong ones is named, wherever its block is.
    let mut wrong = asked.clone();
    wrong[300] = json!({ "police": [7, 1], "thief": [0, 0], "turn": "police" });
    wrong[200] = json!({ "police": [7, 1], "thief": [8, 11], "turn": "police" });
    server.post_json("/v1/tables/yard/positions", &json!(wrong)).problem(400, &["200"]);
    let mut numbers = vec![1; 300];
    numbers[250] = 7;
    numbers[260] = 5;
    server.post_json("/v1/tables/example/positions", &json!(numbers)).problem(400, &["250", "found 7"]);
}

#[test]
fn a_solve_ends_with_its_time_and_with_its_client() {
    let board = |side: usize| format!("{}\n", ".".repeat(side)).repeat(side);
    let rules = FAR.replace("steps = 40", "steps = 255\nreach = 255");
    let server = serve(folder().path(), "tables --solve 65536 --solve-seconds 1");
    let asked = json!({ "board": board(100), "rules": rules });
    server.post_json("/v1/solve", &asked).problem(503, &["could not be solved within 1 s"]);

    let server = serve(folder().path(), "tables --solve 65536 --solve-seconds 3600");
    let asked = json!({ "board": board(160) });
    ask_and_leave(&server, "/v1/solve", "application/json", asked.to_string().as_bytes());
    let begin = Instant::now();
    while server.post_json("/v1/solve", &json!({ "board": YARD })).status != 200 {
        assert!(begin.elapsed() < PATIENCE, "the solve of a client that has left goes on");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn statistics_and_pictures_keep_to_the_memory() {
    let server = serve(folder().path(), "tables --memory 10KiB");
    for what in ["statistics", "picture.png"] {
        server.get(&format!("/v1/tables/yard/{what}")).problem(413, &["more than 10.00 KiB of memory"]);
    }
    assert_eq!(server.get("/v1/tables/yard/position?police=7,1&thief=5,10").json()["dtw"], 12);
}

#[test]
fn pages_of_other_sites_cannot_start_long_work() {
    let long = [
        "/v1/tables/yard/statistics",
        "/tables/yard.stats.json",
        "/v1/tables/yard/picture.png",
        "/v1/tables/yard/picture.svg?police=7,1&thief=5,10",
    ];
    let closed = serve(folder().path(), "tables");
    let open = serve(folder().path(), "tables --cors *");
    let one = serve(folder().path(), "tables --cors https://example.org");
    for target in long {
        let from = |server: &Running, site: &str, origin: &str| {
            let site = format!("Sec-Fetch-Site: {site}");
            let origin = format!("Origin: {origin}");
            server.get_with(target, &[&site, &origin]).status
        };
        closed.get_with(target, &["Sec-Fetch-Site: cross-site"]).problem(403, &["other sites", "--cors"]);
        assert_eq!(from(&closed, "same-origin", "https://example.org"), 200, "{target}");
        assert_eq!(from(&open, "cross-site", "https://example.org"), 200, "{target}");
        assert_eq!(from(&one, "cross-site", "https://example.org"), 200, "{target}");
        assert_eq!(from(&one, "cross-site", "https://example.com"), 403, "{target}");
    }
}

#[test]
fn a_host_is_one_name_or_address_in_any_case() {
    let server = serve(folder().path(), "tables --host Example.org.");
    for (hosts, status) in [
        (&["LOCALHOST"][..], 200),
        (&["localhost.:1"], 200),
        (&["example.ORG"], 200),
        (&["[::1]:80"], 200),
        (&["localhost.example.org"], 421),
        (&["a@localhost"], 400),
        (&["[::1]x"], 400),
        (&["localhost:x"], 400),
        (&["localhost", "localhost"], 400),
        (&["localhost", "example.com"], 400),
    ] {
        let fields: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        let request = format!("GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n");
        assert_eq!(server.send(request.as_bytes()).status, status, "{hosts:?}");
    }
    let whole = "GET http://a@localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(whole.as_bytes()).status, 400);
}

#[test]
fn an_origin_that_no_browser_sends_is_refused() {
    for origin in
        ["example.org", "https://", "https://x/", "https://a@x", "https://x:y", "null", "https://[::1"]
    {
        run(folder().path(), &format!("serve tables --cors {origin}"))
            .misused(&["expected an origin like https://example.org", origin]);
    }
    let server = serve(folder().path(), "tables --cors https://Example.org:443 --cors http://[::1]:8080");
    for origin in ["https://example.org", "http://[::1]:8080"] {
        let answer = server.get_with("/v1/tables", &[&format!("Origin: {origin}")]);
        assert_eq!(answer.header("access-control-allow-origin"), origin);
    }
}

#[test]
fn a_port_alone_is_one_of_this_machine() {
    let path: &Path = folder().path();
    for listen in ["0", ":0", "localhost:0", "LocalHost:0", "127.0.0.1:0"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(["serve", "tables", "--listen", listen])
            .current_dir(path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(" at http://127.0.0.1:"), "{listen}: {line}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for listen in ["4747x", "0.0.0.0", "70000", "localhost"] {
        run(path, &format!("serve tables --listen {listen}")).misused(&["expected a port", listen]);
    }
    run(path, "serve tables --listen example.org:80").misused(&["expected the address of this machine"]);
}
