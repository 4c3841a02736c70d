//! The header: everything about a table but its values (`FORMAT.md` §3, §9, §11 and §12, `FORMAT2.md` §3).
//!
//! A pursuit table has a [`Header`], a game table a [`GameHeader`], a partial table a [`PartialHeader`],
//! the table of a given game a [`GivenHeader`].
//!
//! ```
//! use dragnet_formats::{
//!     board::make,
//!     header::{Header, Summary},
//!     numbering::EIGHT,
//!     rules::Rules,
//! };
//!
//! let (board, rules) = (make::open(5, 7)?, Rules::chase());
//! let summary = Summary::of_draws(Header::positions_of(&board, &rules)?);
//! let header = Header { board, rules, police_tile: EIGHT, thief_tile: EIGHT, summary };
//! assert_eq!(Header::from_bytes(&header.to_bytes()?)?, header);
//! assert_eq!((header.positions(), header.block_count()), (2 * 35 * 35, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

mod pack;

mod setting;

mod summary;

mod tile_sizes;

mod pursuit;

mod partial;

mod doors;

mod game;

mod given;

pub use error::{HeaderError, MAX_HEADER_LEN};
pub use game::{GameHeader, GameHeaderError, GameNumbering, GameSummary};
pub use given::{GivenHeader, GivenNumbering, Kind, Section, SectionLens};
pub use partial::{Keep, PartialHeader};
pub use pursuit::Header;
pub(crate) use pursuit::PARTIAL;
pub use summary::{Counts, Longest, Summary};
pub use tile_sizes::{tile_sizes, tile_sizes_of};
