//! `doors`: boards with doors.

use super::support::run;
use std::{fs, path::Path};

/// Writes a level in which nobody can reach the thief in his corridor of six steps to the exit: a door on the
/// way with its key before it, and a door with a schedule where the police is.
fn level(folder: &Path) {
    fs::write(folder.join("bank.txt"), "T.....E\n#######\nP......\n").unwrap();
    fs::write(
        folder.join("bank.toml"),
        "[[door]]\ncell = [0, 3]\nkey = [0, 1]\n\n[[door]]\ncell = [2, 3]\nschedule = \"..##\"\n",
    )
    .unwrap();
}

#[test]
fn board_with_doors_is_solved_asked_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    let text = run(folder.path(), "doors solve bank.txt bank.toml --out bank.dtb").done();
    // 14 by 14 cells, two sides to move, two states of the key and four plies.
    assert!(text.contains("bank.dtb: 3,136 positions in 8 states"), "{text}");
    let text = run(folder.path(), "doors verify bank.dtb bank.txt bank.toml").done();
    assert!(text.contains("every value follows from the moves"), "{text}");
    let ask =
        |more: &str| run(folder.path(), &format!("doors probe bank.dtb bank.txt bank.toml {more}")).done();
    // The key is on the way: six steps of the thief.
    let text = ask("--turn thief");
    assert!(text.contains("thief 0,0, thief to move: wins in 11\n"), "{text}");
    assert!(text.contains("  door on 0,3: closed\n  door on 2,3: open\n"), "{text}");
    assert!(text.contains("  0,1     wins in 11\n  stay    wins in 13\n"), "{text}");
    // If the door is open, the key on the way closes it, and he has to leave the key and come back: two steps
    // more.
    let text = ask("--turn thief --turned 0,1 --phase 7");
    assert!(text.contains("thief 0,0, thief to move: wins in 15\n"), "{text}");
    assert!(text.contains("  door on 0,3: open\n  door on 2,3: closed\n"), "{text}");
    // The police cannot pass its door in the third and the fourth ply.
    let beside = "--police 2,2 --thief 0,0";
    assert!(ask(beside).contains("  2,3 "));
    assert!(!ask(&format!("{beside} --phase 2")).contains("  2,3 "));
    for tool in ["info", "stats", "verify"] {
        run(folder.path(), &format!("{tool} bank.dtb")).done();
    }
}

#[test]
fn wrong_doors_and_tables_are_told() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    run(folder.path(), "doors solve bank.txt bank.toml --out bank.dtb").done();
    for (toml, told) in [
        (
            "[[door]]\ncell = [0, 6]\nkey = [0, 1]\n",
            "expected a door on an open cell that is no exit, found 0,6",
        ),
        ("[[door]]\ncell = [0, 1]\nkey = 3\n", "line 3, column 7"),
        ("[[door]]\ncell = [0, 1]\n", "expected a key or a schedule for the door on 0,1, found neither"),
        ("", "expected 1 to 8 doors, found 0"),
    ] {
        fs::write(folder.path().join("wrong.toml"), toml).unwrap();
        run(folder.path(), "doors solve bank.txt wrong.toml --out wrong.dtb")
            .failed(2, &["wrong.toml", told]);
        assert!(!folder.path().join("wrong.dtb").exists());
    }
    fs::write(folder.path().join("other.toml"), "[[door]]\ncell = [0, 4]\nkey = [0, 1]\n").unwrap();
    for command in ["probe", "verify"] {
        let command = format!("doors {command} bank.dtb bank.txt other.toml");
        run(folder.path(), &command).failed(1, &["the table is not of this board with these doors"]);
    }
    run(folder.path(), "doors probe bank.dtb bank.txt bank.toml --turned 0,0")
        .failed(2, &["--turned 0,0: expected the cell of a key"]);
}
