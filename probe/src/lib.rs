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

mod position;

mod error;

mod options;

mod table_file;

mod storage;

mod cache;

mod file_reader;

mod block_reader;

mod placement;

mod lookup;

mod table;

mod moves;

mod line;

mod tablebase;

mod game_table;

mod any_table;

#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
mod map;

pub mod scan;

pub use any_table::AnyTable;
pub use dragnet_formats::{
    board::{Board, BoardError, Square},
    cell::{Cell, Side},
    codec::BlockError,
    container::{BlockStatistics, TableError, TableKind, index::IndexEntry},
    graph::{Graph, GraphBuilder},
    header::{Counts, Header, HeaderError, Longest, Summary},
    header::{GameHeader, GameHeaderError, GameNumbering, GameSummary},
    numbering::{Numbering, SlotsError, TileSize, TileSizeError},
    pieces::{Pieces, PiecesError},
    rules::{MoveSet, Movement, PoliceOnExit, Rules, RulesError, Stuck, Team, Undecided, Wrap},
    value::{Outcome, Plies, Value},
};
pub use error::{ProbeError, TablebaseError};
pub use game_table::{GameChoice, GameTable};
pub use line::{Line, LineEnd, LineMove};
pub use moves::Choice;
pub use options::{Access, Options};
pub use position::Position;
pub use scan::Scan;
pub use table::Table;
pub use tablebase::{Tablebase, TablebaseOptions};
