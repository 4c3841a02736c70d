//! Checkpoints of long solves, from which a later run resumes (`PROTOCOL.md` §9).

mod interval;

mod framed_file;

mod frames;

mod scratch;

mod log_file;

mod block_file;

mod generations;

mod keeper;

mod files;

pub(crate) use block_file::{BlockFile, PacketHead};
pub use files::{
    CheckpointFile, checkpoints_in, checkpoints_of, remove_leftovers, remove_scratch_leftovers, scratch_logs,
};
pub(crate) use framed_file::{FrameHead, Mark, Preamble};
pub(crate) use frames::{Frames, Saved};
pub(crate) use generations::{Checkpoints, Unrestored};
pub use interval::CheckpointInterval;
pub(crate) use keeper::Keeper;
pub(crate) use log_file::{LogFile, LogFrame};
pub(crate) use scratch::SetRoom;
pub use scratch::prepare_scratch;
