//! A table that can be asked.

use crate::{ProbeError, cache::BlockCache, position::Position, source::Source};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    codec::{Block, BlockError, value_of},
    container::{Reader, TableError, index::Entry, reader::BlockStatistics},
    header::Header,
    moves::Steps,
    numbering::Numbering,
    rules::Rules,
    value::{Successors, Value},
};
use std::{borrow::Cow, path::Path, sync::Arc};

/// A table, open to be asked by any number of threads.
///
/// A block's checksum is checked when it is first touched; blocks that are read in place need nothing more, zstd blocks
/// go through a bounded cache.
#[derive(Debug)]
pub struct Table {
    reader: Reader<Source>,
    police_steps: Steps,
    thief_steps: Steps,
    cache: BlockCache,
}

/// How a table is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most bytes of unzipped blocks that are kept; a table favouring speed needs none.
    pub cache_bytes: u64,
}

impl Default for Options {
    /// 16 MiB of unzipped blocks, about a thousand.
    fn default() -> Options {
        Options { cache_bytes: 16 << 20 }
    }
}

impl Table {
    /// Opens the file as a memory map: nothing is read that is not asked for.
    ///
    /// The file must not be changed or cut short while the table is open. Replacing it by renaming another over it, as
    /// Dragnet does, is fine. Where that cannot be promised, use [`Table::read`].
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, ProbeError> {
        Table::from_source(Source::map(path.as_ref())?, Options::default())
    }

    /// As [`Table::open`], with options.
    ///
    /// # Errors
    /// As for [`Table::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        Table::from_source(Source::map(path.as_ref())?, options)
    }

    /// Reads the whole file into memory.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn read(path: impl AsRef<Path>) -> Result<Table, ProbeError> {
        Table::from_source(Source::read(path.as_ref())?, Options::default())
    }

    /// The table in these bytes: a `Vec<u8>`, or a `&'static [u8]` from `include_bytes!`.
    ///
    /// # Errors
    /// When they are no table.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Table, ProbeError> {
        Table::from_source(Source::Bytes(bytes.into()), Options::default())
    }

    fn from_source(source: Source, options: Options) -> Result<Table, ProbeError> {
        let reader = Reader::open(source)?;
        let rules = &reader.header().rules;
        Ok(Table {
            police_steps: Steps::new(rules, Side::Police),
            thief_steps: Steps::new(rules, Side::Thief),
            cache: BlockCache::new(options.cache_bytes),
            reader,
        })
    }

    /// Board, rules, counts, longest wins and digest.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.header().board
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.header().rules
    }

    /// How the positions are numbered into blocks and slots.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        self.reader.numbering()
    }

    /// Bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.reader.file_len()
    }

    /// Bytes of its index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.reader.index_len()
    }

    /// The value of the position for the side to move. At most one block is looked up with the police to move, one per
    /// thief move with the thief to move.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn value(&self, position: Position) -> Result<Value, ProbeError> {
        self.check_position(position)?;
        Ok(self.value_unchecked(position)?)
    }

    /// Checks every checksum and everything that can be checked without solving; `progress` is told how many blocks are
    /// done.
    ///
    /// # Errors
    /// The first damage found.
    pub fn verify_checksums(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        Ok(self.reader.check_all(progress)?)
    }

    /// Puts the stored codes of block number `block` into `codes`, slot by slot. Those of terminal positions have no
    /// meaning. For programs that read whole tables; the cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.check_block(block)?;
        let slots = self.numbering().slots(block);
        let contents = self.reader.block(block)?;
        contents.codes(slots, codes).map_err(|source| TableError::Block { block, source })?;
        Ok(())
    }

    /// What the index says of block number `block`; the block itself is not read. Blocks with equal entries and equally many
    /// slots have equal codes, so that a program that reads whole tables need read only one of them.
    ///
    /// # Errors
    /// When the index is damaged or there is no block of that number.
    pub fn block_entry(&self, block: u64) -> Result<Entry, ProbeError> {
        self.check_block(block)?;
        Ok(self.reader.entry(block)?)
    }

    fn check_block(&self, block: u64) -> Result<(), TableError> {
        if block < self.numbering().block_count() {
            Ok(())
        } else {
            Err(TableError::Entry { block, entry: 0 })
        }
    }

    pub(crate) fn steps(&self, side: Side) -> &Steps {
        match side {
            Side::Police => &self.police_steps,
            Side::Thief => &self.thief_steps,
        }
    }

    pub(crate) fn check_position(&self, position: Position) -> Result<(), ProbeError> {
        for (side, cell) in [(Side::Police, position.police), (Side::Thief, position.thief)] {
            self.board().require_open(cell).map_err(|source| ProbeError::Position { side, source })?;
        }
        Ok(())
    }

    /// Who has won the position without a move, if it is over.
    pub(crate) fn terminal(&self, police: Cell, thief: Cell) -> Option<Side> {
        if police == thief {
            Some(Side::Police)
        } else if self.board().square(thief) == Some(Square::Exit) {
            Some(Side::Thief)
        } else {
            None
        }
    }

    /// The value of a position whose cells are open.
    pub(crate) fn value_unchecked(&self, position: Position) -> Result<Value, TableError> {
        let Position { police, thief, turn } = position;
        if let Some(winner) = self.terminal(police, thief) {
            return Ok(Value::terminal(winner, turn));
        }
        if turn == Side::Police {
            return self.stored_value(police, thief);
        }
        let mut moves = Vec::with_capacity(self.thief_steps.most_moves());
        self.thief_steps.moves_from(self.board(), thief, &mut moves);
        let mut successors = Successors::default();
        for to in moves {
            successors.add(self.value_unchecked(position.after(to))?);
        }
        Ok(successors.value(self.rules().stuck))
    }

    /// The stored value of a position that is not terminal, with the police to move.
    fn stored_value(&self, police: Cell, thief: Cell) -> Result<Value, TableError> {
        let Some(at) = self.numbering().locate(police, thief) else {
            // The caller has seen that both cells are open.
            return Err(TableError::Entry { block: u64::MAX, entry: 0 });
        };
        let error = |source: BlockError| TableError::Block { block: at.block, source };
        let code = match self.reader.code_in_place(at.block, at.slot)? {
            Some(code) => code,
            None => self.unzipped_code(at.block, at.slot)?,
        };
        value_of(code).map_err(error)
    }

    /// The code of a slot of a zstd block, from the cache if it is there.
    fn unzipped_code(&self, block: u64, slot: u32) -> Result<u32, TableError> {
        let error = |source| TableError::Block { block, source };
        if let Some(unzipped) = self.cache.get(block) {
            return unzipped.code(slot).map_err(error);
        }
        match self.reader.block(block)? {
            Block::Unzipped(unzipped) => {
                let unzipped = Arc::new(unzipped);
                self.cache.insert(block, &unzipped);
                unzipped.code(slot).map_err(error)
            }
            in_place => in_place.code(slot).map_err(error),
        }
    }
}
