//! Asks Dragnet tables: who wins a position, in how many plies, and with which move.
//!
//! ```no_run
//! use dragnet_probe::{Cell, Position, Side, Table};
//!
//! let table = Table::open("tables/open-08x08.dtb")?;
//! let position = Position::new(Cell::new(7, 7), Cell::new(0, 3), Side::Police);
//! let value = table.value(position)?;
//! println!("{} wins in {:?} plies", value.outcome(position.turn), value.dtw());
//! for choice in table.best_moves(position)? {
//!     println!("{} -> {:?}", choice.to, choice.value);
//! }
//! # Ok::<(), dragnet_probe::ProbeError>(())
//! ```
//!
//! A [`GameTable`] is asked by numbers: it is of a game on a graph, or of any other game that you have solved; [`AnyTable`] opens
//! both kinds.
//!
//! The work for a probe does not grow with the board. A [`Table`] may be asked by many threads at once. A damaged
//! file is an error, never another answer, and nothing here panics on any bytes.
//!
//! The modules in the order in which they build on each other:
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod map;

mod position;

mod error;

mod source;

mod cache;

mod blocks;

mod lookup;

mod table;

mod moves;

mod line;

mod tablebase;

mod game_table;

mod any_table;

pub use any_table::AnyTable;
pub use blocks::Options;
pub use dragnet_formats::{
    board::{Board, BoardError, Square},
    cell::{Cell, Side},
    container::{TableError, TableKind, index::Entry, reader::BlockStatistics},
    game_header::{GameHeader, GameNumbering, GameSummary},
    graph::{Graph, GraphBuilder},
    header::{Counts, Header, Longest, Summary},
    numbering::{Numbering, TileSize},
    pieces::{Pieces, PiecesError},
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
    value::{Outcome, Plies, Value},
};
pub use error::{ProbeError, TablebaseError};
pub use game_table::{GameChoice, GameTable};
pub use line::{Line, LineEnd, LineMove};
pub use moves::Choice;
pub use position::Position;
pub use source::Access;
pub use table::Table;
pub use tablebase::{Tablebase, TablebaseOptions};
