//! The positions with which games begin.

use crate::maps::Arena;
use clap::ValueEnum;
use dragnet_probe::{
    Cell, Choice, Outcome, Pieces, Plies, Position, ProbeError, Side, Table, opponent::Lots,
};
use std::{mem::discriminant, ops::RangeInclusive};

/// The kind of position with which a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Start {
    /// A position by lot, won for you at perfect play
    Won,
    /// A position by lot, lost for you unless the opponent errs
    Lost,
    /// The marks of the map
    Marked,
}

/// Distances of starts by lot: long enough for a chase, short enough for an evening.
const DISTANCES: RangeInclusive<Plies> = 15..=61;

/// The most positions that are tried for a start by lot. On every map far fewer are enough.
const LOTS: usize = 20_000;

/// The number of starts with the right outcome and distance, of which the trickiest is taken.
const CANDIDATES: usize = 20;

/// The most times that the start is made trickier by a step of one piece. Without these steps most starts of
/// a thief are races won with seconds to spare.
const ROUNDS: usize = 20;

impl Start {
    /// All kinds, in the order of the menu.
    pub(crate) const ALL: [Start; 3] = [Start::Won, Start::Lost, Start::Marked];

    /// Returns the name in the menu.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Start::Won => "by lot, won for you",
            Start::Lost => "by lot, lost for you",
            Start::Marked => "the marks of the map",
        }
    }

    /// Draws a start of this kind for a human who plays `human`. The police is to move, as at the start of
    /// every game.
    ///
    /// Among some positions by lot, and positions near the best of these, the start is the one in which the
    /// winner can go wrong the most along a best line. If no lot has the right outcome and distance, the
    /// start is the marked one.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn draw(self, arena: &Arena, human: Side, lots: &mut Lots) -> Result<Position, ProbeError> {
        let winner = match self {
            Start::Won => human,
            Start::Lost => human.other(),
            Start::Marked => return Ok(arena.marked),
        };
        let by_lot = by_lot(arena, winner, lots)?;
        by_lot.map_or(Ok(arena.marked), |(tricks, position)| trickier(arena, winner, tricks, position))
    }
}

/// Returns the trickiest of some positions by lot that `winner` wins, after how tricky it is.
fn by_lot(arena: &Arena, winner: Side, lots: &mut Lots) -> Result<Option<(f64, Position)>, ProbeError> {
    let open: Vec<_> = arena.table.board().open_cells().collect();
    let mut found = Vec::new();
    for _ in 0..LOTS {
        let mut cell = || open[Lots::scale(lots.draw(), open.len() as u64) as usize];
        let officers: Vec<Cell> = arena.marked.police.iter().map(|_| cell()).collect();
        let Ok(police) = Pieces::new(&officers) else { break };
        let position = Position::new(police, cell(), Side::Police);
        if let Some(tricks) = tricks(arena, winner, position)? {
            found.push((tricks, position));
        }
        if found.len() == CANDIDATES {
            break;
        }
    }
    Ok(found.into_iter().max_by(|one, other| one.0.total_cmp(&other.0)))
}

/// Moves one piece or the other for as long as that makes the position trickier for `winner`.
fn trickier(arena: &Arena, winner: Side, mut most: f64, mut best: Position) -> Result<Position, ProbeError> {
    for _ in 0..ROUNDS {
        let here = best;
        for turn in Side::BOTH {
            let moved = Position { turn, ..here };
            for choice in moves(&arena.table, moved)? {
                let position = Position { turn: Side::Police, ..choice.position };
                if let Some(tricks) = tricks(arena, winner, position)?
                    && tricks > most
                {
                    (most, best) = (tricks, position);
                }
            }
        }
        if best == here {
            break;
        }
    }
    Ok(best)
}

/// Returns how tricky `position` is for `winner`: the share of moves that would throw the win away, summed
/// along a best line. A little is taken off for the distance between the pieces, so that [`trickier`] brings
/// them together. Returns `None` if `winner` does not win the position, or not in one of the [`DISTANCES`].
fn tricks(arena: &Arena, winner: Side, start: Position) -> Result<Option<f64>, ProbeError> {
    let value = arena.table.value(start)?;
    let long = value.dtw().is_some_and(|dtw| DISTANCES.contains(&dtw));
    if !long || value.outcome(start.turn) != Outcome::from(winner) {
        return Ok(None);
    }
    let thief = start.thief;
    let distance = |&police: &Cell| police.row.abs_diff(thief.row).max(police.col.abs_diff(thief.col));
    let apart = start.police.iter().map(distance).min().unwrap_or(0);
    let mut sum = -f64::from(apart) / 20.0;
    let mut here = start;
    loop {
        let choices = moves(&arena.table, here)?;
        if here.turn == winner {
            sum += trap_share(&choices);
        }
        // Somebody wins, so that a best line ends.
        let Some(best) = choices.first() else { return Ok(Some(sum)) };
        here = best.position;
    }
}

/// Returns every legal move, the best first.
fn moves(table: &Table, position: Position) -> Result<Vec<Choice>, ProbeError> {
    let mut choices = Vec::new();
    table.best_moves_into(position, &mut choices)?;
    Ok(choices)
}

/// Returns the share of the moves whose outcome is worse than that of the best move, the first.
fn trap_share(choices: &[Choice]) -> f64 {
    let Some(best) = choices.first().map(|best| discriminant(&best.value)) else { return 0.0 };
    let traps = choices.iter().filter(|choice| discriminant(&choice.value) != best).count();
    traps as f64 / choices.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_won_or_lost_as_asked() {
        let mut lots = Lots::new(1);
        for arena in Arena::all().unwrap() {
            for human in Side::BOTH {
                for (start, winner) in [(Start::Won, human), (Start::Lost, human.other())] {
                    for _ in 0..5 {
                        let position = start.draw(&arena, human, &mut lots).unwrap();
                        let value = arena.table.value(position).unwrap();
                        let pieces = position;
                        assert_eq!(value.outcome(pieces.turn), winner.into(), "{pieces}");
                        assert!(DISTANCES.contains(&value.dtw().unwrap()), "{pieces}: {value:?}");
                        assert_ne!(position, arena.marked);
                    }
                }
                assert_eq!(Start::Marked.draw(&arena, human, &mut lots).unwrap(), arena.marked);
            }
        }
    }
}
