//! Games of opponents by any rules and on damaged tables, and what is refused.

use dragnet_formats::{
    board::Board,
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    game::{MoveTable, Stuck},
    header::{Counts, Header, Summary},
    numbering::TileSize,
    rules::Undecided,
    value::Plies,
};
use dragnet_probe::{
    Cell, Choice, MoveSet, Movement, Open, Position, ProbeError, Rules, Side, Table, Value,
    opponent::{
        CalibrationError, Duel, Opponent, Replier, Review, ReviewError, Strength, Style, Target, ValuedGame,
    },
};
use proptest::prelude::*;
use std::{collections::HashMap, io::Cursor};

/// A counter that is shared.
type Cell64 = std::cell::Cell<u64>;
use crate::support::{Solved, board, solved};

static SIZE: &[u8] = include_bytes!("../../../formats/tests/golden/v2-size.dtb");

fn opponent(strength: Strength, seed: u64) -> Opponent {
    Opponent::new(strength, Style::Longest, seed).unwrap()
}

#[test]
fn a_game_without_a_right_start_or_a_legal_move_is_refused() {
    let table = Open::bytes(SIZE).pursuit().unwrap();
    let target = Target { games: 10, ..Target::new(Side::Police, 500) };
    let caught = Position::new(Cell::new(0, 0), Cell::new(0, 0), Side::Thief);
    let at = Position::new(Cell::new(0, 0), Cell::new(0, 1), Side::Police);
    let refused =
        |starts: &[Position], target: &Target| Opponent::calibrate(&table, starts, target).unwrap_err();
    assert!(matches!(refused(&[], &target), CalibrationError::NoStart));
    assert!(matches!(refused(&[at, caught], &target), CalibrationError::Terminal { index: 1, .. }));
    let wall = Position { thief: Cell::new(0, 2), ..at };
    assert!(matches!(refused(&[wall], &target), CalibrationError::Probe(_)));
    for (wrong, message) in [
        (Target { share: 1001, ..target.clone() }, "expected the share of wins from 0 to 1000, found 1001"),
        (Target { games: 0, ..target.clone() }, "expected the number of games from 1 to 100000, found 0"),
    ] {
        assert_eq!(refused(&[at], &wrong).to_string(), message);
    }
    assert!(matches!(Review::new(&table, &[], Side::Police), Err(ReviewError::NoPosition)));
    assert!(matches!(Review::new(&table, &[wall], Side::Police), Err(ReviewError::Probe(_))));
    let message = Review::new(&table, &[at, at], Side::Police).unwrap_err().to_string();
    let found = "found position 1 (from 0): police 0,0, thief 0,1, police to move";
    assert!(message.ends_with(found), "{message}");
}

/// A table that counts the questions about moves.
struct Counting {
    table: Table,
    questions: Cell64,
}

impl ValuedGame for Counting {
    fn board(&self) -> &Board {
        self.table.board()
    }

    fn stuck(&self) -> Stuck {
        ValuedGame::stuck(&self.table)
    }

    fn undecided(&self) -> Undecided {
        self.table.undecided()
    }

    fn digest(&self) -> u64 {
        ValuedGame::digest(&self.table)
    }

    fn moves(&self, side: Side, most: u32) -> Option<MoveTable> {
        ValuedGame::moves(&self.table, side, most)
    }

    fn longest(&self) -> Plies {
        ValuedGame::longest(&self.table)
    }

    fn value(&self, position: Position) -> Result<Value, ProbeError> {
        self.table.value(position)
    }

    fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        self.table.winner(position)
    }

    fn best_moves_into(&self, position: Position, choices: &mut Vec<Choice>) -> Result<(), ProbeError> {
        self.questions.set(self.questions.get() + 1);
        self.table.best_moves_into(position, choices)
    }
}

#[test]
fn starts_that_a_perfect_player_does_not_lose_cost_no_game() {
    let game = Counting { table: Open::bytes(SIZE).pursuit().unwrap(), questions: Cell64::new(0) };
    let won = Position::new(Cell::new(0, 8), Cell::new(0, 12), Side::Police);
    let drawn = Position::new(Cell::new(0, 0), Cell::new(1, 17), Side::Police);
    assert!(matches!(game.table.value(won), Ok(Value::Win(_))));
    assert_eq!(game.table.value(drawn).unwrap(), Value::Draw);
    let target = Target { games: 200, ..Target::new(Side::Thief, 500) };
    for start in [won, drawn] {
        let found = Opponent::calibrate(&game, &[start], &target).unwrap();
        assert_eq!((found.level, found.wins, found.highest, found.reached), (0, 0, 0, false));
    }
    assert_eq!(game.questions.replace(0), 2);
    // Against a player who errs every start is played, and so is a won one against a perfect player.
    let careless = Target { against: opponent(Strength::EASY, 1), ..target.clone() };
    Opponent::calibrate(&game, &[won], &careless).unwrap();
    assert!(game.questions.replace(0) > 1000);
    Opponent::calibrate(&game, &[won], &Target { side: Side::Police, ..target }).unwrap();
    assert!(game.questions.get() > 1000);
}

#[test]
fn tricks_are_looked_for_among_the_first_64_moves() {
    let king = Movement::new(MoveSet::King);
    let (police, thief) = (Movement { reach: 3, ..king.clone() }, Movement { steps: 2, ..king });
    let team = Rules { officers: 2, police, thief, ..Rules::classic() };
    let solved = Solved::new(board("......\n......\n......\nE...E.\n"), team, (2, 2), (2, 2));
    let table = Open::bytes(solved.table(Favour::Speed)).pursuit().unwrap();
    let mut tricky = Opponent::new(Strength::PERFECT, Style::Trickiest(Replier::Uniform), 2).unwrap();
    let share = |choice: &Choice| {
        let replies = solved.choices(choice.position);
        let losing = replies.iter().filter(|reply| !matches!(reply.value, Value::Loss(_))).count();
        1_000_000 * losing / replies.len().max(1)
    };
    let mut later = 0;
    for at in solved.positions() {
        let moves = solved.choices(at);
        if moves.len() <= 64 || matches!(moves[0].value, Value::Loss(_) | Value::Draw) {
            continue;
        }
        let [first, all] = [&moves[..64], &moves[..]].map(|some| some.iter().map(share).max().unwrap());
        let choice = tricky.choose(&table, at).unwrap().unwrap();
        assert!(moves[..64].contains(&choice), "{at}: {}", choice.to);
        assert_eq!(share(&choice), first, "{at}");
        later += usize::from(all > first);
    }
    assert!(later > 0, "no position has its best trick among the later moves");
}

#[test]
fn damaged_tables_are_errors_and_never_panics() {
    let start = Position::new(Cell::new(0, 0), Cell::new(0, 9), Side::Police);
    let (mut refused, mut opened) = (0, 0);
    for at in 0..SIZE.len() {
        let mut damaged = SIZE.to_vec();
        damaged[at] ^= 0x10;
        let Ok(table) = Open::bytes(damaged).pursuit() else { continue };
        opened += 1;
        let duel =
            Duel::play(&table, start, &mut opponent(Strength::EASY, 1), &mut opponent(Strength::EASY, 2));
        refused += usize::from(duel.is_err());
        let target = Target { games: 1, ..Target::new(Side::Police, 500) };
        assert_eq!(Opponent::calibrate(&table, &[start], &target).is_err(), duel.is_err());
        let game = [start, start.after(start.police)];
        assert_eq!(Review::new(&table, &game, Side::Police).is_err(), duel.is_err());
    }
    assert!(opened > 250 && refused * 3 > opened, "{refused} of {opened}");
}

#[test]
fn a_forged_table_with_millions_of_steps_takes_no_memory_for_distances() {
    let board = dragnet_formats::board::make::open(150, 150).unwrap();
    let offsets = (-8..8).flat_map(|down| (-8..8).map(move |right| (down, right)));
    let movement = Movement::new(MoveSet::Offsets(offsets.filter(|&offset| offset != (0, 0)).collect()));
    let rules = Rules { police: movement, ..Rules::classic() };
    let tile = TileSize::new(16, 16).unwrap();
    let draws = Counts { draw: (board.open_count() as u64).pow(2), ..Counts::default() };
    let summary = Summary { police_to_move: draws, thief_to_move: draws, ..Summary::default() };
    let packed = crate::support::packed(board, rules, [tile, tile]);
    let header = Header { summary, ..packed.header.clone() };
    let mut encoder = Encoder::new(Favour::Speed, 1);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let numbering = header.numbering();
    let mut encoded = HashMap::new();
    for block in 0..numbering.positions().block_count() {
        let slots = numbering.slots(block) as usize;
        let draws = || encoder.encode(&RawBlock::new(&vec![Value::Draw.code(); slots]));
        writer.push(encoded.entry(slots).or_insert_with(draws)).unwrap();
    }
    for section in packed.blocks() {
        writer.push(&encoder.encode(&section)).unwrap();
    }
    let table = Open::bytes(writer.finish().unwrap().0.into_inner()).pursuit().unwrap();
    let blind = Strength { horizon: 100, ..Strength::PERFECT };
    let at = Position::new(Cell::new(20, 20), Cell::new(120, 120), Side::Police);
    let mut player = opponent(blind, 1);
    let down: Vec<bool> =
        (0..20).map(|_| player.choose(&table, at).unwrap().unwrap().to.cell().row >= 20).collect();
    assert!(down.contains(&true) && down.contains(&false), "an officer with distances goes down only");
}

fn strengths() -> impl Strategy<Value = Strength> {
    let horizon = prop::sample::select(vec![0, 3, 9, Strength::UNLIMITED]);
    (0..=1000u16, 0..=1000u16, 0..50u32, 0..=2u8, horizon, 0..=8u8).prop_map(
        |(errors, blunders, plies, drop, horizon, reaction)| Strength {
            errors,
            blunders,
            plies,
            drop,
            horizon,
            reaction,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_by_any_rules_are_legal_and_their_costs_add_up(
        (board, rules, police, thief, favour) in solved(),
        strengths in (strengths(), strengths(), strengths()),
        seed in any::<u64>(),
    ) {
        let solved = Solved::new(board, rules, police, thief);
        let table = Open::bytes(solved.table(favour)).pursuit().unwrap();
        let style = Style::Trickiest(Replier::Erring(strengths.2));
        let mut players = [Opponent::new(strengths.0, style, seed).unwrap(), opponent(strengths.1, seed)];
        let all = solved.positions();
        for start in all.iter().copied().step_by(1 + all.len() / 10) {
            let [police, thief] = &mut players;
            let duel = Duel::play(&table, start, police, thief).unwrap();
            for pair in duel.positions.windows(2) {
                prop_assert!(solved.choices(pair[0]).iter().any(|choice| choice.position == pair[1]));
            }
            let reviews = Side::BOTH.map(|side| Review::new(&table, &duel.positions, side).unwrap());
            for review in &reviews {
                let plies: u64 = review.moves.iter().map(|rated| u64::from(rated.cost.plies)).sum();
                let drops: u64 = review.moves.iter().map(|rated| u64::from(rated.cost.drop)).sum();
                prop_assert_eq!((review.plies_lost, review.drops), (plies, drops));
                let worst = review.worst(usize::MAX);
                let blunders = worst.iter().filter(|rated| rated.cost.drop > 0).count();
                prop_assert_eq!((worst.len(), blunders), (review.errors, review.blunders));
            }
            // Without a step of the outcome the distance at the start and the costs make the length. Between
            // a win and a draw that counts as one there is no distance.
            let drawn = duel.positions.iter().any(|&at| solved.value(at) == Value::Draw);
            let value = solved.value(start);
            let over = solved.value(*duel.positions.last().unwrap()).dtw() == Some(0);
            if let (Some(winner), Some(dtw)) = (value.outcome(start.turn).winner(), value.dtw())
                && over && !drawn && duel.winner == Some(winner) && reviews.iter().all(|review| review.drops == 0)
            {
                let lost = |side| reviews[usize::from(side == Side::Thief)].plies_lost;
                let length = u64::from(dtw) + lost(winner);
                prop_assert_eq!(duel.plies() as u64 + lost(winner.other()), length, "{}", start);
            }
        }
    }

    #[test]
    fn a_perfect_game_costs_nothing((board, rules, police, thief, favour) in solved(), seed in any::<u64>()) {
        let solved = Solved::new(board, rules, police, thief);
        let table = Open::bytes(solved.table(favour)).pursuit().unwrap();
        let all = solved.positions();
        let (mut one, mut other) = (Opponent::perfect(seed), Opponent::perfect(!seed));
        for start in all.iter().copied().step_by(1 + all.len() / 10) {
            let duel = Duel::play(&table, start, &mut one, &mut other).unwrap();
            for side in Side::BOTH {
                let review = Review::new(&table, &duel.positions, side).unwrap();
                let costs = (review.errors as u64, review.plies_lost, review.drops);
                prop_assert_eq!((costs, review.worst(3)), ((0, 0, 0), Vec::new()));
            }
            if let Some(dtw) = solved.value(start).dtw() {
                prop_assert_eq!(duel.plies(), dtw as usize);
                prop_assert_eq!(duel.winner, solved.value(start).outcome(start.turn).winner());
            }
        }
    }
}
