//! The file as a whole: preamble, header, index pages and blocks (`FORMAT.md` §2, §5).

pub mod layout;

mod kind;

mod error;

mod preamble;

mod table_header;

pub mod index;

mod checked_set;

mod structure;

pub mod reader;

pub mod writer;

pub use checked_set::CheckedSet;
pub use error::{TableError, WriteError};
pub use kind::TableKind;
pub use preamble::Preamble;
pub use reader::Reader;
pub use structure::{BlockStatistics, Structure};
pub use table_header::{BlockNumbering, TableHeader};
pub use writer::Writer;
