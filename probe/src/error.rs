//! The errors of tables and of folders of tables.

use crate::Position;
use dragnet_formats::{
    board::BoardError,
    cell::{Cell, Side},
    container::TableError,
    header::Keep,
};
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// A kind of work of which a question may need too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Single steps tried to find the moves of pieces.
    Steps,
    /// Moves of a position.
    Moves,
    /// Values looked up.
    Values,
    /// Bytes of blocks looked into.
    Bytes,
}

impl Work {
    /// Returns how much of the work one question may need.
    #[must_use]
    pub const fn limit(self) -> u64 {
        match self {
            Work::Steps => 1 << 20,
            Work::Moves => 1 << 16,
            Work::Values => 1 << 19,
            Work::Bytes => 1 << 23,
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::Steps => "steps of pieces to find their moves",
            Work::Moves => "moves",
            Work::Values => "values to look up",
            Work::Bytes => "bytes of blocks",
        })
    }
}

/// The reason why a table cannot be opened, or a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The bytes are no table, or those of a damaged one.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file is no table, or a damaged one.
    #[error("{}: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<ProbeError>,
    },
    /// The source of the table, which is no file that was opened by its name, cannot be read.
    #[error("cannot read the table: {source}")]
    Source {
        /// The source's message.
        source: io::Error,
    },
    /// The file was changed while it was open.
    #[error("{} was changed while it was open: open the table again", named(path.as_deref()))]
    Changed {
        /// The file, if it was opened by its name.
        path: Option<PathBuf>,
    },
    /// The check of a table was stopped by the program that asked for it.
    #[error("the check was stopped after {done} of {blocks} blocks")]
    Stopped {
        /// The blocks that were checked.
        done: u64,
        /// The blocks of the table.
        blocks: u64,
    },
    /// The question needs more work than a table may ask for: FORMAT.md §10 says how much that is.
    #[error(
        "expected at most {} {work} for one question, found more: ask for the moves one by one, or play by rules with \
         fewer moves",
        work.limit()
    )]
    TooMuchWork {
        /// The kind of work.
        work: Work,
    },
    /// A piece stands where it cannot stand.
    #[error("the {side}'s {source}")]
    Position {
        /// The side whose piece it is.
        side: Side,
        /// The reason why it cannot stand on its cell.
        source: BoardError,
    },
    /// A piece stands on an open square where its kind has no place.
    #[error("expected a place of the {side}, found {cell}, which is none")]
    NoPlace {
        /// The side whose piece it is.
        side: Side,
        /// The cell of its grid.
        cell: Cell,
    },
    /// The table has no world of this number.
    #[error("expected a world below {worlds}, found {found}")]
    World {
        /// The number of the table's worlds.
        worlds: u32,
        /// The world of the position.
        found: u32,
    },
    /// The position has another number of officers than the table.
    #[error("expected {}, found {found}", cells_of(*expected))]
    Officers {
        /// The table's officers.
        expected: usize,
        /// The position's officers.
        found: usize,
    },
    /// The position has another number of officers of one kind than the table.
    #[error("expected {} on the layers of kind {number} ({kind}), found {found}", cells_of(*expected))]
    OfficersOfKind {
        /// The name of the kind.
        kind: String,
        /// The number of the kind.
        number: usize,
        /// The table's officers of the kind.
        expected: usize,
        /// The position's officers of the kind.
        found: usize,
    },
    /// No position has this number.
    #[error("expected a position from 0 to {}, found {number}", positions - 1)]
    Number {
        /// The number asked for.
        number: u64,
        /// The number of the table's positions, at least 1.
        positions: u64,
    },
    /// The table is whole, but its values contradict each other: somebody forged it.
    #[error("the table contradicts itself: the value of {position} is not that of its moves")]
    Contradiction {
        /// The position.
        position: Position,
    },
    /// A partial table does not keep what was asked for.
    #[error("asked for {asked}, and the table keeps {kept}: ask the pursuit table from which it was made")]
    NotKept {
        /// The part of the knowledge that an answer needs.
        asked: Keep,
        /// The part that the table keeps.
        kept: Keep,
    },
    /// A partial table is whole, but the move that it keeps is against the rules: somebody forged it.
    #[error("the move that the table keeps for {position} is against the rules")]
    IllegalMove {
        /// The position.
        position: Position,
    },
    /// One of many positions has no answer.
    #[error("position {index} of those asked (from 0): {source}")]
    InBatch {
        /// The place of the position among those asked for, from 0.
        index: usize,
        /// The reason.
        source: Box<ProbeError>,
    },
}

/// The reason why a [`Tablebase`](crate::Tablebase) cannot be opened or has no table for a board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder of tables cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// There is no table for the board and the rules.
    #[error("no table for this board of {height}x{width} and these rules among {tables}{}", beside(*unreadable))]
    Missing {
        /// Rows of the board.
        height: u16,
        /// Columns of the board.
        width: u16,
        /// The number of tables.
        tables: usize,
        /// The number of files that have a table's name and cannot be read.
        unreadable: usize,
    },
    /// There is a table, and it cannot be opened.
    #[error(transparent)]
    Damaged {
        /// The reason.
        source: ProbeError,
    },
}

fn beside(unreadable: usize) -> String {
    match unreadable {
        0 => String::new(),
        1 => "; one more file cannot be read".to_owned(),
        more => format!("; {more} more files cannot be read"),
    }
}

/// Returns the words for a file, or for a source without a name.
fn named(path: Option<&Path>) -> String {
    path.map_or_else(|| "the table".to_owned(), |path| path.display().to_string())
}

/// Returns the words for the cells of so many officers.
fn cells_of(officers: usize) -> String {
    if officers == 1 {
        "the cell of 1 officer".to_owned()
    } else {
        format!("the cells of {officers} officers")
    }
}

impl ProbeError {
    /// Returns whether the file is a table, but of the other kind.
    pub(crate) fn is_other_kind(&self) -> bool {
        matches!(self, ProbeError::Table(TableError::Kind { .. }))
    }

    pub(crate) fn file(path: &Path, source: io::Error) -> ProbeError {
        ProbeError::File { path: path.to_owned(), source }
    }
}
