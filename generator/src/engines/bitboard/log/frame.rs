//! The packed frames of a log: chunks that are full.

use super::{
    entry::MARGIN,
    store::{CHUNK, LogStore},
};
use crate::{
    checkpoint::FrameHead,
    lock::lock,
    log_error::LogError,
    memory::{OutOfMemory, reserve_exact},
    ranks::Reader,
    solve_error::SolveError,
};
use std::{
    io,
    sync::{Arc, Mutex},
};

/// A chunk of a log that nobody changes any more.
#[derive(Debug)]
pub(super) struct Frame {
    head: FrameHead,
    /// The checksum of the head and the bytes.
    crc: u32,
    bytes: Mutex<FrameBytes>,
}

/// The bytes of a frame: one frame of zstd, or the chunk as it is if that is as short.
#[derive(Debug)]
enum FrameBytes {
    /// Behind a chunk as it is stand [`MARGIN`] zeros more, so that it is read where it is.
    InMemory(Arc<Vec<u8>>),
    /// Where they begin in the file of the logs.
    InFile(u64),
}

/// The place of a frame: its log, and the number of frames before it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FramePlace {
    pub(super) log: u32,
    pub(super) number: u32,
}

impl FrameBytes {
    /// Takes the bytes of a frame, and [`MARGIN`] zeros behind them if they need it, for which there is room.
    fn in_memory(head: FrameHead, mut bytes: Vec<u8>) -> FrameBytes {
        if head.packed == head.unpacked {
            bytes.resize(bytes.len() + MARGIN, 0);
        }
        FrameBytes::InMemory(Arc::new(bytes))
    }
}

impl Frame {
    /// Creates the frame of a chunk whose first entry has the code `first`.
    pub(super) fn of_chunk(
        store: &LogStore,
        FramePlace { log, number }: FramePlace,
        first: u32,
        chunk: &[u8],
    ) -> Result<Frame, OutOfMemory> {
        let (bytes, packed) = store.pack(chunk, |bytes| {
            let mut copy = reserve_exact(bytes.len() + MARGIN)?;
            copy.extend_from_slice(bytes);
            Ok((copy, bytes.len()))
        })?;
        let head = FrameHead { log, number, first, unpacked: chunk.len() as u32, packed: packed as u32 };
        let crc = head.crc(store.seed(), &bytes);
        Ok(Frame { head, crc, bytes: Mutex::new(FrameBytes::in_memory(head, bytes)) })
    }

    /// Returns the frame whose bytes begin at `at` in the file of the logs, if its lengths are possible.
    pub(super) fn in_file(head: FrameHead, crc: u32, at: u64) -> Option<Frame> {
        let is_possible = head.unpacked as usize <= CHUNK && head.packed <= head.unpacked;
        is_possible.then(|| Frame { head, crc, bytes: Mutex::new(FrameBytes::InFile(at)) })
    }

    /// Appends the frame to a message: its head, its checksum, its bytes.
    pub(super) fn put_in_message(&self, store: &LogStore, message: &mut Vec<u8>) -> Result<(), LogError> {
        let read;
        let bytes = lock(&self.bytes);
        let packed = match &*bytes {
            FrameBytes::InMemory(packed) => &packed[..self.packed_len()],
            &FrameBytes::InFile(at) => {
                read = self.read(store, at)?;
                &read
            }
        };
        message.extend_from_slice(&self.head.to_bytes());
        message.extend_from_slice(&self.crc.to_le_bytes());
        message.extend_from_slice(packed);
        Ok(())
    }

    /// Reads a frame that [`Frame::put_in_message`] has written.
    pub(super) fn of_message(store: &LogStore, message: &mut Reader) -> Result<Frame, SolveError> {
        let head = FrameHead::from_bytes(message.bytes(FrameHead::BYTES)?);
        let crc = message.u32()?;
        let packed = message.bytes(head.packed as usize)?;
        let is_possible = head.unpacked as usize <= CHUNK && head.packed <= head.unpacked;
        if !is_possible || head.crc(store.seed(), packed) != crc {
            return Err(message.wrong("a damaged frame of a log").into());
        }
        let mut copy = reserve_exact(packed.len() + MARGIN)?;
        copy.extend_from_slice(packed);
        store.hold(packed.len());
        Ok(Frame { head, crc, bytes: Mutex::new(FrameBytes::in_memory(head, copy)) })
    }

    /// Returns the place of the frame.
    pub(super) fn place(&self) -> FramePlace {
        FramePlace { log: self.head.log, number: self.head.number }
    }

    /// Returns the code of the first entry.
    pub(super) fn first(&self) -> u32 {
        self.head.first
    }

    /// Returns the number of bytes of the chunk.
    pub(super) fn unpacked_len(&self) -> usize {
        self.head.unpacked as usize
    }

    /// Returns the number of bytes of the frame.
    pub(super) fn packed_len(&self) -> usize {
        self.head.packed as usize
    }

    fn damaged(&self) -> LogError {
        LogError::Damaged { log: self.head.log, frame: self.head.number }
    }

    /// Appends the chunk and [`MARGIN`] zeros to `bytes`, which has room for them.
    pub(super) fn unpack(&self, store: &LogStore, bytes: &mut Vec<u8>) -> Result<(), LogError> {
        match &*lock(&self.bytes) {
            FrameBytes::InMemory(packed) => self.unpack_from(store, &packed[..self.packed_len()], bytes),
            &FrameBytes::InFile(at) => self.unpack_from(store, &self.read(store, at)?, bytes),
        }
    }

    /// Returns the chunk and [`MARGIN`] zeros, if they are in memory as they are.
    pub(super) fn shared(&self, store: &LogStore) -> Result<Option<Arc<Vec<u8>>>, LogError> {
        let FrameBytes::InMemory(bytes) = &*lock(&self.bytes) else { return Ok(None) };
        if self.head.packed != self.head.unpacked {
            return Ok(None);
        }
        let is_right = self.head.crc(store.seed(), &bytes[..self.packed_len()]) == self.crc;
        if is_right { Ok(Some(Arc::clone(bytes))) } else { Err(self.damaged()) }
    }

    /// Reads the frame's bytes from the file.
    fn read(&self, store: &LogStore, at: u64) -> Result<Vec<u8>, LogError> {
        let mut packed = reserve_exact(self.packed_len() + MARGIN)?;
        packed.resize(self.packed_len(), 0);
        store.read(at, &mut packed)?;
        Ok(packed)
    }

    fn unpack_from(&self, store: &LogStore, packed: &[u8], bytes: &mut Vec<u8>) -> Result<(), LogError> {
        if self.head.crc(store.seed(), packed) != self.crc {
            return Err(self.damaged());
        }
        let begin = bytes.len();
        if packed.len() == self.unpacked_len() {
            bytes.extend_from_slice(packed);
        } else {
            bytes.resize(begin + self.unpacked_len(), 0);
            if store.unpack(packed, &mut bytes[begin..])? != Some(self.unpacked_len()) {
                return Err(self.damaged());
            }
        }
        bytes.resize(begin + self.unpacked_len() + MARGIN, 0);
        Ok(())
    }

    /// Appends the frame to the file of the logs, and gives its memory back, unless that has been done.
    pub(super) fn put_in_file(&self, store: &LogStore) -> io::Result<()> {
        let mut bytes = lock(&self.bytes);
        if let FrameBytes::InMemory(packed) = &*bytes {
            let at = store.append(self.head, self.crc, &packed[..self.packed_len()])?;
            *bytes = FrameBytes::InFile(at);
        }
        Ok(())
    }

    /// Takes the frame from the file of the logs into memory, unless it is there.
    pub(super) fn take_back(&self, store: &LogStore) -> Result<(), LogError> {
        let mut bytes = lock(&self.bytes);
        if let FrameBytes::InFile(at) = *bytes {
            let packed = self.read(store, at)?;
            if self.head.crc(store.seed(), &packed) != self.crc {
                return Err(self.damaged());
            }
            store.hold(packed.len());
            *bytes = FrameBytes::in_memory(self.head, packed);
        }
        Ok(())
    }

    /// Returns how many bytes [`Frame::unpack`] appends.
    pub(super) fn unpacked_room(&self) -> usize {
        self.unpacked_len() + MARGIN
    }
}
