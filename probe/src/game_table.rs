//! A game table that can be asked.

use crate::{
    ProbeError,
    block_reader::{BlockReader, Views},
    effort::Effort,
};
use dragnet_formats::{
    codec::value_of,
    container::TableError,
    header::{GameHeader, GameNumbering, GameSummary},
    numbering::Location,
    value::Value,
};
use std::ops::Deref;

/// A game table, open to be asked by any number of threads: the table of a game on a graph, or of any other
/// game whose positions are numbers. It stores values only; the caller supplies the moves.
///
/// ```
/// use dragnet_probe::{Open, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/stones.dtb");
/// // Two players take one or two stones in turn, and who takes the last one wins.
/// // A position is the number of stones left.
/// let table = Open::path(path).game()?;
/// assert_eq!(table.value(4)?, Value::Win(3));
/// assert_eq!(table.value(3)?, Value::Loss(2));
/// let best = table.best([3, 2])?.expect("two moves"); // from 4 stones a move leads to 3 or to 2
/// assert_eq!((best.position, best.worth()), (3, Value::Win(3)));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
///
/// It is read as safely as a [`Table`](crate::Table).
#[derive(Debug)]
pub struct GameTable {
    pub(crate) blocks: BlockReader<GameHeader>,
}

impl Deref for GameTable {
    type Target = BlockReader<GameHeader>;

    fn deref(&self) -> &BlockReader<GameHeader> {
        &self.blocks
    }
}

/// A position to which a move leads, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// The number of the position after the move.
    pub position: u64,
    /// The value of that position, seen by the player to move there, the opponent: a move to a loss in 3 wins
    /// in 4.
    pub value: Value,
}

impl GameChoice {
    /// Returns the value for the player who moves so: what the position before would be worth if this were
    /// the only move.
    #[must_use]
    pub fn worth(&self) -> Value {
        self.value.one_ply_before()
    }
}

impl GameTable {
    /// Returns counts, longest distances and digest, as the header states them.
    #[must_use]
    pub fn summary(&self) -> &GameSummary {
        &self.header().summary
    }

    /// Returns the number of positions, which are numbered from 0.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.header().positions()
    }

    /// Returns how the positions are divided into blocks.
    #[must_use]
    pub fn numbering(&self) -> &GameNumbering {
        self.blocks.structure().numbering()
    }

    /// Returns how many bytes of memory the open table takes at most, once its whole index has been read,
    /// beside its own bytes if they are in memory and the blocks in the cache.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.blocks.memory() + self.header().name.len() as u64
    }

    #[inline]
    pub(crate) fn locate(&self, position: u64) -> Result<Location, ProbeError> {
        let positions = self.positions();
        self.numbering().locate(position).ok_or(ProbeError::Number { number: position, positions })
    }

    /// Returns the value of the position for the player who is to move in it. Looks one block up.
    ///
    /// # Errors
    /// When there is no position of that number, or the table is damaged.
    #[inline]
    pub fn value(&self, position: u64) -> Result<Value, ProbeError> {
        self.blocks.value(self.locate(position)?)
    }

    /// Returns the values of many positions, in their order. A block that is at hand is looked up in place.
    /// Each other one is read and decompressed once, and the file is read from its beginning to its end, so
    /// that a batch is much quicker than single questions where blocks have to be decompressed or come from
    /// the disk. Takes at most 16 bytes of memory per position beside the values.
    ///
    /// # Errors
    /// [`ProbeError::InBatch`] with the first number that no position has, or else with a position whose
    /// block is damaged.
    pub fn values(&self, positions: &[u64]) -> Result<Vec<Value>, ProbeError> {
        let in_batch = |index| move |error| ProbeError::InBatch { index, source: Box::new(error) };
        let mut values = Vec::with_capacity(positions.len());
        // The positions whose blocks must be read.
        let mut later = Vec::new();
        for (index, &position) in positions.iter().enumerate() {
            let value = self.blocks.value_at_hand(self.locate(position).map_err(in_batch(index))?);
            if value.is_none() {
                later.push((position, index));
            }
            values.push(value.unwrap_or(Value::Draw));
        }
        later.sort_unstable();
        let mut views = Views::new(&self.blocks);
        for (position, index) in later {
            let value = self.locate(position).and_then(|at| views.value(at, &mut Effort::new()));
            values[index] = value.map_err(in_batch(index))?;
        }
        Ok(values)
    }

    /// Returns the positions to which a player's moves lead, with their values, the best for the player
    /// first: quick wins, slow wins, draws, slow losses, quick losses; equals in the order in which they were
    /// given. The table does not know who is to move: each of these moves must pass the turn.
    ///
    /// # Errors
    /// When there is no position of one of these numbers, or the table is damaged.
    pub fn rank(&self, successors: impl IntoIterator<Item = u64>) -> Result<Vec<GameChoice>, ProbeError> {
        let mut views = Views::new(&self.blocks);
        let choice = |position| {
            let value = views.value(self.locate(position)?, &mut Effort::new())?;
            Ok(GameChoice { position, value })
        };
        let mut choices: Vec<GameChoice> =
            successors.into_iter().map(choice).collect::<Result<_, ProbeError>>()?;
        choices.sort_by(|a, b| a.value.compare_for_mover(b.value));
        Ok(choices)
    }

    /// Returns the best of the positions to which a player's moves lead, of equals the first; `None` if there
    /// is none.
    ///
    /// # Errors
    /// As for [`GameTable::rank`].
    pub fn best(&self, successors: impl IntoIterator<Item = u64>) -> Result<Option<GameChoice>, ProbeError> {
        Ok(self.rank(successors)?.first().copied())
    }

    /// Puts the values of block number `block` into `values`: those of the positions
    /// [`numbering().positions_of(block)`](GameNumbering::positions_of). Blocks may be read by several
    /// threads. The cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_values(&self, block: u64, values: &mut Vec<Value>) -> Result<(), ProbeError> {
        let mut codes = Vec::new();
        self.blocks.block_codes(block, &mut codes)?;
        values.clear();
        for code in codes {
            values.push(value_of(code).map_err(|source| TableError::Block { block, source })?);
        }
        Ok(())
    }
}
