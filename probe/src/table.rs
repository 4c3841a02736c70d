//! A table that can be asked.

use crate::{
    Options, ProbeError,
    block_reader::BlockReader,
    effort::Effort,
    lookup::Lookup,
    placement::Placement,
    position::Position,
    read_at::ReadAt,
    source::{Source, open_file},
    table_game::TableGame,
};
use bytes::Bytes;
use dragnet_formats::{
    board::Board,
    cell::Side,
    container::{BlockStatistics, index::IndexEntry},
    game::{MoveTable, terminal::TerminalRule},
    header::{Header, Section},
    numbering::Numbering,
    rules::Undecided,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
    value::Value,
};
use std::{
    io::{self, Read},
    ops::ControlFlow,
    path::Path,
};

/// The table of a pursuit game, open to be asked by any number of threads.
///
/// Every byte that an answer rests on has been checked against the table's checksums, in memory that nobody
/// else writes to. A damaged file, or one that is changed while the table is open, leads to errors and never
/// to a wrong answer.
///
/// ```
/// use dragnet_probe::{Cell, Position, Side, Table, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Table::open(path)?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(table.value(position)?, Value::Win(5)); // the police, to move, wins in five plies
/// assert_eq!(table.best_moves(position)?[0].to.cell(), Cell::new(1, 0));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
///
/// `D` are the table's bytes if they are in memory; it matters only for bytes that are borrowed, by
/// [`Table::borrow`].
#[derive(Debug)]
pub struct Table<D = Bytes> {
    blocks: BlockReader<Header, D>,
    game: TableGame,
}

impl Table {
    /// Opens the table in a file: reads its header now, and each block when it is first asked for.
    ///
    /// What is read is copied and checked before it is used, and kept in a [`Cache`](crate::Cache). The file
    /// may be replaced by renaming another over it, as Dragnet does: the open table goes on with the old
    /// contents. If the file is written to or cut short, what has not been kept becomes an error.
    ///
    /// ```
    /// use dragnet_probe::{ProbeError, Table};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// assert_eq!((table.board().height(), table.board().width()), (4, 5));
    /// assert!(matches!(Table::open("no such file"), Err(ProbeError::File { .. })));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be read or is no table of a pursuit game.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, ProbeError> {
        Table::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`Table::open`], with options.
    ///
    /// # Errors
    /// As for [`Table::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        Table::in_source(Source::file(path.as_ref())?, options)
    }

    /// Opens the table in a source of your own, such as an archive of a game or a virtual file system: reads
    /// its header now, and each block when it is first asked for. See [`ReadAt`].
    ///
    /// # Errors
    /// When the source cannot be read or is no table of a pursuit game.
    pub fn from_source(source: impl ReadAt + 'static) -> Result<Table, ProbeError> {
        Table::from_source_with(source, Options::default())
    }

    /// Opens the table in a source like [`Table::from_source`], with options.
    ///
    /// # Errors
    /// As for [`Table::from_source`].
    pub fn from_source_with(source: impl ReadAt + 'static, options: Options) -> Result<Table, ProbeError> {
        Table::in_source(Source::new(Box::new(source))?, options)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`],
    /// which can share memory of any owner.
    ///
    /// ```
    /// use dragnet_probe::{Bytes, Table};
    /// use std::sync::Arc;
    ///
    /// static ALLEY: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb"));
    /// let table = Table::from_bytes(ALLEY)?;
    /// assert_eq!(table.file_len(), ALLEY.len() as u64);
    ///
    /// let pack: Arc<[u8]> = [&[7; 1000][..], ALLEY].concat().into();
    /// let shared = Table::from_bytes(Bytes::from_owner(pack).slice(1000..))?;
    /// assert_eq!(shared.board(), table.board());
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When the bytes are no table of a pursuit game.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Table, ProbeError> {
        Table::from_bytes_with(bytes, Options::default())
    }

    /// Opens the table in these bytes like [`Table::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`Table::from_bytes`].
    pub fn from_bytes_with(bytes: impl Into<Bytes>, options: Options) -> Result<Table, ProbeError> {
        Table::in_memory(bytes.into(), options)
    }

    /// Reads the whole file into memory: no disk is waited for afterwards.
    ///
    /// ```
    /// use dragnet_probe::Table;
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::read(path)?;
    /// assert_eq!(table.header().summary.longest.police, 18);
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Table::open`].
    pub fn read(path: impl AsRef<Path>) -> Result<Table, ProbeError> {
        Table::read_with(path, Options::default())
    }

    /// Reads the whole file into memory like [`Table::read`], with options.
    ///
    /// # Errors
    /// As for [`Table::open`].
    pub fn read_with(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        Table::from_bytes_with(read_file(path.as_ref())?, options)
    }

    pub(crate) fn in_source(source: Source, options: Options) -> Result<Table, ProbeError> {
        Table::of_blocks(BlockReader::in_source(source, options)?)
    }
}

impl<'a> Table<&'a [u8]> {
    /// Opens the table in bytes that somebody else holds, without a copy: a part of a mapped file, say.
    ///
    /// ```
    /// use dragnet_probe::{Options, Table};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let pack = [vec![7; 1000], std::fs::read(path)?].concat();
    /// let table = Table::borrow(&pack[1000..], Options::default())?;
    /// assert_eq!(table.header().summary.longest.police, 18);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the bytes are no table of a pursuit game.
    pub fn borrow(bytes: &'a [u8], options: Options) -> Result<Table<&'a [u8]>, ProbeError> {
        Table::in_memory(bytes, options)
    }
}

impl<D: AsRef<[u8]>> Table<D> {
    fn in_memory(data: D, options: Options) -> Result<Table<D>, ProbeError> {
        Table::of_blocks(BlockReader::in_memory(data, options)?)
    }

    fn of_blocks(blocks: BlockReader<Header, D>) -> Result<Table<D>, ProbeError> {
        let game = TableGame::read(blocks.structure().header(), |section| blocks.section(section))?;
        Ok(Table { game, blocks })
    }

    /// Returns the header: kinds of pieces with their places and layers, how a turn goes, tiles, counts,
    /// longest wins and digest.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.blocks.structure().header()
    }

    /// Returns the board: that of the [setting](Table::setting), or else one with a square for each place and
    /// an exit where the thief has escaped.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board(self.header())
    }

    /// Returns board, rules and start cells if the table says that its game was made from some: `None` for
    /// games that a program gave. That the game is theirs is checked by `dragnet verify`.
    #[must_use]
    pub fn setting(&self) -> Option<&Setting> {
        self.game.setting(self.header())
    }

    /// Returns the text from which the game was made; empty if there is none.
    #[must_use]
    pub fn source(&self) -> &str {
        self.game.source()
    }

    /// Returns the number of officers.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.header().officers()
    }

    /// Returns the side for which a position counts that neither side can win by force.
    #[must_use]
    pub fn undecided(&self) -> Undecided {
        self.header().undecided
    }

    /// Reads the whole game, whose moves may take much memory: `check` may say that the work is to stop,
    /// which is [`ListsError::Stopped`](dragnet_formats::game::ListsError::Stopped).
    ///
    /// # Errors
    /// When the table is damaged or cannot be read, or the work is to stop.
    pub fn game(&self, check: &mut StopCheck) -> Result<StoredGame, ProbeError> {
        StoredGame::unpack(self.header(), |section| self.section(section), check)
    }

    /// Returns the moves of a piece of `side` between its places, which are numbered in reading order, at
    /// most `most` of all places together.
    ///
    /// # Errors
    /// When a move leads to no place, there are more moves, or `check` says that the work is to stop.
    pub fn move_table(&self, side: Side, most: u32, check: &mut StopCheck) -> Result<MoveTable, ProbeError> {
        Ok(self.game.move_table(self.header(), side, most, check)?)
    }

    /// Returns the rule by which positions are terminal. Cells of officers and of the thief are numbered in
    /// reading order over their places.
    ///
    /// # Errors
    /// When a capture leads to no place, there are more than 2^26 captures over all places of officers, or
    /// `check` says that the work is to stop.
    pub fn terminal_rule(&self, check: &mut StopCheck) -> Result<TerminalRule, ProbeError> {
        Ok(self.game.terminal_rule(self.header(), check)?)
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

    /// Returns the value of the position for the side to move. At most one block is looked up with the police
    /// to move, one per thief move with the thief to move.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Outcome, Position, ProbeError, Side, Table, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 3), Side::Thief);
    /// let value = table.value(position)?;
    /// assert_eq!((value, value.dtw()), (Value::Win(3), Some(3)));
    /// assert_eq!(value.outcome(position.turn), Outcome::Thief);
    ///
    /// let on_a_wall = Position { thief: Cell::new(1, 1), ..position };
    /// assert!(matches!(table.value(on_a_wall), Err(ProbeError::Position { side: Side::Thief, .. })));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    #[inline]
    pub fn value(&self, position: Position) -> Result<Value, ProbeError> {
        let placement = self.placement();
        let (police, thief) = placement.place(position)?;
        match (placement.winner(&police, &thief), position.turn) {
            (Some(winner), turn) => Ok(Value::terminal(winner, turn)),
            (None, Side::Police) => self.blocks.value(placement.location(&police, &thief)),
            (None, Side::Thief) => self.lookup().with_thief_to_move(&police, &thief, &mut Effort::new()),
        }
    }

    /// Returns the values of many positions, in their order. A block that is at hand is looked up in place.
    /// Each other one is read and decompressed once or twice, and the file is read from its beginning to its
    /// end, so that a batch is much quicker than single questions where blocks have to be decompressed or
    /// come from the disk. Takes at most 16 bytes of memory per position beside the values.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Position, Side, Table, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// let at = |thief| Position::new(Cell::new(0, 0), thief, Side::Police);
    /// let values = table.values(&[at(Cell::new(2, 3)), at(Cell::new(2, 1)), at(Cell::new(0, 0))])?;
    /// assert_eq!(values, [Value::Loss(4), Value::Win(5), Value::Win(0)]);
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProbeError::InBatch`] with the first position of which a piece stands off the board or on a wall, or
    /// else with one whose block is damaged.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<Value>, ProbeError> {
        let in_batch = |index| move |error| ProbeError::InBatch { index, source: Box::new(error) };
        let placement = self.placement();
        let mut values = vec![Value::Draw; positions.len()];
        // The positions whose blocks must be read.
        let mut later = Vec::new();
        let mut lookup = None;
        for ((index, position), value) in positions.iter().enumerate().zip(&mut values) {
            // By reference: what is moved from one place in memory to another is waited for.
            let placed = placement.place(*position);
            let Ok((police, thief)) = &placed else {
                return placed.map(|_| Vec::new()).map_err(in_batch(index));
            };
            if let Some(winner) = placement.winner(police, thief) {
                *value = Value::terminal(winner, position.turn);
                continue;
            }
            let at = placement.location(police, thief);
            match (self.blocks.value_at_hand(at), position.turn) {
                (Some(stored), Side::Police) => *value = stored,
                (Some(_), Side::Thief) => {
                    let lookup = lookup.get_or_insert_with(|| self.lookup());
                    match lookup.with_thief_to_move(police, thief, &mut Effort::new()) {
                        Ok(derived) => *value = derived,
                        Err(_) => later.push((at.block, index)),
                    }
                }
                (None, _) => later.push((at.block, index)),
            }
        }
        later.sort_unstable();
        for (_, index) in later {
            let lookup = lookup.get_or_insert_with(|| self.lookup());
            let placed = placement.place(positions[index]);
            let value = match (&placed, positions[index].turn) {
                (Ok((police, thief)), Side::Police) => lookup.value(police, thief, &mut Effort::new()),
                (Ok((police, thief)), Side::Thief) => {
                    lookup.with_thief_to_move(police, thief, &mut Effort::new())
                }
                (Err(_), _) => unreachable!("a position that had a place"),
            };
            values[index] = value.map_err(in_batch(index))?;
        }
        Ok(values)
    }

    /// Returns how many bytes of memory the open table takes at most, once its whole index has been read,
    /// beside its own bytes if they are in memory and the blocks in the cache.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (size_of::<Table>() + self.header().memory() + self.blocks.memory() + self.game.memory()) as u64
    }

    /// Checks every checksum and everything that can be checked without solving; `progress` is called with
    /// the number of blocks done. A file is read anew from its beginning to its end.
    ///
    /// ```
    /// use dragnet_probe::Table;
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// let statistics = table.check_sums(|done| println!("{done} blocks"))?;
    /// assert_eq!(statistics.blocks, 5); // one of positions, four of the game
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
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

    /// Checks that the table's file has not changed since it was opened, as far as its length and its time of
    /// change tell: for programs that have read a whole table and say something about the file. A table in
    /// memory cannot change.
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if the file has changed.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.blocks.check_unchanged()
    }

    /// Calls `each` with all bytes of the table in their order, a piece at a time: those of its file, for
    /// programs that store the table elsewhere.
    ///
    /// ```
    /// use dragnet_probe::{ProbeError, Table};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let mut copy = Vec::new();
    /// Table::open(path)?.for_each_piece(|piece| {
    ///     copy.extend_from_slice(piece);
    ///     Ok::<(), ProbeError>(())
    /// })?;
    /// assert_eq!(copy, std::fs::read(path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table cannot be read, its file has changed since it was opened, or `each` fails.
    pub fn for_each_piece<E: From<ProbeError>>(
        &self,
        each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.blocks.for_each_piece(each)
    }

    /// Puts the stored codes of block number `block` into `codes`, slot by slot. The codes of terminal
    /// positions have no meaning: see [`Scan`](crate::Scan). The cache is left alone.
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

    /// Returns the game.
    #[inline(always)]
    pub(crate) fn table_game(&self) -> &TableGame {
        &self.game
    }

    /// Returns the table's blocks.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &BlockReader<Header, D> {
        &self.blocks
    }

    /// Returns the finder of places in this table.
    #[inline(always)]
    pub(crate) fn placement(&self) -> Placement<'_> {
        let structure = self.blocks.structure();
        Placement {
            header: structure.header(),
            numbering: structure.numbering().positions(),
            game: &self.game,
        }
    }

    /// Returns a lookup with no block at hand.
    #[inline(always)]
    pub(crate) fn lookup(&self) -> Lookup<'_, D> {
        Lookup::new(&self.blocks, self.placement())
    }
}

/// Reads the whole of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, ProbeError> {
    let read = || {
        let mut file = open_file(path)?;
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(io::Error::other)?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|source| ProbeError::file(path, source))
}
