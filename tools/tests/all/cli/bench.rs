//! `dragnet bench`: figures of both engines, and answers that are checked.

use super::support::run;
use std::{fs, path::Path};

/// A solver that says this, whatever the board.
#[cfg(unix)]
fn solver(folder: &Path, name: &str, says: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn bench_measures_both_engines_and_their_digests_agree() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "....\n.##.\n....\n").unwrap();
    let said = run(folder.path(), "bench maze-65 --board yard.txt --repeat 1 --threads 2 --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["repeat"].as_u64(), Some(1));
    assert!(said["machine"]["processors"].as_u64() >= Some(1), "{said}");
    let rows = said["results"].as_array().unwrap();
    let named: Vec<_> = rows.iter().map(|row| (&row["scenario"], &row["engine"])).collect();
    let expected =
        [("maze-65", "counters"), ("maze-65", "bitboard"), ("yard", "counters"), ("yard", "bitboard")];
    assert!(named.iter().zip(expected).all(|(&(a, b), (c, d))| a == c && b == d), "{named:?}");
    assert_eq!(rows.len(), expected.len());
    for row in rows {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert!(number("seconds") >= number("solve_seconds") + number("file_seconds"), "{row}");
        assert!(number("positions_per_second") > 0.0 && number("bits_per_position") > 0.0, "{row}");
        assert!(
            number("least_seconds") <= number("seconds") && number("seconds") <= number("most_seconds"),
            "{row}"
        );
        assert!(row.get("yardstick_seconds").is_none() && row.get("times_first_threads").is_none(), "{row}");
        assert_eq!(row["threads"].as_u64(), Some(2));
    }
    // 10 open cells: 200 positions.
    assert_eq!((&rows[2]["positions"], &rows[2]["digest"]), (&200.into(), &rows[3]["digest"]));
    let text = run(folder.path(), "bench --board yard.txt --engine auto --repeat 2").done();
    assert!(
        text.contains("medians of 2 runs") && text.contains("yard") && text.contains("(bitboard)"),
        "{text}"
    );
}

#[test]
fn bench_compares_each_number_of_threads_with_the_first() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "....\n.##.\n....\n").unwrap();
    let said =
        run(folder.path(), "bench --board yard.txt --repeat 2 --threads 3,1 --threads 2 --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let rows = said["results"].as_array().unwrap();
    let threads: Vec<_> = rows.iter().map(|row| row["threads"].as_u64().unwrap()).collect();
    assert_eq!(threads, [3, 1, 2, 3, 1, 2]);
    for rows in rows.chunks(3) {
        for row in rows {
            let times = rows[0]["seconds"].as_f64().unwrap() / row["seconds"].as_f64().unwrap();
            assert!((row["times_first_threads"].as_f64().unwrap() - times).abs() < 1e-9, "{row}");
            assert_eq!(row["engine"], rows[0]["engine"]);
        }
    }
    let text = run(folder.path(), "bench --board yard.txt --repeat 1 --engine bitboard --threads 1,2").done();
    assert!(text.contains("over first") && text.contains("     1.00x\n"), "{text}");
    assert_eq!(run(folder.path(), "bench --board yard.txt --threads 1,x").status, Some(2));
}

#[test]
#[cfg(unix)]
fn bench_runs_a_yardstick_and_refuses_one_with_another_digest() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "...\n").unwrap();
    let said = run(folder.path(), "bench --board yard.txt --repeat 1 --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let digest = said["results"][0]["digest"].as_str().unwrap();
    solver(folder.path(), "right", &format!(r#"{{"solve_seconds": 60.0, "digest": "{digest}"}}"#));
    solver(folder.path(), "wrong", r#"{"solve_seconds": 0.5, "digest": "0123456789abcdef"}"#);
    solver(folder.path(), "silent", "");
    solver(folder.path(), "free", r#"{"solve_seconds": 0}"#);
    let said = run(folder.path(), "bench --board yard.txt --yardstick ./right --repeat 1 --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["results"][1]["yardstick_seconds"], 60.0);
    assert!(said["results"][1]["times_yardstick"].as_f64() > Some(1.0), "{said}");
    run(folder.path(), "bench --board yard.txt --yardstick ./wrong --repeat 1")
        .failed(1, &["yard", "what ./wrong found has digest 0123456789abcdef", "counters", digest]);
    // What was measured before is shown.
    fs::write(folder.path().join("wide.txt"), ".....\n").unwrap();
    let both = run(folder.path(), "bench --board yard.txt --board wide.txt --yardstick ./right --repeat 1");
    both.failed(1, &["wide", "the answers differ"]);
    let shown = String::from_utf8_lossy(&both.out);
    assert!(shown.contains("\nyard ") && !shown.contains("\nwide "), "{shown}");
    run(folder.path(), "bench maze-65 --yardstick ./wrong --repeat 1")
        .failed(1, &["maze-65", "./wrong found 0123456789abcdef"]);
    // Not every yardstick knows several officers.
    let all = run(folder.path(), "bench --yardstick ./wrong --repeat 1");
    assert_eq!(all.status, Some(1), "{}", all.err);
    assert!(all.err.starts_with("note: officers-12 is left out: "), "{}", all.err);
    assert!(all.err.contains("error: open-64: the answers differ"), "{}", all.err);
    let named = run(folder.path(), "bench officers-12 --yardstick ./wrong --repeat 1");
    named.failed(1, &["officers-12", "./wrong found 0123456789abcdef"]);
    assert!(!named.err.contains("left out"), "{}", named.err);
    run(folder.path(), "bench --board yard.txt --yardstick ./silent --repeat 1")
        .failed(2, &["./silent", "expected a line of JSON"]);
    run(folder.path(), "bench --board yard.txt --yardstick ./free --repeat 1")
        .failed(2, &["./free", "expected solve_seconds above 0, found 0"]);
    run(folder.path(), "bench --board yard.txt --yardstick ./missing --repeat 1")
        .failed(3, &["./missing", "cannot run"]);
}

#[test]
fn bench_refuses_boards_and_options_that_it_cannot_measure() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wall.txt"), "##\n##\n").unwrap();
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    run(folder.path(), "bench --board wall.txt").failed(2, &["wall.txt", "no open cell"]);
    run(folder.path(), "bench --board empty.txt").failed(2, &["empty.txt"]);
    run(folder.path(), "bench --board missing.txt").failed(3, &["missing.txt"]);
    assert_eq!(run(folder.path(), "bench --repeat 0").status, Some(2));
    assert_eq!(run(folder.path(), "bench open-65").status, Some(2));
}

#[test]
fn bench_measures_probes_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "E...\n.#..\n...P\n").unwrap();
    run(folder.path(), "generate yard.txt --out .").done();
    let json = run(folder.path(), "bench --table yard.dtb --json").done();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let ways: Vec<_> = json["results"].as_array().unwrap().iter().map(|row| row["access"].as_str()).collect();
    assert_eq!(ways, [Some("read"), Some("mapped")]);
    let row = &json["results"][0];
    assert_eq!((&row["table"], &row["positions"]), (&"yard.dtb".into(), &242.into()));
    for figure in ["open_us", "memory_bytes", "value_ns", "thief_value_ns", "best_moves_ns", "batch_ns"] {
        assert!(row[figure].as_f64().unwrap() > 0.0, "{figure}: {row}");
    }
    let text = run(folder.path(), "bench --table yard.dtb").done();
    assert!(text.starts_with("yard.dtb: 242 positions, ") && text.contains("all moves"), "{text}");
    run(folder.path(), "bench --table nowhere.dtb").failed(3, &["nowhere.dtb"]);
    run(folder.path(), "bench --table yard.txt").failed(2, &["yard.txt", "this looks like a board"]);
}
