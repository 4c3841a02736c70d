//! The server as a client meets it.

mod bounds;
mod client;

use crate::support::run;
use client::{Running, read_answer, serve};
use jsonschema::Validator;
use serde_json::{Value as Json, json};
use std::{
    fs,
    io::{BufReader, Write},
    path::Path,
    process::Command,
    sync::OnceLock,
};
use tempfile::TempDir;

const YARD: &str = "#########E##\n#..........#\n#.###.####.#\n#.#......#.#\n#.#.####.#.#\n#.........T#\n#.###.####.#\n#P.........#\n############\n";

/// Returns a folder `tables` with a board of squares, one with two officers in a folder within it, a game on
/// a graph and a damaged table.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("yard.txt"), YARD).unwrap();
        fs::write(path.join("example.txt"), "0 1\n0 2\n1 3\n2 1\n2 4\n4 2\n").unwrap();
        run(path, "generate yard.txt").done();
        run(path, "generate --size 4x4 --officers 2 --exit first --out tables/more").done();
        run(path, "graph solve example.txt --out tables/example.dtb").done();
        let mut bytes = fs::read(path.join("tables/yard.dtb")).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(path.join("tables/bent.dtb"), &bytes).unwrap();
        fs::write(path.join("tables/cut.dtb"), &bytes[..20]).unwrap();
        folder
    })
}

fn server() -> Running {
    serve(folder().path(), "tables yard.txt example.txt")
}

/// Returns what a command with `--json` prints in the folder.
#[track_caller]
fn program(line: &str) -> Json {
    serde_json::from_str(&run(folder().path(), line).done()).unwrap()
}

/// Checks an answer with the description that the server gives of a route.
#[track_caller]
fn check(server: &Running, route: &str, method: &str, status: &str, answer: &Json) {
    let mut description = server.get("/openapi.json").json();
    let responses = &description["paths"][route][method]["responses"];
    let content =
        responses[status]["content"].as_object().unwrap_or_else(|| panic!("{route} {status}: {responses}"));
    let schema = content.values().next().unwrap()["schema"].clone();
    let components = description["components"].take();
    let whole = json!({ "allOf": [schema], "components": components });
    let validator: Validator = jsonschema::draft202012::new(&whole).unwrap();
    let errors: Vec<_> = validator.iter_errors(answer).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{route} {status}: {errors:?} in {answer}");
}

#[test]
fn positions_and_lines_are_answered_as_the_commands_answer() {
    let server = server();
    let query = "police=7,1&thief=5,10&turn=thief";
    let mut expected = program("probe tables/yard.dtb --police 7,1 --thief 5,10 --turn thief --json");
    expected["unit"] = json!("plies");
    let answer = server.get(&format!("/v1/tables/yard/position?{query}"));
    assert_eq!((answer.status, answer.json()), (200, expected));
    check(&server, "/v1/tables/{name}/position", "get", "200", &answer.json());

    let mut expected = program("line tables/yard.dtb --police 7,1 --thief 5,10 --turn thief --json");
    expected["unit"] = json!("plies");
    let answer = server.get(&format!("/v1/tables/yard/line?{query}"));
    assert_eq!((answer.status, answer.json()), (200, expected));
    check(&server, "/v1/tables/{name}/line", "get", "200", &answer.json());

    let mut expected = program("probe tables/more/open-04x04.dtb --police 0,1+3,3 --thief 2,0 --json");
    expected["unit"] = json!("plies");
    let answer = server.get("/v1/tables/more%2Fopen-04x04/position?police=0,1;3,3&thief=2,0");
    assert_eq!((answer.status, answer.json()), (200, expected));
    check(&server, "/v1/tables/{name}/position", "get", "200", &answer.json());

    // The values of the example: a draw, a win, a draw, a loss, a draw.
    for (vertex, result, dtw) in [(0, "drawn", json!(null)), (1, "won", json!(1)), (3, "lost", json!(0))] {
        let answer = server.get(&format!("/v1/tables/example/position?vertex={vertex}"));
        let expected = json!({ "unit": "plies", "vertex": vertex, "result": result, "dtw": dtw });
        assert_eq!(answer.json(), expected);
        check(&server, "/v1/tables/{name}/position", "get", "200", &answer.json());
    }
}

#[test]
fn a_batch_has_the_values_of_its_positions_in_both_forms() {
    let server = server();
    let mut positions = Vec::new();
    let mut numbers = Vec::new();
    let mut expected = Vec::new();
    for (police, thief, turn) in
        [([7u16, 1u16], [5u16, 10u16], 0u16), ([1, 1], [1, 2], 1), ([7, 1], [0, 9], 0)]
    {
        let side = ["police", "thief"][usize::from(turn)];
        positions.push(json!({ "police": police, "thief": thief, "turn": side }));
        for number in [police[0], police[1], thief[0], thief[1], turn, 0] {
            numbers.extend(number.to_le_bytes());
        }
        let [p, t] = [police, thief].map(|[row, column]| format!("{row},{column}"));
        let line = format!("probe tables/yard.dtb --police {p} --thief {t} --turn {side} --json");
        let one = program(&line);
        expected.push((one["outcome"].clone(), one["dtw"].clone(), one["turn"].clone()));
    }
    let answer = server.post_json("/v1/tables/yard/positions", &json!(positions));
    let values: Vec<Json> =
        expected.iter().map(|(outcome, dtw, _)| json!({ "outcome": outcome, "dtw": dtw })).collect();
    assert_eq!(answer.json(), json!({ "unit": "plies", "values": values }));
    check(&server, "/v1/tables/{name}/positions", "post", "200", &answer.json());

    let binary = ["Content-Type: application/octet-stream"];
    let answer = server.ask("POST", "/v1/tables/yard/positions", &binary, &numbers);
    let codes: Vec<u32> =
        answer.body.chunks(4).map(|code| u32::from_le_bytes(code.try_into().unwrap())).collect();
    let expected: Vec<u32> = expected
        .iter()
        .map(|(outcome, dtw, turn)| match dtw.as_u64() {
            None => 0,
            Some(dtw) => 1 + 2 * dtw as u32 + u32::from(outcome == turn),
        })
        .collect();
    assert_eq!(codes, expected);

    let answer = server.post_json("/v1/tables/example/positions", &json!([0, 1, 3]));
    let values = json!([{ "outcome": "drawn", "dtw": null }, { "outcome": "won", "dtw": 1 }, { "outcome": "lost", "dtw": 0 }]);
    assert_eq!(answer.json()["values"], values);
    let answer = server.ask("POST", "/v1/tables/example/positions", &binary, &3u64.to_le_bytes());
    assert_eq!(answer.body, 1u32.to_le_bytes());
}

#[test]
fn statistics_facts_and_pictures_are_those_of_the_commands() {
    let server = server();
    for (name, path) in [("yard", "tables/yard.dtb"), ("example", "tables/example.dtb")] {
        let mut expected = program(&format!("stats {path} --json"));
        expected["unit"] = json!("plies");
        expected["table"] = json!(name);
        let answer = server.get(&format!("/v1/tables/{name}/statistics"));
        assert_eq!(answer.json(), expected);
        assert_eq!(server.get(&format!("/tables/{name}.stats.json")).body, answer.body);
    }
    let verified = server.get("/v1/tables/yard/verify");
    assert_eq!(verified.json(), json!({"ok": true}));
    check(&server, "/v1/tables/{name}/verify", "get", "200", &verified.json());
    let facts = server.get("/v1/tables/yard");
    assert_eq!(facts.json()["digest"], program("info tables/yard.dtb --json")["digest"]);
    check(&server, "/v1/tables/{name}", "get", "200", &facts.json());
    check(&server, "/v1/tables", "get", "200", &server.get("/v1/tables").json());

    run(folder().path(), "line tables/yard.dtb --police 7,1 --thief 5,10 --svg chase.svg").done();
    let svg = server.get("/v1/tables/yard/picture.svg?police=7,1&thief=5,10");
    assert_eq!(svg.body, fs::read(folder().path().join("chase.svg")).unwrap());
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    let png = server.get("/v1/tables/yard/picture.png");
    assert!(png.body.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn the_catalogue_lists_what_is_there_under_addresses_that_work() {
    let server = server();
    let catalogue = server.get("/catalogue.json").json();
    let items = catalogue["items"].as_array().unwrap();
    let names: Vec<_> = items.iter().map(|item| item["url"].as_str().unwrap()).collect();
    let expected = [
        "boards/yard.txt",
        "graphs/example.txt",
        "tables/bent.dtb",
        "tables/cut.dtb",
        "tables/example.dtb",
        "tables/more/open-04x04.dtb",
        "tables/yard.dtb",
    ];
    assert_eq!(names, expected);
    for (url, path) in [
        ("boards/yard.txt", "yard.txt"),
        ("graphs/example.txt", "example.txt"),
        ("tables/more/open-04x04.dtb", "tables/more/open-04x04.dtb"),
    ] {
        assert_eq!(
            server.get(&format!("/{url}")).body,
            fs::read(folder().path().join(path)).unwrap(),
            "{url}"
        );
    }
}

#[test]
fn a_table_comes_in_pieces() {
    let server = server();
    let whole = fs::read(folder().path().join("tables/yard.dtb")).unwrap();
    let last = whole.len() - 1;
    for target in ["/tables/yard.dtb", "/v1/tables/yard/raw"] {
        assert_eq!(server.get(target).body, whole);
        let part = server.get_with(target, &["Range: bytes=100-199"]);
        assert_eq!((part.status, &part.body[..]), (206, &whole[100..200]));
        assert_eq!(part.header("content-range"), format!("bytes 100-199/{}", whole.len()));
        let end = server.get_with(target, &["Range: bytes=-10"]);
        assert_eq!((end.status, &end.body[..]), (206, &whole[last - 9..]));
        let beyond = server.get_with(target, &["Range: bytes=999999-"]);
        assert_eq!(
            (beyond.status, beyond.header("content-range")),
            (416, format!("bytes */{}", whole.len()).as_str())
        );
        let several = server.get_with(target, &["Range: bytes=0-1,4-5"]);
        assert_eq!((several.status, several.body.len()), (200, whole.len()));
        let tag = part.header("etag").to_owned();
        let same = server.get_with(target, &["Range: bytes=0-3", &format!("If-Range: {tag}")]);
        assert_eq!(same.status, 206);
        let other = server.get_with(target, &["Range: bytes=0-3", "If-Range: \"other\""]);
        assert_eq!((other.status, other.body.len()), (200, whole.len()));
        let known = server.get_with(target, &[&format!("If-None-Match: {tag}")]);
        assert_eq!((known.status, known.body.len()), (304, 0));
        let head = server.ask("HEAD", target, &[], b"");
        assert_eq!((head.status, head.header("content-length")), (200, whole.len().to_string().as_str()));
    }
}

#[test]
fn answers_are_kept_while_the_digest_is_the_same() {
    let server = server();
    let target = "/v1/tables/yard/position?police=7,1&thief=5,10";
    let first = server.get(target);
    let tag = format!("If-None-Match: {}", first.header("etag"));
    assert_eq!(server.get_with(target, &[&tag]).status, 304);
    assert_eq!(first.header("cache-control"), "public, no-cache");
    let digest = program("info tables/yard.dtb --json")["digest"].as_str().unwrap().to_owned();
    let named = server.get(&format!("{target}&digest={digest}"));
    assert_eq!(named.header("cache-control"), "public, max-age=31536000, immutable");
    server.get(&format!("{target}&digest=0123456789abcdef")).problem(409, &["0123456789abcdef", &digest]);
}

#[test]
fn wrong_questions_get_a_reason() {
    let server = server();
    let position = "/v1/tables/yard/position";
    server.get("/v1/tables/garden/position?police=0,0").problem(404, &["garden"]);
    server.get(position).problem(400, &["police", "ROW,COL"]);
    server.get(&format!("{position}?police=0,0&thief=5,10")).problem(400, &["0,0", "wall"]);
    server.get(&format!("{position}?police=70,1&thief=5,10")).problem(400, &["70,1", "off the board"]);
    server.get(&format!("{position}?police=x&thief=5,10")).problem(400, &["police", "x"]);
    server.get(&format!("{position}?police=7,1;1,1&thief=5,10")).problem(400, &["1 officer"]);
    server.get(&format!("{position}?police=7,1&thief=5,10&turn=me")).problem(400, &["turn", "me"]);
    server.get(&format!("{position}?cop=7,1")).problem(400, &["cop"]);
    server.get(&format!("{position}?police=7,1&police=7,2")).problem(400, &["police", "once"]);
    server.get("/v1/tables/example/position?vertex=5").problem(400, &["from 0 to 4", "5"]);
    server.get("/v1/tables/example/position?police=7,1").problem(400, &["vertex"]);
    server.get("/v1/tables/example/line?vertex=0").problem(400, &["no moves"]);
    server.get("/v1/nothing").problem(404, &["/v1/nothing"]);
    server.ask("DELETE", "/v1/tables", &[], b"").problem(405, &["DELETE"]);
    let batch = "/v1/tables/yard/positions";
    server.ask("POST", batch, &["Content-Type: text/plain"], b"x").problem(415, &["text/plain"]);
    server.ask("POST", batch, &["Content-Type: application/json"], b"[{]").problem(400, &["line 1"]);
    server
        .ask("POST", batch, &["Content-Type: application/octet-stream"], b"123")
        .problem(400, &["12 bytes", "3"]);
    let wall = json!([{ "police": [7, 1], "thief": [5, 10], "turn": "police" }, { "police": [0, 0], "thief": [5, 10], "turn": "police" }]);
    server.post_json(batch, &wall).problem(400, &["position 1", "wall"]);
    server
        .ask("POST", batch, &["Content-Type: application/octet-stream"], &vec![0; 5 << 20])
        .problem(413, &["4194304"]);
    server
        .ask("POST", batch, &["Content-Type: application/octet-stream"], &vec![0; 1_200_012])
        .problem(413, &["100000", "100001"]);
    server.post_json("/v1/solve", &json!({ "board": YARD })).problem(403, &["--solve"]);
}

#[test]
fn a_damaged_table_is_named_and_the_others_answer() {
    let server = server();
    let broken = server.get("/v1/tables/cut/position?police=7,1&thief=5,10");
    broken.problem(500, &["damaged"]);
    assert_eq!(broken.json()["table"], "cut");
    check(&server, "/v1/tables/{name}/position", "get", "500", &broken.json());
    server.get("/v1/tables/bent/statistics").problem(500, &["damaged"]);
    server.get("/v1/tables/bent/verify").problem(500, &["damaged"]);
    assert!(!broken.text().contains(folder().path().to_str().unwrap()));
    server.get("/v1/tables/cut").problem(500, &["damaged"]);
    let list = server.get("/v1/tables").json();
    let listed = |item: &&Json| item["name"] == "cut" && item["game"] == "damaged";
    assert_eq!(list["items"].as_array().unwrap().iter().filter(listed).count(), 1);
    assert_eq!(server.get("/v1/tables/yard/position?police=7,1&thief=5,10").json()["dtw"], 12);
}

#[test]
fn no_request_reads_a_file_that_is_not_served() {
    let scratch = tempfile::tempdir().unwrap();
    let tables = scratch.path().join("tables");
    fs::create_dir(&tables).unwrap();
    fs::copy(folder().path().join("tables/yard.dtb"), scratch.path().join("secret.dtb")).unwrap();
    fs::copy(folder().path().join("tables/yard.dtb"), tables.join(".hidden.dtb")).unwrap();
    fs::copy(folder().path().join("tables/yard.dtb"), tables.join("open.dtb")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(scratch.path().join("secret.dtb"), tables.join("link.dtb")).unwrap();
    let server = serve(scratch.path(), "tables");
    assert_eq!(server.get("/v1/tables").json()["items"].as_array().unwrap().len(), 1);
    for target in [
        "/tables/../secret.dtb",
        "/tables/%2e%2e/secret.dtb",
        "/tables/..%2fsecret.dtb",
        "/tables/%2e%2e%2fsecret.dtb",
        "/tables//secret.dtb",
        "/tables/link.dtb",
        "/tables/.hidden.dtb",
        "/tables/open.dtb%00",
        "/tables/open.dtb/..",
        "/v1/tables/..%2Fsecret/raw",
        "/v1/tables/%2Fetc%2Fpasswd/raw",
        "/boards/..%2fsecret.dtb",
        "/graphs/%2e%2e/secret.dtb",
        "/tables/C:%5Csecret.dtb",
        "/tables/%ff.dtb",
        "/../../etc/passwd",
        "//etc/passwd",
    ] {
        let answer = server.get(target);
        assert!(matches!(answer.status, 400 | 404), "{target}: {}", answer.status);
    }
    assert_eq!(server.get("/tables/open.dtb").status, 200);
}

#[test]
fn only_this_machine_is_answered_and_browsers_are_told_what_they_may() {
    let server = server();
    let foreign = server.send(b"GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
    foreign.problem(421, &["example.org"]);
    for host in ["localhost:1", "127.0.0.1", "[::1]:80"] {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.send(request.as_bytes()).status, 200, "{host}");
    }
    let proxied = serve(folder().path(), "yard.txt --host tables.example.org --host example.net");
    for (host, status) in [("Tables.Example.org", 200), ("example.net:443", 200), ("example.org", 421)] {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(proxied.send(request.as_bytes()).status, status, "{host}");
    }
    let page = server.get("/");
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(
        server.get_with("/v1/tables", &["Origin: https://example.org"]).header("access-control-allow-origin"),
        ""
    );
    let open = serve(folder().path(), "tables --cors https://example.org");
    let allowed = open.get_with("/v1/tables", &["Origin: https://example.org"]);
    assert_eq!(allowed.header("access-control-allow-origin"), "https://example.org");
    let other = open.get_with("/v1/tables", &["Origin: https://example.com"]);
    assert_eq!(other.header("access-control-allow-origin"), "");
    let asked = [
        "Origin: https://example.org",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type",
    ];
    let before = open.ask("OPTIONS", "/v1/tables/yard/positions", &asked, b"");
    assert_eq!(before.header("access-control-allow-origin"), "https://example.org");
}

#[test]
fn long_answers_are_compressed_and_short_ones_are_not() {
    let server = server();
    let gzip = ["Accept-Encoding: gzip"];
    assert_eq!(server.get_with("/openapi.json", &gzip).header("content-encoding"), "gzip");
    let short = server.get_with("/v1/tables/yard/position?police=7,1&thief=5,10", &gzip);
    assert_eq!((short.header("content-encoding"), short.status), ("", 200));
    // A part of a compressed file would be a part of something else.
    assert_eq!(server.get_with("/tables/yard.dtb", &gzip).header("content-encoding"), "");
}

#[test]
fn a_client_that_does_not_finish_its_request_is_cut() {
    let server = server();
    let mut slow = server.connect();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Never:").unwrap();
    // The server closes the connection, with or without an answer; the others are answered meanwhile.
    assert_eq!(server.get("/healthz").status, 200);
    let answer = read_answer(&mut BufReader::new(slow), false);
    assert!(answer.is_none_or(|answer| answer.status == 408));
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(40_000));
    assert_eq!(server.send(long.as_bytes()).status, 431);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_after_its_answers_and_another_has_it_look_again() {
    let scratch = tempfile::tempdir().unwrap();
    fs::create_dir(scratch.path().join("tables")).unwrap();
    let copy = |name: &str| {
        let to = scratch.path().join("tables").join(name);
        fs::copy(folder().path().join("tables/yard.dtb"), to).unwrap();
    };
    copy("first.dtb");
    let server = serve(scratch.path(), "tables --access-log access.log");
    let names = |server: &Running| server.get("/v1/tables").json()["items"].as_array().unwrap().len();
    assert_eq!(names(&server), 1);
    copy("second.dtb");
    server.signal("HUP");
    while names(&server) != 2 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // A table that is replaced by another is opened again.
    assert_eq!(server.get("/v1/tables/second/position?police=7,1&thief=5,10").json()["dtw"], 12);
    fs::copy(folder().path().join("tables/example.dtb"), scratch.path().join("new")).unwrap();
    fs::rename(scratch.path().join("new"), scratch.path().join("tables/second.dtb")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1200));
    assert_eq!(server.get("/v1/tables/second/position?vertex=1").json()["result"], "won");
    let second = server.get("/v1/tables").json()["items"][1].clone();
    assert_eq!((&second["game"], &second["positions"]), (&json!("graph"), &json!(5)), "{second}");
    // One that is gone is listed with the reason.
    fs::rename(scratch.path().join("tables/first.dtb"), scratch.path().join("first.dtb")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1200));
    let first = server.get("/v1/tables").json()["items"][0].clone();
    assert_eq!((&first["name"], &first["game"]), (&json!("first"), &json!("damaged")), "{first}");
    server.signal("TERM");
    let (status, err) = server.ended();
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(err.contains("2 tables") && err.contains("stopping"), "{err}");
    let log = fs::read_to_string(scratch.path().join("access.log")).unwrap();
    assert!(log.lines().any(|line| line.contains("GET /v1/tables/second/position?vertex=1 200")), "{log}");
}

#[test]
fn boards_are_solved_within_bounds_and_as_the_program_solves_them() {
    let server = serve(folder().path(), "tables --solve 100");
    let solved = server.post_json("/v1/solve", &json!({ "board": YARD }));
    assert_eq!(solved.body, fs::read(folder().path().join("tables/yard.dtb")).unwrap());
    let large = ".".repeat(900);
    server.post_json("/v1/solve", &json!({ "board": large })).problem(413, &["100", "900"]);
    server.post_json("/v1/solve", &json!({ "board": "#.?" })).problem(400, &["line 1", "column 3"]);
    server
        .post_json("/v1/solve", &json!({ "board": YARD, "rules": "officers = 9" }))
        .problem(400, &["officers"]);
    server.post_json("/v1/solve", &json!({ "bord": YARD })).problem(400, &["bord"]);
}

#[test]
fn metrics_count_requests_and_positions() {
    let server = server();
    server.get("/v1/tables/yard/position?police=7,1&thief=5,10");
    server.post_json("/v1/tables/example/positions", &json!([0, 1]));
    server.get("/v1/tables/none/position");
    let text = server.get("/metrics").text();
    for line in [
        "dragnet_requests_total{route=\"/v1/tables/{name}/position\",status=\"200\"} 1",
        "dragnet_requests_total{route=\"/v1/tables/{name}/position\",status=\"404\"} 1",
        "dragnet_positions_total 3",
        "dragnet_tables 5",
    ] {
        assert!(text.lines().any(|found| found == line), "expected {line} in {text}");
    }
    if cfg!(target_os = "linux") {
        let memory = text.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
        assert!(memory.is_some_and(|bytes| bytes.parse::<u64>().unwrap() > 1 << 20), "{text}");
    }
}

#[test]
fn the_load_of_the_benchmark_gets_right_answers() {
    // Cargo builds examples beside the program, but not for a single test.
    let load = Path::new(env!("CARGO_BIN_EXE_dragnet")).with_file_name("examples").join("server_load");
    if !load.exists() {
        writeln!(std::io::stderr(), "skipped: there is no {}", load.display()).unwrap();
        return;
    }
    let server = server();
    for (options, positions) in [(&["--rate", "200"][..], 1), (&["--batch", "50", "--clients", "2"], 50)] {
        let done = Command::new(&load)
            .args([server.address.as_str(), "tables/yard.dtb", "--seconds", "1"])
            .args(options)
            .current_dir(folder().path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let figures: Json = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(figures["positions_per_request"], positions);
        assert!(figures["requests"].as_u64().unwrap() >= 10, "{figures}");
    }
}

#[test]
fn a_thousand_tables_are_served_and_a_few_are_open() {
    let scratch = tempfile::tempdir().unwrap();
    let tables = scratch.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let table = fs::read(folder().path().join("tables/yard.dtb")).unwrap();
    for number in 0..1000 {
        fs::write(tables.join(format!("{number}.dtb")), &table).unwrap();
    }
    let server = serve(scratch.path(), "tables");
    for number in 0..1000 {
        let answer = server.get(&format!("/v1/tables/{number}/position?police=7,1&thief=5,10"));
        assert_eq!(answer.json()["dtw"], 12);
    }
    let text = server.get("/metrics").text();
    assert!(text.contains("dragnet_tables 1000\n") && text.contains("dragnet_tables_open 64\n"), "{text}");
}

#[test]
fn what_cannot_be_served_is_refused_at_the_start() {
    let path: &Path = folder().path();
    run(path, "serve nowhere").failed(3, &["nowhere"]);
    run(path, "serve tables tables/yard.dtb --listen 127.0.0.1:0")
        .failed(2, &["different names", "yard.dtb"]);
    run(path, "serve tables --listen 203.0.113.1:1").failed(3, &["203.0.113.1:1"]);
    fs::write(path.join("sound.wav"), b"RIFF\0\0\0\0WAVE\0\0").unwrap();
    run(path, "serve sound.wav").failed(2, &["expected a table, a board or a graph", "sound.wav"]);
    fs::write(path.join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0").unwrap();
    run(path, "serve picture.png").failed(2, &["expected a PNG picture", "picture.png"]);
}
