//! Optimal play to the end.

use crate::{Position, ProbeError, Table};
use dragnet_formats::{cell::Side, pieces::Pieces, value::Value};
use std::{collections::HashSet, ops::ControlFlow};

/// One ply of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The side that moves.
    pub side: Side,
    /// The cell to which the thief goes, or the cells of all officers after the move.
    pub to: Pieces,
    /// The position after the move.
    pub position: Position,
    /// The value of that position, seen by its side to move.
    pub value: Value,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// An officer captures the thief.
    Caught,
    /// The thief escapes.
    Escaped,
    /// An officer arrives where this is a win.
    Arrived,
    /// The side to move has no move, and this side wins.
    Stuck(Side),
    /// The position after the last move has occurred before: nobody wins.
    Repetition,
}

impl LineEnd {
    /// Returns the side that has won, if one has.
    ///
    /// ```
    /// use dragnet_probe::{LineEnd, Side};
    ///
    /// assert_eq!(LineEnd::Escaped.winner(), Some(Side::Thief));
    /// assert_eq!(LineEnd::Repetition.winner(), None);
    /// ```
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            LineEnd::Caught | LineEnd::Arrived => Some(Side::Police),
            LineEnd::Escaped => Some(Side::Thief),
            LineEnd::Stuck(winner) => Some(winner),
            LineEnd::Repetition => None,
        }
    }
}

/// Optimal play from a position: the winner takes the quickest way, the loser the slowest, and a side that
/// can do no better than a draw keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The position in which the line begins.
    pub start: Position,
    /// The value of the start.
    pub value: Value,
    /// The moves; as many as the start's DTW, if it is no draw.
    pub moves: Vec<LineMove>,
    /// The end of the line.
    pub end: LineEnd,
}

impl Table {
    /// Returns optimal play from `position` to the end; of equally good moves the first in reading order. A
    /// draw is played until a position repeats.
    ///
    /// ```
    /// use dragnet_probe::{Cell, LineEnd, Open, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let line = table.line(Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police))?;
    /// assert_eq!((line.moves.len(), line.end), (5, LineEnd::Caught));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged; [`ProbeError::Contradiction`]
    /// where a forged table would lead the line elsewhere than its value says.
    pub fn line(&self, position: Position) -> Result<Line, ProbeError> {
        let line = self.line_while(position, |_| ControlFlow::Continue(()))?;
        Ok(line.expect("a line that nobody breaks off"))
    }

    /// Returns optimal play as [`Table::line`] does, or `None` if `go_on` breaks it off: it is called before
    /// each move is looked for, with the moves so far.
    ///
    /// # Errors
    /// As for [`Table::line`].
    pub fn line_while(
        &self,
        position: Position,
        mut go_on: impl FnMut(&[LineMove]) -> ControlFlow<()>,
    ) -> Result<Option<Line>, ProbeError> {
        let value = self.value(position)?;
        let mut moves = Vec::new();
        let mut seen = HashSet::new();
        let mut here = position;
        let mut expected = value;
        let end = loop {
            match self.winner(here)? {
                Some(Side::Police) if self.game.captured(here.world, &here.police, here.thief) => {
                    break LineEnd::Caught;
                }
                Some(Side::Police) => break LineEnd::Arrived,
                Some(Side::Thief) => break LineEnd::Escaped,
                None => {}
            }
            let again = !seen.insert(here);
            if again && expected == Value::Draw {
                break LineEnd::Repetition;
            }
            if go_on(&moves).is_break() {
                return Ok(None);
            }
            let best = self.best_move(here)?;
            let stuck = self.header().stuck.value();
            // Under right checksums values can be anything. Without this a won position's line might end in a
            // loss, or never.
            if again || best.map_or(stuck, |best| best.worth()) != expected {
                return Err(ProbeError::Contradiction { position: here });
            }
            let Some(best) = best else {
                let wins = matches!(stuck, Value::Win(_));
                break LineEnd::Stuck(if wins { here.turn } else { here.turn.other() });
            };
            moves.push(LineMove { side: here.turn, to: best.to, position: best.position, value: best.value });
            (here, expected) = (best.position, best.value);
        };
        Ok(Some(Line { start: position, value, moves, end }))
    }
}
