//! What a game says by its definition, and whether `verify` takes the tables that say so and no others.

use crate::{games::compile, solved::solve};
use dragnet_formats::{
    game::{MoveTable, Places, PursuitGame},
    header::{Header, Section},
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
/// The most cells, in all worlds together, of a board that is compiled again.
const MOST_CELLS: usize = 512;
/// The most bytes of an error message.
const LONGEST_MESSAGE: usize = 300;

pub(crate) fn check_message(error: &ProbeError) {
    check_words(&error.to_string());
}

fn check_words(message: &str) {
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "{message}");
}

/// The turn of a position by the definition of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// A terminal position, won by this side.
    Over(Side),
    /// A position whose side to move may lead its pieces to these worlds and cells.
    Moves(BTreeSet<(u32, Pieces)>),
    /// A position that a table cannot have, since the moves of one turn lead to different worlds.
    Torn,
}

/// Returns what a position is whose pieces stand on places.
pub(crate) fn turn(game: &PursuitGame, at: Position) -> Turn {
    let cells = game.places.each_ref().map(|places| places.cells().collect::<Vec<Cell>>());
    let number = |side: Side, cell| cells[side as usize].binary_search(&cell).expect("a place") as u32;
    let police: Vec<u32> = at.police.iter().map(|&cell| number(Side::Police, cell)).collect();
    let thief = number(Side::Thief, at.thief);
    if let Some(winner) = game.ends.winner(at.world, &police, thief) {
        return Turn::Over(winner);
    }
    let targets = |side: Side, from: u32| {
        let cells = &cells[side as usize];
        let moves = game.moves(side).of(at.world as usize * cells.len() + from as usize).iter();
        let target = |&to: &u32| (to / cells.len() as u32, cells[to as usize % cells.len()]);
        moves.map(target).collect::<Vec<(u32, Cell)>>()
    };
    Turn::Moves(match (at.turn, game.team) {
        (Side::Thief, _) => {
            targets(Side::Thief, thief).into_iter().map(|(world, to)| (world, Pieces::from(to))).collect()
        }
        (Side::Police, Team::All) => {
            let moves: Vec<_> = police.iter().map(|&from| targets(Side::Police, from)).collect();
            if moves.iter().any(Vec::is_empty) {
                return Turn::Moves(BTreeSet::new());
            }
            let worlds: BTreeSet<u32> = moves.iter().flatten().map(|&(world, _)| world).collect();
            if moves.len() > 1 && worlds.len() > 1 {
                return Turn::Torn;
            }
            let longer = |teams: BTreeSet<(u32, Vec<Cell>)>, moves: &Vec<(u32, Cell)>| {
                let each = |(_, team): (u32, Vec<Cell>)| {
                    moves.iter().map(move |&(world, to)| (world, with(&team, to)))
                };
                teams.into_iter().flat_map(each).collect()
            };
            let teams = moves.iter().fold(BTreeSet::from([(at.world, Vec::new())]), longer);
            teams.into_iter().map(|(world, team)| (world, pieces(&team))).collect()
        }
        (Side::Police, Team::One) => {
            let one = |officer: usize| {
                let mut others: Vec<Cell> = at.police.iter().copied().collect();
                others.remove(officer);
                let team = move |(world, to)| (world, pieces(&with(&others, to)));
                targets(Side::Police, police[officer]).into_iter().map(team)
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
    let in_all_worlds = |setting: &Setting| setting.doors.worlds() as usize * setting.board.squares().len();
    let cells = setting.as_ref().map_or(0, in_all_worlds);
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
    let Ok(solved) = solve(&stored.game, header.tiles()) else { return false };
    table.check_sums(|_| {}).is_ok()
        && header.summary == solved.summary
        && solved.values.iter().all(|&(at, value)| table.value(at).ok() == Some(value))
}

/// Returns whether two games are the same, whatever their pieces are called.
fn is_same(one: &StoredGame, other: &StoredGame) -> bool {
    let facts = |stored: &StoredGame| {
        let PursuitGame { kinds, team, stuck, worlds, places, .. } = stored.game.clone();
        (kinds, team, stuck, worlds, places, stored.undecided)
    };
    let rest = |PursuitGame { worlds, places, moves, ends, .. }: &PursuitGame| {
        let truths = |truths: &[bool], places: &Places| {
            let all = 0..*worlds as usize * places.count();
            all.map(|at| truths.get(at) == Some(&true)).collect::<Vec<_>>()
        };
        let own = |world| {
            (0..places[0].count() as u32).map(move |place| ends.captured_from(world, &place).to_vec())
        };
        let captures: Vec<Vec<u32>> = (0..*worlds).flat_map(own).collect();
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
    let Ok(packed) = stored.pack(header.tiles()) else { return false };
    let facts = |header: &Header| {
        header.all_kinds().map(|kind| (kind.name.clone(), kind.layers.clone())).collect::<Vec<_>>()
    };
    let is_equal = |section| table.section(section).is_ok_and(|bytes| bytes == packed.section(section));
    facts(header) == facts(&packed.header)
        && header.sections().filter(|&section| section != Section::Source).all(is_equal)
}
