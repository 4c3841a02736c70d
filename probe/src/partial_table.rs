//! A table that keeps a part of what a pursuit table knows, to be asked.

use crate::{
    ProbeError, PursuitTable,
    block_reader::Views,
    effort::Effort,
    lookup::before_replies,
    placement::{PlacedTeam, PlacedThief},
    position::Position,
};
use dragnet_formats::{
    cell::Side,
    codec::BlockError,
    container::TableError,
    game::{MoveCodes, Team},
    header::{Keep, PartialHeader},
    pieces::Pieces,
    value::{Outcome, Value},
};
use smallvec::SmallVec;

/// A partial table of a pursuit game, open to be asked by any number of threads: small, since it keeps only
/// who wins, or only a best move of one side. `dragnet pack --keep` makes it from a pursuit table.
///
/// A question that the table cannot answer is [`ProbeError::NotKept`].
///
/// ```
/// use dragnet_probe::{Cell, Keep, Open, Outcome, Position, ProbeError, Side};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley-outcomes.dtb");
/// let table = Open::path(path).partial()?;
/// assert_eq!(table.keep(), Keep::Outcomes);
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(table.outcome(position)?, Outcome::Police);
/// assert!(matches!(table.best_move(position), Err(ProbeError::NotKept { .. })));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
pub type PartialTable = PursuitTable<PartialHeader>;

impl PartialTable {
    /// Returns what the table keeps.
    #[must_use]
    pub fn keep(&self) -> Keep {
        self.header().keep
    }

    /// Returns who wins the position in the end, if both sides play perfectly; a draw counts for the side
    /// that the rules name, if they name one.
    ///
    /// # Errors
    /// [`ProbeError::NotKept`] unless the table keeps outcomes; or when a piece stands off the board or on a
    /// wall, or the table is damaged.
    pub fn outcome(&self, position: Position) -> Result<Outcome, ProbeError> {
        self.require(Keep::Outcomes)?;
        let placement = self.placement();
        let (police, thief) = placement.place(&position)?;
        let (mut views, mut effort) = (Views::new(&self.blocks), Effort::new());
        let value = match (placement.winner(&position.police, &police, &thief), position.turn) {
            (Some(winner), turn) => Value::terminal(winner, turn),
            (None, Side::Police) => self.police_to_move(&mut views, &police, &thief, &mut effort)?,
            (None, Side::Thief) => {
                let replies = placement.thief_moves(&thief, &mut effort)?;
                before_replies(
                    placement,
                    &position.police,
                    &police,
                    replies.into_iter(),
                    &mut effort,
                    |police, thief, effort| self.police_to_move(&mut views, police, thief, effort),
                )?
            }
        };
        Ok(value.outcome(position.turn).counted(self.header().game.undecided))
    }

    /// Returns the stored value of a position that is not terminal, without its distance.
    fn police_to_move(
        &self,
        views: &mut Views<'_, PartialHeader>,
        police: &PlacedTeam,
        thief: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Value, ProbeError> {
        effort.take_values(1)?;
        let at = self.placement().location(police, thief);
        match views.code(at, effort)? {
            Ok(0) => Ok(Value::Draw),
            Ok(1) => Ok(Value::Loss(0)),
            Ok(2) => Ok(Value::Win(0)),
            Ok(found) => {
                let source = BlockError::Field { expected: "an outcome, 0, 1 or 2", found: found.into() };
                Err(TableError::Block { block: at.block, source }.into())
            }
            Err(source) => Err(TableError::Block { block: at.block, source }.into()),
        }
    }

    /// Returns the position after a best move of the side to move. Returns `None` in a terminal position and
    /// if there is no move. The winner who follows these moves wins as quickly as can be; the loser loses as
    /// slowly.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Keep, Open, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley-moves.dtb");
    /// let table = Open::path(path).partial()?;
    /// assert_eq!(table.keep(), Keep::MovesOf(Side::Police));
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let after = table.best_move(position)?.expect("the police can move");
    /// assert_eq!(after.moved().cell(), Cell::new(1, 0));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProbeError::NotKept`] unless the table keeps the moves of the side to move; or when a piece stands
    /// off the board or on a wall, or the table is damaged.
    pub fn best_move(&self, position: Position) -> Result<Option<Position>, ProbeError> {
        self.require(Keep::MovesOf(position.turn))?;
        let placement = self.placement();
        let (police, thief) = placement.place(&position)?;
        if placement.winner(&position.police, &police, &thief).is_some() {
            return Ok(None);
        }
        let at = placement.location(&police, &thief);
        let damaged = |source| TableError::Block { block: at.block, source };
        let code = Views::new(&self.blocks).code(at, &mut Effort::new())?.map_err(damaged)?;
        self.move_of_code(position, code)
    }

    /// Returns the position after the move with this code.
    fn move_of_code(&self, position: Position, code: u32) -> Result<Option<Position>, ProbeError> {
        let (from, side, world) = (position.mover(), position.turn, position.world);
        let illegal = || ProbeError::IllegalMove { position };
        let lists: SmallVec<_> = from.iter().map(|&from| self.game.differences(side, world, from)).collect();
        let codes = MoveCodes { team: self.team(side), lists };
        if code == 0 {
            return if codes.differences(1).is_none() { Ok(None) } else { Err(illegal()) };
        }
        let differences = codes.differences(code).ok_or_else(illegal)?;
        // A piece that stands comes along into the world of the others.
        let (mut to, mut world_after) = (from.to_vec(), None);
        for (cell, difference) in to.iter_mut().zip(differences) {
            let Some(difference) = difference else { continue };
            let target = self.game.target(side, world, *cell, difference).ok_or_else(illegal)?;
            if *world_after.get_or_insert(target.world) != target.world {
                return Err(illegal());
            }
            *cell = target.cell;
        }
        let to = Pieces::new(&to).expect("as many pieces as before the move");
        Ok(Some(position.after(to).in_world(world_after.unwrap_or(world))))
    }

    /// Returns how many pieces of a side move in one turn.
    fn team(&self, side: Side) -> Team {
        match side {
            Side::Police => self.header().game.team,
            Side::Thief => Team::All,
        }
    }

    fn require(&self, asked: Keep) -> Result<(), ProbeError> {
        let kept = self.keep();
        if asked == kept { Ok(()) } else { Err(ProbeError::NotKept { asked, kept }) }
    }
}
