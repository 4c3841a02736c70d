//! Commands that answer from a table of a board, and those that need none.

use super::{
    YARD, json, keys,
    support::{run, run_with},
    yard,
};
use serde_json::{Value as Json, json};
use std::fs;

#[test]
fn probe_prints_the_value_and_every_move() {
    let folder = yard();
    let text = run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --turn thief").done();
    assert!(text.starts_with("police 2,3, thief 2,0, thief to move: the thief wins in 3 plies\n"), "{text}");
    assert!(text.contains("2,0 pass"), "{text}");
    let value =
        json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --turn thief --json").done());
    assert_eq!(keys(&value), ["dtw", "moves", "outcome", "police", "thief", "turn"]);
    assert_eq!(
        (&value["outcome"], &value["dtw"], &value["turn"]),
        (&json!("thief"), &json!(3), &json!("thief"))
    );
    assert_eq!((&value["police"], &value["thief"]), (&json!([2, 3]), &json!([2, 0])));
    assert_eq!(value["moves"][0], json!({ "to": [1, 0], "outcome": "thief", "dtw": 2 }));
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    assert!(moves.iter().all(|m| keys(m) == ["dtw", "outcome", "to"]));
    // The police moves first unless told otherwise.
    let police = json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --json").done());
    assert_eq!(police["turn"], "police");
    let over = json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 0,0 --json").done());
    assert_eq!((&over["outcome"], &over["dtw"], &over["moves"]), (&json!("thief"), &json!(0), &json!([])));
}

#[test]
fn draws_have_no_distance() {
    let folder = tempfile::tempdir().unwrap();
    // Two halves: nobody can reach anybody.
    fs::write(folder.path().join("halves.txt"), ".#.\n").unwrap();
    run(folder.path(), "generate halves.txt --exit none --out .").done();
    let value = json(&run(folder.path(), "probe halves.dtb --police 0,0 --thief 0,2 --json").done());
    assert_eq!((&value["outcome"], &value["dtw"]), (&json!("draw"), &Json::Null));
    assert_eq!(run_with(folder.path(), "probe halves.dtb --stdin", b"0 0 0 2 thief\n").done(), "draw\t-\n");
    let line = json(&run(folder.path(), "line halves.dtb --police 0,0 --thief 0,2 --json").done());
    assert_eq!((&line["outcome"], &line["end"]), (&json!("draw"), &json!("repetition")));
    assert!(run(folder.path(), "line halves.dtb --police 0,0 --thief 0,2").done().contains("repeats"));
    assert!(run(folder.path(), "dump halves.dtb").done().contains("police,0,0,0,2,draw,\n"));
    assert_eq!(json(&run(folder.path(), "stats halves.dtb --json").done())["thief_to_move"]["draw"], 2);
}

#[test]
fn probe_answers_positions_from_standard_input() {
    let folder = yard();
    let ask = |input: &str| run_with(folder.path(), "probe yard.dtb --stdin", input.as_bytes());
    assert_eq!(ask("").done(), "");
    assert_eq!(ask("2 3 2 0 thief\n").done(), "thief\t3\n");
    assert_eq!(ask("  2\t3 2 0   thief\r\n2 3 2 3 police").done(), "thief\t3\npolice\t0\n");
    let cases: [(&str, &[&str]); 8] = [
        ("garbage\n", &["expected police_row", "\"garbage\""]),
        ("2 3 2 0\n", &["expected police_row"]),
        ("2 3 2 0 nobody\n", &["police or thief"]),
        ("2 3 2 0 thief twice\n", &["expected police_row"]),
        ("-1 3 2 0 thief\n", &["expected police_row"]),
        ("99999 3 2 0 thief\n", &["expected police_row"]),
        ("1 1 2 0 thief\n", &["the police's cell 1,1 is a wall"]),
        ("2 3 2 9 thief\n", &["the thief's cell 2,9 is off the board", "0 to 3"]),
    ];
    for (bad, parts) in cases {
        let ran = ask(&format!("2 3 2 0 thief\n2 3 2 3 police\n{bad}2 3 2 0 thief\n"));
        ran.failed(2, &[&["standard input, line 3"], parts].concat());
        assert_eq!(
            String::from_utf8_lossy(&ran.out),
            "thief\t3\npolice\t0\n",
            "what came before is answered"
        );
    }
    let ran = run_with(folder.path(), "probe yard.dtb --stdin", &[0xFF; 100_000]);
    ran.failed(2, &["line 1"]);
    assert!(ran.err.len() < 1000, "the message is as long as the garbage");
}

#[test]
fn impossible_positions_are_refused() {
    let folder = yard();
    for command in ["probe", "line"] {
        let ask = |position: &str| run(folder.path(), &format!("{command} yard.dtb {position}"));
        ask("--police 1,1 --thief 0,0").failed(2, &["the police's cell 1,1 is a wall"]);
        ask("--police 0,1 --thief 3,0").failed(2, &["the thief's cell 3,0 is off the board", "0 to 2"]);
        ask("--police 1 --thief 0,0")
            .failed(2, &["--police: expected ROW,COL on a board of squares, found the single number 1"]);
        ask("--police 0;1 --thief 0,0").misused(&["--police", "ROW,COL", "\"0;1\""]);
        ask("--police 0,1 --thief 0,70000").misused(&["--thief", "65535"]);
        ask("--police 0,1 --thief 0,0 --turn white").misused(&["--turn", "police or thief"]);
    }
    run(folder.path(), "probe yard.dtb --stdin --police 0,1").failed(2, &["--stdin"]);
    let answer = run_with(folder.path(), "probe yard.dtb --stdin --json", b"2 3 2 0 police\n");
    assert_eq!(answer.done(), "{\"outcome\":\"thief\",\"dtw\":4}\n");
}

#[test]
fn line_prints_optimal_play_to_the_end() {
    let folder = yard();
    let text = run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief").done();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].starts_with("1. thief  1,0") && lines[1].ends_with("2 to go"), "{text}");
    assert_eq!(lines[4], "the thief has won");
    let drawn = run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief --board").done();
    assert_eq!(drawn.matches("  0123\n").count(), 4, "{drawn}");
    assert!(drawn.contains("0 E···\n1 ·██·\n2 T··P\n"), "{drawn}");
    let value =
        json(&run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief --json").done());
    assert_eq!(
        (&value["outcome"], &value["dtw"], &value["end"]),
        (&json!("thief"), &json!(3), &json!("thief"))
    );
    assert_eq!(value["moves"].as_array().unwrap().len(), 3);
    assert_eq!(value["moves"][0], json!({ "side": "thief", "to": [1, 0], "outcome": "thief", "dtw": 2 }));
}

#[test]
fn info_and_stats_agree_with_the_table() {
    let folder = yard();
    let text = run(folder.path(), "info yard.dtb --board").done();
    assert!(text.contains("3x4, 10 open cells, exit 0,0") && text.contains("1 ·██·"), "{text}");
    assert!(text.contains("classic: police king or pass, thief orthogonal or pass"), "{text}");
    let info = json(&run(folder.path(), "info yard.dtb --json").done());
    assert_eq!((&info["height"], &info["width"], &info["cells"]), (&json!(3), &json!(4), &json!(10)));
    assert_eq!((&info["exits"], &info["preset"]), (&json!([[0, 0]]), &json!("classic")));
    let stats = json(&run(folder.path(), "stats yard.dtb --json").done());
    for key in ["cells", "positions", "police_to_move", "thief_to_move", "longest", "digest"] {
        assert!(stats.get(key).is_some(), "{key}");
    }
    assert_eq!(keys(&stats["police_to_move"]), ["draw", "police", "thief"]);
    assert_eq!(keys(&stats["longest"]), ["police", "thief"]);
    assert_eq!((&stats["cells"], &stats["positions"]), (&json!(10), &json!(200)));
    assert_eq!(stats["digest"], info["digest"]);
    // The histogram adds up to the counts, and ends at the longest win.
    for side in ["police", "thief"] {
        let bars: Vec<(u64, u64)> = serde_json::from_value(stats["histogram"][side].clone()).unwrap();
        let won = |turn: &str| stats[turn][side].as_u64().unwrap();
        let sum: u64 = bars.iter().map(|(_, count)| count).sum();
        assert_eq!(sum, won("police_to_move") + won("thief_to_move"));
        assert_eq!(json!(bars.last().unwrap().0), stats["longest"][side]);
        // The example is as long as it is said to be.
        let example = &stats["longest_examples"][side];
        let cell = |who: &str| format!("{},{}", example[who][0], example[who][1]);
        let turn = example["turn"].as_str().unwrap();
        let probe = format!(
            "probe yard.dtb --police {} --thief {} --turn {turn} --json",
            cell("police"),
            cell("thief")
        );
        let value = json(&run(folder.path(), &probe).done());
        assert_eq!((&value["outcome"], &value["dtw"]), (&json!(side), &stats["longest"][side]));
    }
    let text = run(folder.path(), "stats yard.dtb").done();
    assert!(text.contains("200 positions on 10 open cells"), "{text}");
    assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
}

#[test]
fn dump_writes_every_position() {
    let folder = yard();
    let csv = run(folder.path(), "dump yard.dtb").done();
    assert_eq!(csv.lines().count(), 201);
    assert!(csv.contains("\nthief,2,3,2,0,thief,3\n"), "{csv}");
    let binary = run(folder.path(), "dump yard.dtb --binary");
    assert_eq!((binary.status, binary.out.len()), (Some(0), 800));
}

#[test]
fn teams_are_dumped_in_the_order_that_the_help_states() {
    let folder = tempfile::tempdir().unwrap();
    let help = run(folder.path(), "dump --help").done();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("by their last cell, then by the one before"), "{help}");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/golden/v2-team.dtb");
    let csv = run(folder.path(), &format!("dump {golden}")).done();
    let mut teams: Vec<[(u16, u16); 2]> = Vec::new();
    for line in csv.lines().filter(|line| line.starts_with("police,")) {
        let cells: Vec<u16> = line.split(',').skip(1).take(4).map(|word| word.parse().unwrap()).collect();
        let team = [(cells[0], cells[1]), (cells[2], cells[3])];
        if teams.last() != Some(&team) {
            teams.push(team);
        }
    }
    assert!(teams.len() > 100, "{}", teams.len());
    assert!(teams.is_sorted_by_key(|&[before, last]| (last, before)));
    // In reading order the first cell would come first.
    assert!(!teams.is_sorted());
}

#[test]
fn answer_prints_one_of_three_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |board: &str| run_with(folder.path(), "answer", board.as_bytes());
    assert_eq!(ask("3 3\nP.E\n..T\n...\n").done(), "The thief escapes\n");
    assert_eq!(ask("3 3\r\nP.E\r\n..T\r\n...\r\n").done(), "The thief escapes\n");
    assert_eq!(ask("PT.\n***\n..E").done(), "Police catches the thief\n");
    assert_eq!(ask("P*T\n").done(), "Draw\n");
    assert_eq!(ask("P..\n.*.\nT.P\n").done(), "Police catches the thief\n");
    let cases: [(&str, &[&str]); 6] = [
        ("", &["an empty file"]),
        ("3 3\n...\n...\n...\n", &["expected a police officer 'P', found none"]),
        ("PPP\nPPP\nP.T\n", &["officers"]),
        ("P.\n", &["expected a thief 'T'"]),
        ("TPT\n", &["line 1, column 3", "second 'T'"]),
        ("3 3\nP.E\n", &["line 3, column 1"]),
    ];
    for (board, parts) in cases {
        ask(board).failed(2, &[&["standard input"], parts].concat());
    }
    fs::write(folder.path().join("b.txt"), "P*T\n").unwrap();
    assert_eq!(run(folder.path(), "answer b.txt").done(), "Draw\n");
    fs::write(folder.path().join("rules.toml"), "officers = 2\nundecided = \"thief\"\n").unwrap();
    let two = |board: &str| run_with(folder.path(), "answer --rules rules.toml", board.as_bytes());
    assert_eq!(two("PP*T\n").done(), "The thief escapes\n");
    assert_eq!(two("P..\n.*.\nT.P\n").done(), "Police catches the thief\n");
    two("P.T\n").failed(2, &["expected 2 police officers 'P', found 1"]);
}

#[test]
fn board_is_drawn_converted_and_made() {
    let folder = yard();
    assert_eq!(run(folder.path(), "board yard.txt").done(), "  0123\n0 E···\n1 ·██·\n2 ····\n");
    assert_eq!(run(folder.path(), "board yard.txt --to text").done(), YARD);
    assert_eq!(
        run_with(folder.path(), "board - --to contest", YARD.as_bytes()).done(),
        format!("3 4\n{YARD}")
    );
    let ran = run(folder.path(), "board yard.txt --to movingai");
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (Some(0), "warning: the MovingAI form has only walls and open squares: 1 square E left out\n")
    );
    let map = String::from_utf8(ran.out).unwrap();
    run(folder.path(), "board --make random --size 3x3 --density 1 --exit first")
        .failed(2, &["--exit", "open cell"]);
    for (maker, option) in [("open", "seed"), ("maze", "density"), ("rooms", "extra")] {
        run(folder.path(), &format!("board --make {maker} --size 5x5 --{option} 1"))
            .failed(2, &[&format!("--{option} has no use for --make {maker}")]);
    }
    assert!(map.starts_with("type octile\nheight 3\nwidth 4\nmap\n"), "{map}");
    for kind in ["open", "random", "maze", "rooms"] {
        let make = |seed| {
            let seed = if kind == "open" { String::new() } else { format!("--seed {seed}") };
            run(folder.path(), &format!("board --make {kind} --size 9x11 {seed} --to text")).done()
        };
        assert_eq!(make(1), make(1));
        assert_eq!(make(1) == make(2), kind == "open", "{kind}");
        assert_eq!((make(1).lines().count(), make(1).lines().all(|line| line.len() == 11)), (9, true));
    }
    run(folder.path(), "board --make random --size 3x3 --density 2")
        .misused(&["--density 2: ", "from 0 to 1"]);
    run(folder.path(), "board --make maze").misused(&["--size"]);
    run(folder.path(), "board yard.txt --make maze --size 3x3").misused(&["cannot stand beside"]);
    run(folder.path(), "board missing.txt").failed(3, &["missing.txt"]);
    run(folder.path(), "board yard.dtb").failed(2, &["yard.dtb", "this looks like a table"]);
}

#[test]
fn mapped_table_answers_like_one_that_is_read() {
    let folder = yard();
    for line in ["probe yard.dtb --police 2,3 --thief 2,0", "line yard.dtb --police 2,3 --thief 2,0"] {
        let read = run(folder.path(), line).done();
        assert_eq!(run(folder.path(), &format!("{line} --mapped")).done(), read);
        run(folder.path(), &format!("{} --mapped", line.replace("yard.dtb", "missing.dtb")))
            .failed(3, &["cannot read missing.dtb"]);
    }
    fs::write(folder.path().join("game.txt"), "0 1\n1 2\n").unwrap();
    run(folder.path(), "graph solve game.txt --out game.dtb").done();
    let read = run(folder.path(), "probe game.dtb --vertex 0").done();
    assert_eq!(run(folder.path(), "probe game.dtb --vertex 0 --mapped").done(), read);
}

#[test]
fn marks_of_the_board_are_the_default_position() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = |board: &str, more: &str| {
        fs::write(at.join("yard.txt"), board).unwrap();
        run(at, &format!("generate yard.txt --out . {more}")).done()
    };
    let first_line = |line: &str| run(at, line).done().lines().next().unwrap().to_owned();
    let chosen = |line: &str, note: &str, position: &str| {
        let ran = run(at, line);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), note), "{line}");
        let out = String::from_utf8(ran.out).unwrap();
        assert!(out.starts_with(&format!("{position}, police to move")), "{line}: {out}");
    };
    make("E..P\n.##.\nT...\n", "");
    for command in ["probe", "line"] {
        let ask = |position: &str| first_line(&format!("{command} yard.dtb {position}"));
        assert_eq!(ask(""), ask("--police 0,3 --thief 2,0 --turn police"), "{command}");
        assert_eq!(ask("--turn thief"), ask("--police 0,3 --thief 2,0 --turn thief"), "{command}");
        assert_eq!(ask("--thief 2,2"), ask("--police 0,3 --thief 2,2"), "{command}");
        assert_eq!(ask("--police 2,2"), ask("--police 2,2 --thief 2,0"), "{command}");
    }
    // Marks stand in the table.
    let replaced = r#""replaced":"a table with other start cells""#;
    assert!(make("E...\n.##P\nT...\n", "--json").contains(replaced));
    assert!(first_line("probe yard.dtb").starts_with("police 1,3, thief 2,0, police to move"));
    // In place of a mark that is missing the best cell is taken, as in a report.
    make("E...\n.##.\n...T\n", "");
    let note = "note: no mark P of its board is known: the police stands on its best cells\n";
    for command in ["probe", "line"] {
        chosen(&format!("{command} yard.dtb"), note, "police 0,0, thief 2,3");
    }
    run(at, "report yard.dtb --out page").done();
    let report = json(&fs::read_to_string(at.join("page/report.json")).unwrap());
    assert_eq!(report["entries"][0]["portrait"]["start"], serde_json::json!([0, 0]));
    // One too many is named.
    fs::write(at.join("yard.txt"), "E..P\n.##.\nP...\n").unwrap();
    let ran = run(at, "generate yard.txt --out . --officers 1");
    let warning = "warning: yard: the board marks the start cells of 2 officers, and 1 play\n";
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), warning));
    let example = "hint: for example --police 0,0 --thief 2,3\n";
    run(at, "probe yard.dtb").failed(2, &["the board has 2 marks P, and 1 play", example]);
    let note = "note: no mark T of its board is known: the thief stands where he lasts longest\n";
    chosen("probe yard.dtb --police 2,3", note, "police 2,3, thief 2,1");
    make("E..P\n.##.\nP..T\n", "--officers 2");
    assert!(first_line("probe yard.dtb").starts_with("police 0,3+2,0, thief 2,3, police to move"));
    // They are known wherever the table goes.
    let moved = tempfile::tempdir().unwrap();
    fs::copy(at.join("yard.dtb"), moved.path().join("elsewhere.dtb")).unwrap();
    let line = run(moved.path(), "probe elsewhere.dtb").done();
    assert!(line.starts_with("police 0,3+2,0, thief 2,3, police to move"), "{line}");
    run(at, "generate --size 3x4 --out .").done();
    let note = "note: no mark P and T of its board is known: \
                the police stands on its best cells, the thief where he lasts longest\n";
    chosen("probe open-03x04.dtb", note, "police 0,0, thief 0,2");
}
