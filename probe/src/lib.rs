//! Asks Dragnet tables: who wins a position, in how many plies, and with which move.
//!
//! ```
//! use dragnet_probe::{Cell, Open, Position, Side};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
//! let table = Open::path(path).pursuit()?;
//! let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
//! let value = table.value(position)?;
//! assert_eq!(value.outcome(position.turn).to_string(), "police");
//! assert_eq!(value.dtw(), Some(5)); // plies to the win
//! for choice in table.best_moves(position)? {
//!     println!("{} -> {:?}", choice.to, choice.value);
//! }
//! # Ok::<(), dragnet_probe::ProbeError>(())
//! ```
//!
//! | type | asks |
//! |---|---|
//! | [`Table`] | a pursuit table: officers and a thief, on a board, a graph, or places of a program's own |
//! | [`GameTable`] | a game table: any other game, whose positions are numbers |
//! | [`PartialTable`] | a small table that keeps who wins, or a best move of one side |
//! | [`AnyTable`] | a file of any kind |
//! | [`Tablebase`] | folders of pursuit tables, by board and rules |
//! | [`Scan`] | every position of a pursuit table |
//! | [`opponent::Opponent`] | a move, at a strength of your choice |
//!
//! The work for a probe does not grow with the board, and is bounded whatever the table says
//! ([`ProbeError::TooMuchWork`]). All types may be asked by many threads at once. A
//! damaged file is an error and never a wrong answer, even if it is changed while it is open, and nothing
//! here panics on any bytes.
//!
//! # Features
//!
//! * `mmap` (default): tables in memory maps: [`Open::mapped`].
//! * `zstd` (default): tables optimised for size, read by a decoder in Rust. Without it or `libzstd` a
//!   compressed block is an error.
//! * `libzstd`: tables optimised for size, read by the zstd library, which needs a C compiler and takes a
//!   third of the time.
//!
//! The modules in the order in which they build on each other:
#![deny(unsafe_code)]

mod position;

mod error;

mod effort;

mod cache;

mod read_at;

mod supply;

mod source;

mod source_reader;

mod block_reader;

mod place_numbers;

mod table_game;

mod placement;

mod pursuit_table;

mod lookup;

mod table;

mod moves;

mod line;

mod partial_table;

mod game_table;

mod any_table;

mod open;

mod tablebase;

#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
mod map;

pub mod scan;

pub mod opponent;

pub use any_table::AnyTable;
pub use block_reader::BlockReader;
pub use bytes::Bytes;
pub use cache::{Cache, CacheStatistics};
pub use dragnet_formats::{
    board::{Board, BoardError, ParseBoardError, Scenario, Square},
    cell::{Cell, Side},
    codec::BlockError,
    container::{BlockStatistics, TableError, TableKind, index::IndexEntry},
    doors::{Door, DoorError, Doors, Opening, Schedule},
    game::MoveTable,
    graph::{Graph, GraphBuilder},
    header::{
        Counts, GameHeader, GameHeaderError, GameNumbering, GameSummary, Header, HeaderError, Keep, Kind,
        Longest, PartialHeader, Section as TableSection, SectionLens, Summary,
    },
    numbering::{Numbering, SlotsError, TileSize, TileSizeError},
    pieces::{Pieces, PiecesError},
    rules::{MoveSet, Movement, PoliceOnExit, Rules, RulesError, Stuck, Team, Undecided, Wrap},
    setting::{Setting, SettingError},
    value::{Outcome, Plies, Value},
};
pub use error::{ProbeError, TablebaseError, Work};
pub use game_table::{GameChoice, GameTable};
pub use line::{Line, LineEnd, LineMove};
pub use moves::{Choice, Moves};
pub use open::Open;
pub use partial_table::PartialTable;
pub use position::{Destination, Position};
pub use pursuit_table::{PursuitHeader, PursuitTable};
pub use read_at::{ReadAt, Section};
pub use scan::Scan;
pub use supply::Supply;
pub use table::Table;
pub use tablebase::Tablebase;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ProjectReadme;
