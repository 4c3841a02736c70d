//! The header: everything about a table but its values (`FORMAT.md` §3, §9 and §11).
//!
//! A pursuit table has a [`Header`], one that keeps a part of its knowledge a [`PartialHeader`], a game table
//! a [`GameHeader`]. [`StoredGame::pack`](crate::stored::StoredGame::pack) makes the header of a game.

mod error;

mod summary;

mod tile_sizes;

mod pursuit;

mod partial;

mod game;

pub use error::{HeaderError, MAX_HEADER_LEN};
pub use game::{GameHeader, GameHeaderError, GameNumbering, GameSummary};
pub use partial::{Keep, PartialHeader};
pub use pursuit::{Header, Kind, Section, SectionLens, SectionedNumbering};
pub use summary::{Counts, Longest, Summary};
pub use tile_sizes::tile_sizes;
