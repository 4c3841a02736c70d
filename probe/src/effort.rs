//! Bounds on the work of one question (`FORMAT.md` §10): no table, whatever it says, may hold a program up.

use crate::ProbeError;
use dragnet_formats::moves::TooManySteps;
use std::fmt;

/// A kind of work of which a question may need too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Single steps tried to find the moves of pieces.
    Steps,
    /// Moves of a position.
    Moves,
    /// Values looked up.
    Values,
    /// Bytes of blocks looked into.
    Bytes,
}

impl Work {
    /// Returns how much of the work one question may need.
    #[must_use]
    pub const fn limit(self) -> u64 {
        match self {
            Work::Steps => 1 << 20,
            Work::Moves => 1 << 16,
            Work::Values => 1 << 19,
            Work::Bytes => 1 << 23,
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::Steps => "steps of pieces to find their moves",
            Work::Moves => "moves",
            Work::Values => "values to look up",
            Work::Bytes => "bytes of blocks",
        })
    }
}

/// The work that one question may still need.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    /// Steps that may still be tried.
    pub(crate) steps: u64,
    moves: u64,
    values: u64,
    bytes: u64,
}

impl Effort {
    /// Creates the work of a whole question.
    #[inline(always)]
    pub(crate) fn new() -> Effort {
        Effort {
            steps: Work::Steps.limit(),
            moves: Work::Moves.limit(),
            values: Work::Values.limit(),
            bytes: Work::Bytes.limit(),
        }
    }

    /// Notes that a move was found.
    #[inline(always)]
    pub(crate) fn take_move(&mut self) -> Result<(), ProbeError> {
        take(&mut self.moves, 1, Work::Moves)
    }

    /// Notes that a value is looked up.
    #[inline(always)]
    pub(crate) fn take_value(&mut self) -> Result<(), ProbeError> {
        take(&mut self.values, 1, Work::Values)
    }

    /// Notes that a block is looked into that takes so many bytes to read.
    #[inline(always)]
    pub(crate) fn take_bytes(&mut self, bytes: u64) -> Result<(), ProbeError> {
        take(&mut self.bytes, bytes, Work::Bytes)
    }
}

#[inline(always)]
fn take(left: &mut u64, taken: u64, work: Work) -> Result<(), ProbeError> {
    match left.checked_sub(taken) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(too_much(work)),
    }
}

#[cold]
fn too_much(work: Work) -> ProbeError {
    ProbeError::TooMuchWork { work }
}

impl From<TooManySteps> for ProbeError {
    fn from(_: TooManySteps) -> ProbeError {
        too_much(Work::Steps)
    }
}
