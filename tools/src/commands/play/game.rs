//! One game of a human against the table: its moves, taking them back, and its end.

use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
    value::Value,
};
use dragnet_probe::{
    Choice, Position, ProbeError, Table,
    opponent::{EscapeCone, Review, ReviewError},
};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A side has won.
    Won(Side),
    /// The position has occurred for the third time.
    Repetition,
}

/// Occurrences of a position that end the game.
const OCCURRENCES: usize = 3;

/// The rows and columns around the thief for which [`Game::escape_cone`] asks: more than a screen has.
const CONE_REACH: u16 = 150;

/// A game and all that led to its position.
pub(super) struct Game<'a> {
    pub(super) table: &'a Table,
    /// The human's side.
    pub(super) human: Side,
    /// The start, then the position after each ply.
    positions: Vec<Position>,
    start_value: Value,
    value: Value,
    choices: Vec<Choice>,
}

impl<'a> Game<'a> {
    /// Begins a game from `start` in which the human plays `human`.
    ///
    /// # Errors
    /// When a piece stands on a wall or off the board, or the table is damaged.
    pub(super) fn new(table: &'a Table, human: Side, start: Position) -> Result<Game<'a>, ProbeError> {
        let (value, choices) = (table.value(start)?, table.best_moves(start)?);
        Ok(Game { table, human, positions: vec![start], start_value: value, value, choices })
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    /// Returns the first position.
    pub(super) fn start(&self) -> Position {
        self.positions[0]
    }

    /// Returns the value of the first position for the side to move in it.
    pub(super) fn start_value(&self) -> Value {
        self.start_value
    }

    /// Returns the position before the last ply.
    pub(super) fn before(&self) -> Option<Position> {
        self.positions.len().checked_sub(2).map(|at| self.positions[at])
    }

    /// Returns the number of plies made.
    pub(super) fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    /// Returns the value of the current position for the side to move.
    pub(super) fn value(&self) -> Value {
        self.value
    }

    /// Returns every legal move, the best first.
    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Returns whether the opponent is to move.
    pub(super) fn is_opponents_turn(&self) -> bool {
        self.end().is_none() && self.position().turn != self.human
    }

    /// Returns the end of the game, or `None` if it goes on. Only terminal positions have a distance of 0.
    pub(super) fn end(&self) -> Option<End> {
        let position = self.position();
        if self.value.dtw() == Some(0) {
            return self.value.outcome(position.turn).winner().map(End::Won);
        }
        let occurrences = self.positions.iter().filter(|&&earlier| earlier == position).count();
        (occurrences >= OCCURRENCES || self.choices.is_empty()).then_some(End::Repetition)
    }

    /// Rates the human's moves.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn review(&self) -> Result<Review, ReviewError> {
        Review::new(self.table, &self.positions, self.human)
    }

    /// Returns for the cells at most [`CONE_REACH`] rows and columns around the thief whether he would still
    /// get away from there.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn escape_cone(&self) -> Result<EscapeCone, ProbeError> {
        let position = self.position();
        let around = |at: u16| at.saturating_sub(CONE_REACH)..=at.saturating_add(CONE_REACH);
        let cells = around(position.thief.row)
            .flat_map(|row| around(position.thief.col).map(move |col| Cell::new(row, col)));
        EscapeCone::of_cells(self.table, position, cells)
    }

    /// Moves the pieces of the side to move to `to`. Returns what the move was worth to that side;
    /// `None`, and changes nothing, if it is no legal move or the game has ended.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn play(&mut self, to: Pieces) -> Result<Option<Value>, ProbeError> {
        let choice = self.choices.iter().find(|choice| choice.to == to).copied();
        let Some(choice) = choice.filter(|_| self.end().is_none()) else { return Ok(None) };
        self.positions.push(choice.position);
        self.look()?;
        Ok(Some(choice.worth()))
    }

    /// Takes back plies up to and including the human's last one. Returns `false` if the human has made none.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn undo(&mut self) -> Result<bool, ProbeError> {
        let made = &self.positions[..self.plies()];
        let Some(at) = made.iter().rposition(|earlier| earlier.turn == self.human) else { return Ok(false) };
        self.positions.truncate(at + 1);
        self.look()?;
        Ok(true)
    }

    fn look(&mut self) -> Result<(), ProbeError> {
        let position = self.position();
        self.value = self.table.value(position)?;
        self.choices = self.table.best_moves(position)?;
        Ok(())
    }
}
