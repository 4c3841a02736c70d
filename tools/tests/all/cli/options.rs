//! Options, rules files and help texts.

use super::{files, json, support::run, yard};
use std::fs;

#[test]
fn invalid_rules_file_is_refused() {
    let folder = yard();
    let cases: [(&str, &[&str]); 17] = [
        ("officers = 7\n", &["line 1, column 12: officers: ", "`7`, expected a number from 0 to 6"]),
        ("officers = \"two\"\n", &["\"two\", expected a number from 0 to 6"]),
        (
            "wrap = \"both\"\ncorner_cuting = true\n",
            &["line 2, column 1", "corner_cuting", "did you mean corner_cutting?"],
        ),
        ("chess = 1\n", &["chess: unknown field `chess`, expected one of `officers`, `police`"]),
        ("\n  wrap = \"bth\"\n", &["line 2, column 10: wrap: ", "`bth`", "; did you mean both?"]),
        ("wrap = 3\n", &["line 1, column 8: wrap: ", "string"]),
        ("corner_cutting = \"no\"\n", &["corner_cutting: ", "\"no\", expected a boolean"]),
        ("[thief\n", &["line 1, column 7"]),
        (
            "[thief]\nsteps = 0\n",
            &["line 2, column 9: thief.steps: ", "`0`, expected a number from 1 to 255"],
        ),
        ("[thief]\nmovs = \"king\"\n", &["line 2, column 1: thief.movs:", "did you mean moves?"]),
        (
            "thief = \"king\"\n",
            &["thief: ", "\"king\", expected the keys of a side, as in { moves = \"king\" }"],
        ),
        ("[police]\nmoves = { offsets = [[0, 0]] }\nmay_pass = true\n", &["[0, 0]", "may_pass"]),
        ("[police]\nmoves = { offsets = [[0, 1, 2]] }\n", &["line 2, column 22", "of two numbers"]),
        ("[police]\nmoves = { offsets = [] }\n", &["line 2, column 21", "expected at least one offset"]),
        ("thief.moves = \"kin\"\n", &["thief.moves: ", "expected one of `king`,", "did you mean king?"]),
        ("thief.moves = \"offsets\"\n", &["thief.moves: ", "expected a name such as \"king\"", "offsets"]),
        ("thief.moves = 1\n", &["thief.moves: ", "`1`, expected a name such as \"king\""]),
    ];
    for (text, parts) in cases {
        fs::write(folder.path().join("rules.toml"), text).unwrap();
        run(folder.path(), "generate yard.txt --out t --rules rules.toml")
            .failed(2, &[&["rules.toml"], parts].concat());
    }
    fs::write(folder.path().join("rules.toml"), [0xFF, 0xC0]).unwrap();
    run(folder.path(), "generate yard.txt --out t --rules rules.toml").failed(2, &["rules.toml", "UTF-8"]);
    run(folder.path(), "generate yard.txt --out t --rules chess")
        .failed(2, &["chess", "expected classic or chase or cops"]);
    run(folder.path(), "generate yard.txt --out t --rules .")
        .failed(2, &["expected a rules file, found a folder"]);
    fs::write(folder.path().join("each.toml"), "police = [\"king\"]\n").unwrap();
    run(folder.path(), "generate yard.txt --out t --rules each.toml")
        .failed(2, &["line 1", "expected the keys of a side"]);
    run(folder.path(), "generate yard.txt --out t --rules clasic").failed(2, &["did you mean classic?"]);
    for board in ["#####\n#..E#\n#####\n", "..E\n"] {
        fs::write(folder.path().join("board.txt"), board).unwrap();
        run(folder.path(), "generate yard.txt --out t --rules board.txt")
            .failed(2, &["board.txt", "looks like a board"]);
    }
    assert!(!folder.path().join("t").exists());
}

#[test]
fn rules_file_that_names_one_key_of_a_side_leaves_the_others_as_in_classic() {
    let folder = yard();
    let made = |text: &str| {
        fs::write(folder.path().join("rules.toml"), text).unwrap();
        run(folder.path(), "generate yard.txt --out t --rules rules.toml --force").done();
        fs::read(folder.path().join("t/yard.dtb")).unwrap()
    };
    let fast = made("[thief]\nsteps = 2\n");
    assert_eq!(fast, made("[thief]\nmoves = \"orthogonal\"\nmay_pass = true\nsteps = 2\nreach = 1\n"));
    assert_ne!(fast, made("[thief]\nsteps = 1\n"));
    assert_eq!(made("[police]\nmay_pass = false\n"), made("[police]\nmoves = \"king\"\nmay_pass = false\n"));
}

#[test]
fn rules_file_that_spells_out_a_preset_makes_the_same_table() {
    let folder = yard();
    fs::write(
        folder.path().join("rules.toml"),
        "corner_cutting = false\n[thief]\nmoves = \"king\"\nmay_pass = true\n",
    )
    .unwrap();
    run(folder.path(), "generate yard.txt --out file --rules rules.toml").done();
    run(folder.path(), "generate yard.txt --out preset --rules chase").done();
    let read = |name: &str| fs::read(folder.path().join(name).join("yard.dtb")).unwrap();
    assert_eq!(read("file"), read("preset"));
    assert_eq!(json(&run(folder.path(), "info file/yard.dtb --json").done())["preset"], "chase");
}

#[test]
fn invalid_options_are_refused() {
    let folder = yard();
    for size in
        ["0x0", "3x0", "70000x1", "1x70000", "3", "axb", "3x3x3", "3x3..", "..3x3", "-3x3", "+3x3", ""]
    {
        let ran = run(folder.path(), &format!("generate --size={size}"));
        ran.misused(&["--size", "HEIGHTxWIDTH"]);
    }
    run(folder.path(), "generate --size 5x5..3x3").misused(&["smaller size first", "5x5..3x3"]);
    run(folder.path(), "generate --size 65535x65535").misused(&["at most 1048576 squares"]);
    run(folder.path(), "generate --threads 100000").misused(&["--threads", "from 0 to"]);
    run(folder.path(), "generate --threads -1").misused(&[]);
    run(folder.path(), "generate --level 23").misused(&["--level", "22"]);
    run(folder.path(), "generate --engine steam").misused(&["--engine", "counters"]);
    run(folder.path(), "generate --favour beauty").misused(&["--favour", "speed"]);
    run(folder.path(), "generate --exit here").misused(&["--exit", "ROW,COL"]);
    run(folder.path(), "generate yard.txt --out t --exit 1,1").failed(2, &["yard.txt", "1,1 is a wall"]);
    run(folder.path(), "generate yard.txt --out t --exit 3,0")
        .failed(2, &["yard.txt", "3,0 is off the board"]);
    run(folder.path(), "generate yard.txt --out t --exit none --exit 0,0")
        .failed(2, &["--exit", "none cannot stand beside another exit"]);
    let ran = run(folder.path(), "");
    assert_eq!((ran.status, ran.out.len()), (Some(2), 0), "{}", ran.err);
    assert!(ran.err.contains("Usage: dragnet"), "{}", ran.err);
    for command in ["probe", "line", "info", "stats", "verify", "dump"] {
        let help = format!("'dragnet {command} --help'");
        run(folder.path(), command).misused(&["expected TABLE", "found nothing", &help]);
    }
    run(folder.path(), "report").misused(&["expected --out DIR and TABLE or DIR, found nothing"]);
    run(folder.path(), "frobnicate").misused(&["frobnicate: there is no such command", "'dragnet --help'"]);
    assert_eq!(files(folder.path()), ["yard.dtb", "yard.txt"]);
}

#[test]
fn sides_and_sizes_are_read_in_any_case() {
    let folder = yard();
    let asked = |side: &str| {
        run(folder.path(), &format!("probe yard.dtb --police 0,0 --thief 2,0 --turn {side}")).done()
    };
    assert_eq!(asked("Thief"), asked("thief"));
    assert_eq!(asked("POLICE"), asked("police"));
    assert_ne!(asked("thief"), asked("police"));
    run(folder.path(), "generate --size 3X3 --out t").done();
    assert!(folder.path().join("t/open-03x03.dtb").exists());
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let help = run(folder.path(), "--help").done();
    for command in
        ["generate", "probe", "line", "info", "stats", "verify", "report", "dump", "answer", "board"]
    {
        assert!(help.contains(command), "{command}");
        let own = run(folder.path(), &format!("{command} --help")).done();
        assert!(own.contains("Example"), "{command} --help has no example");
    }
    assert!(help.contains("Exit status"));
    let version = format!("dragnet {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(folder.path(), "-V").done(), format!("{version}\n"));
    let long = run(folder.path(), "--version").done();
    assert!(long.starts_with(&version) && long.lines().count() == 1, "{long}");
}

#[test]
fn mistyped_arguments_get_advice_that_helps() {
    let folder = yard();
    let misused = |line: &str, parts: &[&str]| {
        let ran = run(folder.path(), line);
        ran.misused(parts);
        assert!(!ran.err.contains("as a value"), "{line}: {}", ran.err);
    };
    misused("generate yard.txt --scrach t", &["--scrach: there is no such option; did you mean --scratch?"]);
    misused("generate yard.txt --officer 2", &["did you mean --officers?"]);
    misused("genrate yard.txt", &["genrate: there is no such command; did you mean generate?"]);
    misused(
        "generate --engine bitbord yard.txt",
        &["--engine: expected auto, counters or bitboard, found \"bitbord\"; did you mean bitboard?"],
    );
    misused("probe yard.dtb --police -1,1 --thief 0,0", &["--police -1,1: expected a cell as ROW,COL"]);
    misused("probe yard.dtb --police 2 1 --thief 0,0", &["without a blank: '--police 2,1'"]);
    misused("generate yard.txt --exit -1,1", &["--exit -1,1: expected ROW,COL"]);
    misused(
        "board --make maze --size 5x5 --seed -1",
        &["--seed -1: expected a whole number from 0 to 18446744073709551615"],
    );
    misused("board --make random --size 5x5 --density 2", &["--density 2: ", "a share from 0 to 1"]);
    misused("generate yard.txt --officers two", &["--officers two: expected a whole number from 1 to 6"]);
    misused("cops yard.txt --vertices -5", &["--vertices -5: expected a whole number from 0"]);
    misused("batch batch.toml", &["'dragnet generate batch.toml'"]);
    misused("cops --directed --undirected", &["--directed cannot stand beside --undirected"]);
    misused("generate yard.txt --overwrite", &["--overwrite: there is no such option\nhint: --force"]);
    misused("generate batch.toml --resume", &["there is no such option\nhint: the same command goes on"]);
    misused("solve yard.txt", &["solve: there is no such command\nhint: 'dragnet generate' makes tables"]);
    misused("completions tcsh", &["bash", "zsh", "found \"tcsh\"\nhint: there are no completions for tcsh"]);
    misused("generate yard.txt --out", &["--out: expected DIR, found nothing"]);
    misused(
        "probe yard.dtb more",
        &["expected no further argument, found \"more\"", "'dragnet probe --help'"],
    );
    misused("generate --seed\u{1b}[31m=1", &["--seed\\u{1b}[31m"]);
    misused("pack yard.dtb", &["expected --out FILE, found nothing"]);
    misused("policy yard.dtb", &["expected --police POLICY or --thief POLICY, found nothing"]);
    misused("line yard.dtb --board --json", &["--board cannot stand beside --json"]);
    // A file of such a name can be meant.
    fs::write(folder.path().join("-x"), "").unwrap();
    assert!(run(folder.path(), "info -x").err.contains("'-- -x'"));
}

#[test]
fn manifest_under_another_name_is_recognised() {
    let folder = yard();
    let manifest = "out = \"t\"\n[[boards]]\nfiles = \"yard.txt\"\n";
    for name in ["batch.txt", "batch.toml"] {
        fs::write(folder.path().join(name), manifest).unwrap();
    }
    run(folder.path(), "generate batch.txt").failed(2, &["batch.txt", "looks like a manifest", ".toml"]);
    assert!(!folder.path().join("t").exists());
    let made = run(folder.path(), "generate batch.toml");
    assert_eq!(made.status, Some(0), "{}", made.err);
    assert!(folder.path().join("t/yard.dtb").exists());
}

#[test]
fn direction_of_edges_has_a_default_that_either_option_may_state() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.txt"), "0 1\n1 2\n").unwrap();
    for (command, stated, other) in [
        ("cops g.txt", "--undirected", "--directed"),
        ("graph solve g.txt --summary --json", "--directed", "--undirected"),
    ] {
        let digest = |option: &str| {
            let text = run(folder.path(), &format!("{command} {option}")).done();
            if command.contains("--json") { json(&text)["digest"].to_string() } else { text }
        };
        assert_eq!(digest(""), digest(stated), "{command}");
        assert_ne!(digest(""), digest(other), "{command}");
    }
}

#[test]
fn help_explains_topics_and_commands() {
    let folder = tempfile::tempdir().unwrap();
    let list = run(folder.path(), "help").done();
    assert_eq!(list, run(folder.path(), "--help").done());
    for topic in ["rules", "boards", "coordinates", "manifests"] {
        assert!(list.contains(&format!("\n  {topic} ")), "{topic}");
        let text = run(folder.path(), &format!("help {topic}")).done();
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{topic} has lines of more than 80 columns"
        );
    }
    for (one, other) in [
        ("help generate", "generate --help"),
        ("help graph solve", "graph solve --help"),
        ("graph help solve", "graph solve --help"),
        ("graph help", "graph --help"),
        ("help help", "help --help"),
    ] {
        assert_eq!(run(folder.path(), one).done(), run(folder.path(), other).done(), "{one}");
    }
    run(folder.path(), "help rule").misused(&["did you mean rules?"]);
    run(folder.path(), "help graph sove").failed(2, &["command of graph", "did you mean solve?"]);
    run(folder.path(), "help rules wrap").failed(2, &["rules", "wrap"]);
}

/// Returns the words that a message lists as those it expected.
fn listed(message: &str) -> Vec<&str> {
    let (_, list) = message.rsplit_once("expected ").unwrap();
    let words: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    assert!(!words.is_empty(), "{message}");
    words
}

#[test]
fn topics_name_every_key_and_value_that_the_readers_know() {
    let folder = yard();
    let (rules, manifests) =
        (run(folder.path(), "help rules").done(), run(folder.path(), "help manifests").done());
    let complaint = |file: &str, text: &str, line: &str| {
        fs::write(folder.path().join(file), text).unwrap();
        let ran = run(folder.path(), line);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        ran.err
    };
    for text in [
        "zzzz = 1",
        "thief.zzzz = 1",
        "wrap = \"zzzz\"",
        "stuck = \"zzzz\"",
        "team = \"zzzz\"",
        "police_on_exit = \"zzzz\"",
        "undecided = \"zzzz\"",
        "police.moves = \"zzzz\"",
    ] {
        for word in listed(&complaint("r.toml", text, "generate yard.txt --rules r.toml")) {
            assert!(rules.contains(word), "{word} of {text}");
        }
    }
    for text in ["zzzz = 1", "[limits]\nzzzz = 1", "[[boards]]\nzzzz = 1", "[[boards]]\nmake = \"zzzz\""] {
        for word in listed(&complaint("m.toml", &format!("out = \"t\"\n{text}\n"), "plan m.toml")) {
            assert!(manifests.contains(word), "{word} of {text}");
        }
    }
}

#[test]
fn rules_file_without_a_key_has_the_classic_rules() {
    let folder = yard();
    let expected = fs::read(folder.path().join("yard.dtb")).unwrap();
    for text in ["", "# only a remark\n"] {
        fs::write(folder.path().join("rules.toml"), text).unwrap();
        run(folder.path(), "generate yard.txt --rules rules.toml --out t --force").done();
        assert_eq!(fs::read(folder.path().join("t/yard.dtb")).unwrap(), expected);
    }
    fs::write(folder.path().join("walls.txt"), "##\n##\n").unwrap();
    run(folder.path(), "generate yard.txt --rules walls.txt").failed(2, &["this looks like a board"]);
}
