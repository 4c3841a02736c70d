//! The program in a terminal of 40, 80 and 200 columns: no line of progress, message or result wraps.

use pty_process::{Size, blocking};
use std::{
    collections::BTreeSet,
    fs,
    io::{ErrorKind, Read},
    num::NonZero,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

const COLUMNS: [u16; 3] = [40, 80, 200];
const ROWS: u16 = 50;

/// The time that a command has to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// All that a terminal has shown.
struct Shown {
    /// The lines that were on the screen at any moment.
    lines: BTreeSet<String>,
    /// The lines that did not fit into one row.
    wrapped: BTreeSet<String>,
    status: Option<i32>,
}

impl Shown {
    /// Returns whether a line with this text has been on the screen.
    fn has(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.contains(text))
    }
}

fn nonzero(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

/// Runs the program in a terminal of so many columns, and sends it SIGINT when the screen shows `until`.
fn run(folder: &Path, line: &str, columns: u16, until: Option<&str>) -> Shown {
    let (mut terminal, side) = blocking::open().unwrap();
    terminal.resize(Size::new(ROWS, columns)).unwrap();
    let mut child = blocking::Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .spawn(side)
        .unwrap();
    let mut screen = vt100::Parser::new(nonzero(ROWS), nonzero(columns), 0);
    let mut shown = Shown { lines: BTreeSet::new(), wrapped: BTreeSet::new(), status: None };
    let mut stop = until;
    let mut bytes = [0; 512];
    loop {
        let read = match terminal.read(&mut bytes) {
            Ok(0) => break,
            Ok(read) => read,
            // So Linux says that the program has closed its side.
            Err(error) if error.raw_os_error() == Some(5) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => panic!("{line}: {error}"),
        };
        // A line at a time, so that none leaves the screen before it is looked at.
        for piece in bytes[..read].split_inclusive(|&byte| byte == b'\n') {
            screen.process(piece);
            for (row, text) in (0..ROWS).zip(screen.screen().rows(0, columns)) {
                // Progress lines end with blanks that fill the row and lead into the next one.
                if screen.screen().row_wrapped(row) && !text.ends_with(' ') {
                    shown.wrapped.insert(text.clone());
                }
                shown.lines.insert(text);
            }
        }
        if stop.is_some_and(|text| shown.has(text)) {
            stop = None;
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        }
    }
    shown.status = child.wait().unwrap().code();
    shown
}

/// A folder with boards, graphs and a manifest, some tables of which cannot be made.
fn ground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "out = \"t\"\n[limits]\nmemory = \"300 MiB\"\n[[boards]]\nsizes = \"3x3..5x5\"\n\
        [[boards]]\nfiles = \"a-board-with-a-long-name.txt\"\n\
        [[boards]]\nsizes = \"900x900\"\n[[boards]]\nmake = \"random\"\nsize = \"90x90\"\n";
    for (name, text) in [
        ("a-board-with-a-long-name.txt", "...\n.#.\nP.P\n"),
        ("batch.toml", manifest),
        ("game.txt", "0 1\n1 0\n1 2\n2 3\n3 1\n"),
        ("ring.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn no_line_wraps_in_any_stage_of_a_batch() {
    for columns in COLUMNS {
        let folder = ground();
        let at = folder.path();
        let shown = run(at, "generate batch.toml", columns, None);
        assert_eq!(shown.wrapped, BTreeSet::new(), "{columns} columns");
        assert_eq!(shown.status, Some(3), "{:?}", shown.lines);
        // A line of the table that is made, the line of the batch, a failure, and the summary.
        for text in ["random-90x90", " left", "skipped", "12 boards:"] {
            assert!(shown.has(text), "{columns} columns: no {text:?} in {:#?}", shown.lines);
        }
        for line in
            ["batch status t", "generate batch.toml --verbose", "verify --quick t", "batch prune batch.toml"]
        {
            let shown = run(at, line, columns, None);
            assert_eq!(shown.wrapped, BTreeSet::new(), "{line}, {columns} columns");
        }
    }
}

#[test]
fn no_line_wraps_when_a_run_is_stopped_and_goes_on() {
    for columns in COLUMNS {
        let folder = ground();
        let at = folder.path();
        // The line of the table that is being solved has its name first.
        let line = "generate --size 220x220 --size 3x3 --out t --checkpoints 0.005";
        let shown = run(at, line, columns, Some("open-220x220  "));
        assert_eq!(shown.wrapped, BTreeSet::new(), "{columns} columns");
        assert_eq!(shown.status, Some(130), "{:?}", shown.lines);
        assert!(shown.has("note: stopping;"), "{:#?}", shown.lines);
        for line in ["checkpoints t", "batch status t"] {
            let shown = run(at, line, columns, None);
            assert_eq!(shown.status, Some(0), "{line}, {columns} columns");
            assert_eq!(shown.wrapped, BTreeSet::new(), "{line}, {columns} columns");
            assert!(shown.has("open-220x220"), "{line}, {columns} columns: {:#?}", shown.lines);
        }
    }
}

#[test]
fn no_line_wraps_in_other_commands_that_take_long_or_warn() {
    let folder = ground();
    let at = folder.path();
    assert_eq!(run(at, "generate --size 80x80 --out t --quiet", 80, None).status, Some(0));
    for columns in COLUMNS {
        for line in [
            "verify t",
            "generate a-board-with-a-long-name.txt --out t --force",
            "generate --size 3x3..4x4 --out t --exit none",
            "generate nothing.txt",
            "graph solve game.txt --summary --vertices 1000000",
            "cops ring.txt --more 2",
            "plan --size 3x3..4x4",
            "show a-board-with-a-long-name.txt --thief 0,0",
            "policy a-board-with-a-long-name.txt --police greedy --from 2,0+2,2/0,0",
            "policy a-board-with-a-long-name.txt --police random --from 2,0+2,2/0,0",
        ] {
            let shown = run(at, line, columns, None);
            assert_eq!(shown.wrapped, BTreeSet::new(), "{line}, {columns} columns");
            assert!(shown.lines.len() > 1, "{line}");
        }
    }
}

/// Runs a command in a terminal until the screen has `until`, closes the terminal, and returns the status
/// with which the command ends, `None` if a signal ends it.
fn status_without_terminal(folder: &Path, words: &[&str], until: &str) -> Option<i32> {
    let (mut terminal, side) = blocking::open().unwrap();
    terminal.resize(Size::new(ROWS, 80)).unwrap();
    let (program, arguments) = words.split_first().unwrap();
    let mut child = blocking::Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .spawn(side)
        .unwrap();
    let mut screen = vt100::Parser::new(nonzero(ROWS), nonzero(80), 0);
    let mut bytes = [0; 512];
    while !screen.screen().contents().contains(until) {
        let read = terminal.read(&mut bytes).unwrap();
        screen.process(&bytes[..read]);
    }
    drop(terminal);
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{words:?} outlives its terminal");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_game_and_a_server_end_with_their_terminal() {
    let folder = ground();
    let dragnet = env!("CARGO_BIN_EXE_dragnet");
    let board = "a-board-with-a-long-name.txt";
    // SIGHUP itself ends a game. The tests may run under nohup, which the game must not inherit.
    let play = ["env", "--default-signal=HUP", dragnet, "play", board, "--officers", "1"];
    let play = [&play[..], &["--police", "0,0", "--thief", "2,2"]].concat();
    assert_eq!(status_without_terminal(folder.path(), &play, "move"), None);
    let view = [dragnet, "view", board, "--no-browser"];
    assert_eq!(status_without_terminal(folder.path(), &view, "Ctrl-C"), Some(0));
    let serve = [dragnet, "serve", board, "--listen", "0"];
    assert_eq!(status_without_terminal(folder.path(), &serve, "serving"), Some(0));
}
