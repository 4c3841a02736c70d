//! Texts in the encodings of other programs, lists of edges in their dialects, and what is no text at all.

use super::{
    support::{run, run_with},
    yard,
};
use std::{fs, path::Path};

/// Returns a text as an editor on Windows saves it: UTF-16 with a byte order mark, and CR LF.
fn utf16(text: &str) -> Vec<u8> {
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Every text that the program reads, and a command that reads it under the name `it`.
const TEXTS: [(&str, &str); 11] = [
    ("P...E\n.###.\n..T..\n", "answer it"),
    ("type octile\nheight 2\nwidth 2\nmap\n..\n.@\n", "board it"),
    ("0 1\n1 2\n2 3\n3 0\n", "cops it"),
    ("a b\nb c\nc a\n", "graph solve it --names --csv"),
    ("3 3\n1 2\n1 3\n1 1\n", "graph solve it --form lists --csv"),
    ("Cr\nC~\n", "cops it --form six"),
    ("Cr\n", "graph solve it --form six --csv"),
    ("2 won\n", "graph solve path.txt --label it --csv"),
    ("officers = 2\n", "cops --board yard.txt --rules it"),
    ("# down and up\n0,0 1,0\n2,0 1,0\n", "policy ring.txt --police patrol:it --json"),
    ("otherwise random\n0,0 2,2 0,1\n0,1 * 0,0 2\n", "policy ring.txt --police moves:it --json"),
];

#[test]
fn every_text_means_the_same_in_every_encoding_and_with_every_line_end() {
    let folder = yard();
    let here = folder.path();
    fs::write(here.join("ring.txt"), TEXTS[0].0).unwrap();
    fs::write(here.join("path.txt"), "0 1\n1 2\n").unwrap();
    for (text, line) in TEXTS {
        let mut expected = None;
        for bytes in [
            text.into(),
            format!("\u{feff}{text}").into_bytes(),
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\r").into_bytes(),
            utf16(text),
        ] {
            fs::write(here.join("it"), &bytes).unwrap();
            let found = run(here, line).done();
            assert_eq!(&found, expected.get_or_insert(found.clone()), "{line}: {bytes:?}");
        }
    }
    // A manifest, and doors.
    for text in [
        "out = \"tables\"\n[[boards]]\nfiles = \"yard.txt\"\n",
        "[[doors]]\ncell = [0, 3]\nschedule = \"..##\"\n",
    ] {
        fs::write(here.join("it.toml"), utf16(text)).unwrap();
        let line =
            if text.contains("boards") { "generate it.toml" } else { "generate yard.txt --doors it.toml" };
        assert_eq!(run(here, line).status, Some(0), "{line}");
    }
}

#[test]
fn positions_from_standard_input_come_in_every_encoding() {
    let folder = yard();
    let lines = "0 0 2 0 police\n0 1 2 0 thief\n";
    let ask = |input: &[u8]| run_with(folder.path(), "probe yard.dtb --stdin", input).done();
    let expected = ask(lines.as_bytes());
    assert_eq!(expected.lines().count(), 2);
    assert_eq!(ask(format!("\u{feff}{lines}").as_bytes()), expected);
    assert_eq!(ask(lines.replace('\n', "\r").as_bytes()), expected);
    assert_eq!(ask(&utf16(lines)), expected);
    // The moves of a game.
    let play = |input: &[u8]| run_with(folder.path(), "play yard.txt --police 0,1 --thief 2,3", input);
    let game = play(b"moves\nq\n");
    assert!(game.status == Some(0) && game.out.len() > 100, "{}", game.err);
    for input in [utf16("moves\nq\n"), b"\xEF\xBB\xBFmoves\rq\r".to_vec()] {
        assert_eq!(play(&input).out, game.out);
    }
}

#[test]
fn a_table_in_the_place_of_a_text_is_named() {
    let folder = yard();
    let here = folder.path();
    fs::copy(here.join("yard.dtb"), here.join("batch.toml")).unwrap();
    for line in [
        "generate yard.dtb",
        "generate batch.toml",
        "generate --graph yard.dtb",
        "generate yard.txt --rules yard.dtb",
        "generate yard.txt --doors yard.dtb",
        "board yard.dtb",
        "answer yard.dtb",
        "cops yard.dtb",
        "cops --form six yard.dtb",
        "cops --board yard.dtb",
        "graph solve yard.dtb",
        "graph solve --form lists yard.dtb",
        "policy yard.dtb --police patrol:yard.dtb",
    ] {
        run(here, line).failed(2, &["expected ", "; this looks like a table", "hint: 'dragnet info"]);
    }
    let table = fs::read(here.join("yard.dtb")).unwrap();
    for line in ["answer", "cops", "graph solve", "probe yard.dtb --stdin"] {
        run_with(here, line, &table).failed(2, &["standard input: expected ", "; this looks like a table"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_text_without_an_end_is_read_for_ever() {
    let folder = yard();
    for line in ["board", "answer", "generate", "generate yard.txt --rules", "cops --board"] {
        run(folder.path(), &format!("{line} /dev/zero")).failed(2, &["/dev/zero", "of at most 64 MiB"]);
    }
    for line in ["cops", "cops --form six", "graph solve", "graph solve --names"] {
        run(folder.path(), &format!("{line} /dev/zero")).failed(2, &["/dev/zero", "found a zero"]);
    }
    // A pipe of letters without a line end.
    let long = vec![b'a'; (64 << 20) + 9];
    run_with(folder.path(), "graph solve --names", &long).failed(2, &["expected lines of at most 64 MiB"]);
}

/// The process waits for the rest of the text, and signals are watched.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_reading_of_a_pipe() {
    use std::{
        io::Write as _,
        process::{Command, Stdio},
        time::Duration,
    };
    for form in ["edges", "six"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(["cops", "--form", form])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(if form == "six" { b"Cr\n" } else { b"0 1\n" }).unwrap();
        let pause = || std::thread::sleep(Duration::from_millis(20));
        let watched = || {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
            u64::from_str_radix(mask, 16).unwrap() >> 14 & 1 == 1
        };
        while !watched() {
            pause();
        }
        // Time to come to the reading, if it has not.
        std::thread::sleep(Duration::from_millis(300));
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        let ended = (0..1500).find_map(|_| {
            pause();
            child.try_wait().unwrap()
        });
        let _ = child.kill();
        assert_eq!(ended.and_then(|status| status.code()), Some(143), "{form}");
        drop(input);
    }
}

/// Runs `cops` on a text.
fn cops(options: &str, text: &str) -> super::support::Ran {
    run_with(Path::new("."), &format!("cops {options}"), text.as_bytes())
}

/// Returns the cop number that `cops` finds without a word about the text.
fn cop_number(options: &str, text: &str) -> String {
    let said = cops(options, text).done();
    said.lines().nth(1).unwrap().split_whitespace().nth(3).unwrap().to_owned()
}

#[test]
fn lists_of_other_programs_are_read_where_they_can_mean_one_thing() {
    let square = "0 1\n1 2\n2 3\n3 0\n";
    assert_eq!(cop_number("", &format!("\u{feff}{square}")), "2");
    assert_eq!(cop_number("--names", "\u{feff}a b\nb c\nc d\nd a\n"), "2");
    assert_eq!(cop_number("", "0 1 {}\n1 2 {}\n2 3 {}\n3 0 {}\n"), "2");
    assert_eq!(cop_number("", "# SNAP\n% KONECT\n0\t1\n1\t2\n2\t0\n"), "1");
    assert_eq!(cop_number("--vertices 4", &format!("4 4\n{square}")), "2");
    assert_eq!(cop_number("", "c a cycle\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"), "2");
    assert_eq!(cop_number("--names", "1 2\n2 3\n3 1\n"), "1");
    let csv = cops("--form six --csv", ">>graph6<<Bw\n>>graph6<<\nCr\n").done();
    assert!(csv.lines().nth(1).unwrap().starts_with("Bw,") && csv.lines().nth(2).unwrap().starts_with("Cr,"));
    // An edge of DIMACS leads both ways in a game on a graph, too.
    let said = run_with(Path::new("."), "graph solve --csv", b"p edge 2 1\ne 1 2\n").done();
    assert_eq!(said, "vertex,value,dtw,best\n1,drawn,,2\n2,drawn,,1\n");
}

#[test]
fn lists_of_other_programs_are_refused_where_they_may_be_another_graph() {
    for (options, text, part) in [
        ("--names", "a,b\nb,c\nc,a\n", "expected two names with a blank between them"),
        ("--names", "a;b\nb;c\n", "expected two names with a blank between them"),
        ("--names", "a-b\nb-c\n", "expected two names with a blank between them"),
        ("--names", "#1 gate\nhall #1\n", "begins with no # or %"),
        ("--names", "4 4\na b\nb c\nc d\nd a\n", "may be the numbers of vertices and edges"),
        ("--names", "4\na b\nb c\nc d\nd a\n", "not a number of vertices or edges"),
        ("", "0,1\n1,2\n", "found \"0,1\""),
        ("", "0 - 1\n", "found \"-\""),
        ("", "0 -> 1\n", "found \"->\""),
        ("", "4 4\n0 1\n1 2\n2 3\n3 0\n", "--vertices 4 reads it so, --vertices 5 as an edge"),
        // METIS, weights or adjacency lists, Matrix Market, Pajek, GML, graph6.
        ("", "4 4\n2 4\n1 3\n2 4\n1 3\n", "may be the numbers of vertices and edges"),
        ("", "4 5\n2 3 4\n1 3\n1 2 4\n1 3\n", "found \"4\""),
        ("", "0 1 0.5\n", "found \"0.5\""),
        ("", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n", "found \"3\""),
        ("", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", "found \"*Vertices\""),
        ("", "graph [\nnode [ id 0 ]\n]\n", "found \"graph\""),
        ("", "Bw\nCr\n", "found \"Bw\""),
        ("--directed", "p edge 2 1\ne 1 2\n", "this is one of DIMACS"),
        ("--form six", ":Cdv\n;w\n", "incremental sparse6"),
        ("--form six", "", "expected a graph in each line, found none"),
        ("--form six", ">>graph6<<\n", "expected a graph in each line, found none"),
        ("", "", "expected an edge or the number of vertices"),
        ("", "# nothing\n", "expected an edge or the number of vertices"),
    ] {
        cops(options, text).failed(2, &["standard input: ", part]);
    }
    cops("", "0,1\n")
        .failed(2, &["hint: a graph is a list of lines 'u v', vertices from 0", "DIMACS", "--form six"]);
}

#[test]
fn what_other_programs_may_have_meant_is_said_and_the_graph_is_read() {
    let warned = |line: &str, text: &str, part: &str| {
        let ran = run_with(Path::new("."), line, text.as_bytes());
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        assert!(ran.err.starts_with("warning: standard input: ") && ran.err.contains(part), "{}", ran.err);
    };
    for line in ["cops", "graph solve --csv"] {
        warned(line, "1 2\n2 3\n3 1\n", "no line names vertex 0");
        warned(line, "0 5\n", "4 of 6 vertices stand in no line and have no edge; the first is 1");
        warned(line, "5\n0 1\n1 2\n2 0\n0 3\n1 3\n", "line 1 says 5, the number of vertices");
        warned(line, "4 5\n0 1\n1 2\n2 3\n3 0\n", "no other line names a vertex of \"4 5\"");
        warned(line, "0 1 {'weight': 3}\n", "attributes behind their edge, which are left out");
        warned(line, "p edge 3 3\ne 1 2\ne 2 3\n", "line 1 announces 3 edges, and there are 2");
    }
    warned("cops --names", "Bw\nCr\n", "no line has two names");
    warned("cops --names", "source target\na b\nb c\nc a\n", "is it a heading?");
    let ran = cops("", "0 1\n2 3\n");
    assert_eq!(
        (ran.status, &*ran.err),
        (Some(0), "note: standard input: the graph has 2 parts, with no edge between them\n")
    );
    cops("", "8\n").done();
}

#[test]
fn a_board_in_the_place_of_a_graph_is_named() {
    let folder = yard();
    fs::write(folder.path().join("walls.txt"), "####\n#..#\n####\n").unwrap();
    for line in ["graph solve", "graph solo --from 0", "generate --graph", "cops"] {
        for board in ["yard.txt", "walls.txt"] {
            run(folder.path(), &format!("{line} {board}"))
                .failed(2, &["expected a graph; this looks like a board", "hint: 'dragnet generate'"]);
        }
    }
}

#[test]
fn every_command_reads_graphs_alike() {
    let folder = yard();
    let here = folder.path();
    fs::write(here.join("house.txt"), "cellar hall\nhall yard\nyard gate\ngate hall\n").unwrap();
    fs::write(here.join("size.txt"), "3 3\n0 1\n1 2\n2 0\n").unwrap();
    fs::write(here.join("one.txt"), "1 2\n2 3\n3 1\n").unwrap();
    fs::write(here.join("comma.txt"), "0,1\n1,2\n").unwrap();
    fs::write(here.join("triangle.g6"), "Bw\n").unwrap();
    let numbers =
        "note: house.txt: the vertices are numbers in the table: 0 cellar, 1 hall, 2 yard, 3 gate\n";
    let ran = run(here, "generate --graph house.txt --names");
    assert_eq!((ran.status, &*ran.err), (Some(0), numbers));
    assert!(run(here, "probe tables/house.dtb --police 0 --thief 3").done().contains("police"));
    fs::write(
        here.join("batch.toml"),
        "out = \"tables\"\n[[boards]]\ngraphs = \"house.txt\"\nnames = true\n",
    )
    .unwrap();
    let ran = run(here, "generate batch.toml --force");
    assert!(ran.status == Some(0) && ran.err.matches("0 cellar, 1 hall").count() == 1, "{}", ran.err);
    fs::write(
        here.join("batch.toml"),
        "out = \"tables\"\n[[boards]]\ngraphs = [\"size.txt\", \"comma.txt\"]\n",
    )
    .unwrap();
    let ran = run(here, "generate batch.toml");
    assert!(
        ran.status != Some(0)
            && ran.err.contains("size.txt: line 1")
            && ran.err.contains("comma.txt: line 1")
    );
    assert!(!here.join("tables/size.dtb").exists() && !here.join("tables/comma.dtb").exists());
    run(here, "generate --graph size.txt").failed(2, &["may be the numbers of vertices and edges"]);
    run(here, "graph solve triangle.g6 --out triangle.dtb").done();
    for line in ["probe triangle.dtb --vertex 0 --graph", "verify triangle.dtb --graph"] {
        run(here, &format!("{line} triangle.g6")).done();
        run(here, &format!("{line} size.txt")).failed(2, &["may be the numbers of vertices and edges"]);
        assert!(
            run(here, &format!("{line} one.txt")).err.contains("warning: one.txt: no line names vertex 0")
        );
    }
    run(here, "site size.txt --out web").failed(2, &["may be the numbers of vertices and edges"]);
}

#[test]
fn the_count_of_graphs_beyond_the_bound_is_the_last() {
    let said = cops("--form six --count --bound 1", "Cr\nC~\n").done();
    assert_eq!(said, "2 graphs\ncop number 1: 1\ncop number more than 1: 1\n");
}
