//! What all tables of pursuit games have: a game, its board and its numbering.

use crate::{ProbeError, block_reader::BlockReader, placement::Placement, table_game::TableGame};
use dragnet_formats::{
    board::Board,
    cell::Side,
    container::TableHeader,
    game::{MoveTable, terminal::TerminalRule},
    header::{Header, PartialHeader, SectionedNumbering},
    numbering::Numbering,
    rules::Undecided,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
};
use std::ops::Deref;

/// The header of a table of a pursuit game.
pub trait PursuitHeader: TableHeader<Numbering = SectionedNumbering> {
    /// Returns what the header says of the game: kinds of pieces with their places and layers, how a turn
    /// goes, tiles, counts, longest wins and digest.
    fn game(&self) -> &Header;
}

impl PursuitHeader for Header {
    fn game(&self) -> &Header {
        self
    }
}

impl PursuitHeader for PartialHeader {
    fn game(&self) -> &Header {
        &self.game
    }
}

/// A table of a pursuit game, whole or partial, open to be asked by any number of threads.
///
/// Every byte that an answer rests on has been checked against the table's checksums, in memory that nobody
/// else writes to. A damaged file, or one that is changed while the table is open, leads to errors and never
/// to a wrong answer.
#[derive(Debug)]
pub struct PursuitTable<H: PursuitHeader> {
    pub(crate) blocks: BlockReader<H>,
    pub(crate) game: TableGame,
}

impl<H: PursuitHeader> Deref for PursuitTable<H> {
    type Target = BlockReader<H>;

    fn deref(&self) -> &BlockReader<H> {
        &self.blocks
    }
}

impl<H: PursuitHeader> PursuitTable<H> {
    pub(crate) fn new(blocks: BlockReader<H>) -> Result<PursuitTable<H>, ProbeError> {
        let game = TableGame::read(blocks.header().game(), |section| blocks.section(section))?;
        Ok(PursuitTable { game, blocks })
    }

    #[inline(always)]
    fn game_header(&self) -> &Header {
        self.blocks.structure().header().game()
    }

    /// Returns the board: that of the [setting](PursuitTable::setting), or else one with a square for each
    /// place and an exit where the thief has escaped.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board(self.game_header())
    }

    /// Returns board, rules and start cells if the table says that its game was made from some: `None` for
    /// games that a program gave. That the game is theirs is checked by `dragnet verify`.
    #[must_use]
    pub fn setting(&self) -> Option<&Setting> {
        self.game.setting(self.game_header())
    }

    /// Returns the text from which the game was made; empty if there is none.
    #[must_use]
    pub fn source(&self) -> &str {
        self.game.source()
    }

    /// Returns the number of officers.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.game_header().officers()
    }

    /// Returns the side for which a position counts that neither side can win by force.
    #[must_use]
    pub fn undecided(&self) -> Undecided {
        self.game_header().undecided
    }

    /// Reads the whole game, whose moves may take much memory: `check` may say that the work is to stop,
    /// which is [`ListsError::Stopped`](dragnet_formats::game::ListsError::Stopped).
    ///
    /// # Errors
    /// When the table is damaged or cannot be read, or the work is to stop.
    pub fn game(&self, check: &mut StopCheck) -> Result<StoredGame, ProbeError> {
        StoredGame::unpack(self.game_header(), |section| self.section(section), check)
    }

    /// Returns the moves of a piece of `side` between its places, which are numbered in reading order, at
    /// most `most` of all places together.
    ///
    /// # Errors
    /// When a move leads to no place, there are more moves, or `check` says that the work is to stop.
    pub fn move_table(&self, side: Side, most: u32, check: &mut StopCheck) -> Result<MoveTable, ProbeError> {
        Ok(self.game.move_table(self.game_header(), side, most, check)?)
    }

    /// Returns the rule by which positions are terminal. Cells of officers and of the thief are numbered in
    /// reading order over their places.
    ///
    /// # Errors
    /// When a capture leads to no place, there are more than 2^26 captures over all places of officers, or
    /// `check` says that the work is to stop.
    pub fn terminal_rule(&self, check: &mut StopCheck) -> Result<TerminalRule, ProbeError> {
        Ok(self.game.terminal_rule(self.game_header(), check)?)
    }

    /// Returns the numbering, which divides the positions into blocks and slots.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        self.blocks.structure().numbering().positions()
    }

    /// Returns how many bytes of memory the open table takes at most, once its whole index has been read,
    /// beside its own bytes if they are in memory and the blocks in the cache.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let game = size_of::<TableGame>() + self.game_header().memory() + self.game.memory();
        self.blocks.memory() + game as u64
    }

    /// Returns the finder of places in this table.
    #[inline(always)]
    pub(crate) fn placement(&self) -> Placement<'_> {
        Placement { header: self.game_header(), numbering: self.numbering(), game: &self.game }
    }
}
