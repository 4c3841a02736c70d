//! Why a question got no answer.

use dragnet_formats::{board::BoardError, cell::Side, container::TableError};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a question got no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The bytes are no table, or a damaged one.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A piece stands where it cannot stand.
    #[error("the {side}'s {source}")]
    Position {
        /// Whose piece.
        side: Side,
        /// What is wrong with its cell.
        source: BoardError,
    },
    /// One of many positions has no answer.
    #[error("position {index} of those asked (from 0): {source}")]
    InBatch {
        /// Its place among the positions, from 0.
        index: usize,
        /// What is wrong with it.
        source: Box<ProbeError>,
    },
}

impl ProbeError {
    pub(crate) fn file(path: &Path, source: io::Error) -> ProbeError {
        ProbeError::File { path: path.to_owned(), source }
    }
}
