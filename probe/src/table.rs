//! A table that can be asked.

use crate::{
    ProbeError,
    blocks::{Blocks, Options},
    lookup::{Lookup, Spot, Spots, TeamSpot, winner},
    position::Position,
    source::Source,
};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    container::{TableError, index::Entry, reader::BlockStatistics},
    header::Header,
    moves::{Steps, team_moves},
    numbering::Numbering,
    pieces::Pieces,
    rules::{PoliceOnExit, Rules},
    value::Value,
};
use std::{borrow::Cow, path::Path};

/// A table, open to be asked by any number of threads.
///
/// A block's checksum is checked when it is first touched; blocks that are read in place need nothing more, zstd blocks
/// go through a bounded cache.
#[derive(Debug)]
pub struct Table {
    blocks: Blocks<Header>,
    police_steps: Steps,
    thief_steps: Steps,
    /// Whether the police wins with an officer on an exit.
    police_exits: bool,
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
        Table::open_with(path, Options::default())
    }

    /// As [`Table::open`], with options.
    ///
    /// # Errors
    /// As for [`Table::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        Table::from_source(Source::map(path.as_ref(), options.access)?, options)
    }

    /// Reads the whole file into memory: for files on media that may vanish, or that others may change.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn read(path: impl AsRef<Path>) -> Result<Table, ProbeError> {
        Table::read_with(path, Options::default())
    }

    /// As [`Table::read`], with options.
    ///
    /// # Errors
    /// As for [`Table::read`].
    pub fn read_with(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        Table::from_source(Source::read(path.as_ref())?, options)
    }

    /// The table in these bytes: a `Vec<u8>`, or a `&'static [u8]` from `include_bytes!`.
    ///
    /// # Errors
    /// When they are no table.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Table, ProbeError> {
        Table::from_bytes_with(bytes, Options::default())
    }

    /// As [`Table::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`Table::from_bytes`].
    pub fn from_bytes_with(
        bytes: impl Into<Cow<'static, [u8]>>,
        options: Options,
    ) -> Result<Table, ProbeError> {
        Table::from_source(Source::Bytes(bytes.into()), options)
    }

    pub(crate) fn from_source(source: Source, options: Options) -> Result<Table, ProbeError> {
        let blocks: Blocks<Header> = Blocks::open(source, options)?;
        let rules = &blocks.reader.header().rules;
        Ok(Table {
            police_steps: Steps::new(rules, Side::Police),
            thief_steps: Steps::new(rules, Side::Thief),
            police_exits: rules.police_on_exit == PoliceOnExit::Wins,
            blocks,
        })
    }

    /// Board, rules, counts, longest wins and digest.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.blocks.reader.header()
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
        self.blocks.reader.numbering()
    }

    /// Bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.blocks.reader.file_len()
    }

    /// Bytes of its index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.blocks.reader.index_len()
    }

    /// The value of the position for the side to move. At most one block is looked up with the police to move, one per
    /// thief move with the thief to move.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    #[inline]
    pub fn value(&self, position: Position) -> Result<Value, ProbeError> {
        let (police, thief) = self.spots(position)?;
        match (winner(&police, &thief), position.turn) {
            (Some(winner), turn) => Ok(Value::terminal(winner, turn)),
            (None, Side::Police) => self.blocks.value(self.numbering().location(police.place, thief.place)),
            (None, Side::Thief) => Ok(Lookup::new(self).with_thief_to_move(&police, &thief)?),
        }
    }

    /// The values of many positions, in their order. Each block is looked up and unzipped once or twice, and the file is read
    /// from its beginning to its end, so that a batch is much quicker than single questions where blocks have to be unzipped
    /// or come from the disk. Takes 16 bytes of memory per position beside the values.
    ///
    /// # Errors
    /// [`ProbeError::InBatch`] with the first position of which a piece stands off the board or on a wall, or else with one
    /// whose block is damaged.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<Value>, ProbeError> {
        let in_batch = |index| move |error| ProbeError::InBatch { index, source: Box::new(error) };
        let mut order = Vec::with_capacity(positions.len());
        for (index, &position) in positions.iter().enumerate() {
            let (police, thief) = self.spots(position).map_err(in_batch(index))?;
            order.push((self.numbering().location(police.place, thief.place).block, index));
        }
        order.sort_unstable();
        let mut values = vec![Value::Draw; positions.len()];
        let mut lookup = Lookup::new(self);
        for (_, index) in order {
            let position = positions[index];
            let (police, thief) = self.spots(position).map_err(in_batch(index))?;
            let value = match (winner(&police, &thief), position.turn) {
                (Some(winner), turn) => Ok(Value::terminal(winner, turn)),
                (None, Side::Police) => lookup.value(&police, &thief),
                (None, Side::Thief) => lookup.with_thief_to_move(&police, &thief),
            };
            values[index] = value.map_err(|error| in_batch(index)(error.into()))?;
        }
        Ok(values)
    }

    /// Bytes of memory that the open table takes, beside the file's map and the unzipped blocks that it keeps.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (size_of::<Table>() + self.blocks.reader.memory() + self.board().squares().len()) as u64
    }

    /// Checks every checksum and everything that can be checked without solving; `progress` is told how many blocks are
    /// done.
    ///
    /// # Errors
    /// The first damage found.
    pub fn verify_checksums(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        self.blocks.check_all(progress)
    }

    /// Puts the stored codes of block number `block` into `codes`, slot by slot. Those of terminal positions have no
    /// meaning. For programs that read whole tables; the cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.blocks.codes(block, codes)
    }

    /// What the index says of block number `block`; the block itself is not read. Blocks with equal entries and equally many
    /// slots have equal codes, so that a program that reads whole tables need read only one of them.
    ///
    /// # Errors
    /// When the index is damaged or there is no block of that number.
    pub fn block_entry(&self, block: u64) -> Result<Entry, ProbeError> {
        self.blocks.entry(block)
    }

    /// Its blocks.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &Blocks<Header> {
        &self.blocks
    }

    /// The spots of all pieces.
    #[inline(always)]
    pub(crate) fn spots(&self, position: Position) -> Result<(TeamSpot, Spot), ProbeError> {
        match (self.team_spot(position.police), self.spot(position.thief)) {
            (Some(police), Some(thief)) => Ok((police, thief)),
            _ => Err(self.misplaced(position)),
        }
    }

    /// What is wrong with a position of which a piece has no spot.
    #[cold]
    fn misplaced(&self, position: Position) -> ProbeError {
        let (expected, found) = (usize::from(self.rules().officers), position.police.len());
        if expected != found {
            return ProbeError::Officers { expected, found };
        }
        let officers = position.police.iter().map(|&cell| (Side::Police, cell));
        for (side, cell) in officers.chain([(Side::Thief, position.thief)]) {
            if let Err(source) = self.board().require_open(cell) {
                return ProbeError::Position { side, source };
            }
        }
        // A cell without a spot is a wall or off the board.
        ProbeError::Table(TableError::Entry { block: u64::MAX, entry: 0 })
    }

    /// Where the thief on `cell` is in the table; `None` on walls and off the board.
    #[inline(always)]
    fn spot(&self, cell: Cell) -> Option<Spot> {
        let place = self.numbering().thief().place(cell)?;
        Some(Spot { cell, place, exit: self.exit(cell) })
    }

    /// Where the police is in the table; `None` with an officer on a wall or off the board, or with too few or many.
    #[inline(always)]
    fn team_spot(&self, officers: Pieces) -> Option<TeamSpot> {
        let place = self.numbering().police().place(&officers)?;
        let arrived = self.police_exits && officers.iter().any(|&cell| self.exit(cell));
        Some(TeamSpot { officers, place, arrived })
    }

    #[inline(always)]
    fn exit(&self, cell: Cell) -> bool {
        self.board().square(cell) == Some(Square::Exit)
    }

    /// The spots to which the thief may move from the open cell `from`, in reading order.
    #[inline]
    pub(crate) fn spots_from(&self, from: Cell) -> Spots<Spot> {
        let moves = self.thief_steps.moves_from(self.board(), from);
        moves.into_iter().filter_map(|to| self.spot(to)).collect()
    }

    /// The spots to which the police may move from open cells, in reading order.
    #[inline]
    pub(crate) fn team_spots_from(&self, officers: &Pieces) -> Spots<TeamSpot> {
        if officers.len() == 1 {
            let moves = self.police_steps.moves_from(self.board(), officers.cell());
            return moves.into_iter().filter_map(|to| self.team_spot(to.into())).collect();
        }
        let moves = team_moves(&self.police_steps, self.rules().team, self.board(), officers);
        moves.into_iter().filter_map(|to| self.team_spot(to)).collect()
    }
}
