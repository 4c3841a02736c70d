//! Ranks of MPI: the transport of `dragnet generate --mpi`.
//!
//! Only programs that are built with the feature `mpi` reach MPI. The calls come from one thread at a time,
//! not always the same. An error of MPI itself ends all ranks, which is MPI's default.

use crate::failure::{Failure, TROUBLE};
use dragnet_generator::ranks::{Transport, TransportError};
use mpi::{
    Threading,
    collective::SystemOperation,
    datatype::{Partition, PartitionMut},
    environment::Universe,
    topology::SimpleCommunicator,
    traits::{Communicator, CommunicatorCollectives},
};
use std::{io::Write, sync::Arc};

/// The ranks of this job. When it is dropped, the rank takes leave of MPI and waits for the others to do so.
/// In a panic it ends all ranks instead.
pub(crate) struct MpiJob {
    _universe: Universe,
    transport: Arc<MpiTransport>,
}

impl MpiJob {
    /// Joins the other ranks.
    pub(crate) fn join() -> Result<MpiJob, Failure> {
        let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
            return Err(Failure::input("--mpi: MPI is in use already"));
        };
        if threading < Threading::Serialized {
            return Err(Failure::input(
                "--mpi: expected an MPI that lets several threads call it by turns (MPI_THREAD_SERIALIZED), \
                 found one that does not",
            ));
        }
        let world = universe.world();
        let (rank, ranks) = (world.rank() as usize, world.size() as usize);
        Ok(MpiJob { _universe: universe, transport: Arc::new(MpiTransport { rank, ranks }) })
    }

    /// Returns how this rank reaches the others.
    pub(crate) fn transport(&self) -> Arc<dyn Transport> {
        Arc::clone(&self.transport) as Arc<dyn Transport>
    }
}

impl Drop for MpiJob {
    fn drop(&mut self) {
        // The others would wait for a rank that panics, and it for them.
        if std::thread::panicking() {
            end_all(TROUBLE);
        }
    }
}

/// Ends all ranks at once with this exit status.
pub(crate) fn end_all(status: u8) -> ! {
    // MPI does not know of what waits to be written.
    let _ = std::io::stdout().flush();
    SimpleCommunicator::world().abort(status.into())
}

/// How one rank of MPI reaches the others.
#[derive(Debug)]
struct MpiTransport {
    rank: usize,
    ranks: usize,
}

impl MpiTransport {
    /// Returns the most bytes of one message that travel at a time: MPI counts the bytes of all messages of a
    /// rank in 31 bits.
    fn piece(&self) -> usize {
        i32::MAX as usize / self.ranks - 1
    }
}

/// Returns the count of bytes and the offset of each message in the round that starts at byte `at`. Each has
/// one byte of padding: Open MPI 4.1 mistakes an empty message for a later one.
fn round(lengths: &[usize], at: usize, piece: usize) -> (Vec<i32>, Vec<i32>) {
    let counts: Vec<i32> =
        lengths.iter().map(|length| length.saturating_sub(at).min(piece) as i32 + 1).collect();
    let starts = counts.iter().scan(0, |next, count| Some(std::mem::replace(next, *next + count)));
    let starts = starts.collect();
    (counts, starts)
}

impl Transport for MpiTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, TransportError> {
        let world = SimpleCommunicator::world();
        let own: Vec<usize> = messages.iter().map(Vec::len).collect();
        let longest = own.iter().copied().max().unwrap_or(0);
        // Each rank hears the longest message of all others too: so all go through as many rounds.
        let heads: Vec<[u64; 2]> = own.iter().map(|&length| [length as u64, longest as u64]).collect();
        let mut others = vec![[0u64; 2]; self.ranks];
        world.all_to_all_into(heads.as_flattened(), others.as_flattened_mut());
        let lengths: Vec<usize> = others.iter().map(|&[length, _]| length as usize).collect();
        let longest = others.iter().map(|&[_, longest]| longest as usize).max().unwrap_or(0);
        let mut received: Vec<Vec<u8>> = lengths.iter().map(|&length| Vec::with_capacity(length)).collect();
        for at in (0..longest).step_by(self.piece()) {
            let (counts, starts) = round(&own, at, self.piece());
            let (counts_in, starts_in) = round(&lengths, at, self.piece());
            let mut out = Vec::with_capacity(counts.iter().map(|&count| count as usize).sum());
            for (message, &count) in messages.iter().zip(&counts) {
                out.extend_from_slice(&message[at.min(message.len())..][..count as usize - 1]);
                out.push(0);
            }
            let mut arrived = vec![0u8; counts_in.iter().map(|&count| count as usize).sum()];
            let mut to = PartitionMut::new(&mut arrived[..], &counts_in[..], &starts_in[..]);
            world.all_to_all_varcount_into(&Partition::new(&out[..], &counts[..], &starts[..]), &mut to);
            for (message, (&start, &count)) in received.iter_mut().zip(starts_in.iter().zip(&counts_in)) {
                message.extend_from_slice(&arrived[start as usize..][..count as usize - 1]);
            }
        }
        Ok(received)
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), TransportError> {
        let own = numbers.to_vec();
        SimpleCommunicator::world().all_reduce_into(&own[..], numbers, SystemOperation::sum());
        Ok(())
    }
}
