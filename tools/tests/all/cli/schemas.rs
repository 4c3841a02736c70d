//! Holds the output of `--json` against `docs/schemas` and `docs/json.md`.

use super::{
    YARD, all_commands, flipped, json,
    support::{run, run_with},
};
use jsonschema::Validator;
use serde_json::Value as Json;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Returns the names of all commands with `--json`, the words of a subcommand joined by `-`.
fn commands_with_json() -> BTreeSet<String> {
    let has_json = |words: &Vec<String>| {
        words[0] != "help"
            && run(Path::new("."), &format!("{} --help", words.join(" ")))
                .done()
                .lines()
                .any(|line| line.trim_start().starts_with("--json"))
    };
    all_commands().into_iter().filter(has_json).map(|words| words.join("-")).collect()
}

fn schema(name: &str) -> Json {
    let path = documents().join("schemas").join(format!("{name}.json"));
    json(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn validator(name: &str) -> Validator {
    jsonschema::draft202012::new(&schema(name)).unwrap_or_else(|error| panic!("{name}.json: {error}"))
}

/// Calls `visit` with each object inside a JSON value.
fn for_each_object(value: &Json, visit: &mut impl FnMut(&serde_json::Map<String, Json>)) {
    match value {
        Json::Object(object) => {
            visit(object);
            object.values().for_each(|value| for_each_object(value, visit));
        }
        Json::Array(list) => list.iter().for_each(|value| for_each_object(value, visit)),
        _ => {}
    }
}

/// A folder with boards, graphs and tables of all kinds.
fn ground() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rules = "officers = 2\nundecided = \"thief\"\nwrap = \"both\"\ncapture = { by = \"king\" }\n\
        [police]\nglide = true\n[thief]\nmoves = { offsets = [[1, 2], [-1, 0]] }\nmay_pass = false\n";
    let doors = "[[doors]]\ncell = [0, 3]\nkey = [0, 1]\n\n[[doors]]\ncell = [2, 3]\nschedule = \"..##\"\n";
    let raid = "ways = [\"A\"]\ncover = { b = \"full\" }\nopaque = \"b\"\nground = { m = 2 }\n\
        capture = { by = \"king\", distance = 2 }\nloot = { squares = \"l\", need = 1, in_order = true }\n\
        limit = { plies = 9, winner = \"thief\" }\n[[police]]\nname = \"guard\"\nlook = 4\n\
        capture = { sight = 3, angle = 90, lines = \"supercover\" }\n[[police]]\nname = \"dog\"\nstart = \"D\"\n";
    let manifest = "out = \"batch\"\n[limits]\nmemory = \"64 MiB\"\n[[boards]]\nfiles = [\"yard.txt\"]\n\
        [[boards]]\nsizes = \"3x3\"\n[[boards]]\nsizes = \"400x400\"\n";
    for (name, text) in [
        ("yard.txt", YARD),
        ("halves.txt", ".#.\n"),
        ("rules.toml", rules),
        ("other.toml", "out = \"batch\"\n[[boards]]\nsizes = \"5x5\"\n"),
        ("batch.toml", manifest),
        ("bank.txt", "T.....E\n#######\nP......\n"),
        ("bank.toml", doors),
        ("once.toml", "[[doors]]\ncell = [0, 3]\nkey = [0, 1]\nonce = true\n"),
        ("raid.txt", "PAbD\nmlAE\n"),
        ("raid.toml", raid),
        ("hall.txt", "T.E\n...\n"),
        ("guards.toml", "[[guards]]\nround = [[0, 1]]\nsight = 1\n"),
        ("standing.toml", "[[guards]]\nround = [[0, 1]]\n"),
        ("ring.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n"),
        ("game.txt", "start hall\nhall start\nhall yard\nyard gate\nyard hall\n"),
        ("petersen.g6", "IheA@GUAo\nC~\n"),
        ("route.txt", "2,3 2,2 2,1 2,2\n"),
        (".long.dtb.check-1", "of another version"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for line in [
        "generate yard.txt --out .",
        "generate halves.txt --exit none --out .",
        "generate --graph ring.txt --out .",
        "generate bank.txt --doors bank.toml --out .",
        "generate bank.txt --doors once.toml --out once",
        "generate raid.txt --rules raid.toml --out .",
        "generate --size 3x4 --rules rules.toml --exit none --out .",
        "graph solve game.txt --names --out game.dtb",
        "pack yard.dtb --keep outcome --out wins.dtb",
        "pack yard.dtb --keep moves-of police --out moves.dtb",
        "pack bank.dtb --keep moves-of police --out bank-moves.dtb",
    ] {
        run_with(folder.path(), line, b"").done();
    }
    // One table of the manifest does not fit into the memory.
    assert_eq!(run_with(folder.path(), "generate batch.toml", b"").status, Some(3));
    let table = fs::read(folder.path().join("yard.dtb")).unwrap();
    fs::write(folder.path().join("damaged.dtb"), flipped(&table, table.len() - 9)).unwrap();
    // A game of a program, whose guard has layers.
    let round = include_bytes!("../../../../formats/tests/golden/v2-round.dtb");
    fs::write(folder.path().join("round.dtb"), round).unwrap();
    folder
}

/// For each command the arguments of its runs, and their standard input.
const RUNS: [(&str, &[(&str, &str)]); 18] = [
    (
        "generate",
        &[
            ("yard.txt --size 3x3 --out new", ""),
            ("yard.txt --size 3x3 --out new", ""),
            ("yard.txt --rules chase --out new", ""),
            ("halves.txt --out new", ""),
            ("batch.toml", ""),
        ],
    ),
    ("batch-status", &[("batch", "")]),
    ("batch-prune", &[("other.toml", "")]),
    ("plan", &[("yard.txt halves.txt --size 3x3", ""), ("--size 9x9 --measure", ""), ("batch.toml", "")]),
    (
        "pack",
        &[("yard.dtb --favour speed --out packed.dtb", ""), ("game.dtb --favour speed --out other.dtb", "")],
    ),
    (
        "probe",
        &[
            ("yard.dtb --police 2,3 --thief 2,0", ""),
            ("yard.dtb --police 2,3 --thief 0,0", ""),
            ("halves.dtb --police 0,0 --thief 0,2", ""),
            ("ring.dtb --police 0 --thief 2 --turn thief", ""),
            ("open-03x04.dtb --police 0,0+1,1 --thief 2,2", ""),
            ("wins.dtb --police 2,3 --thief 2,0", ""),
            ("moves.dtb --police 2,3 --thief 2,0", ""),
            ("moves.dtb --police 2,3 --thief 2,3", ""),
            ("bank.dtb --turn thief --world 1", ""),
            ("bank-moves.dtb --police 2,0 --thief 0,1", ""),
            ("game.dtb --vertex 1", ""),
            ("game.dtb --vertex start --graph game.txt --names", ""),
            ("game.dtb --vertex gate --graph game.txt --names", ""),
            ("yard.dtb --stdin", "2 3 2 0 police\n"),
            ("open-03x04.dtb --stdin", "0 0 1 1 2 2 police\n"),
        ],
    ),
    (
        "line",
        &[
            ("yard.dtb --police 2,3 --thief 2,0", ""),
            ("halves.dtb --police 0,0 --thief 0,2", ""),
            ("bank.dtb --world 1", ""),
            ("ring.dtb --police 0 --thief 2", ""),
            ("open-03x04.dtb --police 0,0+1,1 --thief 2,2", ""),
        ],
    ),
    ("stealth", &[("hall.txt --guards guards.toml", ""), ("hall.txt --guards standing.toml --exit 0,1", "")]),
    (
        "show",
        &[
            ("round.dtb --thief 0,0 --layer north", ""),
            ("yard.dtb --police 2,3", ""),
            ("yard.dtb --police 2,3 --thief 2,0 --turn thief", ""),
            ("yard.dtb --thief 2,0", ""),
            ("halves.txt --police 0,0", ""),
            ("open-03x04.dtb --police 0,0+1,1", ""),
        ],
    ),
    (
        "policy",
        &[
            ("yard.txt --police greedy --from 2,3/2,0", ""),
            ("yard.txt --police patrol:route.txt --from 2,3/2,0", ""),
            ("yard.dtb --thief random", ""),
            ("yard.dtb --police random --from 2,3/2,0", ""),
            ("yard.dtb --thief opponent:easy --from 2,3/2,0 --rounds 2", ""),
            ("open-03x04.dtb --police greedy --from 0,0+1,1/2,2", ""),
        ],
    ),
    (
        "info",
        &[
            ("yard.dtb", ""),
            ("ring.dtb", ""),
            ("open-03x04.dtb", ""),
            ("bank.dtb", ""),
            ("once/bank.dtb", ""),
            ("raid.dtb", ""),
            ("game.dtb", ""),
            ("wins.dtb", ""),
        ],
    ),
    (
        "stats",
        &[
            ("yard.dtb", ""),
            ("halves.dtb", ""),
            ("bank.dtb", ""),
            ("ring.dtb", ""),
            ("open-03x04.dtb", ""),
            ("game.dtb", ""),
        ],
    ),
    (
        "verify",
        &[
            ("yard.dtb damaged.dtb open-03x04.dtb missing.dtb game.dtb", ""),
            ("game.dtb --graph game.txt --names", ""),
            ("wins.dtb --against yard.dtb", ""),
            ("yard.dtb --sample 20", ""),
        ],
    ),
    (
        "bench",
        &[
            ("--board yard.txt --repeat 1 --engine bitboard", ""),
            ("--board yard.txt --repeat 1 --threads 1,2", ""),
            ("--table yard.dtb", ""),
        ],
    ),
    (
        "graph-solve",
        &[
            ("game.txt --names", ""),
            ("game.txt --names --summary --out solved.dtb", ""),
            ("game.txt --names --vertex start", ""),
            ("", "0 1\n1 0\n"),
            ("--vertex 2 --out cycle.dtb", "0 1\n1 0\n2 0\n"),
        ],
    ),
    ("checkpoints", &[(".", "")]),
    ("graph-solo", &[("--from 0", "0 1\n"), ("--from 0", "0 1\n1 0\n"), ("--from 0", "0 1\n1 2\n")]),
    (
        "cops",
        &[
            ("petersen.g6", ""),
            ("petersen.g6 --bound 2 --more 1", ""),
            ("petersen.g6 --bound 2 --count", ""),
            ("--board yard.txt", ""),
        ],
    ),
];

#[test]
fn every_command_with_json_has_a_schema_a_section_and_runs() {
    let commands = commands_with_json();
    assert!(commands.len() >= 10, "{commands:?}");
    assert_eq!(commands, RUNS.iter().map(|(command, _)| (*command).to_owned()).collect());
    let files: BTreeSet<String> = fs::read_dir(documents().join("schemas"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    // The commands `report` and `site` write their JSON to files and need no option for it.
    assert_eq!(files, &commands | &BTreeSet::from(["report", "catalogue"].map(str::to_owned)));
    let text = fs::read_to_string(documents().join("json.md")).unwrap();
    let sections: BTreeSet<String> =
        text.lines().filter_map(|line| Some(line.strip_prefix("## ")?.replace(' ', "-"))).collect();
    assert_eq!(sections, files);
}

#[test]
fn schemas_are_closed() {
    for name in commands_with_json().into_iter().chain(["report".to_owned()]) {
        let schema = schema(&name);
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{name}.json is no schema");
        for_each_object(&schema, &mut |object| {
            if object.contains_key("properties") && object.contains_key("type") {
                assert_eq!(
                    object.get("additionalProperties"),
                    Some(&Json::Bool(false)),
                    "{name}: {object:?}"
                );
            }
        });
    }
}

/// Compares each line of JSON with the schema, which must refuse it if a field is added or taken away.
#[track_caller]
fn compare(name: &str, what: &str, value: &Json) {
    let validator = validator(name);
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at {:?}", error.instance_path().to_string()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:?}\n{value}");
    let mut more = value.clone();
    more["unheard_of"] = Json::from(1);
    assert!(!validator.is_valid(&more), "{name}: a field that is not described is accepted");
}

#[test]
fn output_agrees_with_the_schemas() {
    let folder = ground();
    for (name, runs) in RUNS {
        // The fields of all lines together, to see that no run leaves part of the schema untouched.
        let mut met = BTreeSet::new();
        for (arguments, input) in runs {
            let line = format!("{} {arguments} --json", name.replace('-', " "));
            let ran = run_with(folder.path(), &line, input.as_bytes());
            let out = String::from_utf8(ran.out).unwrap();
            assert!(!out.is_empty(), "{line}: {}", ran.err);
            for text in out.lines() {
                let value = json(text);
                compare(name, &line, &value);
                for_each_object(&value, &mut |object| met.extend(object.keys().cloned()));
            }
        }
        let mut known = BTreeSet::new();
        for_each_object(&schema(name), &mut |object| {
            known.extend(
                object
                    .get("properties")
                    .and_then(Json::as_object)
                    .into_iter()
                    .flatten()
                    .map(|field| field.0.clone()),
            );
        });
        // Another solver or a run at work would be needed for these, and entries of a report have more.
        let others: &[&str] = match name {
            "generate" => {
                &["history", "run", "worker", "at", "seconds", "longest_examples", "dtw", "turn", "world"]
            }
            _ => &["yardstick_seconds", "times_yardstick", "seconds_left", "stage", "done", "total", "level"],
        };
        known.retain(|field| !others.contains(&field.as_str()));
        let missed: Vec<&String> = known.difference(&met).collect();
        assert!(missed.is_empty(), "{name}: no run prints {missed:?}");
    }
    let report = fs::read_to_string(folder.path().join("batch/report.json")).unwrap();
    compare("report", "generate batch.toml", &json(&report));
    run_with(folder.path(), "report yard.dtb open-03x04.dtb damaged.dtb --out pages", b"");
    let report = fs::read_to_string(folder.path().join("pages/report.json")).unwrap();
    compare("report", "report", &json(&report));
}
