//! Processes that solve one board together (`PROTOCOL.md` §13), and how they reach each other.
//!
//! Each of them is a **rank** with a number from 0 on. What they need of MPI, or of any other way to send
//! bytes, is a [`Transport`] of three calls. [`Alone`] is the transport of a single process, and
//! [`InProcess`] connects threads of one.

mod transport;

mod alone;

mod in_process;

mod message;

mod owner;

pub use alone::Alone;
pub use in_process::InProcess;
pub(crate) use message::{PIECE, Reader, any_rank, broadcast, open, seal};
pub use owner::owners_of;
pub use transport::{Transport, TransportError};
