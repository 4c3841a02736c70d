//! Checkpoints of long solves, from which a later run resumes (`PROTOCOL.md` §9).

mod interval;

mod frames;

mod generations;

mod keeper;

mod files;

pub use files::{CheckpointFile, checkpoints_in, checkpoints_of};
pub(crate) use frames::{Frames, Saved};
pub(crate) use generations::{Checkpoints, Unrestored};
pub use interval::CheckpointInterval;
pub(crate) use keeper::Keeper;
