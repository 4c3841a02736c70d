//! Numbers and structures as C has them.
//!
//! Every field is an integer, so that any bytes are a valid structure and wrong numbers are found by looking at them; and
//! there is no padding, so that no byte is left undefined.

/// A side, or who wins; `DRAGNET_DRAW` is another name for nobody.
pub mod side {
    /// Neither side; a draw.
    pub const NOBODY: i32 = 0;
    /// The pursuer.
    pub const POLICE: i32 = 1;
    /// The fugitive.
    pub const THIEF: i32 = 2;
}

/// What stands in one place of the board.
pub mod square {
    /// Nobody may stand here.
    pub const WALL: u8 = 0;
    /// Either side may stand here.
    pub const OPEN: u8 = 1;
    /// Open, and the thief who stands here alone has escaped.
    pub const EXIT: u8 = 2;
}

/// In which order a table's file will be read.
pub mod access {
    /// A block here and a block there.
    pub const RANDOM: i32 = 0;
    /// From the beginning to the end.
    pub const WHOLE: i32 = 1;
}

/// The steps of a side.
pub mod moves {
    /// The 8 neighbours.
    pub const KING: i32 = 0;
    /// The 4 neighbours in row and column.
    pub const ORTHOGONAL: i32 = 1;
    /// The 4 diagonal neighbours.
    pub const DIAGONAL: i32 = 2;
    /// A chess knight's 8 leaps.
    pub const KNIGHT: i32 = 3;
    /// A list.
    pub const OFFSETS: i32 = 4;
    /// Along the edges of a graph.
    pub const EDGES: i32 = 5;
}

/// Which opposite edges of the board are joined.
pub mod wrap {
    /// None.
    pub const NONE: i32 = 0;
    /// Left and right.
    pub const HORIZONTAL: i32 = 1;
    /// Top and bottom.
    pub const VERTICAL: i32 = 2;
    /// Both pairs.
    pub const BOTH: i32 = 3;
}

/// What happens to the side to move that has no move.
pub mod stuck {
    /// It loses.
    pub const LOSES: i32 = 0;
    /// It wins.
    pub const WINS: i32 = 1;
}

/// How many officers move in one turn of the police.
pub mod team {
    /// Every officer.
    pub const ALL: i32 = 0;
    /// One officer.
    pub const ONE: i32 = 1;
}

/// What exits are to the police.
pub mod police_on_exit {
    /// Open cells.
    pub const ALLOWED: i32 = 0;
    /// Cells that no officer may step on.
    pub const BARRED: i32 = 1;
    /// The goal.
    pub const WINS: i32 = 2;
}

/// How a position of a game by numbers ends for the player to move.
pub mod result {
    /// Nobody wins.
    pub const DRAWN: i32 = 0;
    /// He wins.
    pub const WON: i32 = 1;
    /// He loses.
    pub const LOST: i32 = 2;
}

/// How a call has ended.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// An argument cannot be.
    Argument = 1,
    /// A file or a folder cannot be read.
    File = 2,
    /// The file is no table.
    NotATable = 3,
    /// The table is of a version that this library does not know.
    Version = 4,
    /// The table is damaged.
    Damaged = 5,
    /// A piece stands off the board or on a wall.
    Position = 6,
    /// A tablebase has no such table.
    Missing = 7,
    /// There is not enough memory.
    Memory = 8,
    /// A mistake in the library itself.
    Panic = 9,
    /// The table is of the other kind.
    Kind = 10,
}

/// The DTW of a draw.
pub const NO_DTW: u32 = u32::MAX;

/// The most offsets of a side.
pub const MAX_OFFSETS: usize = 255;

/// The most officers of a position.
pub const MAX_OFFICERS: usize = 6;

/// A place on the board.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Row, from 0 at the top.
    pub row: u16,
    /// Column, from 0 at the left.
    pub col: u16,
}

/// Where all pieces stand and who is to move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The officers' cells.
    pub police: [Cell; MAX_OFFICERS],
    /// The thief's cell.
    pub thief: Cell,
    /// Who is to move, a [`side`].
    pub turn: i32,
    /// How many of the officers' cells count; 0 is 1.
    pub officers: i32,
}

/// The value of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Who wins, a [`side`].
    pub outcome: i32,
    /// In how many plies, or [`NO_DTW`].
    pub dtw: u32,
}

/// A move and the value of the position after it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// Who moves, a [`side`].
    pub side: i32,
    /// How many of the cells count.
    pub count: i32,
    /// Where the pieces of the side stand then; the rest are 0.
    pub to: [Cell; MAX_OFFICERS],
    /// The value of the position after the move.
    pub value: Value,
}

/// How many positions each outcome has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Positions that the police wins.
    pub police: u64,
    /// Positions that the thief wins.
    pub thief: u64,
    /// Positions that nobody wins.
    pub draw: u64,
}

/// What a table says as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Rows of the board.
    pub height: u32,
    /// Columns of the board.
    pub width: u32,
    /// Cells that are no walls.
    pub open_cells: u64,
    /// All positions, both sides to move.
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
    /// Bytes of memory, beside the file and the cache.
    pub memory: u64,
}

/// An edge of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The vertex that it leads from.
    pub from: u16,
    /// The vertex that it leads to.
    pub to: u16,
}

/// A step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Rows down.
    pub rows: i16,
    /// Columns to the right.
    pub cols: i16,
}

/// How one side moves.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Movement {
    /// One of [`moves`].
    pub moves: i32,
    /// 0 or 1.
    pub may_pass: i32,
    /// Steps in a turn, at most.
    pub steps: i32,
    /// How often a step may be taken in its direction, at most.
    pub reach: i32,
    /// How many of the offsets count.
    pub offset_count: u32,
    /// The steps.
    pub offsets: [Offset; MAX_OFFSETS],
}

/// How a game is played.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How an officer moves.
    pub police: Movement,
    /// How the thief moves.
    pub thief: Movement,
    /// Officers on the board.
    pub officers: i32,
    /// 0 or 1.
    pub corner_cutting: i32,
    /// One of [`wrap`].
    pub wrap: i32,
    /// One of [`stuck`].
    pub stuck: i32,
    /// One of [`team`].
    pub team: i32,
    /// One of [`police_on_exit`].
    pub police_on_exit: i32,
    /// For whom a draw counts, a [`side`].
    pub undecided: i32,
}

/// How a table is opened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most bytes of unzipped blocks that are kept.
    pub cache_bytes: u64,
    /// One of [`access`].
    pub access: i32,
    /// 0.
    pub reserved: u32,
}

/// How a tablebase is opened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TablebaseOptions {
    /// How each table is opened.
    pub table: Options,
    /// Most tables that stay open when nobody holds them.
    pub open_tables: u64,
}

/// The value of a position by number.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameValue {
    /// How it ends, a [`result`].
    pub result: i32,
    /// In how many plies, or [`NO_DTW`].
    pub dtw: u32,
}

/// What a table of positions by number says as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// All positions.
    pub positions: u64,
    /// Positions won for the player to move.
    pub won: u64,
    /// Positions lost for the player to move.
    pub lost: u64,
    /// Positions that nobody wins.
    pub drawn: u64,
    /// The greatest distance of a won position, in plies.
    pub longest_win: u32,
    /// The greatest distance of a lost position, in plies.
    pub longest_loss: u32,
    /// Tells games apart.
    pub key: u64,
    /// The content digest.
    pub digest: u64,
    /// Bytes of the file.
    pub file_length: u64,
    /// Bytes of memory, beside the file and the cache.
    pub memory: u64,
}
