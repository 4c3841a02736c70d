//! What ranks need of the system that carries their messages.

use std::fmt::Debug;

/// Why ranks cannot work together any more. All of them end then; a later run goes on from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// Another rank has ended.
    #[error("rank {rank} has ended")]
    Lost {
        /// The number of the rank.
        rank: usize,
    },
    /// The system that carries the messages refuses.
    #[error(transparent)]
    Refused(Box<dyn std::error::Error + Send + Sync>),
    /// The bytes from another rank are not those of a message that could be expected.
    #[error("expected a message from rank {rank}, found {found}")]
    Message {
        /// The number of the rank.
        rank: usize,
        /// The bytes in place of the message.
        found: &'static str,
    },
}

/// The way in which the ranks of a solve reach each other.
///
/// All ranks make the same calls in the same order, each from one thread at a time. A call returns when all
/// messages for this rank have come.
///
/// ```
/// use dragnet_generator::ranks::{InProcess, Transport, TransportError};
/// use std::thread;
///
/// let ranks: Vec<_> = InProcess::connect(3)
///     .into_iter()
///     .map(|transport| {
///         thread::spawn(move || -> Result<(), TransportError> {
///             let rank = transport.rank() as u8;
///             // Rank 2 gets 20 from rank 0, 21 from rank 1 and 22 from itself.
///             let received = transport.exchange((0..3).map(|to| vec![10 * to + rank]).collect())?;
///             assert_eq!(received, [vec![10 * rank], vec![10 * rank + 1], vec![10 * rank + 2]]);
///             let mut numbers = [1, rank.into()];
///             transport.sum(&mut numbers)?;
///             assert_eq!(numbers, [3, 0 + 1 + 2]);
///             Ok(())
///         })
///     })
///     .collect();
/// for rank in ranks {
///     rank.join().unwrap()?;
/// }
/// # Ok::<(), TransportError>(())
/// ```
pub trait Transport: Debug + Send + Sync {
    /// Returns the number of this rank, less than [`Transport::ranks`].
    fn rank(&self) -> usize;

    /// Returns the number of ranks, 1 or more.
    fn ranks(&self) -> usize;

    /// Sends to each rank the message at its number, itself included, and returns the messages for this rank
    /// by their senders.
    ///
    /// # Errors
    /// When another rank has ended, or the system refuses.
    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, TransportError>;

    /// Replaces each of the numbers by its sum over all ranks, modulo 2⁶⁴. All ranks have as many.
    ///
    /// # Errors
    /// When another rank has ended, or the system refuses.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), TransportError>;
}
