//! `dragnet view`: what it serves, what it opens, and how it ends.

use crate::support::run;
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The time that a viewer has for what takes it a moment.
const PATIENCE: Duration = Duration::from_secs(120);

/// A viewer that runs.
struct Viewer {
    process: Child,
    /// The address that it has printed.
    address: String,
}

impl Viewer {
    /// Starts `dragnet view` in `folder` with the words of `line`, and `browser` as the user's browser.
    fn start(folder: &Path, line: &str, browser: &str) -> Viewer {
        // The tests themselves may run under nohup, where a hang-up ends nothing.
        let mut process = Command::new("/usr/bin/env")
            .args(["--default-signal=HUP", env!("CARGO_BIN_EXE_dragnet"), "view"])
            .args(line.split_whitespace())
            .current_dir(folder)
            .env("BROWSER", browser)
            .env("PATH", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Viewer { process, address: address.trim_end().to_owned() }
    }

    /// Returns the answer to a request for `path`, head and body.
    fn get(&self, path: &str) -> String {
        let host = self.address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Ends the viewer as Ctrl-C does, after it has answered once. Returns its exit status and its messages.
    fn interrupted(mut self) -> (Option<i32>, String) {
        assert!(self.get("/healthz").starts_with("HTTP/1.1 200 OK\r\n"));
        let interrupt = Command::new("/bin/kill").args(["-INT", &self.process.id().to_string()]).status();
        assert!(interrupt.unwrap().success());
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.process.wait().unwrap().code(), said)
    }
}

/// A folder with a board, its table, and a game on a graph with its graph.
fn ground() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "E...\n.##.\nP..T\n").unwrap();
    fs::write(folder.path().join("game.txt"), "0 1\n0 2\n1 3\n2 1\n2 4\n4 2\n").unwrap();
    run(folder.path(), "generate yard.txt --out .").done();
    run(folder.path(), "graph solve game.txt --out game.dtb");
    folder
}

#[test]
fn a_viewer_serves_the_application_and_its_one_thing_until_ctrl_c() {
    let folder = ground();
    let viewer = Viewer::start(folder.path(), "yard.dtb --no-browser", "");
    assert!(viewer.address.starts_with("http://127.0.0.1:"), "{}", viewer.address);
    assert!(viewer.address.ends_with("/#1/table/yard?police=2,0&thief=2,3"), "{}", viewer.address);
    let page = viewer.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<!doctype html>"), "{page}");
    let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    assert!(tag.starts_with('"'), "{tag}");
    let script = viewer.get("/app.js");
    assert!(script.contains("content-type: text/javascript; charset=utf-8"), "{}", &script[..400]);
    let catalogue = viewer.get("/catalogue.json");
    let (_, body) = catalogue.split_once("\r\n\r\n").unwrap();
    let catalogue: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!((&catalogue["version"], &catalogue["home"]), (&1.into(), &"program".into()));
    assert_eq!(catalogue["items"].as_array().unwrap().len(), 1, "the graph beside it is not served");
    assert!(viewer.get("/tables/yard.dtb").starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(viewer.get("/graphs/game.txt").starts_with("HTTP/1.1 404 "));
    let (status, said) = viewer.interrupted();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.starts_with("note: Ctrl-C ends it\n") && !said.contains("error"), "{said}");
}

#[test]
fn links_lead_to_what_was_asked_for() {
    let folder = ground();
    for (line, hash) in [
        ("yard.dtb --police 0,3 --thief 1,0 --turn thief", "#1/table/yard?police=0,3&thief=1,0&turn=thief"),
        ("yard.dtb --police 0,3", "#1/table/yard?police=0,3&thief=2,3&turn=police"),
        ("game.dtb", "#1/table/game"),
        ("game.dtb --vertex 4", "#1/table/game?vertex=4"),
        ("yard.txt", "#1/draw?item=yard"),
        ("game.txt", "#1/graph?item=game"),
    ] {
        let viewer = Viewer::start(folder.path(), &format!("{line} --no-browser"), "");
        let (_, found) = viewer.address.split_at(viewer.address.find('#').unwrap_or(0));
        assert_eq!(found, hash, "{line}");
        assert_eq!(viewer.interrupted().0, Some(0), "{line}");
    }
}

#[test]
fn the_browser_of_the_environment_gets_the_address() {
    let folder = ground();
    let browser = folder.path().join("browser");
    fs::write(&browser, "#!/bin/sh\nprintf '%s %s' \"$1\" \"$2\" > opened.new\n/bin/mv opened.new opened\n")
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let chosen = format!("no-such-browser:{} --new %s", browser.display());
    let viewer = Viewer::start(folder.path(), "yard.dtb", &chosen);
    let begin = Instant::now();
    let opened = loop {
        if let Ok(opened) = fs::read_to_string(folder.path().join("opened")) {
            break opened;
        }
        assert!(begin.elapsed() < PATIENCE, "the browser was not run");
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(opened, format!("--new {}", viewer.address));
    assert_eq!(viewer.interrupted().0, Some(0));
}

#[test]
fn without_a_browser_the_user_is_told_to_open_the_address() {
    let folder = ground();
    let mut viewer = Viewer::start(folder.path(), "yard.dtb", "no-such-browser");
    let mut said = BufReader::new(viewer.process.stderr.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "note: Ctrl-C ends it");
    assert_eq!(said.next().unwrap().unwrap(), "note: no browser could be opened; open the address in one");
    assert!(viewer.get("/").starts_with("HTTP/1.1 200 OK\r\n"));
    viewer.process.kill().unwrap();
    viewer.process.wait().unwrap();
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = ground();
    let at = folder.path();
    let whole = fs::read(at.join("yard.dtb")).unwrap();
    fs::write(at.join("short.dtb"), &whole[..whole.len() - 1]).unwrap();
    fs::write(at.join("letter.txt"), "Dear reader").unwrap();
    run(at, "view short.dtb").failed(2, &["short.dtb", "cut short"]);
    run(at, "view letter.txt").failed(2, &["letter.txt", "expected a table, a board or a graph"]);
    run(at, "view gone.dtb").failed(3, &["gone.dtb"]);
    run(at, "view yard.dtb --police 1,1").failed(2, &["yard.dtb", "1,1"]);
    run(at, "view yard.dtb --police 9,9").failed(2, &["yard.dtb", "9,9"]);
    run(at, "view yard.txt --police 0,0").failed(2, &["yard.txt", "--police", "for tables"]);
    run(at, "view yard.dtb --vertex 3").failed(2, &["--vertex"]);
    run(at, "view game.dtb --vertex 5").failed(2, &["expected 0 to 4, found 5"]);
    run(at, "view").misused(&["TABLE or BOARD or GRAPH"]);
}

#[test]
fn a_viewer_shows_a_folder_of_tables_and_ends_with_a_hang_up() {
    let folder = ground();
    let viewer = Viewer::start(folder.path(), ". --no-browser", "");
    assert!(
        viewer.address.starts_with("http://127.0.0.1:") && viewer.address.ends_with('/'),
        "{}",
        viewer.address
    );
    let catalogue = viewer.get("/catalogue.json");
    assert!(catalogue.contains("tables/game.dtb") && catalogue.contains("tables/yard.dtb"), "{catalogue}");
    let mut viewer = viewer;
    let hang_up = Command::new("/bin/kill").args(["-HUP", &viewer.process.id().to_string()]).status();
    assert!(hang_up.unwrap().success());
    assert_eq!(viewer.process.wait().unwrap().code(), Some(0));

    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::copy(folder.path().join("yard.txt"), folder.path().join("maps/yard.txt")).unwrap();
    run(folder.path(), "view maps --no-browser")
        .failed(2, &["expected a folder with tables", "dragnet view FILE"]);
    run(folder.path(), "view . --police 0,0 --no-browser").failed(2, &["--police", "a single table"]);
}
