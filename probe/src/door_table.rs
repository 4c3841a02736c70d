//! The table of a board with doors, asked by positions on the board.

use crate::{GameTable, Options, ProbeError, block_reader::Views, effort::Effort, moves::Choice};
use bytes::Bytes;
use dragnet_formats::{
    cell::Side,
    doors::{DoorBoard, DoorPosition},
    value::{Outcome, Value},
};
use std::{path::Path, sync::Arc};

/// The table of a board with doors, open to be asked by any number of threads.
///
/// It is a [`GameTable`] whose header has the board, the rules and the doors, so that it answers for
/// positions instead of numbers.
///
/// ```
/// use dragnet_probe::{Cell, DoorPosition, DoorTable, Side, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/gate.dtb");
/// let table = DoorTable::open(path)?;
/// assert_eq!(table.game().doors().len(), 1);
/// let start = DoorPosition::new(Cell::new(0, 0), Cell::new(0, 3), Side::Police);
/// let best = table.best_moves(start)?[0];
/// assert_eq!((best.to.cell(), best.worth()), (Cell::new(0, 1), table.value(start)?));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
///
/// `FORMAT.md` §12 defines doors.
#[derive(Debug)]
pub struct DoorTable<D = Bytes> {
    table: Arc<GameTable<D>>,
}

impl DoorTable {
    /// Opens the table in a file, as safely as [`Table::open`](crate::Table::open) does.
    ///
    /// # Errors
    /// When the file cannot be read, is no game table, or has no board with doors.
    pub fn open(path: impl AsRef<Path>) -> Result<DoorTable, ProbeError> {
        DoorTable::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`DoorTable::open`], with options.
    ///
    /// # Errors
    /// As for [`DoorTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<DoorTable, ProbeError> {
        DoorTable::new(GameTable::open_with(path, options)?)
    }

    /// Opens the table in these bytes: see [`GameTable::from_bytes`].
    ///
    /// # Errors
    /// When the bytes are no game table, or it has no board with doors.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<DoorTable, ProbeError> {
        DoorTable::new(GameTable::from_bytes(bytes)?)
    }
}

impl<D: AsRef<[u8]>> DoorTable<D> {
    /// Returns the game table `table`, which others may share, as one that is asked by positions on the
    /// board.
    ///
    /// # Errors
    /// [`ProbeError::NoDoors`] when the table has no board with doors.
    pub fn new(table: impl Into<Arc<GameTable<D>>>) -> Result<DoorTable<D>, ProbeError> {
        let table = table.into();
        match table.header().doors {
            Some(_) => Ok(DoorTable { table }),
            None => Err(ProbeError::NoDoors { name: table.header().name.clone() }),
        }
    }

    /// Returns the table as one that is asked by numbers: see [`DoorBoard::number`].
    #[must_use]
    pub fn table(&self) -> &GameTable<D> {
        &self.table
    }

    /// Returns the board with its doors, the rules, and the moves.
    #[must_use]
    pub fn game(&self) -> &DoorBoard {
        self.table.header().doors.as_deref().expect("only a table with doors becomes a DoorTable")
    }

    /// Returns the value of the position for the side that is to move in it. Looks one block up.
    ///
    /// # Errors
    /// When there is no such position, or the table is damaged.
    pub fn value(&self, position: DoorPosition) -> Result<Value, ProbeError> {
        self.table.value(self.number(position)?)
    }

    /// Returns who wins the position in the end; a draw counts for the side that the rules name, if they name
    /// one.
    ///
    /// # Errors
    /// As for [`DoorTable::value`].
    pub fn outcome(&self, position: DoorPosition) -> Result<Outcome, ProbeError> {
        Ok(self.value(position)?.outcome(position.turn).counted(self.game().rules().undecided))
    }

    /// Returns the side that has won the position without a move: the police with both on one cell, the thief
    /// on an exit. `None` if the game goes on, or ends because the side to move is stuck.
    ///
    /// # Errors
    /// When there is no such position.
    pub fn winner(&self, position: DoorPosition) -> Result<Option<Side>, ProbeError> {
        self.number(position)?;
        Ok(self.game().winner(position))
    }

    /// Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals
    /// in reading order. Empty if the position is terminal or the side to move is stuck.
    ///
    /// # Errors
    /// As for [`DoorTable::value`]; [`ProbeError::TooMuchWork`] if there are more moves than can be looked at
    /// in one go.
    pub fn best_moves(&self, position: DoorPosition) -> Result<Vec<Choice<DoorPosition>>, ProbeError> {
        let mut choices = Vec::new();
        self.best_moves_into(position, &mut choices)?;
        Ok(choices)
    }

    /// Puts every legal move into `choices`, in place of what is there and in the order of
    /// [`DoorTable::best_moves`].
    ///
    /// # Errors
    /// As for [`DoorTable::best_moves`]. Then `choices` has some of the moves or none.
    pub fn best_moves_into(
        &self,
        position: DoorPosition,
        choices: &mut Vec<Choice<DoorPosition>>,
    ) -> Result<(), ProbeError> {
        choices.clear();
        self.see_choices(position, |choice| choices.push(choice))?;
        choices.sort_unstable_by(Choice::compare);
        Ok(())
    }

    /// Returns the best move, the first of [`DoorTable::best_moves`]; `None` if the position is terminal or
    /// the side to move is stuck.
    ///
    /// # Errors
    /// As for [`DoorTable::best_moves`].
    pub fn best_move(&self, position: DoorPosition) -> Result<Option<Choice<DoorPosition>>, ProbeError> {
        let mut best: Option<Choice<DoorPosition>> = None;
        self.see_choices(position, |choice| {
            if best.is_none_or(|best| choice.compare(&best).is_lt()) {
                best = Some(choice);
            }
        })?;
        Ok(best)
    }

    /// Calls `see` with every legal move in reading order.
    fn see_choices(
        &self,
        position: DoorPosition,
        mut see: impl FnMut(Choice<DoorPosition>),
    ) -> Result<(), ProbeError> {
        if self.winner(position)?.is_some() {
            return Ok(());
        }
        let (mut effort, mut views) = (Effort::new(), Views::new(&self.table.blocks));
        for after in self.game().successors_within(position, &mut effort.steps)? {
            effort.take_move()?;
            let value = views.value(self.table.locate(self.number(after)?)?, &mut effort)?;
            let to = if position.turn == Side::Police { after.police } else { after.thief };
            see(Choice { to: to.into(), position: after, value });
        }
        Ok(())
    }

    /// Returns the number of a position.
    fn number(&self, position: DoorPosition) -> Result<u64, ProbeError> {
        let game = self.game();
        for (side, cell) in [(Side::Police, position.police), (Side::Thief, position.thief)] {
            game.board().require_open(cell).map_err(|source| ProbeError::Position { side, source })?;
        }
        let (keys, phases) = (game.keys().len(), game.phases());
        let DoorPosition { keys: turned, phase, .. } = position;
        game.number(position).ok_or(ProbeError::DoorState { keys, phases, turned, phase })
    }
}
