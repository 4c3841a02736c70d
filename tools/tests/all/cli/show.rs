//! Heat maps of boards: `dragnet show`.

use super::{
    json,
    support::{Ran, run, run_with},
    yard,
};
use assert_cmd::Command;
use std::{fs, path::Path};

/// A board on which all three outcomes occur.
const HALVES: &str = "P..#..E\n...#...\n..T#...\n";

/// Runs `show` in an environment that promises these colours.
fn coloured(folder: &Path, line: &str, term: &str, colorterm: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("TERM", term)
        .env("COLORTERM", colorterm)
        .output()
        .unwrap();
    Ran::new(line, output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap()).done()
}

/// The columns that a line of a picture takes on a terminal: those of its text without escape sequences.
fn columns(line: &str) -> usize {
    let mut columns = 0;
    let mut hidden = false;
    for letter in line.chars() {
        match letter {
            '\x1b' => hidden = true,
            'm' if hidden => hidden = false,
            _ => columns += usize::from(!hidden),
        }
    }
    columns
}

#[test]
fn letters_stand_for_outcomes_and_distances_of_every_cell() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("halves.txt"), HALVES).unwrap();
    let text = run(at, "show halves.txt").done();
    let expected = "\
police 0,0, thief 2,2, police to move: the police wins in 3 plies

  0 1 2 3 4 5 6
0 P b c # 3 2 E
1 b b c # 4 3 2
2 c c T # 5 4 3

police wins, plies:  a 0  b 1  c 3
thief wins, plies:  1 0  2 2  3 4  4 6  5 8
P police  T thief  E exit  # wall
18 cells of the thief: the police wins 9, the thief 9, drawn 0
";
    assert_eq!(text, expected);
    // The letters say what the values are.
    let value = json(&run(at, "show halves.txt --json").done());
    assert_eq!(value["rows"][2][4], serde_json::json!({ "outcome": "thief", "dtw": 8 }));
    assert_eq!(value["rows"][0][3], serde_json::Value::Null);
    run(at, "generate halves.txt --out .").done();
    for (row, col) in [(0, 1), (2, 4), (1, 6), (0, 6)] {
        let probed = json(&run(at, &format!("probe halves.dtb --thief {row},{col} --json")).done());
        for field in ["outcome", "dtw"] {
            assert_eq!(probed[field], value["rows"][row][col][field], "{row},{col}");
        }
    }
    assert_eq!(run(at, "show halves.dtb").done(), text, "a table beside its journal");
    assert_eq!(run_with(at, "show -", HALVES.as_bytes()).done(), text, "a board from standard input");
}

#[test]
fn thief_alone_shows_the_cells_of_an_officer() {
    let folder = yard();
    let value = json(&run(folder.path(), "show yard.dtb --thief 2,0 --json").done());
    assert_eq!((value["of"].as_str(), value.get("police")), (Some("police"), None));
    for (row, col) in [(2, 3), (0, 3), (1, 0)] {
        let line = format!("probe yard.dtb --police {row},{col} --thief 2,0 --json");
        let probed = json(&run(folder.path(), &line).done());
        for field in ["outcome", "dtw"] {
            assert_eq!(probed[field], value["rows"][row][col][field], "{row},{col}");
        }
    }
    let text = run(folder.path(), "show yard.dtb --thief 2,0 --turn thief").done();
    assert!(text.starts_with("thief 2,0, thief to move, the police on each cell\n"), "{text}");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("yard.txt"), HALVES).unwrap();
    run(at, "generate yard.txt --size 30x90 --size 90x7 --exit 0,0 --out .").done();
    for table in ["yard", "open-30x90", "open-90x07"] {
        for width in [20, 33, 80, 200] {
            for (color, term, colorterm) in [
                ("never", "", ""),
                ("always", "xterm-256color", ""),
                ("always", "xterm-256color", "truecolor"),
            ] {
                let line = format!("show {table}.dtb --police 1,1 --width {width} --color {color}");
                let text = coloured(at, &line, term, colorterm);
                for shown in text.lines() {
                    assert!(columns(shown) <= width, "{line}: {shown:?}");
                }
                let picture = text.split("\n\n").nth(1).unwrap();
                assert!(picture.lines().all(|line| columns(line) > 2), "{line}: {text}");
                let scaled = text.replace('\n', " ").contains("each square shows");
                assert_eq!(scaled, table == "open-30x90" && width < 90, "{line}: {text}");
                assert_eq!(text.contains("\x1b[48;2;"), colorterm == "truecolor", "{line}");
                assert_eq!(text.contains("\x1b[48;5;"), color == "always" && colorterm.is_empty(), "{line}");
            }
        }
    }
}

#[test]
fn scaled_board_shows_every_piece_and_exit() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    run(at, "generate --size 40x60 --exit 39,59 --out .").done();
    let text = run(at, "show open-40x60.dtb --police 20,20 --thief 0,0 --width 20").done();
    let picture = text.split("\n\n").nth(1).unwrap();
    for letter in ['P', 'T', 'E'] {
        assert_eq!(picture.matches(letter).count(), 1, "{letter}: {text}");
    }
    assert!(text.contains("each square shows"), "{text}");
}

#[test]
fn several_officers_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    run(at, "generate --size 4x5 --exit none --officers 2 --out .").done();
    let text = run(at, "show open-04x05.dtb --police 0,0+3,4").done();
    assert_eq!(text.matches('P').count(), 2 + 1, "{text}");
    let text = run(at, "show open-04x05.dtb --thief 0,0").done();
    assert!(text.starts_with("police 1,3+2,1, thief 0,0, police to move: "), "{text}");
    run(at, "show open-04x05.dtb --police 0,0").failed(2, &["2 officers"]);
}

#[test]
fn tables_without_a_board_and_bad_input_are_refused() {
    let folder = yard();
    let at = folder.path();
    fs::write(at.join("ring.txt"), "0 1\n1 2\n2 3\n3 0\n").unwrap();
    run(at, "generate --graph ring.txt --out .").done();
    run(at, "graph solve ring.txt --out game.dtb").done();
    for (line, parts) in [
        ("show ring.dtb --police 0", &["ring.dtb", "found one of a graph", "probe"] as &[&str]),
        ("show game.dtb", &["game.dtb", "game table", "probe"]),
        ("show yard.dtb --rules chase", &["yard.dtb", "--rules is for boards"]),
        ("show yard.dtb --officers 2", &["yard.dtb", "--officers is for boards"]),
        ("show yard.txt --police 1,1", &["yard.txt", "the police's cell 1,1 is a wall"]),
        ("show broken.txt", &["broken.txt", "expected a table or a board", "line 2"]),
    ] {
        fs::write(at.join("broken.txt"), "...\n.?.\n").unwrap();
        run(at, line).failed(2, parts);
    }
    for file in ["yard.dtb", "yard.txt"] {
        let text = run(at, &format!("show {file}")).done();
        assert!(text.starts_with("police 0,0, police to move, the thief on each cell\n"), "{text}");
    }
    fs::write(at.join("cut.dtb"), &fs::read(at.join("yard.dtb")).unwrap()[..5]).unwrap();
    run(at, "show cut.dtb --police 0,1").failed(2, &["cut.dtb"]);
    run(at, "show missing.txt").failed(3, &["cannot read missing.txt"]);
    run(at, "show yard.txt --police 0,1 --memory 1KiB").failed(3, &["needs about", "--memory SIZE"]);
    run(at, "show yard.dtb --police 0,1 --width 19").misused(&["--width"]);
}
