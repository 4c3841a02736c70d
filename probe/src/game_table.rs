//! A game table that can be asked.

use crate::{
    Options, ProbeError,
    block_reader::{BlockReader, Views},
    effort::Effort,
    read_at::ReadAt,
    source::Source,
    table::read_file,
};
use bytes::Bytes;
use dragnet_formats::{
    codec::value_of,
    container::{BlockStatistics, TableError, index::IndexEntry},
    header::{GameHeader, GameNumbering, GameSummary},
    numbering::Location,
    value::Value,
};
use std::{ops::ControlFlow, path::Path};

/// A game table, open to be asked by any number of threads: the table of a game on a graph, or of any other
/// game whose positions are numbers. It stores values only; the caller supplies the moves.
///
/// ```
/// use dragnet_probe::{GameTable, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/stones.dtb");
/// // Two players take one or two stones in turn, and who takes the last one wins.
/// // A position is the number of stones left.
/// let table = GameTable::open(path)?;
/// assert_eq!(table.value(4)?, Value::Win(3));
/// assert_eq!(table.value(3)?, Value::Loss(2));
/// let best = table.best([3, 2])?.expect("two moves"); // from 4 stones a move leads to 3 or to 2
/// assert_eq!((best.position, best.worth()), (3, Value::Win(3)));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
///
/// Files are read as safely as by [`Table::open`](crate::Table::open). `D` are the table's bytes if they are
/// in memory; it matters only for bytes that are borrowed, by [`GameTable::borrow`].
#[derive(Debug)]
pub struct GameTable<D = Bytes> {
    pub(crate) blocks: BlockReader<GameHeader, D>,
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
    /// Opens the table in a file, as safely as [`Table::open`](crate::Table::open) does.
    ///
    /// # Errors
    /// When the file cannot be read or is no game table.
    pub fn open(path: impl AsRef<Path>) -> Result<GameTable, ProbeError> {
        GameTable::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`GameTable::open`], with options.
    ///
    /// # Errors
    /// As for [`GameTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<GameTable, ProbeError> {
        GameTable::in_source(Source::file(path.as_ref())?, options)
    }

    /// Opens the table in a source of your own: see [`Table::from_source`](crate::Table::from_source).
    ///
    /// # Errors
    /// When the source cannot be read or is no game table.
    pub fn from_source(source: impl ReadAt + 'static) -> Result<GameTable, ProbeError> {
        GameTable::from_source_with(source, Options::default())
    }

    /// Opens the table in a source like [`GameTable::from_source`], with options.
    ///
    /// # Errors
    /// As for [`GameTable::from_source`].
    pub fn from_source_with(
        source: impl ReadAt + 'static,
        options: Options,
    ) -> Result<GameTable, ProbeError> {
        GameTable::in_source(Source::new(Box::new(source))?, options)
    }

    /// Reads the whole file into memory: no disk is waited for afterwards.
    ///
    /// # Errors
    /// As for [`GameTable::open`].
    pub fn read(path: impl AsRef<Path>) -> Result<GameTable, ProbeError> {
        GameTable::read_with(path, Options::default())
    }

    /// Reads the whole file into memory like [`GameTable::read`], with options.
    ///
    /// # Errors
    /// As for [`GameTable::open`].
    pub fn read_with(path: impl AsRef<Path>, options: Options) -> Result<GameTable, ProbeError> {
        GameTable::from_bytes_with(read_file(path.as_ref())?, options)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`],
    /// which can share memory of any owner.
    ///
    /// # Errors
    /// When the bytes are no game table.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<GameTable, ProbeError> {
        GameTable::from_bytes_with(bytes, Options::default())
    }

    /// Opens the table in these bytes like [`GameTable::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`GameTable::from_bytes`].
    pub fn from_bytes_with(bytes: impl Into<Bytes>, options: Options) -> Result<GameTable, ProbeError> {
        Ok(GameTable { blocks: BlockReader::in_memory(bytes.into(), options)? })
    }

    pub(crate) fn in_source(source: Source, options: Options) -> Result<GameTable, ProbeError> {
        Ok(GameTable { blocks: BlockReader::in_source(source, options)? })
    }
}

impl<'a> GameTable<&'a [u8]> {
    /// Opens the table in bytes that somebody else holds, without a copy: see
    /// [`Table::borrow`](crate::Table::borrow).
    ///
    /// # Errors
    /// When the bytes are no game table.
    pub fn borrow(bytes: &'a [u8], options: Options) -> Result<GameTable<&'a [u8]>, ProbeError> {
        Ok(GameTable { blocks: BlockReader::in_memory(bytes, options)? })
    }
}

impl<D: AsRef<[u8]>> GameTable<D> {
    /// Returns the header: name, key, number of positions, counts, longest distances and digest.
    #[must_use]
    pub fn header(&self) -> &GameHeader {
        self.blocks.structure().header()
    }

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

    /// Returns the length of the whole table in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.blocks.structure().file_len()
    }

    /// Returns the length of the table's index in bytes.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.blocks.structure().index_len()
    }

    /// Returns how many bytes of memory the open table takes at most, once its whole index has been read,
    /// beside its own bytes if they are in memory and the blocks in the cache.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (size_of::<GameTable>() + self.blocks.memory() + self.header().name.len()) as u64
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

    /// Checks every checksum and everything that can be checked without the game; `progress` is called with
    /// the number of blocks done. A file is read anew from its beginning to its end.
    ///
    /// # Errors
    /// The first damage found, or [`ProbeError::Changed`] if the file has changed since it was opened.
    pub fn check_sums(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        self.blocks.check_all(progress)
    }

    /// Checks what `check_sums` checks, until `progress` breaks it off: it is called after each block,
    /// with the number of blocks done and of all blocks.
    ///
    /// # Errors
    /// The first damage found, [`ProbeError::Changed`] if the file has changed since it was opened, or
    /// [`ProbeError::Stopped`].
    pub fn check_sums_while(
        &self,
        progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BlockStatistics, ProbeError> {
        self.blocks.check_while(progress)
    }

    /// Checks that the table's file has not changed since it was opened, as
    /// [`Table::check_unchanged`](crate::Table::check_unchanged) does.
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if the file has changed.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.blocks.check_unchanged()
    }

    /// Calls `each` with all bytes of the table in their order, a piece at a time: those of its file, for
    /// programs that store the table elsewhere.
    ///
    /// # Errors
    /// When the table cannot be read, its file has changed since it was opened, or `each` fails.
    pub fn for_each_piece<E: From<ProbeError>>(
        &self,
        each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks.for_each_piece(each)
    }

    /// Puts the values of block number `block` into `values`: those of the positions
    /// [`numbering().positions_of(block)`](GameNumbering::positions_of). Blocks may be read by several
    /// threads. The cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_values(&self, block: u64, values: &mut Vec<Value>) -> Result<(), ProbeError> {
        let mut codes = Vec::new();
        self.blocks.codes(block, &mut codes)?;
        values.clear();
        for code in codes {
            values.push(value_of(code).map_err(|source| TableError::Block { block, source })?);
        }
        Ok(())
    }

    /// Puts the codes of block number `block` into `codes`: those of the positions
    /// [`numbering().positions_of(block)`](GameNumbering::positions_of). The cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.blocks.codes(block, codes)
    }

    /// Returns what the index says of block number `block`; the block itself is not read. Blocks with equal
    /// entries and equally many slots have equal codes, so that a program that reads whole tables need read
    /// only one of them.
    ///
    /// # Errors
    /// When the index is damaged or there is no block of that number.
    pub fn block_entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        self.blocks.entry(block)
    }
}
