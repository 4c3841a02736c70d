//! The packed frames of a log: chunks that are full.

use super::{
    entry::MARGIN,
    store::{CHUNK, LogStore},
};
use crate::{
    checkpoint::{FrameHead, LogFrame},
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
use zerocopy::{FromBytes, IntoBytes};

/// A chunk of a log that nobody changes any more.
#[derive(Debug)]
pub(super) struct Frame {
    head: FrameHead<LogFrame>,
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

/// Returns whether the bytes of a frame are one frame of zstd.
fn is_packed(head: &FrameHead<LogFrame>) -> bool {
    head.len() != head.about.unpacked.get() as usize
}

/// Returns whether a frame has a chunk that a log could have.
fn is_possible(head: &FrameHead<LogFrame>) -> bool {
    let unpacked = head.about.unpacked.get() as usize;
    unpacked <= CHUNK && head.len() <= unpacked
}

impl FrameBytes {
    /// Takes the bytes of a frame, and [`MARGIN`] zeros behind them if they need it, for which there is room.
    fn in_memory(head: &FrameHead<LogFrame>, mut bytes: Vec<u8>) -> FrameBytes {
        if !is_packed(head) {
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
        let about = LogFrame {
            log: log.into(),
            number: number.into(),
            first: first.into(),
            unpacked: (chunk.len() as u32).into(),
        };
        let head = FrameHead::new(store.seed(), about, &bytes[..packed]);
        Ok(Frame { bytes: Mutex::new(FrameBytes::in_memory(&head, bytes)), head })
    }

    /// Returns the frame whose bytes begin at `at` in the file of the logs, if its lengths are possible.
    pub(super) fn in_file(head: FrameHead<LogFrame>, at: u64) -> Option<Frame> {
        is_possible(&head).then(|| Frame { head, bytes: Mutex::new(FrameBytes::InFile(at)) })
    }

    /// Appends the frame to a message: its head and its bytes.
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
        message.extend_from_slice(self.head.as_bytes());
        message.extend_from_slice(packed);
        Ok(())
    }

    /// Reads a frame that [`Frame::put_in_message`] has written.
    pub(super) fn of_message(store: &LogStore, message: &mut Reader) -> Result<Frame, SolveError> {
        const DAMAGED: &str = "a damaged frame of a log";
        let head = FrameHead::<LogFrame>::read_from_bytes(message.bytes(FrameHead::<LogFrame>::BYTES)?)
            .map_err(|_| message.wrong(DAMAGED))?;
        let packed = message.bytes(head.len())?;
        if !is_possible(&head) || !head.is_of(store.seed(), packed) {
            return Err(message.wrong(DAMAGED).into());
        }
        let mut copy = reserve_exact(packed.len() + MARGIN)?;
        copy.extend_from_slice(packed);
        store.hold(packed.len());
        Ok(Frame { head, bytes: Mutex::new(FrameBytes::in_memory(&head, copy)) })
    }

    /// Returns the place of the frame.
    pub(super) fn place(&self) -> FramePlace {
        FramePlace { log: self.head.about.log.get(), number: self.head.about.number.get() }
    }

    /// Returns the code of the first entry.
    pub(super) fn first(&self) -> u32 {
        self.head.about.first.get()
    }

    /// Returns the number of bytes of the chunk.
    pub(super) fn unpacked_len(&self) -> usize {
        self.head.about.unpacked.get() as usize
    }

    /// Returns the number of bytes of the frame.
    pub(super) fn packed_len(&self) -> usize {
        self.head.len()
    }

    fn damaged(&self) -> LogError {
        let FramePlace { log, number } = self.place();
        LogError::Damaged { log, frame: number }
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
        if is_packed(&self.head) {
            return Ok(None);
        }
        if self.head.is_of(store.seed(), &bytes[..self.packed_len()]) {
            Ok(Some(Arc::clone(bytes)))
        } else {
            Err(self.damaged())
        }
    }

    /// Reads the frame's bytes from the file.
    fn read(&self, store: &LogStore, at: u64) -> Result<Vec<u8>, LogError> {
        let mut packed = reserve_exact(self.packed_len() + MARGIN)?;
        packed.resize(self.packed_len(), 0);
        store.read(at, &mut packed)?;
        Ok(packed)
    }

    fn unpack_from(&self, store: &LogStore, packed: &[u8], bytes: &mut Vec<u8>) -> Result<(), LogError> {
        if !self.head.is_of(store.seed(), packed) {
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
            let at = store.append(&self.head, &packed[..self.packed_len()])?;
            *bytes = FrameBytes::InFile(at);
        }
        Ok(())
    }

    /// Takes the frame from the file of the logs into memory, unless it is there.
    pub(super) fn take_back(&self, store: &LogStore) -> Result<(), LogError> {
        let mut bytes = lock(&self.bytes);
        if let FrameBytes::InFile(at) = *bytes {
            let packed = self.read(store, at)?;
            if !self.head.is_of(store.seed(), &packed) {
                return Err(self.damaged());
            }
            store.hold(packed.len());
            *bytes = FrameBytes::in_memory(&self.head, packed);
        }
        Ok(())
    }

    /// Returns how many bytes [`Frame::unpack`] appends.
    pub(super) fn unpacked_room(&self) -> usize {
        self.unpacked_len() + MARGIN
    }
}
