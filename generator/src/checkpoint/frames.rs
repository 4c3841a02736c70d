//! The bytes of a checkpoint: a state in compressed frames with checksums.

use super::framed_file::{Fault, FrameHead, FrameKind, Preamble, read_frame};
use crate::{save::require_file, warning::CheckpointError};
use dragnet_formats::value::Plies;
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, little_endian::U32};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

/// Bytes of the state in a frame.
const FRAME: usize = 1 << 18;
/// Level of zstd: the fastest that finds repetitions.
const LEVEL: i32 = 1;

/// The numbers of a frame: a piece of the state, packed.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Piece {
    /// The number of pieces before it.
    number: U32,
    /// The bytes of the piece, not packed: 0 at the end of the state.
    unpacked: U32,
}

impl FrameKind for Piece {
    const MAGIC: [u8; 8] = *b"\x89DTK\r\n\x1A\n";
}

/// Returns the preamble of the checkpoint of a level, in the solve with this key.
pub(super) fn preamble(level: Plies, key: u128) -> Preamble {
    Preamble::new::<Piece>(level, key)
}

/// Returns a zstd context that compresses frames.
fn compressor() -> io::Result<CCtx<'static>> {
    let mut context = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
    context
        .set_parameter(CParameter::CompressionLevel(LEVEL))
        .map_err(|code| io::Error::other(get_error_name(code)))?;
    Ok(context)
}

/// The writer of a checkpoint.
pub(crate) struct Frames<'a> {
    output: BufWriter<File>,
    zstd: CCtx<'static>,
    seed: u32,
    /// Frames written.
    count: u32,
    /// Bytes written.
    bytes: u64,
    /// Bytes of the state that are not in a frame yet.
    plain: Vec<u8>,
    packed: Vec<u8>,
    cancelled: &'a AtomicBool,
}

impl<'a> Frames<'a> {
    pub(super) fn new(
        mut output: BufWriter<File>,
        preamble: Preamble,
        cancelled: &'a AtomicBool,
    ) -> io::Result<Frames<'a>> {
        output.write_all(preamble.as_bytes())?;
        Ok(Frames {
            output,
            zstd: compressor()?,
            seed: preamble.seed(),
            count: 0,
            bytes: Preamble::BYTES as u64,
            plain: Vec::with_capacity(FRAME),
            packed: Vec::with_capacity(compress_bound(FRAME)),
            cancelled,
        })
    }

    /// Returns an error if the checkpoint is cancelled.
    pub(crate) fn go_on(&self) -> io::Result<()> {
        match self.cancelled.load(Relaxed) {
            true => Err(io::Error::other("checkpoint cancelled")),
            false => Ok(()),
        }
    }

    /// Appends `bytes` to the state.
    ///
    /// # Errors
    /// When the file refuses, or the checkpoint is cancelled.
    pub(crate) fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(FRAME - self.plain.len()));
            self.plain.extend_from_slice(now);
            bytes = later;
            if self.plain.len() == FRAME {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the gathered bytes as a frame.
    fn flush(&mut self) -> io::Result<()> {
        self.go_on()?;
        self.packed.clear();
        if !self.plain.is_empty() {
            self.zstd
                .compress2(&mut self.packed, &self.plain)
                .map_err(|code| io::Error::other(get_error_name(code)))?;
        }
        let piece = Piece { number: self.count.into(), unpacked: (self.plain.len() as u32).into() };
        self.output.write_all(FrameHead::new(self.seed, piece, &self.packed).as_bytes())?;
        self.output.write_all(&self.packed)?;
        self.bytes += (FrameHead::<Piece>::BYTES + self.packed.len()) as u64;
        self.count += 1;
        self.plain.clear();
        Ok(())
    }

    /// Writes the last frame and the end mark. Returns the file and its length in bytes.
    pub(super) fn finish(mut self) -> io::Result<(BufWriter<File>, u64)> {
        if !self.plain.is_empty() {
            self.flush()?;
        }
        self.flush()?;
        Ok((self.output, self.bytes))
    }
}

/// The reader of a checkpoint.
pub(crate) struct Saved {
    input: BufReader<File>,
    /// Bytes of the file that have not been read.
    left: u64,
    zstd: DCtx<'static>,
    preamble: Preamble,
    /// Frames read.
    count: u32,
    /// Bytes of the state in the current frame.
    plain: Vec<u8>,
    /// How many bytes of `plain` have been read.
    at: usize,
    packed: Vec<u8>,
}

impl Saved {
    /// Opens the file `path` and checks its preamble.
    ///
    /// # Errors
    /// When the file cannot be read, or does not begin like a checkpoint of this version.
    pub(super) fn open(path: &Path) -> Result<Saved, CheckpointError> {
        require_file(path)?;
        let file = File::open(path)?;
        let left = file.metadata()?.len();
        let mut input = BufReader::with_capacity(FRAME, file);
        let mut bytes = [0; Preamble::BYTES];
        let left = left.checked_sub(bytes.len() as u64).ok_or(CheckpointError::Truncated)?;
        input.read_exact(&mut bytes)?;
        Ok(Saved {
            preamble: Preamble::of_bytes::<Piece>(bytes)?,
            input,
            left,
            zstd: DCtx::try_create().ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?,
            count: 0,
            plain: Vec::with_capacity(FRAME),
            at: 0,
            packed: Vec::new(),
        })
    }

    pub(super) fn preamble(&self) -> Preamble {
        self.preamble
    }

    /// Returns the level of the checkpoint.
    pub(crate) fn level(&self) -> Plies {
        self.preamble.level()
    }

    /// Reads the next frame. False if it is the end mark.
    fn next_frame(&mut self) -> Result<bool, CheckpointError> {
        let damaged = CheckpointError::Frame { frame: self.count };
        let head: FrameHead<Piece> =
            match read_frame(&mut self.input, self.preamble.seed(), self.left, &mut self.packed) {
                Ok(head) => head,
                Err(Fault::CutShort) => return Err(CheckpointError::Truncated),
                Err(Fault::Damaged) => return Err(damaged),
                Err(Fault::Io(error)) => return Err(error.into()),
            };
        self.left -= (FrameHead::<Piece>::BYTES + head.len()) as u64;
        let unpacked = head.about.unpacked.get() as usize;
        if head.about.number.get() != self.count || unpacked > FRAME {
            return Err(damaged);
        }
        self.plain.clear();
        self.at = 0;
        if unpacked > 0 {
            self.zstd.decompress(&mut self.plain, &self.packed).map_err(|_| damaged)?;
        }
        if self.plain.len() != unpacked {
            return Err(CheckpointError::Frame { frame: self.count });
        }
        self.count += 1;
        Ok(unpacked > 0)
    }

    /// Reads the next bytes of the state.
    ///
    /// # Errors
    /// When the file has no more of it, or a frame is damaged.
    pub(crate) fn read(&mut self, mut to: &mut [u8]) -> Result<(), CheckpointError> {
        while !to.is_empty() {
            if self.at == self.plain.len() && !self.next_frame()? {
                return Err(CheckpointError::Truncated);
            }
            let count = to.len().min(self.plain.len() - self.at);
            let (now, later) = to.split_at_mut(count);
            now.copy_from_slice(&self.plain[self.at..self.at + count]);
            self.at += count;
            to = later;
        }
        Ok(())
    }

    /// Reads the next number of the state.
    pub(crate) fn u32(&mut self) -> Result<u32, CheckpointError> {
        let mut bytes = [0; 4];
        self.read(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads the next number of the state.
    pub(crate) fn u64(&mut self) -> Result<u64, CheckpointError> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Checks that nothing but the end mark follows what has been read.
    pub(super) fn finish(&mut self) -> Result<(), CheckpointError> {
        if self.at < self.plain.len() || self.next_frame()? || self.left > 0 {
            return Err(CheckpointError::Trailing);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn preamble() -> Preamble {
        super::preamble(70_000, 0x0123_4567_89AB_CDEF << 40)
    }

    /// Writes a checkpoint of `state` into a file.
    fn written(state: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cancelled = AtomicBool::new(false);
        let output = BufWriter::new(file.reopen().unwrap());
        let mut frames = Frames::new(output, preamble(), &cancelled).unwrap();
        // In pieces of all lengths.
        let mut rest = state;
        for len in (1..).map(|i| i * i * 7) {
            let (now, later) = rest.split_at(rest.len().min(len));
            frames.put(now).unwrap();
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        let (output, bytes) = frames.finish().unwrap();
        output.into_inner().unwrap();
        assert_eq!(fs::metadata(file.path()).unwrap().len(), bytes);
        file
    }

    fn read(path: &Path, len: usize) -> Result<Vec<u8>, CheckpointError> {
        let mut saved = Saved::open(path)?;
        assert_eq!(saved.preamble(), preamble());
        let mut state = vec![0; len];
        for piece in state.chunks_mut(100_000) {
            saved.read(piece)?;
        }
        saved.finish()?;
        Ok(state)
    }

    /// Returns bytes that compress somewhat.
    fn state(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i * i / 8) as u8 & 0x3F).collect()
    }

    #[test]
    fn a_state_round_trips() {
        for len in [0, 1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME + 5] {
            let state = state(len);
            assert_eq!(read(written(&state).path(), len).unwrap(), state);
        }
    }

    #[test]
    fn a_state_of_another_length_is_refused() {
        let file = written(&state(1000));
        assert!(matches!(read(file.path(), 999), Err(CheckpointError::Trailing)));
        assert!(matches!(read(file.path(), 1001), Err(CheckpointError::Truncated)));
    }

    #[test]
    fn any_damage_is_refused() {
        let file = written(&state(600));
        let bytes = fs::read(file.path()).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(file.path(), &damaged).unwrap();
            assert!(read(file.path(), 600).is_err(), "byte {at}");
            fs::write(file.path(), &bytes[..at]).unwrap();
            assert!(matches!(read(file.path(), 600), Err(CheckpointError::Truncated)), "cut at {at}");
        }
        fs::write(file.path(), [&bytes[..], &[0]].concat()).unwrap();
        assert!(matches!(read(file.path(), 600), Err(CheckpointError::Trailing)));
    }

    #[test]
    fn swapped_frames_are_refused() {
        let state: Vec<u8> = (0..3 * FRAME).map(|i| (i / FRAME) as u8).collect();
        let file = written(&state);
        let bytes = fs::read(file.path()).unwrap();
        let frame = (bytes.len() - Preamble::BYTES - FrameHead::<Piece>::BYTES) / 3;
        let at = |number: usize| Preamble::BYTES + number * frame;
        let swapped = [&bytes[..at(0)], &bytes[at(1)..at(2)], &bytes[at(0)..at(1)], &bytes[at(2)..]].concat();
        fs::write(file.path(), swapped).unwrap();
        assert!(matches!(read(file.path(), 3 * FRAME), Err(CheckpointError::Frame { frame: 0 })));
    }

    #[test]
    fn a_cancelled_checkpoint_is_not_written() {
        let cancelled = AtomicBool::new(true);
        let output = BufWriter::new(tempfile::tempfile().unwrap());
        let mut frames = Frames::new(output, preamble(), &cancelled).unwrap();
        assert!(frames.put(&state(FRAME)).is_err());
    }
}
