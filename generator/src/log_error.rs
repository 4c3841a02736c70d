//! Why what a solve has decided cannot be read back.

use crate::memory::OutOfMemory;
use std::io;

/// Why the logs of a solve, its record of what was decided when, or its sets of positions cannot be read
/// back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The system refused the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The file to which the log was written refuses.
    #[error("a log cannot be read back: {0}")]
    Io(#[from] io::Error),
    /// The file to which words of the sets were written refuses, or they have been altered since.
    #[error("the decided positions cannot be read back from the scratch file: {0}")]
    Sets(#[source] io::Error),
    /// A frame has been altered since it was written.
    #[error("frame {frame} of log {log} is damaged")]
    Damaged {
        /// The number of the log. Each slice of the solve has one.
        log: u32,
        /// The number of the frame in its log.
        frame: u32,
    },
}
