//! The numbers and structures of the C interface.
//!
//! Every field is an integer, so that any bytes are a valid structure, whose numbers can then be checked. No
//! structure has padding, so that no byte is undefined. [`Source`] and [`Progress`] alone have pointers,
//! which the caller vouches for.
#![allow(missing_docs, reason = "`dragnet.h` says what each number and field means")]

use std::ffi::{c_char, c_void};

/// The sides, also as winners and outcomes. `DRAGNET_DRAW` is another name of `NOBODY`.
pub mod side {
    pub const NOBODY: i32 = 0;
    pub const POLICE: i32 = 1;
    pub const THIEF: i32 = 2;
}

/// The parts of a pursuit table that partial tables keep.
pub mod keep {
    pub const OUTCOMES: i32 = 0;
    pub const MOVES_OF_POLICE: i32 = 1;
    pub const MOVES_OF_THIEF: i32 = 2;
}

/// The kinds of squares.
pub mod square {
    use dragnet_probe::Square;

    pub const WALL: u8 = Square::Wall.byte();
    pub const OPEN: u8 = Square::Open.byte();
    pub const EXIT: u8 = Square::Exit.byte();
}

/// The kinds of tables.
pub mod kind {
    pub const ANY: i32 = 0;
    pub const PURSUIT: i32 = 1;
    pub const GAME: i32 = 2;
    pub const PARTIAL: i32 = 3;
}

/// The results for a side to move that has no move.
pub mod stuck {
    pub const LOSES: i32 = 0;
    pub const WINS: i32 = 1;
}

/// The officers that move in one turn of the police.
pub mod team {
    pub const ALL: i32 = 0;
    pub const ONE: i32 = 1;
}

/// The results of a position in a game table, for the player to move.
pub mod result {
    pub const DRAWN: i32 = 0;
    pub const WON: i32 = 1;
    pub const LOST: i32 = 2;
}

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    Argument = 1,
    File = 2,
    NotATable = 3,
    Version = 4,
    Damaged = 5,
    Position = 6,
    Missing = 7,
    Memory = 8,
    Panic = 9,
    Kind = 10,
    TooMuchWork = 11,
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
    pub row: u16,
    pub col: u16,
}

/// The cells of all pieces, and the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub police: [Cell; MAX_OFFICERS],
    pub thief: Cell,
    pub turn: i32,
    pub officers: i32,
    pub world: u32,
}

/// The value of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub outcome: i32,
    pub dtw: u32,
}

/// A move, and the value of the position after it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub side: i32,
    pub count: i32,
    pub to: [Cell; MAX_OFFICERS],
    pub world: u32,
    pub value: Value,
}

/// The number of positions with each outcome.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub police: u64,
    pub thief: u64,
    pub draw: u64,
}

/// The properties of a pursuit table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub height: u32,
    pub width: u32,
    pub officer_layers: u32,
    pub thief_layers: u32,
    pub officers: i32,
    pub team: i32,
    pub stuck: i32,
    pub undecided: i32,
    pub worlds: u64,
    pub open_cells: u64,
    pub positions: u64,
    pub police_to_move: Counts,
    pub thief_to_move: Counts,
    pub longest_police: u32,
    pub longest_thief: u32,
    pub digest: u64,
    pub file_length: u64,
    pub memory: u64,
}

/// The contents of the cache of all tables, and how often it was of use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CacheStatistics {
    pub limit: u64,
    pub reserved: u64,
    pub bytes: u64,
    pub tables: u64,
    pub hits: u64,
    pub misses: u64,
}

/// Where a table is: all pointers to bytes but one are NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub path: *const c_char,
    pub whole: *const c_char,
    pub mapped: *const c_char,
    pub bytes: *const u8,
    pub kept: *const u8,
    pub read: Option<extern "C" fn(*mut c_void, u64, *mut u8, usize) -> i32>,
    pub close: Option<extern "C" fn(*mut c_void)>,
    pub context: *mut c_void,
    pub length: u64,
}

/// A function of the caller's own that follows long work and may stop it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub context: *mut c_void,
    pub report: Option<extern "C" fn(*mut c_void, u64, u64) -> i32>,
}

/// The files of a tablebase.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TablebaseInfo {
    pub tables: u64,
    pub unreadable: u64,
}

/// The value of a position in a game table, for the player to move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameValue {
    pub result: i32,
    pub dtw: u32,
}

/// The properties of a game table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    pub positions: u64,
    pub won: u64,
    pub lost: u64,
    pub drawn: u64,
    pub longest_win: u32,
    pub longest_loss: u32,
    pub key: u64,
    pub digest: u64,
    pub file_length: u64,
    pub memory: u64,
}
