//! Opponents against games that another program played by `OPPONENT.md`: `opponent/reference.py`.

use dragnet_probe::{
    Cell, Open, Pieces, Position, Side, Table,
    opponent::{Duel, Lots, Opponent, Replier, Review, Strength, Style, Target},
};
use std::{path::Path, str::FromStr};

static VECTORS: &str = include_str!("../opponent/vectors.txt");

fn number<T: FromStr>(word: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    word.parse().unwrap()
}

fn strength(text: &str) -> Strength {
    let fields: Vec<u32> = text.split(',').map(number).collect();
    let [errors, blunders, plies, drop, horizon, reaction] = fields[..] else { panic!("{text}") };
    let (drop, reaction) = (drop as u8, reaction as u8);
    Strength { errors: errors as u16, blunders: blunders as u16, plies, drop, horizon, reaction }
}

fn style(text: &str) -> Style {
    match text {
        "longest" => Style::Longest,
        "uniform" => Style::Trickiest(Replier::Uniform),
        erring => Style::Trickiest(Replier::Erring(strength(erring))),
    }
}

/// An opponent as STRENGTH STYLE, or STRENGTH STYLE SEED.
fn opponent(text: &str) -> Opponent {
    let words: Vec<&str> = text.split(' ').collect();
    Opponent::new(strength(words[0]), style(words[1]), words.get(2).map_or(0, |seed| number(seed))).unwrap()
}

/// A position as OFFICERS THIEF TURN.
fn position(text: &str) -> Position {
    let words: Vec<&str> = text.split(' ').collect();
    Position::new(number::<Pieces>(words[0]), number::<Cell>(words[1]), number(words[2]))
}

/// The lines that begin with `kind`, each split at its marks, with the table before it.
fn records(kind: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut table = "";
    let mut found = Vec::new();
    for line in VECTORS.lines() {
        match line.split_once(' ').unwrap() {
            ("table", name) => table = name,
            (first, rest) if first == kind => {
                found.push((table, rest.split([':', '|', '=']).map(str::trim).collect()));
            }
            _ => {}
        }
    }
    assert!(found.len() > 3, "{kind}");
    found
}

fn table(name: &str) -> Table {
    Open::path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden").join(name))
        .pursuit()
        .unwrap()
}

fn game((name, fields): &(&str, Vec<&str>)) -> (Table, Duel) {
    let table = table(name);
    let (mut police, mut thief) = (opponent(fields[0]), opponent(fields[1]));
    let duel = Duel::play(&table, position(fields[2]), &mut police, &mut thief).unwrap();
    (table, duel)
}

#[test]
fn lots_are_those_of_the_page() {
    for (_, fields) in records("lots") {
        let mut lots = Lots::new(number(fields[0]));
        for (index, expected) in (0..).zip(fields[1].split(' ')) {
            assert_eq!(Lots::nth(number(fields[0]), index), number::<u64>(expected));
            assert_eq!(lots.draw(), number::<u64>(expected));
        }
    }
    assert_eq!(Lots::scale(u64::MAX, 10), 9);
    assert_eq!(Lots::scale(u64::MAX / 2 + 1, 10), 5);
    assert_eq!(Lots::scale(u64::MAX, 0), 0);
}

#[test]
fn games_go_as_the_page_says() {
    for record in records("game") {
        let (_, duel) = game(&record);
        let moves: Vec<String> = duel
            .positions
            .windows(2)
            .map(|pair| Position { turn: pair[0].turn, ..pair[1] }.mover().to_string())
            .collect();
        assert_eq!(moves.join(" "), record.1[3], "{record:?}");
        assert_eq!(duel.winner.map_or("draw".to_owned(), |side| side.to_string()), record.1[4], "{record:?}");
    }
}

#[test]
fn reviews_cost_what_the_page_says() {
    let games = records("game");
    for (at, (_, fields)) in records("review").iter().enumerate() {
        let (table, duel) = game(&games[at / 2]);
        let review = Review::new(&table, &duel.positions, number::<Side>(fields[0])).unwrap();
        let (moves, errors, blunders) = (review.moves.len(), review.errors, review.blunders);
        assert_eq!(format!("{moves} {errors} {blunders} {} {}", review.drops, review.plies_lost), fields[1]);
        let worst: Vec<String> = review.worst(3).iter().map(|rated| rated.ply.to_string()).collect();
        assert_eq!(worst.join(" "), fields[2], "{:?}", games[at / 2]);
    }
}

#[test]
fn calibrations_find_the_levels_of_the_page() {
    for (name, fields) in records("calibrate") {
        let given: Vec<&str> = fields[0].split(' ').collect();
        let target = Target {
            share: number(given[1]),
            games: number(given[2]),
            seed: number(given[3]),
            style: style(given[4]),
            against: opponent(fields[1]),
            side: number(given[0]),
        };
        let starts: Vec<Position> = fields[2..5].iter().map(|text| position(text)).collect();
        let found = Opponent::calibrate(&table(name), &starts, &target).unwrap();
        let reached = if found.reached { "reached" } else { "missed" };
        let said = format!(
            "{} {} {} {} {reached} {:?} {:?}",
            found.level, found.wins, found.lowest, found.highest, found.from, found.to
        );
        assert_eq!(said, fields[5]);
        assert_eq!(found.strength, Strength::level(found.level).unwrap());
    }
}
