//! The transport of threads of one process.

use super::transport::{Transport, TransportError};
use crate::lock::lock;
use std::sync::{
    Mutex,
    mpsc::{Receiver, Sender, channel},
};

/// One of several ranks in one process, for tests. When one is dropped, the calls of the others fail.
#[derive(Debug)]
pub struct InProcess {
    rank: usize,
    /// Where the messages to each rank go.
    to: Vec<Sender<Vec<u8>>>,
    /// Where the messages of each rank come from.
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl InProcess {
    /// Creates so many ranks that reach each other.
    ///
    /// # Panics
    /// If `ranks` is 0.
    #[must_use]
    pub fn connect(ranks: usize) -> Vec<InProcess> {
        assert!(ranks > 0, "expected at least one rank");
        let mut senders: Vec<Vec<Sender<Vec<u8>>>> = (0..ranks).map(|_| Vec::new()).collect();
        let mut receivers = Vec::with_capacity(ranks);
        for _ in 0..ranks {
            let mut from = Vec::with_capacity(ranks);
            for to in &mut senders {
                let (sender, receiver) = channel();
                to.push(sender);
                from.push(Mutex::new(receiver));
            }
            receivers.push(from);
        }
        let ends = senders.into_iter().zip(receivers).enumerate();
        ends.map(|(rank, (to, from))| InProcess { rank, to, from }).collect()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), TransportError> {
        self.to[to].send(message).map_err(|_| TransportError::Lost { rank: to })
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, TransportError> {
        lock(&self.from[from]).recv().map_err(|_| TransportError::Lost { rank: from })
    }
}

impl Transport for InProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, TransportError> {
        messages.into_iter().enumerate().try_for_each(|(to, message)| self.send(to, message))?;
        (0..self.ranks()).map(|from| self.receive(from)).collect()
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), TransportError> {
        let message: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        numbers.fill(0);
        for message in self.exchange(vec![message; self.ranks()])? {
            for (sum, number) in numbers.iter_mut().zip(message.as_chunks().0) {
                *sum = sum.wrapping_add(u64::from_le_bytes(*number));
            }
        }
        Ok(())
    }
}
