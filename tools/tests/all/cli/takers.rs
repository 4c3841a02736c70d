//! Every command with every kind of table: what a refusal names works, and what refuses is not named.

use super::support::{Ran, run, run_with};
use std::{collections::BTreeMap, fs, path::Path};

/// The commands that read a table, TABLE, with the words that each needs beside it.
const COMMANDS: [(&str, &str); 13] = [
    ("probe", "probe TABLE POSITION"),
    ("line", "line TABLE POSITION"),
    ("show", "show TABLE POSITION"),
    ("play", "play TABLE POSITION"),
    ("policy", "policy TABLE --police greedy"),
    ("info", "info TABLE"),
    ("stats", "stats TABLE"),
    ("verify", "verify TABLE"),
    ("report", "report TABLE --out page"),
    ("site", "site TABLE --out site"),
    ("pack", "pack TABLE --out packed.dtb"),
    ("dump", "dump TABLE"),
    ("bench --table", "bench --table TABLE"),
];

/// A table of each kind, with a position in it.
const TABLES: [(&str, &str); 5] = [
    ("board.dtb", "--police 0,0 --thief 0,2"),
    ("house.dtb", "--police 0 --thief 2"),
    ("doors.dtb", "--police 0,0 --thief 0,2"),
    ("game.dtb", "--vertex 1"),
    ("part.dtb", "--police 0,0 --thief 0,2"),
];

fn tables(folder: &Path) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("board.txt", "...E\n");
    write("house.txt", "0 1\n1 2\n");
    write("game.txt", "0 1\n1 2\n");
    write("doors.txt", "...E\n");
    write("doors.toml", "[[doors]]\ncell = [0, 1]\nschedule = \"..##\"\n");
    for line in [
        "generate board.txt --out .",
        "generate --graph house.txt --out .",
        "generate doors.txt --doors doors.toml --out .",
        "graph solve game.txt --out game.dtb",
        "pack board.dtb --out part.dtb --keep outcome",
    ] {
        assert_eq!(run(folder, line).status, Some(0), "{line}");
    }
}

/// A map of Tiled with a wall and an open cell.
const TILED: &str = "\
<map version='1.10' orientation='orthogonal' width='2' height='1' tilewidth='8' tileheight='8' infinite='0'>
 <layer name='Walls' width='2' height='1'><data encoding='csv'>1,0</data></layer>
</map>
";

/// Returns the commands that a refusal names in its hint.
fn named(ran: &Ran) -> Vec<String> {
    ran.failed(2, &["expected a ", ", found ", "hint: ", " take it\n"]);
    let hint = ran.err.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap();
    let list = hint.strip_suffix(" take it").unwrap().replace(" and ", ", ");
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn commands_that_a_refusal_names_take_the_table_and_the_others_do_not() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    let mut refusals = 0;
    for (table, position) in TABLES {
        let asked = |name: &str, line: &str| {
            let position = if position.contains("vertex") && name != "probe" { "" } else { position };
            let line = line.replace("TABLE", table).replace("POSITION", position);
            run_with(folder.path(), &line, b"quit\n")
        };
        let ran: BTreeMap<&str, Ran> = COMMANDS.map(|(name, line)| (name, asked(name, line))).into();
        let takers: Vec<&str> =
            COMMANDS.map(|(name, _)| name).into_iter().filter(|name| ran[name].status == Some(0)).collect();
        for (name, ran) in &ran {
            if ran.status == Some(0) {
                continue;
            }
            refusals += 1;
            assert_eq!(named(ran), takers, "{name} {table}");
        }
    }
    assert!(refusals > 15, "only {refusals} refusals were seen");
    for (table, fewest) in [("game.dtb", 7), ("part.dtb", 3)] {
        let refused = run(folder.path(), &format!("verify part.dtb --against {table}"));
        assert_eq!(named(&refused).len(), fewest, "{}", refused.err);
    }
}

#[test]
fn example_in_the_hint_about_a_missing_position_works_on_that_table() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    let refused = run(folder.path(), "probe part.dtb");
    refused.failed(2, &["expected --police ROW,COL and --thief ROW,COL: no mark P and T"]);
    let (_, example) = refused.err.split_once("hint: for example ").unwrap();
    run(folder.path(), &format!("probe part.dtb {example}")).done();
    let refused = run(folder.path(), "probe part.dtb --police 0,1");
    refused.failed(2, &["expected --thief ROW,COL: no mark T", "hint: for example --police 0,0 --thief 0,3"]);
}

#[test]
fn verify_says_which_option_decides_the_values_of_each_table() {
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    for (table, option) in [("game.dtb", "--graph GRAPH"), ("part.dtb", "--against FULL")] {
        let text = run(folder.path(), &format!("verify {table}")).done();
        assert!(text.ends_with(&format!("for their values add {option}\n")), "{text}");
    }
    let text = run(folder.path(), "verify doors.dtb").done();
    assert!(text.contains("right, "), "{text}");
}

#[test]
fn folders_stand_for_all_tables_and_boards_in_them_also_for_those_in_folders_within() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("maps/north/far")).unwrap();
    fs::create_dir(at.join("maps/.hidden")).unwrap();
    fs::create_dir(at.join("empty")).unwrap();
    for (name, text) in [("a.txt", "..E\n"), ("north/b.txt", "...E\n"), ("north/far/c.txt", "....E\n")] {
        fs::write(at.join("maps").join(name), text).unwrap();
    }
    fs::write(at.join("maps/.hidden/d.txt"), "no board\n").unwrap();
    fs::write(at.join("maps/north/readme.md"), "no board\n").unwrap();
    let made = run(at, "generate maps --out t").done();
    let first = |line: &str| line.split(' ').next().unwrap().to_owned();
    assert_eq!(made.lines().map(first).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(run(at, "plan maps").done().lines().count(), 5);
    fs::create_dir_all(at.join("t/deep/er")).unwrap();
    fs::rename(at.join("t/c.dtb"), at.join("t/deep/er/c.dtb")).unwrap();
    for command in ["verify t", "verify --quick t"] {
        let text = run(at, command).done();
        let tables: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(tables[..3], ["t/a.dtb", "t/b.dtb", "t/deep/er/c.dtb"], "{text}");
    }
    for command in ["info t --json", "stats t --json"] {
        assert_eq!(run(at, command).done().lines().count(), 3, "{command}");
    }
    // A picture beside maps of editors has their tiles.
    fs::create_dir(at.join("maps/tiles")).unwrap();
    fs::write(at.join("maps/tiles/wall.png"), "no picture").unwrap();
    run(at, "plan maps").failed(2, &["wall.png"]);
    fs::write(at.join("maps/d.tmx"), TILED).unwrap();
    assert_eq!(run(at, "plan maps --exit first").done().lines().count(), 6);
    // Two boards of one name would become one table.
    fs::write(at.join("maps/north/a.txt"), "#.E\n").unwrap();
    run(at, "generate maps --out t").failed(2, &["maps/a.txt", "maps/north/a.txt", "a.dtb"]);
    run(at, "generate empty").failed(2, &["empty", "expected a folder with boards"]);
    run(at, "verify empty").failed(2, &["empty", "expected a folder with tables"]);
    run(at, "probe t --police 0,0 --thief 0,1").failed(3, &["t: expected a file, found a folder"]);
}
