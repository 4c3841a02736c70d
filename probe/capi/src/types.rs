//! The numbers and structures of the C interface.
//!
//! Every field is an integer, so that any bytes are a valid structure, whose numbers can then be checked. No
//! structure has padding, so that no byte is undefined. [`Source`] and [`Progress`] alone have pointers,
//! which the caller vouches for.

use std::ffi::c_void;

/// The sides, also as winners and outcomes. `DRAGNET_DRAW` is another name of `NOBODY`.
pub mod side {
    /// Neither side; a draw.
    pub const NOBODY: i32 = 0;
    /// The pursuer.
    pub const POLICE: i32 = 1;
    /// The fugitive.
    pub const THIEF: i32 = 2;
}

/// The parts of a pursuit table that partial tables keep.
pub mod keep {
    /// The side that wins each position.
    pub const OUTCOMES: i32 = 0;
    /// A best move of each position with the police to move.
    pub const MOVES_OF_POLICE: i32 = 1;
    /// A best move of each position with the thief to move.
    pub const MOVES_OF_THIEF: i32 = 2;
}

/// The kinds of squares.
pub mod square {
    use dragnet_probe::Square;

    /// A square on which no piece may stand.
    pub const WALL: u8 = Square::Wall.byte();
    /// A square on which pieces may stand.
    pub const OPEN: u8 = Square::Open.byte();
    /// An open square on which the thief escapes.
    pub const EXIT: u8 = Square::Exit.byte();
}

/// The orders in which the file of a table will be read.
pub mod access {
    /// Any order.
    pub const RANDOM: i32 = 0;
    /// From the beginning to the end.
    pub const WHOLE: i32 = 1;
}

/// The ways in which the bytes of a table come into memory.
pub mod memory {
    /// Copies: blocks of a file when they are needed, and all bytes of an array.
    pub const COPIED: i32 = 0;
    /// The whole file at once.
    pub const WHOLE: i32 = 1;
    /// No copies: a memory map of a file, or an array that the caller keeps.
    pub const SHARED: i32 = 2;
}

/// The results for a side to move that has no move.
pub mod stuck {
    /// The side to move loses.
    pub const LOSES: i32 = 0;
    /// The side to move wins.
    pub const WINS: i32 = 1;
}

/// The officers that move in one turn of the police.
pub mod team {
    /// All officers.
    pub const ALL: i32 = 0;
    /// Any one officer.
    pub const ONE: i32 = 1;
}

/// The results of a position in a game table, for the player to move.
pub mod result {
    /// A draw.
    pub const DRAWN: i32 = 0;
    /// A win.
    pub const WON: i32 = 1;
    /// A loss.
    pub const LOST: i32 = 2;
}

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// An argument is invalid.
    Argument = 1,
    /// A file or folder cannot be read.
    File = 2,
    /// The file is not a table.
    NotATable = 3,
    /// The format version is unknown.
    Version = 4,
    /// The table is damaged.
    Damaged = 5,
    /// The position does not exist in the table.
    Position = 6,
    /// The tablebase has no such table.
    Missing = 7,
    /// The system refuses memory.
    Memory = 8,
    /// A bug in the library.
    Panic = 9,
    /// The table is of the other kind.
    Kind = 10,
    /// The question needs more work than a table may ask for.
    TooMuchWork = 11,
    /// The caller's function has stopped the work.
    Stopped = 12,
}

/// The DTW of a draw.
pub const NO_DTW: u32 = u32::MAX;

/// The most officers of a position.
pub const MAX_OFFICERS: usize = 6;

/// A cell of the board.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub col: u16,
}

/// The cells of all pieces, and the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The officers' cells.
    pub police: [Cell; MAX_OFFICERS],
    /// The thief's cell.
    pub thief: Cell,
    /// The side to move, a [`side`].
    pub turn: i32,
    /// The number of officers; 0 stands for 1.
    pub officers: i32,
    /// The number of the world.
    pub world: u32,
}

/// The value of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The winner, a [`side`].
    pub outcome: i32,
    /// The distance to win in plies, or [`NO_DTW`].
    pub dtw: u32,
}

/// A move, and the value of the position after it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The side that moves, a [`side`].
    pub side: i32,
    /// The number of cells in `to`.
    pub count: i32,
    /// The cells of the side's pieces after the move; unused cells are 0,0.
    pub to: [Cell; MAX_OFFICERS],
    /// The world of the position after the move.
    pub world: u32,
    /// The value of the position after the move.
    pub value: Value,
}

/// The number of positions with each outcome.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Positions that the police wins.
    pub police: u64,
    /// Positions that the thief wins.
    pub thief: u64,
    /// Draws.
    pub draw: u64,
}

/// The properties of a pursuit table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Rows of the board, which are those of one layer.
    pub height: u32,
    /// Columns of the board.
    pub width: u32,
    /// The layers of the officers' grid.
    pub officer_layers: u32,
    /// The layers of the thief's grid.
    pub thief_layers: u32,
    /// The number of officers.
    pub officers: i32,
    /// One of [`team`].
    pub team: i32,
    /// One of [`stuck`].
    pub stuck: i32,
    /// The side that is said to win a draw, a [`side`].
    pub undecided: i32,
    /// The number of worlds.
    pub worlds: u64,
    /// Squares that are not walls.
    pub open_cells: u64,
    /// Positions, with either side to move.
    pub positions: u64,
    /// Outcomes with the police to move.
    pub police_to_move: Counts,
    /// Outcomes with the thief to move.
    pub thief_to_move: Counts,
    /// The longest win of the police, in plies.
    pub longest_police: u32,
    /// The longest win of the thief, in plies.
    pub longest_thief: u32,
    /// The content digest.
    pub digest: u64,
    /// Bytes of the file.
    pub file_length: u64,
    /// Bytes of memory, without the file and the cache.
    pub memory: u64,
}

/// The options for opening a table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// One of [`access`].
    pub access: i32,
    /// One of [`memory`].
    pub memory: i32,
}

/// The contents of the cache of all tables, and how often it was of use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CacheStatistics {
    /// The most bytes of memory that the cache may take.
    pub limit: u64,
    /// Bytes of memory that are reserved.
    pub reserved: u64,
    /// Bytes of the blocks that are kept.
    pub bytes: u64,
    /// Open tables.
    pub tables: u64,
    /// How often a block was found.
    pub hits: u64,
    /// How often a block had to be read or decompressed.
    pub misses: u64,
}

/// A place of the caller's own from which a table is read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The number of bytes.
    pub length: u64,
    /// Passed to the functions.
    pub context: *mut c_void,
    /// Reads `count` bytes from byte `offset` on; returns 0, or another number if it cannot.
    pub read: Option<extern "C" fn(*mut c_void, u64, *mut u8, usize) -> i32>,
    /// Called when the last handle of the table is closed; may be NULL.
    pub close: Option<extern "C" fn(*mut c_void)>,
}

/// A function of the caller's own that follows long work and may stop it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Passed to the function.
    pub context: *mut c_void,
    /// Called with the blocks done and the blocks in all; stops the work by another number than 0.
    pub report: Option<extern "C" fn(*mut c_void, u64, u64) -> i32>,
}

/// The options for opening a tablebase.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TablebaseOptions {
    /// The options for each table.
    pub table: Options,
    /// The most tables that stay open without a handle; 0 for the default.
    pub open_tables: u64,
}

/// The files of a tablebase.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TablebaseInfo {
    /// The number of tables.
    pub tables: u64,
    /// The number of files whose header is invalid.
    pub unreadable: u64,
}

/// The value of a position in a game table, for the player to move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameValue {
    /// The result, a [`result`].
    pub result: i32,
    /// The distance to the end in plies, or [`NO_DTW`].
    pub dtw: u32,
}

/// The properties of a game table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The number of positions.
    pub positions: u64,
    /// Positions won for the player to move.
    pub won: u64,
    /// Positions lost for the player to move.
    pub lost: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// The greatest distance of a won position, in plies.
    pub longest_win: u32,
    /// The greatest distance of a lost position, in plies.
    pub longest_loss: u32,
    /// A number that tells games apart.
    pub key: u64,
    /// The content digest.
    pub digest: u64,
    /// Bytes of the file.
    pub file_length: u64,
    /// Bytes of memory, without the file and the cache.
    pub memory: u64,
}
