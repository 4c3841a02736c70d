//! The program itself, without a terminal.

use std::process::{Command, Output, Stdio};

fn getaway(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_getaway"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

#[test]
fn perfect_play_against_itself_takes_the_perfect_count() {
    for map in ["town", "museum", "harbour", "vault"] {
        for side in ["police", "thief"] {
            let arguments =
                ["--auto", "5", "--seed", "1", "--difficulty", "perfect", "--map", map, "--side", side];
            let output = getaway(&arguments);
            assert!(output.status.success());
            let out = text(&output.stdout);
            for line in out.lines().take(5) {
                let count =
                    |from: &str| line.split(from).nth(1).unwrap().split(' ').next().unwrap().to_owned();
                assert!(line.contains(&format!("the {side} wins after")), "{line}");
                assert_eq!(count("wins after "), count("wins in "), "{line}");
            }
            assert!(out.ends_with("won 5, lost 0, drew 0.\n"), "{out}");
        }
    }
}

#[test]
fn a_seed_repeats_the_games_and_an_easy_opponent_loses_lost_ones() {
    let arguments =
        ["--auto", "20", "--seed", "5", "--difficulty", "easy", "--start", "lost", "--side", "police"];
    let (first, second) = (getaway(&arguments), getaway(&arguments));
    assert_eq!(first.stdout, second.stdout);
    let out = text(&first.stdout);
    assert_eq!(out.lines().count(), 21);
    assert!(!out.contains("won 0,"), "somebody who errs so often does not win every game: {out}");
}

#[test]
fn without_a_terminal_the_program_says_what_it_needs() {
    let output = getaway(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the game needs a terminal"));
    let output = getaway(&["--map", "moon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("town, museum, harbour, vault"));
    let help = text(&getaway(&["--help"]).stdout);
    for word in [
        "--map",
        "--side",
        "--difficulty",
        "--start",
        "--hints",
        "--seed",
        "--auto",
        "--daily",
        "--figures",
        "police",
        "easy",
    ] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn figures_have_a_line_for_each_map_and_side() {
    let output = getaway(&["--figures", "2", "--seed", "1"]);
    assert!(output.status.success());
    let out = text(&output.stdout);
    assert_eq!(out.lines().count(), 2 + 5 * 2, "{out}");
    assert!(
        out.lines().skip(2).all(|line| line.ends_with("   100.0")),
        "perfect play wins what is won: {out}"
    );
    assert_eq!(getaway(&["--figures", "2", "--seed", "1"]).stdout, output.stdout);
    for arguments in [["--figures", "0"], ["--daily", "2026-02-30"]] {
        let output = getaway(&arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    }
}
