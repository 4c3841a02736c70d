//! Bounds on the work of one question (`FORMAT.md` §10): no table, whatever it says, may hold a program up.

use crate::error::{ProbeError, Work};
use dragnet_formats::moves::TooManySteps;

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

    /// Notes that so many values, or officers' lists of captures, are looked up.
    #[inline(always)]
    pub(crate) fn take_values(&mut self, count: usize) -> Result<(), ProbeError> {
        take(&mut self.values, count as u64, Work::Values)
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
