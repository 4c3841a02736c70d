//! Maps of editors: every form of one board is that board; what a map says of itself; selectors; levels;
//! manifests with folders of maps; and what is refused.

use super::{
    files, json,
    support::{run, run_arguments, run_with},
};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

/// The board of which all files called `yard` are forms.
const YARD: &str = "#########E##\n#..........#\n#.###.####.#\n#.#......#.#\n#.#.####.#.#\n#.........T#\n\
                    #.###.####.#\n#P.........#\n############\n";

/// The files of the board, in every form.
const FORMS: [&str; 6] = ["yard.tmx", "yard-infinite.tmx", "yard.tmj", "yard.csv", "yard.tscn", "world.ldtk"];

/// Returns a copy of the folder of maps.
fn maps() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Returns the text of a board.
fn text(at: &Path, line: &str) -> String {
    run(at, &format!("board {line} --to text")).done()
}

#[test]
fn every_form_of_a_map_is_the_same_board() {
    let folder = maps();
    for form in FORMS {
        let level = if form == "world.ldtk" { " --map-level Yard" } else { "" };
        assert_eq!(text(folder.path(), &format!("{form}{level}")), YARD, "{form}");
    }
    let colours = "--exits colour:#00ff00 --police colour:#0000ff --thief colour:#ff8000";
    assert_eq!(text(folder.path(), &format!("yard.png {colours}")), YARD);
    // Without a name: what the file is, its first characters tell.
    let bytes = fs::read(folder.path().join("yard.tmx")).unwrap();
    assert_eq!(run_with(folder.path(), "board - --to text", &bytes).done(), YARD);
}

#[test]
fn board_says_first_what_was_understood() {
    let folder = maps();
    let drawn = run(folder.path(), "board yard-infinite.tmx").done();
    let (findings, drawing) = drawn.split_at(drawn.find("            1").unwrap());
    assert_eq!(
        findings,
        "Tiled map of 9x12 cells, layers Ground\n\
         walls   tiles with the property collides or solid: 60 cells\n\
         exits   objects Exit: 0,9; 1 cell where a wall was\n\
         police  objects Guard 1: 7,1\n\
         thief   objects Starting Point: 5,10\n\
         origin  cell 0,0 is row -14, column -13 of the map\n"
    );
    fs::write(folder.path().join("yard.txt"), YARD).unwrap();
    assert_eq!(drawing, run(folder.path(), "board yard.txt").done());
    let hexagons = run(folder.path(), "board hexagons.tmx").done();
    assert!(hexagons.contains("graph   hexagons are the 5 vertices of a graph"), "{hexagons}");
    assert!(hexagons.ends_with("   █ █ █ █ █\n 0  █ · · E █\n 3 █ · █ · █\n    █ █ █ █ █\n"), "{hexagons}");
}

#[test]
fn selectors_prevail_over_conventions() {
    let folder = maps();
    let at = folder.path();
    assert_eq!(
        text(at, "yard.tmx --walls tile:2 --exits object:Chest --police none --thief none")
            .matches('#')
            .count(),
        47
    );
    assert_eq!(text(at, "yard.tmx --exits object:chest --exits layer:Things").matches('E').count(), 4);
    assert_eq!(text(at, "world.ldtk --map-level Cell --thief none"), "####\n#P.E\n#..#\n####\n");
    assert_eq!(text(at, "yard.csv --walls value:1 --exits value:T").matches('E').count(), 1);
    run(at, "board yard.tmx --walls layer:Wals").failed(
        2,
        &["yard.tmx: walls: layer:Wals matches nothing; layers: Ground, Things; properties: collides; numbers: 1-2; values: none; objects: Chest, Exit, Guard 1 (enemy), Starting Point"],
    );
    let expected = "--walls wall:3: expected layer:NAME, property:NAME";
    run(at, "board yard.tmx --walls wall:3").misused(&[expected]);
    run(at, "board yard.tmx --police layer:Ground").failed(2, &["police: layer:Ground: expected"]);
    run(at, "board yard.tmx --walls none --walls tile:1").failed(2, &["none cannot stand beside"]);
    fs::write(at.join("yard.txt"), YARD).unwrap();
    run(at, "board yard.txt --walls tile:1").failed(2, &["walls: expected a map of an editor"]);
    run(at, "board --make open --size 3x3 --walls tile:1").failed(2, &["--walls has no use for --make"]);
}

#[test]
fn map_without_a_convention_lists_what_it_has() {
    let folder = maps();
    let at = folder.path();
    let tiles = fs::read_to_string(at.join("walls.tsx")).unwrap().replace("collides", "hard");
    fs::write(at.join("walls.tsx"), tiles).unwrap();
    run(at, "board yard.tmx").failed(
        2,
        &["expected walls by a convention of maps, found none; layers: Ground, Things; properties: hard; numbers: 1-2; \
             values: none", "hint: name them with --walls"],
    );
    assert_eq!(text(at, "yard.tmx --walls property:hard"), YARD);
    run(at, "board yard.png").failed(
        2,
        &[
            "cell 0,9: expected a value that means wall or open, found #00ff00, in 1 cell",
            "values: #000000, #0000ff, #00ff00, #ff8000, #ffffff",
        ],
    );
    fs::write(at.join("plan.csv"), "0,1\n2,0\n").unwrap();
    run(at, "board plan.csv")
        .failed(2, &["plan.csv: cell 1,0: expected a value that means wall or open, found 2"]);
}

#[test]
fn tables_are_made_of_maps_and_of_every_level() {
    let folder = maps();
    let at = folder.path();
    run(at, "generate world.ldtk yard.tmx --quiet --out t").done();
    assert_eq!(files(&at.join("t")), ["world-Cell.dtb", "world-Yard.dtb", "yard.dtb"]);
    let probe = |table: &str| run(at, &format!("probe t/{table}.dtb")).done();
    assert_eq!(probe("yard"), probe("world-Yard"));
    assert!(probe("yard").starts_with("police 7,1, thief 5,10, police to move: "));
    run(at, "generate world.ldtk --map-level Cell --quiet --out one").done();
    assert_eq!(files(&at.join("one")), ["world-Cell.dtb"]);
    assert_eq!(run(at, "answer yard.tmj").done(), run_with(at, "answer", YARD.as_bytes()).done());
    // Hexagons are a graph.
    run(at, "generate hexagons.tmx --quiet --out t").done();
    let info = run(at, "info t/hexagons.dtb").done();
    assert!(info.contains("cops"), "{info}");
    run(at, "board world.ldtk")
        .failed(2, &["world.ldtk: expected one level, found 2: Yard, Cell", "--map-level NAME"]);
    run(at, "board world.ldtk --map-level Sell")
        .failed(2, &["map level: expected one of Yard, Cell; found \"Sell\""]);
    run(at, "board yard.tmx --map-level A").failed(2, &["a map level is for LDtk projects"]);
}

#[test]
fn folder_of_maps_is_one_line_of_a_manifest() {
    let folder = maps();
    let at = folder.path();
    let inner = at.join("maps");
    fs::create_dir(&inner).unwrap();
    for name in ["yard.tmx", "walls.tsx", "world.ldtk"] {
        fs::copy(at.join(name), inner.join(name)).unwrap();
    }
    copy(&at.join("world"), &inner.join("world"));
    fs::write(inner.join("plain.txt"), YARD).unwrap();
    fs::write(inner.join("notes.md"), "no board").unwrap();
    fs::write(at.join("all.toml"), "out = \"t\"\n[[boards]]\nfiles = \"maps/\"\n").unwrap();
    let planned = run(at, "plan all.toml --json").done();
    let name = |line: &str| json(line)["name"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = planned.lines().map(name).collect();
    names.sort_unstable();
    assert_eq!(names, ["plain", "world-Cell", "world-Yard", "yard"]);
    let selected = "out = \"s\"\n[[boards]]\nfiles = [\"maps/*.ldtk\"]\nmap-level = \"Cell\"\nwalls = \"value:walls\"\n\
                    exits = [\"object:Exit\"]\nthief = \"none\"\nname = \"{name}-x\"\n";
    fs::write(at.join("one.toml"), selected).unwrap();
    run(at, "generate one.toml --quiet").done();
    assert!(files(&at.join("s")).contains(&"world-Cell-x.dtb".to_owned()));
    let wrong = [
        ("files = \"maps/\"\nwalls = \"wals\"", "walls: expected layer:NAME"),
        ("sizes = \"3x3\"\nwalls = \"none\"", "walls needs files beside it"),
        ("files = \"world/\"", "expected a folder with boards or maps, found none in \"world/\""),
    ];
    for (section, message) in wrong {
        fs::write(at.join("wrong.toml"), format!("out = \"t\"\n[[boards]]\n{section}\n")).unwrap();
        run(at, "plan wrong.toml").failed(2, &[message]);
    }
}

#[test]
fn broken_maps_are_refused_with_their_place() {
    let folder = maps();
    let at = folder.path();
    let good = fs::read_to_string(at.join("yard.tmx")).unwrap();
    let wrong = [
        (
            good.replacen("\"12\"", "\"x\"", 1),
            "line 2, column 1: <map>: width: expected a number, found \"x\"",
        ),
        (
            good.replace("orthogonal", "staggered"),
            "orientation: expected orthogonal, isometric or hexagonal, found staggered",
        ),
        (good.replace("walls.tsx", "wals.tsx"), "tileset \"wals.tsx\": cannot read"),
        (good.replacen(",1", ",y", 1), "tile 1: expected a number, found \"y\""),
        (good.replacen("</data>", ",1</data>", 1), "expected 108 tiles, 9 rows of 12, found 109"),
        (good.replace("</map>", ""), "expected the end of every element"),
        (good.replace("\"9\"", "\"70000\"").replace("\"12\"", "\"70000\""), "expected a board of at most"),
        (good.replace("csv", "hex"), "encoding: expected csv or base64, found \"hex\""),
    ];
    for (text, message) in wrong {
        fs::write(at.join("wrong.tmx"), text).unwrap();
        run(at, "board wrong.tmx")
            .failed(2 + u8::from(message.contains("cannot read")) as i32, &["wrong.tmx: ", message]);
    }
    fs::write(at.join("wrong.tmj"), "{\"tilewidth\": 8, \"layers\": [],\n \"width\": []}").unwrap();
    run(at, "board wrong.tmj").failed(2, &["wrong.tmj: line 2, column "]);
    fs::write(at.join("wrong.csv"), "0,1\n0\n").unwrap();
    run(at, "board wrong.csv").failed(2, &["wrong.csv: line 2: expected 2 fields as in line 1, found 1"]);
    fs::write(at.join("wrong.png"), "no picture").unwrap();
    run(at, "board wrong.png").failed(2, &["wrong.png: expected a PNG picture"]);
    fs::write(at.join("wrong.tscn"), "[gd_scene format=4]\n[node name=]").unwrap();
    run(at, "board wrong.tscn").failed(2, &["wrong.tscn: line 2, column 12: expected a value, found \"]\""]);
    run(at, "board walls.tsx").failed(2, &["expected a map, found a tileset of Tiled"]);
    run(at, "board world/0001_Cell.ldtkl").failed(2, &["a level of an LDtk project"]);
}

/// The oracle: Tiled itself writes a map in each of its forms, and all of them are read as the same board.
#[test]
fn maps_that_tiled_converts_are_the_same_board() {
    let folder = maps();
    let at = folder.path();
    let tiled = |arguments: &[&str]| {
        let mut command = Command::new("tiled");
        command.args(arguments).current_dir(at).env("QT_QPA_PLATFORM", "offscreen").env("HOME", at);
        command.output().is_ok_and(|output| output.status.success())
    };
    if !tiled(&["--version"]) {
        eprintln!("skipped: no tiled");
        return;
    }
    let plain = fs::read_to_string(at.join("yard.tmx")).unwrap();
    let mut read = 0;
    for source in ["yard.tmx", "yard-infinite.tmx", "yard.tmj"] {
        // Tiled writes the encoding that the map had, so each source brings one of its own.
        for form in ["tmx", "json", "csv"] {
            let out = format!("out-{}.{form}", source.replace('.', "-"));
            assert!(tiled(&["--export-map", form, source, &out]), "{source} to {form}");
            let selectors = match form {
                "csv" => " --exits none",
                _ => "",
            };
            let board = text(at, &format!("{out}{selectors}"));
            let expected =
                if form == "csv" { YARD.replace('E', "#").replace(['P', 'T'], ".") } else { YARD.to_owned() };
            assert_eq!(board, expected, "{source} to {form}");
            read += 1;
        }
    }
    // Layers of the older forms: Tiled reads the map with tiles as elements and writes it as it wants.
    let elements: String = plain
        .lines()
        .map(|line| {
            match line
                .split(',')
                .filter(|word| !word.is_empty())
                .map(str::parse::<u32>)
                .collect::<Result<Vec<_>, _>>()
            {
                Ok(numbers) if !numbers.is_empty() => {
                    numbers.iter().map(|gid| format!("<tile gid=\"{gid}\"/>")).collect::<String>()
                }
                _ => line.replace(" encoding=\"csv\"", "") + "\n",
            }
        })
        .collect();
    fs::write(at.join("elements.tmx"), elements).unwrap();
    assert_eq!(text(at, "elements.tmx"), YARD);
    assert!(tiled(&["--export-map", "tmx", "elements.tmx", "back.tmx"]));
    assert_eq!(text(at, "back.tmx"), YARD);
    assert_eq!(read, 9);
}

#[test]
fn names_with_spaces_are_selected() {
    let folder = maps();
    let out = run_arguments(
        folder.path(),
        &[
            "board",
            "yard.tmx",
            "--to",
            "text",
            "--thief",
            "object:Guard 1",
            "--police",
            "object:Starting Point",
        ],
        b"",
    );
    assert_eq!(out.done(), YARD.replace('T', "x").replace('P', "T").replace('x', "P"));
}
