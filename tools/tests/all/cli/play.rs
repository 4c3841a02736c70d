//! Games against the table: `dragnet play`.

use super::{
    support::{run, run_with},
    yard,
};
use std::{fs, path::Path};
use tempfile::TempDir;

/// The board of the tour: the thief wins from the marks in 12 plies.
const TOUR: &str = "\
#########E##
#..........#
#.###.####.#
#.#......#.#
#.#.####.#.#
#.........T#
#.###.####.#
#P.........#
############
";

fn tour() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tour.txt"), TOUR).unwrap();
    folder
}

fn play(folder: &Path, line: &str, input: &str) -> String {
    run_with(folder, &format!("play {line}"), input.as_bytes()).done()
}

#[test]
fn thief_who_walks_to_the_exit_wins() {
    let folder = tour();
    let moves = "n\nn\nup\n2,10\n1,10\nnorth\nw\nn\n";
    // One of the moves is a cell that the thief has reached already: he stays, and escapes a move later.
    let text = play(folder.path(), "tour.txt --side thief", moves);
    assert!(text.starts_with("you are the thief: reach an exit E; the police is perfect\n"), "{text}");
    assert!(text.contains("0 █████████E██\n1 █··········█\n"), "{text}");
    assert!(text.contains("police to move\nthe police "), "the opponent begins: {text}");
    let end = text.lines().last().unwrap();
    assert!(
        end.starts_with("the thief has escaped after") && end.contains("plies: you win; at perfect play"),
        "{text}"
    );
    assert!(end.ends_with("the thief wins in 12 plies"), "{text}");
}

#[test]
fn officer_who_lets_the_thief_go_loses() {
    let folder = tour();
    let text = play(folder.path(), "tour.txt --seed 3", &"stay\n".repeat(20));
    let end = text.lines().last().unwrap();
    assert!(end.starts_with("the thief has escaped after 12 plies: you lose; at perfect play"), "{text}");
}

#[test]
fn third_occurrence_of_a_position_is_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("halves.txt"), "P#T\n").unwrap();
    let text = play(folder.path(), "halves.txt --side thief", &"stay\n".repeat(9));
    let end = text.lines().last().unwrap();
    assert_eq!(
        end,
        "the position occurs for the third time, after 4 plies: a draw; at perfect play it is a draw"
    );
    fs::write(folder.path().join("rules.toml"), "undecided = \"thief\"\n").unwrap();
    let text = play(folder.path(), "halves.txt --rules rules.toml", &"stay\n".repeat(9));
    assert!(text.contains("a draw, which counts as a win of the thief"), "{text}");
}

#[test]
fn end_of_input_and_q_end_the_game_without_a_complaint() {
    let folder = tour();
    for input in ["", "q\n", "quit", "n\nq\n", "\n\n"] {
        let text = play(folder.path(), "tour.txt", input);
        assert!(!text.contains("after"), "{input:?}: {text}");
    }
}

#[test]
fn lines_that_are_no_move_change_nothing() {
    let folder = tour();
    let start = play(folder.path(), "tour.txt", "");
    for (line, told) in [
        ("fly", "expected a cell of the board, a direction or stay, found \"fly\""),
        ("9", "expected a cell of the board"),
        ("6,1 7,1", "expected a move of 1 word"),
        ("w", "no legal move: from 7,1 to 7,0"),
        ("1,1", "no legal move: from 7,1 to 1,1"),
        ("65535,0", "no legal move"),
        ("undo", "you have made no move yet"),
        ("help", "A move is a cell as ROW,COL"),
        ("moves", "  6,1 loses in 12\n  7,1 loses in 12\n  7,2 loses in 12\n"),
    ] {
        let text = play(folder.path(), "tour.txt", &format!("{line}\n"));
        assert!(text.starts_with(&start), "{line}: {text}");
        assert!(text[start.len()..].contains(told), "{line}: {text}");
        assert!(!text.contains("the police goes"), "{line}: {text}");
    }
    let odd = [b"\xff\xfe\n".as_slice(), &[b'x'; 10_000], b"\nq\n"].concat();
    assert_eq!(run_with(folder.path(), "play tour.txt", &odd).status, Some(0));
}

#[test]
fn move_that_is_taken_back_can_be_made_differently() {
    let folder = tour();
    let text = play(folder.path(), "tour.txt --hints --seed 1", "n\nundo\nstay\n");
    assert!(text.contains("\n  6,1 loses in 12\n"), "{text}");
    let back = text.split("taken back\n").nth(1).unwrap();
    assert!(back.contains("\npolice 7,1, thief 5,10, police to move\n"), "{text}");
    assert!(text.trim_end().ends_with("your move from 7,1 (help lists the words):"), "{text}");
}

#[test]
fn seed_repeats_the_game_of_an_opponent_who_errs() {
    let folder = tour();
    run(folder.path(), "generate tour.txt --out .").done();
    let moves = "stay\n".repeat(20);
    let game = |seed: u32| play(folder.path(), &format!("tour.dtb --opponent easy --seed {seed}"), &moves);
    assert_eq!(game(1), game(1));
    assert!((2..20).any(|seed| game(seed) != game(1)), "every seed makes the same game");
    let length = |text: &str| text.matches("police to move").count();
    let perfect = play(folder.path(), "tour.dtb --seed 1", &moves);
    assert!((1..20).any(|seed| length(&game(seed)) > length(&perfect)), "an easy opponent never errs");
}

#[test]
fn several_officers_move_with_a_word_each() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("field.txt"), "P.......\n........\n.......P\n...T....\n").unwrap();
    let ask = "field.txt --officers 2 --seed 1";
    let text = play(folder.path(), ask, "e\nse s\n");
    assert!(text.contains("expected a move of 2 words"), "{text}");
    assert!(
        text.contains("the police goes from 0,0+2,7 to 1,1+3,7") || text.contains("police 1,1+3,7"),
        "{text}"
    );
    let text = play(folder.path(), ask, "1,1+2,6\n");
    assert!(text.contains("police 1,1+2,6, thief"), "{text}");
    let text = play(folder.path(), ask, "1,1 2,6\n");
    assert!(text.contains("police 1,1+2,6, thief"), "{text}");
}

#[test]
fn games_that_cannot_begin_are_refused() {
    let folder = yard();
    let at = folder.path();
    fs::write(at.join("ring.txt"), "0 1\n1 2\n2 3\n3 0\n").unwrap();
    run(at, "generate --graph ring.txt --out .").done();
    run(at, "graph solve ring.txt --out game.dtb").done();
    run(at, "play yard.txt --police 0,1 --thief 1,1").failed(2, &["yard.txt", "1,1 is a wall"]);
    run(at, "play ring.dtb --police 0 --thief 2").failed(2, &["ring.dtb", "found one of a graph", "line"]);
    run(at, "play game.dtb").failed(2, &["game.dtb", "game table", "probe"]);
    let hexagons = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/maps/hexagons.tmx");
    let hint = format!("hint: 'dragnet generate {hexagons}' makes their table");
    run(at, &format!("play {hexagons}")).failed(2, &["expected a board of squares, found hexagons", &hint]);
    run(at, "play -").failed(2, &["standard input is for the moves"]);
    run(at, "play yard.dtb --side nobody").misused(&["--side", "police or thief"]);
    // A game that has ended before it begins says so.
    let text = run(at, "play yard.dtb --police 2,3 --thief 0,0").done();
    assert!(text.contains("the thief has escaped after 0 plies: you lose"), "{text}");
}

#[test]
fn game_without_marks_begins_on_good_cells_of_both_sides() {
    let folder = yard();
    for file in ["yard.dtb", "yard.txt"] {
        let ran = run_with(folder.path(), &format!("play {file}"), b"quit\n");
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.err.starts_with("note: no mark P and T of its board is known"), "{}", ran.err);
        let out = String::from_utf8(ran.out).unwrap();
        assert!(out.contains("police 0,0, thief 1,3, police to move"), "{out}");
    }
}

#[test]
fn opponents_have_levels_from_0_to_1000() {
    let folder = tour();
    for (level, name) in [("300", "of level 300"), ("1000", "perfect"), ("easy", "easy")] {
        let text = play(folder.path(), &format!("tour.txt --opponent {level}"), "quit\n");
        assert!(text.contains(&format!("; the thief is {name}")), "{text}");
    }
    for level in ["1001", "-1", "esy"] {
        run(folder.path(), &format!("play tour.txt --opponent {level}"))
            .misused(&["--opponent", "perfect or a level from 0 to 1000"]);
    }
}

#[test]
fn escape_shows_from_which_cells_the_thief_gets_away() {
    let folder = tour();
    let text = play(folder.path(), "tour.txt", "escape\n");
    // At the marks the thief wins, and next to the officer he is caught.
    assert!(text.contains("+") && text.contains("the thief gets away from "), "{text}");
    let cells: usize = text
        .lines()
        .find_map(|line| line.strip_prefix("the thief gets away from "))
        .unwrap()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse::<usize>().ok())
        .sum();
    assert_eq!(cells, TOUR.chars().filter(|sign| ".EPT".contains(*sign)).count());
}

#[test]
fn end_of_a_game_is_followed_by_a_review_of_the_humans_moves() {
    let folder = tour();
    // The thief, who wins in 12 plies from the marks after a move of the police, waits once.
    let text = play(folder.path(), "tour.txt --side thief", "stay\nn\nn\nn\nn\nw\nn\nn\nn\n");
    let end = text.lines().position(|line| line.starts_with("the thief has escaped")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[end - 2].starts_with("1 of your ") || lines[end - 3].starts_with("Of "), "{text}");
    assert!(lines[end - 1].starts_with("  ply ") && lines[end - 1].contains(" instead of "), "{text}");
    assert!(
        lines[..end].iter().any(|line| line.starts_with("  ply 2: stay instead of 4,10, lost 2 plies")),
        "{text}"
    );
}
