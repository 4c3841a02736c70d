//! Processes that solve one board together (`PROTOCOL.md` §13), and how they reach each other.
//!
//! Each of them is a **rank** with a number from 0 on. What they need of MPI, or of any other way to send
//! bytes, is a [`Transport`] of two calls. [`InProcess`] connects threads of one process.

mod transport;

mod in_process;

mod message;

mod owner;

pub use in_process::InProcess;
pub(crate) use message::{PIECE, Reader, any_rank, broadcast, open, seal, to_first};
pub use owner::owners_of;
pub use transport::{Transport, TransportError};
