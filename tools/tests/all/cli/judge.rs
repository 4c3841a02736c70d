//! Samples of programming contests about pursuit, whose rules are data: a rules file, a board or a graph, and
//! a question. The samples are not part of the project: where they are not beside it, the tests say so and
//! pass.

use super::support::run;
use serde_json::Value as Json;
use std::{fmt::Write, fs, io::Write as _, path::Path};

/// The samples of one problem, if they are there.
fn samples(problem: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/truth/judge_samples.json");
    let Ok(text) = fs::read_to_string(&path) else {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: there is no {}", path.display()).unwrap();
        return Vec::new();
    };
    let all: Json = serde_json::from_str(&text).unwrap();
    let samples = all[problem]["samples"].as_array().unwrap().clone();
    assert!(!samples.is_empty());
    samples
}

fn number(value: &Json) -> u64 {
    value.as_u64().unwrap()
}

/// An edge list of pairs of vertices that are counted from 1.
fn edges(pairs: &Json) -> String {
    pairs.as_array().unwrap().iter().fold(String::new(), |mut text, pair| {
        writeln!(text, "{} {}", number(&pair[0]) - 1, number(&pair[1]) - 1).unwrap();
        text
    })
}

/// Returns the answer of the table of a board under these rules to a question about a position.
fn ask(ground: &str, how: &str, rules: &str, police: &str, thief: &str, turn: &str) -> Json {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ground.txt"), ground).unwrap();
    fs::write(folder.path().join("rules.toml"), rules).unwrap();
    run(folder.path(), &format!("generate ground.txt {how} --rules rules.toml --out t --json")).done();
    run(folder.path(), "verify t/ground.dtb").done();
    let line = format!("probe t/ground.dtb --police {police} --thief {thief} --turn {turn} --json");
    serde_json::from_str(&run(folder.path(), &line).done()).unwrap()
}

fn on_graph(sample: &Json, rules: &str, police: &str, thief: &str, turn: &str) -> Json {
    let vertex = |name: &str| (number(&sample[name]) - 1).to_string();
    ask(&edges(&sample["edges"]), "--graph", rules, &vertex(police), &vertex(thief), turn)
}

const STAY: &str = "[police]\nmoves = \"edges\"\n[thief]\nmoves = \"edges\"\n";
const MOVE: &str =
    "[police]\nmoves = \"edges\"\nmay_pass = false\n[thief]\nmoves = \"edges\"\nmay_pass = false\n";

#[test]
fn cat_and_mouse_has_the_winners_of_leetcode_913() {
    for sample in samples("LC913_cat_and_mouse") {
        let mut graph = String::new();
        for (from, targets) in sample["graph"].as_array().unwrap().iter().enumerate() {
            for to in targets.as_array().unwrap() {
                writeln!(graph, "{from} {to}").unwrap();
            }
        }
        let rules = format!("police_on_exit = \"barred\"\n{MOVE}");
        let answer = ask(&graph, "--graph --directed --exit 0", &rules, "2", "1", "thief");
        let winner = match number(&sample["out"]) {
            0 => "draw",
            1 => "thief",
            _ => "police",
        };
        assert_eq!(answer["outcome"], winner, "{sample}");
    }
}

#[test]
fn cat_and_mouse_with_leaps_has_the_winners_of_leetcode_1728() {
    for sample in samples("LC1728_cat_and_mouse_ii") {
        let rows: Vec<&str> =
            sample["grid"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        let find = |piece: char| {
            let row = rows.iter().position(|row| row.contains(piece)).unwrap();
            format!("{row},{}", rows[row].find(piece).unwrap())
        };
        let board = rows.join("\n").replace(['C', 'M'], ".").replace('F', "E") + "\n";
        let rules = format!(
            "police_on_exit = \"wins\"\nundecided = \"police\"\n\
             [police]\nmoves = \"orthogonal\"\nreach = {}\n[thief]\nmoves = \"orthogonal\"\nreach = {}\n",
            sample["catJump"], sample["mouseJump"]
        );
        let answer = ask(&board, "", &rules, &find('C'), &find('M'), "thief");
        assert_eq!(answer["winner"] == "thief", sample["out"].as_bool().unwrap(), "{sample}");
    }
}

#[test]
fn tag_on_a_tree_without_passing_takes_as_long_as_abc_148_f_says() {
    for sample in samples("ABC148F_playing_tag_on_tree") {
        let answer = on_graph(&sample, MOVE, "v", "u", "thief");
        assert_eq!(answer["outcome"], "police", "{sample}");
        assert_eq!(number(&answer["dtw"]) / 2, number(&sample["out"]), "{sample}");
    }
}

#[test]
fn tag_with_passing_takes_as_long_as_codeforces_813_c_says() {
    for mut sample in samples("CF813C_tag_game") {
        sample["root"] = 1.into();
        let answer = on_graph(&sample, STAY, "root", "x", "thief");
        assert_eq!((&answer["outcome"], &answer["dtw"]), (&"police".into(), &sample["out"]), "{sample}");
    }
}

#[test]
fn tag_with_several_steps_has_the_winners_of_codeforces_1404_b() {
    for sample in samples("CF1404B_1405D_tree_tag") {
        let rules = format!(
            "[police]\nmoves = \"edges\"\nsteps = {}\n[thief]\nmoves = \"edges\"\nsteps = {}\n",
            sample["da"], sample["db"]
        );
        let answer = on_graph(&sample, &rules, "a", "b", "police");
        assert_eq!(answer["outcome"] == "police", sample["out"] == "Alice", "{sample}");
        if sample["plies"].is_number() {
            assert_eq!(answer["dtw"], sample["plies"], "{sample}");
        }
    }
}

#[test]
fn a_chase_takes_as_many_turns_as_the_olympiad_says() {
    for sample in samples("OI_V_1997_GON_chase") {
        let answer = on_graph(&sample, STAY, "B", "A", "thief");
        assert_eq!(answer["outcome"], "police", "{sample}");
        assert_eq!(number(&answer["dtw"]).div_ceil(2), number(&sample["out"]), "{sample}");
    }
}

#[test]
fn a_chase_with_placement_has_the_winners_of_the_contest() {
    let folder = tempfile::tempdir().unwrap();
    for sample in samples("asakuras_chase") {
        fs::write(folder.path().join("g.txt"), edges(&sample["edges"])).unwrap();
        let answer: Json =
            serde_json::from_str(&run(folder.path(), "cops g.txt --bound 1 --json").done()).unwrap();
        assert_eq!(answer["cop_number"] == 1, sample["out"] == "Kyon is doomed!", "{sample}");
    }
}
