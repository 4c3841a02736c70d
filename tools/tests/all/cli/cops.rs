//! `dragnet cops`, and tables of several officers on boards and graphs.

use super::support::{run, run_with};
use serde_json::Value as Json;
use std::{fs, io::Write as _, path::Path};

#[test]
fn named_graphs_have_the_published_cop_numbers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/truth/named_graphs.tsv");
    let Ok(table) = fs::read_to_string(&path) else {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: there is no {}", path.display()).unwrap();
        return;
    };
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |name: &str| header.iter().position(|&column| column == name).unwrap();
    let graphs = rows.iter().map(|row| row[column("graph6")]).collect::<Vec<_>>().join("\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("named.g6"), graphs).unwrap();
    let found = run(folder.path(), "cops named.g6 --json").done();
    let found: Vec<Json> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), rows.len());
    for (row, found) in rows.iter().zip(&found) {
        let expected = |name: &str| Json::from(row[column(name)].parse::<u64>().unwrap());
        assert_eq!(found["vertices"], expected("n"), "{}", row[0]);
        assert_eq!(found["edges"], expected("m"), "{}", row[0]);
        assert_eq!(found["cop_number"], expected("cop_number"), "{}", row[0]);
        let best = &found["captures"][0];
        assert_eq!(best["moves"], expected("capture_time_with_that_many_cops"), "{}", row[0]);
        assert_eq!(best["placements"], expected("optimal_ordered_placements"), "{}", row[0]);
    }
}

#[test]
fn families_have_the_published_cop_numbers_and_capture_times() {
    // The formulas and who published them are in `docs/cops.md`.
    let mut expected: Vec<(String, u64, Option<u64>)> = Vec::new();
    for m in 2..=6 {
        expected.extend((m..=7).map(|n| (format!("grid:{m},{n}"), 2, Some((m + n) / 2 - 1))));
    }
    expected.extend((4..=14).map(|n: u64| (format!("cycle:{n}"), 2, Some((n - 2).div_ceil(4)))));
    expected.extend((2..=9).map(|n| (format!("king:3,{n}"), 1, Some(n.max(3) / 2))));
    expected.extend((1..=4).map(|depth| (format!("tree:2,{depth}"), 1, Some(depth))));
    expected.extend((1..=5).map(|d: u64| (format!("hypercube:{d}"), (d + 1).div_ceil(2), None)));
    expected.extend((4..=6).map(|n| (format!("torus:{n},{n}"), 3, None)));
    expected.extend((4..=7).map(|n| (format!("knight:{n},{n}"), if n < 7 { 2 } else { 3 }, None)));
    expected.extend([("petersen:5,2".to_owned(), 3, Some(1)), ("petersen:10,2".to_owned(), 3, Some(3))]);
    let families: String = expected.iter().map(|(name, ..)| format!(" --family {name}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), &format!("cops --csv{families}")).done();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("name,vertices,edges,cops,moves,placement,placements,canonical"));
    for (name, cops, moves) in expected {
        // The name of a family has commas, so it stands in quotes unless there is one number alone.
        let line = lines.next().unwrap().replace('"', "");
        let numbers = line.strip_prefix(&format!("{name},")).unwrap_or_else(|| panic!("{name}: {line}"));
        let numbers: Vec<&str> = numbers.split(',').collect();
        assert_eq!(numbers[2], cops.to_string(), "{name}");
        assert!(moves.is_none_or(|moves| numbers[3] == moves.to_string()), "{name}: {line}");
    }
    assert_eq!(lines.next(), None);
    run(folder.path(), "cops --family petersen:6,3").failed(2, &["expected petersen:N,K", "petersen:6,3"]);
    run(folder.path(), "cops --family moebius:6").failed(2, &["one of path, cycle", "moebius"]);
}

#[test]
fn cops_prints_the_cop_number_of_graphs_and_boards() {
    let folder = tempfile::tempdir().unwrap();
    let square = b"a b\nb c\nc d\nd a\n";
    let text = run_with(folder.path(), "cops --names --more 2", square).done();
    let expected = "\
name                     vertices    edges  cops  moves  placement
-                               4        4     2      1  a + b, one of 12
                                               3      1  a + a + b, one of 60
                                               4      0  a + b + c + d, one of 24
";
    assert_eq!(text, expected);
    let text = run_with(folder.path(), "cops --directed", b"0 2\n1 2\n").done();
    assert!(text.lines().last().unwrap().contains("3        2     2      1  0 + 1"), "{text}");
    let text = run_with(folder.path(), "cops --bound 1", b"0 1\n1 2\n2 3\n3 0\n").done();
    assert!(text.contains(">1      -  no placement catches the thief"), "{text}");
    fs::write(folder.path().join("yard.txt"), "...\n.#.\n..E\n").unwrap();
    let text = run(folder.path(), "cops --board yard.txt").done();
    assert!(text.contains("yard.txt                        8        -     1"), "{text}");
    let graphs = b"Cl\n\nC~\nCh\n";
    let text = run_with(folder.path(), "cops --form six --count", graphs).done();
    assert_eq!(text, "3 graphs\ncop number 1: 2\ncop number 2: 1\n");
    let json: Json =
        serde_json::from_str(&run_with(folder.path(), "cops --form six --count --json", graphs).done())
            .unwrap();
    assert_eq!(json, serde_json::json!({ "graphs": 3, "cop_numbers": { "1": 2, "2": 1 } }));
}

#[test]
fn cops_refuses_bad_input_and_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    run_with(folder.path(), "cops", b"0\n").failed(2, &["expected a graph of at least 1"]);
    run_with(folder.path(), "cops --form six", b"Cl\nC!\n").failed(2, &["line 2, column 2"]);
    run_with(folder.path(), "cops --bound 256", b"").misused(&["--bound", "256"]);
    run_with(folder.path(), "cops --speed 0", b"").misused(&["--speed", "0"]);
    run_with(folder.path(), "cops --rules classic", b"0 1\n")
        .failed(2, &["\"edges\"", "the board is a graph"]);
    run_with(folder.path(), "cops --board", b"#\n").failed(2, &["no open cell"]);
    run(folder.path(), "cops none.txt").failed(3, &["cannot read none.txt"]);
}

#[test]
fn more_officers_than_a_table_has_are_tried_as_far_as_memory_allows() {
    let folder = tempfile::tempdir().unwrap();
    let text = run_with(folder.path(), "cops --bound 8 --more 1", b"8\n").done();
    assert!(text.contains("8        0     8      0  0 + 1 + 2 + 3 + 4 + 5 + 6 + 7, one of 40,320"), "{text}");
    assert!(text.lines().last().unwrap().contains("9      0  0 + 0 + 1 + 2"), "{text}");
    run(folder.path(), "cops --family torus:12,12 --bound 9 --memory 64MiB").failed(
        3,
        &[
            "torus:12,12: it takes more than 2 officers, and the search with 3 officers needs about",
            "is 64.00 MiB",
        ],
    );
    run(folder.path(), "cops --family complete:50 --more 50 --memory 64MiB")
        .failed(3, &["the search with 4 officers needs about", "is 64.00 MiB"]);
}

#[test]
fn lazy_active_and_fast_variants_are_rules() {
    let folder = tempfile::tempdir().unwrap();
    let best = |options: &str| -> (u64, u64) {
        let text = run(folder.path(), &format!("cops --json {options}")).done();
        let json: Json = serde_json::from_str(&text).unwrap();
        (json["cop_number"].as_u64().unwrap(), json["captures"][0]["moves"].as_u64().unwrap())
    };
    // Published: see `docs/cops.md`.
    assert_eq!((best("--family torus:3,3"), best("--family torus:3,3 --lazy")), ((2, 2), (3, 1)));
    let lazy = "team = \"one\"\n[police]\nmoves = \"edges\"\n[thief]\nmoves = \"edges\"\n";
    fs::write(folder.path().join("lazy.toml"), lazy).unwrap();
    assert_eq!(best("--family torus:3,3 --rules lazy.toml"), (3, 1));
    assert_eq!((best("--family hypercube:3 --lazy"), best("--family hypercube:4 --lazy")), ((2, 1), (3, 2)));
    // At the end of a path a thief who must move runs into the officer.
    assert_eq!((best("--family path:5"), best("--family path:5 --active")), ((1, 2), (1, 1)));
    // A thief who can go anywhere in a turn is caught only if all vertices are in reach.
    assert_eq!((best("--family cycle:9"), best("--family cycle:9 --speed 4")), ((2, 2), (3, 1)));
}

#[test]
fn isomorphic_graphs_have_the_same_canonical_form() {
    let folder = tempfile::tempdir().unwrap();
    let last = |text: String| text.lines().last().unwrap().rsplit(',').next().unwrap().to_owned();
    let path = last(run_with(folder.path(), "cops --csv", b"0 1\n1 2\n2 3\n").done());
    assert_eq!(path, last(run_with(folder.path(), "cops --csv", b"2 0\n0 3\n3 1\n").done()));
    let star = last(run_with(folder.path(), "cops --csv", b"0 1\n0 2\n0 3\n").done());
    assert!(star != path && star.len() == 2 && path.len() == 2, "{star} {path}");
    let way = last(run_with(folder.path(), "cops --csv --directed", b"0 1\n").done());
    assert_eq!(way, last(run_with(folder.path(), "cops --csv --directed", b"1 0\n").done()));
    assert!(way.starts_with("&A"), "{way}");
    fs::write(folder.path().join("yard.txt"), "...\n").unwrap();
    assert_eq!(last(run(folder.path(), "cops --csv --board yard.txt").done()), "");
    let large = last(run(folder.path(), "cops --csv --family path:1025").done());
    assert_eq!(large, "too large or too symmetric");
}

/// The whole way of two officers on a board and of two cops on a graph: tables by both engines, values,
/// lines, statistics, dumps and repacked.
#[test]
fn every_command_takes_tables_of_several_officers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("yard.txt"), "....\n.#..\n...E\n").unwrap();
    fs::write(here.join("ring.txt"), "0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n").unwrap();
    for (make, name, police, thief) in
        [("yard.txt", "yard", "0,0+2,0", "1,3"), ("--graph ring.txt", "ring", "0+1", "3")]
    {
        for engine in ["counters", "bitboard"] {
            run(here, &format!("generate {make} --officers 2 --engine {engine} --out {engine}")).done();
        }
        let read = |folder: &str| fs::read(here.join(folder).join(format!("{name}.dtb"))).unwrap();
        assert_eq!(read("counters"), read("bitboard"));
        let table = format!("bitboard/{name}.dtb");
        assert!(run(here, &format!("verify {table}")).done().contains(": right, "));
        let at = format!("{table} --police {police} --thief {thief}");
        let answer: Json = serde_json::from_str(&run(here, &format!("probe {at} --json")).done()).unwrap();
        let line: Json = serde_json::from_str(&run(here, &format!("line {at} --json")).done()).unwrap();
        assert_eq!(answer["police"].as_array().unwrap().len(), 2);
        assert_eq!(line["dtw"], answer["dtw"]);
        assert_eq!(line["moves"].as_array().unwrap().len() as u64, answer["dtw"].as_u64().unwrap());
        assert_eq!(line["moves"][0]["to"], answer["moves"][0]["to"]);
        let stats: Json = serde_json::from_str(&run(here, &format!("stats {table} --json")).done()).unwrap();
        let dump = run(here, &format!("dump {table}")).done();
        assert!(
            dump.starts_with("turn,police1_row,police1_col,police2_row,police2_col,thief_row,"),
            "{dump}"
        );
        assert_eq!(dump.lines().count() as u64 - 1, stats["positions"].as_u64().unwrap());
        for favour in ["speed", "size"] {
            run(here, &format!("pack {table} --favour {favour} --out packed.dtb --force")).done();
            run(here, "verify packed.dtb").done();
            assert_eq!(run(here, "dump packed.dtb").done(), dump);
        }
        let info = run(here, &format!("info {table}")).done();
        assert!(info.contains("2 officers, who move together"), "{info}");
        run(here, &format!("plan --measure {make} --officers 2")).done();
        run(here, &format!("report {table} --out report")).done();
        run(here, &format!("probe {table} --police 0,0 --thief {thief}"))
            .failed(2, &["expected the cells of 2 officers, found 1"]);
    }
    let stream =
        run_with(here, "probe bitboard/yard.dtb --stdin", b"0 0 2 0 1 3 police\n2 0 0 0 1 3 police\n").done();
    let lines: Vec<&str> = stream.lines().collect();
    assert_eq!(lines[0], lines[1], "officers are alike");
    run_with(here, "probe bitboard/yard.dtb --stdin", b"0 0 1 3 police\n")
        .failed(2, &["expected police_row police_col police_row police_col thief_row"]);
}
