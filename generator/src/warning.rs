//! Warnings and errors about checkpoints. None of them ends the work.

use dragnet_formats::value::Plies;
use std::{io, path::PathBuf};

/// The version of checkpoints that this program writes and reads.
pub const CHECKPOINT_VERSION: u16 = 11;

/// Why a file is not a usable checkpoint of a solve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a checkpoint at all.
    #[error("it does not begin like a checkpoint")]
    Magic,
    /// The version is one that this program does not know.
    #[error("expected version {CHECKPOINT_VERSION}, found {found}")]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The first bytes have been altered.
    #[error("its first bytes are damaged: expected checksum {expected:08x}, found {found:08x}")]
    Preamble {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The file belongs to another solve.
    #[error("it is of another board, other rules, another engine or another encoding")]
    Other,
    /// The file ends too soon.
    #[error("it is cut short")]
    Truncated,
    /// A frame has been altered.
    #[error("frame {frame} is damaged")]
    Frame {
        /// Number of the frame.
        frame: u32,
    },
    /// Bytes follow the end of the state.
    #[error("something follows its end")]
    Trailing,
    /// The file of the logs, of which the checkpoint names a part, has not got this part.
    #[error("its log {} {what}", path.display())]
    Log {
        /// The file of the logs.
        path: PathBuf,
        /// The fault of the file.
        what: &'static str,
    },
    /// The frames are whole, but no solve has saved this state.
    #[error("it says something impossible of {what}")]
    State {
        /// The part of the state that is impossible.
        what: &'static str,
    },
}

/// A problem with a checkpoint or a scratch file. It does not end the work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A checkpoint was found and cannot be used: the solve resumes from an older one, or begins at the
    /// start.
    #[error("the checkpoint {} is not used: {source}", path.display())]
    Unused {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: CheckpointError,
    },
    /// A checkpoint could not be written.
    #[error("the checkpoint {} was not written: {source}", path.display())]
    NotWritten {
        /// The file that it was to be.
        path: PathBuf,
        /// The level of the solve.
        level: Plies,
        /// The reason.
        source: io::Error,
    },
    /// Logs that were to leave memory for the disk could not be written. They stay in memory.
    #[error("the log {} is not written further and stays in memory: {source}", path.display())]
    InMemory {
        /// The file of the logs.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Encoded blocks that were to wait on the disk for their table could not be written. They stay in
    /// memory.
    #[error("encoded blocks cannot be written to {} and stay in memory: {source}", path.display())]
    BlocksInMemory {
        /// The file, or the folder in which it would have been.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Words of the sets that were to leave memory for the disk could not be written. All that are in memory
    /// stay there.
    #[error("decided positions cannot be written to {} and stay in memory: {source}", path.display())]
    SetsInMemory {
        /// The folder of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The disk is full, and a checkpoint was removed to make room for the finished table.
    #[error("the disk is full: the checkpoint {} was removed to make room for the table", path.display())]
    MadeRoom {
        /// The file that is gone.
        path: PathBuf,
        /// The bytes that it had.
        bytes: u64,
    },
    /// The table is finished, and a file of its checkpoints could not be removed. The next run that finds the
    /// table finished removes it.
    #[error("{} is of no use any more and cannot be removed: {source}", path.display())]
    NotRemoved {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
