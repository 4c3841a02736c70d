//! Logs in messages between ranks, part by part: full chunks as frames, and the last chunk.

use super::{Log, LogEnd, entry::MARGIN, frame::Frame, store::CHUNK};
use crate::{memory::reserve_exact, ranks::Reader, solve_error::SolveError};
use std::sync::Arc;

/// Marks a part with a frame.
const FRAME: u32 = 0;
/// Marks a part with a last chunk.
const LAST: u32 = 1;

/// A part of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LogPart {
    /// The full chunk with this number.
    Full(usize),
    /// The last chunk, as it was when the log ended there.
    Last(LogEnd),
}

impl Log {
    /// Returns the parts of the log up to `end`, but for the first `known` full chunks.
    pub(crate) fn parts(known: usize, end: LogEnd) -> impl Iterator<Item = LogPart> {
        (known..end.full).map(LogPart::Full).chain([LogPart::Last(end)])
    }

    /// Returns the number of full chunks.
    pub(crate) fn full_chunks(&self) -> usize {
        self.full.len()
    }

    /// Appends a part to a message.
    pub(crate) fn put_part(&self, part: LogPart, message: &mut Vec<u8>) -> Result<(), SolveError> {
        match part {
            LogPart::Full(number) => {
                message.extend_from_slice(&FRAME.to_le_bytes());
                self.full[number].put_in_message(&self.store, message)?;
            }
            LogPart::Last(end) => {
                let head = [LAST, self.slice, end.full as u32, end.used as u32];
                head.iter().for_each(|number| message.extend_from_slice(&number.to_le_bytes()));
                match self.full.get(end.full) {
                    None => message.extend_from_slice(&self.open[..end.used]),
                    Some(frame) => {
                        // The chunk has become full since.
                        let mut chunk = reserve_exact(frame.unpacked_room())?;
                        frame.unpack(&self.store, &mut chunk)?;
                        message.extend_from_slice(&chunk[..end.used]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads a part of one of `logs`, by their numbers, and adds it to what the log has so far.
    ///
    /// # Errors
    /// When the part is damaged or does not fit, or the system refuses memory.
    pub(crate) fn take_part(logs: &mut [Log], message: &mut Reader) -> Result<(), SolveError> {
        const STRANGE: &str = "a part of an unknown log";
        match message.u32()? {
            FRAME => {
                // The head names the log.
                let log = message.clone().u32()?;
                let log = logs.get_mut(log as usize).ok_or_else(|| message.wrong(STRANGE))?;
                let frame = Frame::of_message(&log.store, message)?;
                if frame.place() != log.next_place() {
                    return Err(message.wrong("a frame out of order").into());
                }
                if log.store.is_past_limit()
                    && let Err(error) = frame.put_in_file(&log.store)
                {
                    log.store.refuse(error);
                }
                log.full.push(Arc::new(frame));
            }
            LAST => {
                let log = message.u32()?;
                let (full, used) = (message.u32()? as usize, message.u32()? as usize);
                let log = logs.get_mut(log as usize).ok_or_else(|| message.wrong(STRANGE))?;
                if full != log.full.len() || used > CHUNK - MARGIN {
                    return Err(message.wrong("a last chunk that does not fit").into());
                }
                let mut open = reserve_exact(used + MARGIN)?;
                open.extend_from_slice(message.bytes(used)?);
                open.resize(used + MARGIN, 0);
                (log.open, log.used) = (open, used);
            }
            _ => return Err(message.wrong("a part of an unknown kind").into()),
        }
        Ok(())
    }
}
