//! One game: its moves, taking them back and making them again, and its end.

use crate::maps::Arena;
use dragnet_probe::{
    Cell, Choice, Door, Outcome, Pieces, Plies, Position, ProbeError, Side, Value,
    opponent::{EscapeCone, Review, ReviewError},
};
use std::mem::discriminant;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A side has won.
    Won(Side),
    /// The position has occurred for the third time: a draw.
    Repetition,
}

/// Occurrences of a position that end the game.
const OCCURRENCES: usize = 3;

/// A game of a human against the table.
#[derive(Debug)]
pub(crate) struct Game<'a> {
    /// The map and its table.
    pub(crate) arena: &'a Arena,
    /// The human's side.
    pub(crate) human: Side,
    /// Moves that the human has taken back, each with the opponent's reply.
    pub(crate) taken_back: u32,
    /// The start, then the position after each ply, including plies that were taken back.
    positions: Vec<Position>,
    /// The index of the current position in `positions`.
    ply: usize,
    start_value: Value,
    value: Value,
    choices: Vec<Choice>,
}

impl<'a> Game<'a> {
    /// Begins a game from `start` in which the human plays `human`.
    ///
    /// # Errors
    /// Returns an error if a piece stands on a wall or off the board.
    pub(crate) fn new(arena: &'a Arena, human: Side, start: Position) -> Result<Game<'a>, ProbeError> {
        let value = arena.table.value(start)?;
        let mut choices = Vec::new();
        arena.table.best_moves_into(start, &mut choices)?;
        let positions = vec![start];
        Ok(Game { arena, human, taken_back: 0, positions, ply: 0, start_value: value, value, choices })
    }

    /// Returns the current position.
    #[must_use]
    pub(crate) fn position(&self) -> Position {
        self.positions[self.ply]
    }

    /// Returns the cells of the map's doors, and whether each is open.
    pub(crate) fn doors(&self) -> impl Iterator<Item = (Cell, bool)> + '_ {
        let (doors, world) = (self.arena.doors(), self.position().world);
        let door = move |(number, door): (usize, &Door)| (door.cell, doors.is_open(number, world));
        doors.list().iter().enumerate().map(door)
    }

    /// Returns the cells of the switches that turn doors.
    pub(crate) fn switches(&self) -> &'a [Cell] {
        self.arena.doors().keys()
    }

    /// Returns the first position of the game.
    #[must_use]
    pub(crate) fn start(&self) -> Position {
        self.positions[0]
    }

    /// Returns the position before the last ply.
    #[must_use]
    pub(crate) fn before(&self) -> Option<Position> {
        self.ply.checked_sub(1).map(|ply| self.positions[ply])
    }

    /// Returns the number of plies made.
    #[must_use]
    pub(crate) fn plies(&self) -> usize {
        self.ply
    }

    /// Returns the value of the current position for the side to move.
    #[must_use]
    pub(crate) fn value(&self) -> Value {
        self.value
    }

    /// Returns every legal move, the best first.
    #[must_use]
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Returns the winner at perfect play from the start, and in how many plies.
    #[must_use]
    pub(crate) fn par(&self) -> (Outcome, Option<Plies>) {
        (self.start_value.outcome(self.start().turn), self.start_value.dtw())
    }

    /// Returns the end of the game, or `None` if it goes on. Only terminal positions have a distance of 0.
    #[must_use]
    pub(crate) fn end(&self) -> Option<End> {
        if self.value.dtw() == Some(0) {
            return match self.value.outcome(self.position().turn) {
                Outcome::Police => Some(End::Won(Side::Police)),
                Outcome::Thief => Some(End::Won(Side::Thief)),
                Outcome::Draw => None,
            };
        }
        (self.occurrences() >= OCCURRENCES).then_some(End::Repetition)
    }

    /// Returns how often the current position has occurred, including now.
    #[must_use]
    pub(crate) fn occurrences(&self) -> usize {
        let here = self.position();
        self.positions[..=self.ply].iter().filter(|&&earlier| earlier == here).count()
    }

    /// Rates the human's moves up to the current position. Moves that were taken back do not count.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn review(&self) -> Result<Review, ReviewError> {
        Review::new(&self.arena.table, &self.positions[..=self.ply], self.human)
    }

    /// Returns for every cell whether the thief, if he stood there, would still get away.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn escape_cone(&self) -> Result<EscapeCone, ProbeError> {
        EscapeCone::new(&self.arena.table, self.position())
    }

    /// Returns how many moves keep the best outcome, and how many there are.
    #[must_use]
    pub(crate) fn safe_moves(&self) -> (usize, usize) {
        let kept = |choice: &&Choice| discriminant(&choice.worth()) == discriminant(&self.value);
        (self.choices.iter().filter(kept).count(), self.choices.len())
    }

    /// Moves the pieces of the side to move to `to`, and forgets the plies that were taken back. Returns
    /// `false`, and changes nothing, if the move is not legal or the game has ended.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn play(&mut self, to: impl Into<Pieces>) -> Result<bool, ProbeError> {
        let to = to.into();
        if self.end().is_some() {
            return Ok(false);
        }
        let Some(choice) = self.choices.iter().find(|choice| choice.to == to).copied() else {
            return Ok(false);
        };
        self.positions.truncate(self.ply + 1);
        self.positions.push(choice.position);
        self.go_to(self.ply + 1)?;
        Ok(true)
    }

    /// Takes back plies up to and including the human's last one. Returns `false` if the human has made none.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn undo(&mut self) -> Result<bool, ProbeError> {
        let Some(ply) = self.positions[..self.ply].iter().rposition(|earlier| earlier.turn == self.human)
        else {
            return Ok(false);
        };
        self.taken_back += 1;
        self.go_to(ply)?;
        Ok(true)
    }

    /// Makes again the plies that were taken back last, up to the human's next turn or the end. Returns
    /// `false` if there are none.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn redo(&mut self) -> Result<bool, ProbeError> {
        let last = self.positions.len() - 1;
        if self.ply == last {
            return Ok(false);
        }
        let next = (self.ply + 1..last).find(|&ply| self.positions[ply].turn == self.human);
        self.go_to(next.unwrap_or(last))?;
        Ok(true)
    }

    fn go_to(&mut self, ply: usize) -> Result<(), ProbeError> {
        let position = self.positions[ply];
        self.value = self.arena.table.value(position)?;
        self.arena.table.best_moves_into(position, &mut self.choices)?;
        self.ply = ply;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MAPS;

    fn arena(number: usize) -> Arena {
        Arena::open(&MAPS[number]).unwrap()
    }

    fn cells(arena: &Arena, police: (u16, u16), thief: (u16, u16), turn: Side) -> Position {
        let pieces = Position::new(Cell::new(police.0, police.1), Cell::new(thief.0, thief.1), turn);
        let position = pieces;
        arena.table.value(position).unwrap();
        position
    }

    #[test]
    fn reaching_the_thief_or_an_exit_wins() {
        let arena = arena(1);
        let mut game =
            Game::new(&arena, Side::Police, cells(&arena, (17, 1), (16, 2), Side::Police)).unwrap();
        assert_eq!((game.end(), game.value()), (None, Value::Win(1)));
        assert!(game.play(Cell::new(16, 2)).unwrap());
        assert_eq!(game.end(), Some(End::Won(Side::Police)));
        assert!(!game.play(Cell::new(16, 2)).unwrap(), "no move after the end");

        let mut game = Game::new(&arena, Side::Thief, cells(&arena, (17, 1), (9, 1), Side::Thief)).unwrap();
        assert!(!game.play(Cell::new(9, 3)).unwrap(), "two steps at once");
        assert!(!game.play(Cell::new(8, 0)).unwrap(), "a diagonal step of the thief");
        assert!(game.play(Cell::new(9, 0)).unwrap());
        assert_eq!(game.end(), Some(End::Won(Side::Thief)));
        assert!(game.undo().unwrap());
        assert_eq!((game.end(), game.plies(), game.taken_back), (None, 0, 1));
    }

    #[test]
    fn a_thief_who_steps_onto_the_officer_has_lost() {
        let arena = arena(1);
        let mut game = Game::new(&arena, Side::Thief, cells(&arena, (17, 1), (17, 2), Side::Thief)).unwrap();
        assert!(game.play(Cell::new(17, 1)).unwrap());
        assert_eq!(game.end(), Some(End::Won(Side::Police)));
    }

    #[test]
    fn the_third_occurrence_ends_the_game() {
        let arena = arena(0);
        let mut game = Game::new(&arena, Side::Thief, arena.marked).unwrap();
        let (police, thief) = (game.position().police.cell(), game.position().thief);
        for round in 0..2 {
            assert_eq!(game.occurrences(), round + 1);
            assert!(game.play(police).unwrap());
            assert_eq!(game.end(), None);
            assert!(game.play(thief).unwrap());
        }
        assert_eq!((game.end(), game.plies()), (Some(End::Repetition), 4));
        assert!(game.undo().unwrap());
        assert_eq!(game.end(), None);
    }

    #[test]
    fn a_switch_turns_its_gate_and_a_closed_door_cannot_be_entered() {
        let arena = Arena::open(MAPS.iter().find(|map| map.name == "bank").unwrap()).unwrap();
        let gate = |game: &Game| game.doors().find(|&(cell, _)| cell == Cell::new(7, 14)).unwrap().1;
        let at = |police, thief| cells(&arena, police, thief, Side::Police);
        let mut game = Game::new(&arena, Side::Police, at((6, 14), (13, 20))).unwrap();
        assert!(!gate(&game) && !game.play(Cell::new(7, 14)).unwrap(), "the gate is shut");
        let mut game = Game::new(&arena, Side::Police, at((8, 12), (13, 20))).unwrap();
        assert_eq!(game.switches(), [Cell::new(9, 12)]);
        for (to, open) in [((9, 12), true), ((9, 12), true), ((8, 12), true), ((9, 12), false)] {
            assert!(game.play(Cell::new(to.0, to.1)).unwrap());
            let wait = game.position().thief;
            assert!(game.play(wait).unwrap());
            assert_eq!(gate(&game), open, "after {to:?}");
        }
        assert!(game.undo().unwrap() && gate(&game), "taking back turns the gate back");
        assert!(game.escape_cone().unwrap().cells().count() > 100);
    }

    #[test]
    fn undo_returns_to_the_humans_last_turn_and_redo_goes_forward_again() {
        let arena = arena(0);
        let mut game = Game::new(&arena, Side::Thief, arena.marked).unwrap();
        assert!(!game.undo().unwrap(), "nothing made yet");
        let first = |game: &Game| game.choices()[0].to.cell();
        for _ in 0..5 {
            let to = first(&game);
            assert!(game.play(to).unwrap());
        }
        let at_five = game.position();
        // The thief moved at plies 2 and 4; ply 5 was the reply.
        assert!(game.undo().unwrap());
        assert_eq!(game.plies(), 3);
        assert!(game.undo().unwrap());
        assert_eq!(game.plies(), 1);
        assert!(!game.undo().unwrap(), "the first ply is the officer's");
        assert!(game.redo().unwrap() && game.redo().unwrap());
        assert_eq!((game.plies(), game.position()), (5, at_five));
        assert!(!game.redo().unwrap());
        assert!(game.undo().unwrap());
        let pass = game.position().thief;
        assert!(game.play(pass).unwrap());
        assert!(!game.redo().unwrap(), "another move was made");
    }

    #[test]
    fn a_move_is_worth_one_ply_more_than_what_follows() {
        let arena = arena(0);
        let game = Game::new(&arena, Side::Thief, arena.marked).unwrap();
        assert_eq!(game.choices()[0].worth(), game.value());
    }
}
