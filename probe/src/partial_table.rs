//! A table that keeps a part of what a pursuit table knows, to be asked.

use crate::{
    Options, ProbeError, ReadAt,
    block_reader::{BlockReader, Views},
    effort::Effort,
    lookup::before_replies,
    placement::{PlacedTeam, PlacedThief, Placement},
    position::Position,
    source::Source,
    table::read_file,
    table_game::TableGame,
};
use bytes::Bytes;
use dragnet_formats::{
    board::Board,
    cell::Side,
    codec::BlockError,
    container::{BlockStatistics, TableError},
    game::{MoveCodes, Team},
    header::{Keep, PartialHeader, Section},
    numbering::Numbering,
    pieces::Pieces,
    setting::Setting,
    value::{Outcome, Value},
};
use smallvec::SmallVec;
use std::{ops::ControlFlow, path::Path};

/// A partial table of a pursuit game, open to be asked by any number of threads: small, since it keeps only
/// who wins, or only a best move of one side. `dragnet pack --keep` makes it from a pursuit table.
///
/// A question that the table cannot answer is [`ProbeError::NotKept`].
///
/// ```
/// use dragnet_probe::{Cell, Keep, Outcome, PartialTable, Position, ProbeError, Side};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley-outcomes.dtb");
/// let table = PartialTable::open(path)?;
/// assert_eq!(table.keep(), Keep::Outcomes);
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(table.outcome(position)?, Outcome::Police);
/// assert!(matches!(table.best_move(position), Err(ProbeError::NotKept { .. })));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Debug)]
pub struct PartialTable {
    blocks: BlockReader<PartialHeader, Bytes>,
    game: TableGame,
}

impl PartialTable {
    /// Opens the table in a file, as safely as [`Table::open`](crate::Table::open) does.
    ///
    /// # Errors
    /// When the file cannot be read or is no partial table.
    pub fn open(path: impl AsRef<Path>) -> Result<PartialTable, ProbeError> {
        PartialTable::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`PartialTable::open`], with options.
    ///
    /// # Errors
    /// As for [`PartialTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<PartialTable, ProbeError> {
        PartialTable::in_source(Source::file(path.as_ref())?, options)
    }

    /// Opens the table in a source of your own: see [`Table::from_source`](crate::Table::from_source).
    ///
    /// # Errors
    /// When the source cannot be read or is no partial table.
    pub fn from_source_with(
        source: impl ReadAt + 'static,
        options: Options,
    ) -> Result<PartialTable, ProbeError> {
        PartialTable::in_source(Source::new(Box::new(source))?, options)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`].
    ///
    /// # Errors
    /// When the bytes are no partial table.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<PartialTable, ProbeError> {
        PartialTable::from_bytes_with(bytes, Options::default())
    }

    /// Opens the table in these bytes like [`PartialTable::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`PartialTable::from_bytes`].
    pub fn from_bytes_with(bytes: impl Into<Bytes>, options: Options) -> Result<PartialTable, ProbeError> {
        PartialTable::of_blocks(BlockReader::in_memory(bytes.into(), options)?)
    }

    /// Reads the whole file into memory, with options: see [`Table::read`](crate::Table::read).
    ///
    /// # Errors
    /// As for [`PartialTable::open`].
    pub fn read_with(path: impl AsRef<Path>, options: Options) -> Result<PartialTable, ProbeError> {
        PartialTable::from_bytes_with(read_file(path.as_ref())?, options)
    }

    pub(crate) fn in_source(source: Source, options: Options) -> Result<PartialTable, ProbeError> {
        PartialTable::of_blocks(BlockReader::in_source(source, options)?)
    }

    fn of_blocks(blocks: BlockReader<PartialHeader, Bytes>) -> Result<PartialTable, ProbeError> {
        let game = TableGame::read(&blocks.structure().header().game, |section| blocks.section(section))?;
        Ok(PartialTable { game, blocks })
    }

    /// Returns the header: what is kept, and the header of the pursuit table from which the table was made.
    #[must_use]
    pub fn header(&self) -> &PartialHeader {
        self.blocks.structure().header()
    }

    /// Returns what the table keeps.
    #[must_use]
    pub fn keep(&self) -> Keep {
        self.header().keep
    }

    /// Returns the board: see [`Table::board`](crate::Table::board).
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board(&self.header().game)
    }

    /// Returns board, rules and start cells: see [`Table::setting`](crate::Table::setting).
    #[must_use]
    pub fn setting(&self) -> Option<&Setting> {
        self.game.setting(&self.header().game)
    }

    /// Returns the text from which the game was made; empty if there is none.
    #[must_use]
    pub fn source(&self) -> &str {
        self.game.source()
    }

    /// Returns the number of officers.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.header().game.officers()
    }

    /// Reads the bytes of a section.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read.
    pub fn section(&self, section: Section) -> Result<Vec<u8>, ProbeError> {
        self.blocks.section(section)
    }

    /// Returns the numbering, which divides the positions into blocks and slots.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        self.blocks.structure().numbering().positions()
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
        let game = self.header().game.memory() + self.game.memory();
        (size_of::<PartialTable>() + self.blocks.memory() + game) as u64
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
        let (police, thief) = placement.place(position)?;
        let (mut views, mut effort) = (Views::new(&self.blocks), Effort::new());
        let value = match (placement.winner(&police, &thief), position.turn) {
            (Some(winner), turn) => Value::terminal(winner, turn),
            (None, Side::Police) => self.police_to_move(&mut views, &police, &thief, &mut effort)?,
            (None, Side::Thief) => {
                let replies = placement.thief_moves(&thief, &mut effort)?;
                before_replies(
                    placement,
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
        views: &mut Views<'_, PartialHeader, Bytes>,
        police: &PlacedTeam,
        thief: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Value, ProbeError> {
        effort.take_value()?;
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
    /// use dragnet_probe::{Cell, Keep, PartialTable, Position, Side};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley-moves.dtb");
    /// let table = PartialTable::open(path)?;
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
        let (police, thief) = placement.place(position)?;
        if placement.winner(&police, &thief).is_some() {
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

    /// Checks every checksum and everything that can be checked without solving; `progress` is called with
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

    /// Checks that the table's file has not changed since it was opened: see
    /// [`Table::check_unchanged`](crate::Table::check_unchanged).
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if the file has changed.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.blocks.check_unchanged()
    }

    /// Puts the stored codes of block number `block` into `codes`, slot by slot. The codes of terminal
    /// positions have no meaning. The cache is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.blocks.codes(block, codes)
    }

    fn require(&self, asked: Keep) -> Result<(), ProbeError> {
        let kept = self.keep();
        if asked == kept { Ok(()) } else { Err(ProbeError::NotKept { asked, kept }) }
    }

    fn placement(&self) -> Placement<'_> {
        let structure = self.blocks.structure();
        Placement {
            header: &structure.header().game,
            numbering: structure.numbering().positions(),
            game: &self.game,
        }
    }
}
