//! What a game says by its definition, and whether `verify` takes the tables that say so and no others.

use crate::{games::compile, solved::solve};
use dragnet_formats::{
    game::{MoveTable, Places, PursuitGame},
    header::Section,
    pieces::Pieces,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
};
use dragnet_probe::{Cell, Position, ProbeError, Side, Table, Team};
use dragnet_verify::verify;
use std::collections::BTreeSet;

/// The most positions of a table whose values are derived again.
const MOST_POSITIONS: u64 = 4_000;
/// The most cells of a board that is compiled again.
const MOST_CELLS: usize = 64;
/// The most bytes of an error message.
const LONGEST_MESSAGE: usize = 300;

pub(crate) fn check_message(error: &ProbeError) {
    check_words(&error.to_string());
}

fn check_words(message: &str) {
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "{message}");
}

/// Returns the winner of a position, if it is terminal, and else where the side to move may go. The pieces
/// stand on places.
pub(crate) fn turn(game: &PursuitGame, at: Position) -> Result<BTreeSet<Pieces>, Side> {
    let cells = game.places.each_ref().map(|places| places.cells().collect::<Vec<Cell>>());
    let number = |side: Side, cell| cells[side as usize].binary_search(&cell).expect("a place") as u32;
    let police: Vec<u32> = at.police.iter().map(|&cell| number(Side::Police, cell)).collect();
    let thief = number(Side::Thief, at.thief);
    if let Some(winner) = game.ends.winner(&police, thief) {
        return Err(winner);
    }
    let targets = |side: Side, from: u32| {
        let moves = game.moves(side).of(from as usize).iter();
        moves.map(|&to| cells[side as usize][to as usize]).collect::<Vec<Cell>>()
    };
    Ok(match (at.turn, game.team) {
        (Side::Thief, _) => targets(Side::Thief, thief).into_iter().map(Pieces::from).collect(),
        (Side::Police, Team::All) => {
            let longer = |teams: BTreeSet<Vec<Cell>>, &from: &u32| {
                let with =
                    |team: Vec<Cell>| targets(Side::Police, from).into_iter().map(move |to| with(&team, to));
                teams.into_iter().flat_map(with).collect()
            };
            let teams: BTreeSet<Vec<Cell>> = police.iter().fold(BTreeSet::from([Vec::new()]), longer);
            teams.iter().map(|team| pieces(team)).collect()
        }
        (Side::Police, Team::One) => {
            let one = |officer: usize| {
                let mut others: Vec<Cell> = at.police.iter().copied().collect();
                others.remove(officer);
                targets(Side::Police, police[officer]).into_iter().map(move |to| pieces(&with(&others, to)))
            };
            (0..police.len()).flat_map(one).collect()
        }
    })
}

fn with(team: &[Cell], cell: Cell) -> Vec<Cell> {
    let mut team = [team, &[cell]].concat();
    team.sort_unstable();
    team
}

fn pieces(team: &[Cell]) -> Pieces {
    Pieces::new(team).expect("as many officers as before")
}

/// Checks that `verify` takes a table if its game and its values are right, and refuses it if not. Returns
/// whether they are right; `None` if the table is too large to tell.
///
/// # Panics
/// If a promise is broken.
pub(crate) fn verified(table: &Table) -> Option<bool> {
    let setting = Setting::from_source(table.source()).ok();
    let cells = setting.as_ref().map_or(0, |setting| setting.board.open_count());
    if table.header().positions() > MOST_POSITIONS || cells > MOST_CELLS {
        return None;
    }
    let found = verify(table, u64::MAX, &());
    if let Err(error) = &found {
        check_words(&error.to_string());
    }
    let is_right = is_right(table, setting.as_ref());
    match found {
        Ok(()) => assert!(is_right, "a wrong table is accepted"),
        Err(error) => {
            let must = is_right && setting.is_none_or(|setting| is_packed_so(table, &compile(&setting)));
            assert!(!must, "a right table is refused: {error}");
        }
    }
    Some(is_right)
}

/// Returns whether the values of a table are those of its game, and the game that of its source if that is a
/// setting.
fn is_right(table: &Table, setting: Option<&Setting>) -> bool {
    let header = table.header();
    let Ok(stored) = table.game(&mut StopCheck::never()) else { return false };
    if setting.is_some_and(|setting| !is_same(&compile(setting), &stored)) {
        return false;
    }
    let Ok(solved) = solve(&stored.game, [header.officers.tile, header.thief.tile]) else { return false };
    table.check_sums(|_| {}).is_ok()
        && header.summary == solved.summary
        && solved.values.iter().all(|&(at, value)| table.value(at).ok() == Some(value))
}

/// Returns whether two games are the same, whatever their pieces are called.
fn is_same(one: &StoredGame, other: &StoredGame) -> bool {
    let facts = |stored: &StoredGame| {
        let PursuitGame { officers, team, stuck, places, .. } = stored.game.clone();
        (officers, team, stuck, places, stored.undecided)
    };
    let truths = |truths: &[bool], places: &Places| {
        (0..places.count()).map(|at| truths.get(at) == Some(&true)).collect::<Vec<_>>()
    };
    let rest = |PursuitGame { places, moves, ends, .. }: &PursuitGame| {
        let own = |place: u32| ends.captured_from(&place).to_vec();
        let captures: Vec<Vec<u32>> = (0..places[0].count() as u32).map(own).collect();
        let ends = (truths(ends.arrivals(), &places[0]), truths(ends.escapes(), &places[1]), captures);
        (moves.each_ref().map(rows), ends)
    };
    facts(one) == facts(other) && rest(&one.game) == rest(&other.game)
}

fn rows(table: &MoveTable) -> Vec<Vec<u32>> {
    (0..table.places()).map(|place| table.of(place).to_vec()).collect()
}

/// Returns whether a table stores a game in the way in which it would be written.
fn is_packed_so(table: &Table, stored: &StoredGame) -> bool {
    let header = table.header();
    let Ok(packed) = stored.pack([header.officers.tile, header.thief.tile]) else { return false };
    let facts = |kind: &dragnet_probe::Kind| (kind.name.clone(), kind.layers.clone());
    let is_equal = |section| table.section(section).is_ok_and(|bytes| bytes == packed.section(section));
    [(&header.officers, &packed.header.officers), (&header.thief, &packed.header.thief)]
        .iter()
        .all(|(found, expected)| facts(found) == facts(expected))
        && Section::ALL.into_iter().filter(|&section| section != Section::Source).all(is_equal)
}
