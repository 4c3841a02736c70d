//! The packed frames of a log: chunks that are full.

use super::store::LogStore;
use crate::{
    log_error::LogError,
    memory::{OutOfMemory, reserve_exact},
};
use dragnet_formats::checksum::crc32;

/// Zeros behind the entries of a chunk that is unpacked, so that a reader may look eight bytes ahead.
const MARGIN: usize = 8;

/// A chunk of a log that nobody changes any more, packed.
#[derive(Debug)]
pub(super) struct Frame {
    /// The overlay of the log.
    lane: u32,
    /// The number of frames before it in its log.
    number: u32,
    /// The code of the first entry.
    pub(super) first: u32,
    /// Bytes of the chunk.
    unpacked: u32,
    /// CRC-32 of the fields above and the packed bytes.
    crc: u32,
    /// One frame of zstd, or the chunk as it is if that is as short.
    packed: Box<[u8]>,
}

/// The place of a frame: its log, and the number of frames before it there.
#[derive(Clone, Copy, Debug)]
pub(super) struct FramePlace {
    pub(super) lane: u32,
    pub(super) number: u32,
}

impl Frame {
    /// Creates the frame of a chunk whose first entry has the code `first`.
    pub(super) fn of_chunk(
        store: &LogStore,
        place: FramePlace,
        first: u32,
        chunk: &[u8],
    ) -> Result<Frame, OutOfMemory> {
        let packed = store.pack(chunk, |bytes| {
            let mut copy = reserve_exact(bytes.len())?;
            copy.extend_from_slice(bytes);
            Ok(copy.into())
        })?;
        Ok(Frame::new(place, first, chunk.len() as u32, packed))
    }

    /// Returns the frame with these packed bytes.
    pub(super) fn new(place: FramePlace, first: u32, unpacked: u32, packed: Box<[u8]>) -> Frame {
        let FramePlace { lane, number } = place;
        let mut frame = Frame { lane, number, first, unpacked, crc: 0, packed };
        frame.crc = frame.checksum();
        frame
    }

    fn checksum(&self) -> u32 {
        let fields = [self.lane, self.number, self.first, self.unpacked].map(u32::to_le_bytes);
        crc32(&[fields.as_flattened(), &self.packed])
    }

    /// Returns the packed bytes.
    pub(super) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// Returns the number of bytes of the chunk.
    pub(super) fn unpacked_len(&self) -> usize {
        self.unpacked as usize
    }

    /// Appends the chunk and [`MARGIN`] zeros to `bytes`, which has room for them.
    pub(super) fn unpack(&self, store: &LogStore, bytes: &mut Vec<u8>) -> Result<(), LogError> {
        let damaged = LogError::Damaged { overlay: self.lane, frame: self.number };
        if self.checksum() != self.crc {
            return Err(damaged);
        }
        let begin = bytes.len();
        if self.packed.len() == self.unpacked_len() {
            bytes.extend_from_slice(&self.packed);
        } else {
            bytes.resize(begin + self.unpacked_len(), 0);
            if store.unpack(&self.packed, &mut bytes[begin..])? != Some(self.unpacked_len()) {
                return Err(damaged);
            }
        }
        bytes.resize(begin + self.unpacked_len() + MARGIN, 0);
        Ok(())
    }

    /// Returns how many bytes [`Frame::unpack`] appends.
    pub(super) fn unpacked_room(&self) -> usize {
        self.unpacked_len() + MARGIN
    }
}
