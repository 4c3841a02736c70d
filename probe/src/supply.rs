//! Tables whose bytes come later: from a network, or from a disk that nobody may wait for.

use crate::{ProbeError, ReadAt};
use bytes::Bytes;
use std::{
    collections::VecDeque,
    fmt,
    future::Future,
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// A source that has only the bytes that the program has put there. It reads nothing by itself: a question
/// that needs other bytes fails, [`ProbeError::wanted`] says which bytes those are, and the question can be
/// asked again once they have been put there. So a table can be asked by asynchronous programs, with any
/// runtime or none, and no thread waits.
///
/// [`Supply::answer`] does this until there is an answer. Tables keep what they have read of the header and
/// the index, and their blocks in the [`Cache`](crate::Cache), so that few questions need new bytes. The
/// first value of a table takes three fetches, of some kilobytes. Questions that need all of a table, such as
/// [`BlockReader::check_sums`](crate::BlockReader::check_sums), are for other sources.
///
/// ```
/// use dragnet_probe::{Cell, Open, Position, ProbeError, Side, Supply, Value};
/// use std::{io, ops::Range};
///
/// /// Gets a part of the table: here from a file, in a game perhaps by an HTTP request for a range of bytes.
/// async fn fetch(range: Range<u64>) -> io::Result<Vec<u8>> {
/// #   let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
///     let whole = std::fs::read(path)?;
///     Ok(whole[range.start as usize..range.end as usize].to_vec())
/// }
///
/// async fn ask(len: u64, position: Position) -> Result<Value, ProbeError> {
///     let supply = Supply::new(len);
///     let table = supply.answer(fetch, || Open::source(supply.clone()).pursuit()).await?;
///     supply.answer(fetch, || table.value(position)).await
/// }
///
/// # let len = std::fs::metadata(concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb"))?.len();
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(pollster::block_on(ask(len, position))?, Value::Win(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Supply(Arc<Contents>);

struct Contents {
    len: u64,
    pieces: Mutex<Pieces>,
}

/// Pieces of the table with their offsets, the oldest first.
#[derive(Default)]
struct Pieces {
    queue: VecDeque<(u64, Bytes)>,
    bytes: usize,
}

/// The bytes for which a question waits.
#[derive(Debug, thiserror::Error)]
#[error("bytes {} to {} of the table have not been supplied yet", range.start, range.end)]
struct Wanted {
    range: Range<u64>,
}

/// The most fetches for one question. The largest questions look into fewer blocks.
const MOST_FETCHES: usize = 1 << 14;

impl Supply {
    /// The bytes that are kept for questions that wait for more. If there are more bytes than these, the
    /// oldest pieces go, but never the newest one.
    pub const ROOM: usize = 16 << 20;

    /// Creates a source of `len` bytes, none of which is there yet.
    #[must_use]
    pub fn new(len: u64) -> Supply {
        Supply(Arc::new(Contents { len, pieces: Mutex::default() }))
    }

    /// Puts bytes there that begin at byte `offset` of the table. They may be more than a question has asked
    /// for: a program that fetches whole pieces of 16 KiB, say, needs fewer fetches.
    pub fn put(&self, offset: u64, bytes: impl Into<Bytes>) {
        let bytes = bytes.into();
        let mut pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        while pieces.bytes + bytes.len() > Supply::ROOM
            && let Some((_, oldest)) = pieces.queue.pop_front()
        {
            pieces.bytes -= oldest.len();
        }
        pieces.bytes += bytes.len();
        pieces.queue.push_back((offset, bytes));
    }

    /// Asks with `ask` until there is an answer, and gets what is missing with `fetch`, which returns the
    /// bytes of a range. May run beside any number of other questions.
    ///
    /// # Errors
    /// The error of the question; [`ProbeError::Source`] with that of `fetch`, if bytes cannot be fetched.
    pub async fn answer<T, B, F>(
        &self,
        mut fetch: impl FnMut(Range<u64>) -> F,
        mut ask: impl FnMut() -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError>
    where
        B: Into<Bytes>,
        F: Future<Output = io::Result<B>>,
    {
        for _ in 0..MOST_FETCHES {
            let answer = ask();
            let Some(range) = answer.as_ref().err().and_then(ProbeError::wanted) else { return answer };
            let error = |source| ProbeError::Source { source };
            let bytes: Bytes = fetch(range.clone()).await.map_err(error)?.into();
            let (expected, found) = (range.end - range.start, bytes.len());
            if (found as u64) < expected {
                let message =
                    format!("expected {expected} bytes from byte {} on, found {found}", range.start);
                return Err(error(io::Error::new(io::ErrorKind::UnexpectedEof, message)));
            }
            self.put(range.start, bytes);
        }
        ask()
    }
}

impl ReadAt for Supply {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.len)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= self.0.len);
        let range = offset..end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        for (begin, piece) in pieces.queue.iter().rev() {
            if let Some(skipped) = offset.checked_sub(*begin)
                && let Some(rest) = usize::try_from(skipped).ok().and_then(|skipped| piece.get(skipped..))
                && let Some(found) = rest.get(..bytes.len())
            {
                bytes.copy_from_slice(found);
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, Wanted { range }))
    }
}

impl fmt::Debug for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "Supply({} of {} bytes)", pieces.bytes, self.0.len)
    }
}

impl ProbeError {
    /// Returns the bytes of the table that a [`Supply`] must have before the question can be answered, if
    /// they are all that it lacks. Bytes are counted from 0, and the end is not among them.
    ///
    /// ```
    /// use dragnet_probe::{Open, Supply};
    ///
    /// let whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb"))?;
    /// let supply = Supply::new(whole.len() as u64);
    /// let table = loop {
    ///     match Open::source(supply.clone()).pursuit() {
    ///         Ok(table) => break table,
    ///         Err(error) => {
    ///             let range = error.wanted().expect("a whole table lacks bytes only");
    ///             supply.put(range.start, whole[range.start as usize..range.end as usize].to_vec());
    ///         }
    ///     }
    /// };
    /// assert_eq!(table.header().summary.longest.police, 18);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn wanted(&self) -> Option<Range<u64>> {
        match self {
            ProbeError::Source { source } => Some(source.get_ref()?.downcast_ref::<Wanted>()?.range.clone()),
            ProbeError::InBatch { source, .. } => source.wanted(),
            _ => None,
        }
    }
}
