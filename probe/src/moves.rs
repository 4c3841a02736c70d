//! Every legal move with its value.

use crate::{
    Destination, Position, ProbeError, Table,
    effort::Effort,
    lookup::Lookup,
    placement::{Placed, PlacedTeam, PlacedThief, TeamTargets},
};
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
    value::{Outcome, Value},
};
use std::cmp::Ordering;

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The cell to which the piece goes, or the cells of all officers after the move if there are several.
    pub to: Pieces,
    /// The position after the move.
    pub position: Position,
    /// The value of that position, seen by its side to move, the opponent: a move to a loss in 3 wins in 4.
    pub value: Value,
}

impl Choice {
    /// Returns the value for the side that moves so: what its position would be worth if this were its only
    /// move.
    #[must_use]
    pub fn worth(&self) -> Value {
        self.value.one_ply_before()
    }

    /// Compares two moves of a position: the better one comes first, of equally good ones the first in
    /// reading order, then by worlds.
    pub(crate) fn compare(&self, other: &Choice) -> Ordering {
        let place = |choice: &Choice| (choice.to, choice.position.world);
        self.value.compare_for_mover(other.value).then_with(|| place(self).cmp(&place(other)))
    }
}

/// The legal moves of a position, by the worlds to which they lead and in reading order, each with its value,
/// found one at a time: see [`Table::moves`].
pub struct Moves<'a> {
    lookup: Lookup<'a>,
    position: Position,
    mover: Mover,
}

/// The moves of the side to move that have not been looked at yet.
#[expect(clippy::large_enum_variant, reason = "it lives as long as a question, and heap memory takes time")]
enum Mover {
    Police {
        teams: TeamTargets,
        /// The thief in the world to which the last move led.
        thief: PlacedThief,
        /// Where the thief can go afterwards.
        replies: Placed<PlacedThief>,
    },
    Thief {
        police: PlacedTeam,
        cells: smallvec::IntoIter<[PlacedThief; 10]>,
    },
    /// The position is terminal.
    Nobody,
}

impl Moves<'_> {
    /// Finds the next move, as part of the question that has taken `effort` so far.
    fn find_next(&mut self, effort: &mut Effort) -> Result<Option<Choice>, ProbeError> {
        let placement = self.lookup.placement();
        let (world, to, value) = match &mut self.mover {
            Mover::Police { teams, thief, replies } => {
                let Some((world, to)) = teams.next() else { return Ok(None) };
                let police = placement.place_police(world, &to)?;
                if world != thief.world {
                    *thief = placement.thief_in_world(thief, world);
                    *replies = placement.thief_moves(thief, effort)?;
                }
                let value = match placement.winner_within(&to, &police, thief, effort)? {
                    Some(winner) => Value::terminal(winner, Side::Thief),
                    None => self.lookup.before_replies(&to, &police, replies.iter().copied(), effort)?,
                };
                (world, to, value)
            }
            Mover::Thief { police, cells } => {
                let Some(thief) = cells.next() else { return Ok(None) };
                let officers = &self.position.police;
                *police = placement.team_in_world(officers, police, thief.world);
                let value = match placement.winner_within(officers, police, &thief, effort)? {
                    Some(winner) => Value::terminal(winner, Side::Police),
                    None => self.lookup.value(police, &thief, effort)?,
                };
                (thief.world, thief.cell.into(), value)
            }
            Mover::Nobody => return Ok(None),
        };
        effort.take_move()?;
        Ok(Some(Choice { to, position: self.position.after(to).in_world(world), value }))
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Choice, ProbeError>;

    /// Returns the next move, or an error if its value cannot be looked up.
    fn next(&mut self) -> Option<Result<Choice, ProbeError>> {
        self.find_next(&mut Effort::new()).transpose()
    }
}

impl Table {
    /// Returns the side that has won the position without a move: the police with both on one cell, the thief
    /// on an exit. `None` if the game goes on, or ends because the side to move is stuck: then the position's
    /// DTW is 0.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall.
    pub fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        let (police, thief) = self.placement().place(&position)?;
        Ok(self.placement().winner(&position.police, &police, &thief))
    }

    /// Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals
    /// in reading order. Empty if the position is terminal or the side to move is stuck.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let moves = table.best_moves(Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police))?;
    /// assert_eq!((moves[0].to.cell(), moves[0].value), (Cell::new(1, 0), Value::Loss(4)));
    /// assert_eq!(moves[0].worth(), Value::Win(5)); // what the move makes of the position before it
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged;
    /// [`ProbeError::TooMuchWork`] if there are more moves than can be looked at in one go: then ask
    /// [`Table::moves`].
    pub fn best_moves(&self, position: Position) -> Result<Vec<Choice>, ProbeError> {
        let mut choices = Vec::new();
        self.best_moves_into(position, &mut choices)?;
        Ok(choices)
    }

    /// Puts every legal move into `choices`, in place of what is there and in the order of
    /// [`Table::best_moves`]. Needs no memory but that of `choices`, so that a program that asks each frame
    /// need not allocate any.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let mut moves = Vec::new();
    /// for thief in [Cell::new(2, 1), Cell::new(2, 3)] {
    ///     let position = Position::new(Cell::new(0, 0), thief, Side::Police);
    ///     table.best_moves_into(position, &mut moves)?;
    ///     assert_eq!(moves.first().copied(), table.best_move(position)?);
    /// }
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Table::best_moves`]. Then `choices` is empty.
    pub fn best_moves_into(&self, position: Position, choices: &mut Vec<Choice>) -> Result<(), ProbeError> {
        choices.clear();
        let mut effort = Effort::new();
        let mut moves = self.moves_within(position, &mut effort)?;
        loop {
            match moves.find_next(&mut effort) {
                Ok(Some(choice)) => choices.push(choice),
                Ok(None) => break,
                Err(error) => {
                    choices.clear();
                    return Err(error);
                }
            }
        }
        choices.sort_unstable_by(Choice::compare);
        Ok(())
    }

    /// Returns the best move, the first of [`Table::best_moves`], without sorting or storing the others.
    /// `None` if the position is terminal or the side to move is stuck.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let best = table.best_move(position)?.expect("the police can move");
    /// assert_eq!((best.to.cell(), best.worth()), (Cell::new(1, 0), table.value(position)?));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Table::best_moves`].
    pub fn best_move(&self, position: Position) -> Result<Option<Choice>, ProbeError> {
        let mut effort = Effort::new();
        let mut moves = self.moves_within(position, &mut effort)?;
        let mut best: Option<Choice> = None;
        while let Some(choice) = moves.find_next(&mut effort)? {
            if best.is_none_or(|best| choice.compare(&best).is_lt()) {
                best = Some(choice);
            }
        }
        Ok(best)
    }

    /// Returns the legal moves in reading order, each with its value when it is asked for: for positions with
    /// so many moves that a program would rather look at them one by one.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// for choice in table.moves(Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police))? {
    ///     let choice = choice?;
    ///     if matches!(choice.value, Value::Loss(_)) {
    ///         assert_eq!(choice.to.cell(), Cell::new(1, 0)); // the first move that wins
    ///         break;
    ///     }
    /// }
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or its moves take too much work to find. Each move is
    /// an error if the table is damaged there.
    pub fn moves(&self, position: Position) -> Result<Moves<'_>, ProbeError> {
        self.moves_within(position, &mut Effort::new())
    }

    fn moves_within(&self, position: Position, effort: &mut Effort) -> Result<Moves<'_>, ProbeError> {
        let placement = self.placement();
        let (police, thief) = placement.place(&position)?;
        let mover = match position.turn {
            _ if placement.winner(&position.police, &police, &thief).is_some() => Mover::Nobody,
            Side::Police => Mover::Police {
                teams: placement.team_moves(position.world, &position.police, effort)?,
                replies: placement.thief_moves(&thief, effort)?,
                thief,
            },
            Side::Thief => Mover::Thief { police, cells: placement.thief_moves(&thief, effort)?.into_iter() },
        };
        Ok(Moves { lookup: self.lookup(), position, mover })
    }

    /// Returns where a piece of `side` on the cell `from` of a world may move, whatever else is on the board,
    /// by worlds and in reading order; nowhere if the piece has no place there.
    ///
    /// # Errors
    /// When the table is damaged, or the piece has more moves than a question may look at.
    pub fn piece_moves(&self, side: Side, world: u32, from: Cell) -> Result<Vec<Destination>, ProbeError> {
        self.placement().require_world(world)?;
        Ok(self.placement().game.moves_of(side, world, from, &mut Effort::new())?.into_vec())
    }

    /// Returns each world and the officers' cells there to which one turn of the police may lead from these
    /// cells in a world, wherever the thief is, by worlds and in order.
    ///
    /// # Errors
    /// When there is no such world, an officer stands where no place is, the table is damaged, or there are
    /// more moves of an officer than a question may look at.
    pub fn team_moves(
        &self,
        world: u32,
        officers: Pieces,
    ) -> Result<impl Iterator<Item = (u32, Pieces)> + use<>, ProbeError> {
        let placement = self.placement();
        placement.place_police(world, &officers)?;
        placement.team_moves(world, &officers, &mut Effort::new())
    }

    /// Returns who wins the position in the end; a draw counts for the side that the rules name, if they name
    /// one.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn outcome(&self, position: Position) -> Result<Outcome, ProbeError> {
        Ok(self.value(position)?.outcome(position.turn).counted(self.header().undecided))
    }

    /// Returns whether the police captures the thief within `plies` plies, if both sides play perfectly: what
    /// a game asks whose player must get away for some time, or catch somebody in time. A ply is one turn of
    /// one side.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// assert!(table.is_caught_within(position, 5)?);
    /// assert!(!table.is_caught_within(position, 4)?);
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn is_caught_within(&self, position: Position, plies: u32) -> Result<bool, ProbeError> {
        let value = self.value(position)?;
        Ok(value.outcome(position.turn) == Outcome::Police && value.dtw().is_some_and(|dtw| dtw <= plies))
    }
}
