//! Where the bytes of a table can be read: a trait, and what has it.

use dragnet_formats::positioned;
use std::{fs::File, io, sync::Arc};

/// A place from which parts of a table can be read by any number of threads at once: a file, a part of one,
/// or a file system of your own.
///
/// What is read is checked before it is used, so that a source that returns wrong bytes leads to errors and
/// never to wrong answers.
///
/// ```
/// use dragnet_probe::{Open, ReadAt};
/// use std::io;
///
/// /// An archive of a game, in which a table lies in pieces.
/// struct Pieces(Vec<Vec<u8>>);
///
/// const PIECE: usize = 100;
///
/// impl ReadAt for Pieces {
///     fn len(&self) -> io::Result<u64> {
///         Ok(self.0.iter().map(|piece| piece.len() as u64).sum())
///     }
///
///     fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
///         for (at, byte) in (offset as usize..).zip(bytes) {
///             let piece = self.0.get(at / PIECE).ok_or(io::ErrorKind::UnexpectedEof)?;
///             *byte = *piece.get(at % PIECE).ok_or(io::ErrorKind::UnexpectedEof)?;
///         }
///         Ok(())
///     }
/// }
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let whole = std::fs::read(path)?;
/// let table = Open::source(Pieces(whole.chunks(PIECE).map(<[u8]>::to_vec).collect())).pursuit()?;
/// assert_eq!(table.header().summary.longest.police, 18);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::len_without_is_empty, reason = "no table is empty")]
pub trait ReadAt: Send + Sync {
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// When it cannot be found out.
    fn len(&self) -> io::Result<u64>;

    /// Fills `bytes` with those from byte `offset` on.
    ///
    /// # Errors
    /// When they cannot be read, or there are fewer ([`io::ErrorKind::UnexpectedEof`]).
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Returns a number that is another one once the bytes have been changed, as far as can be known; for
    /// files it is made of their time of change. The default is always 0.
    ///
    /// # Errors
    /// When it cannot be found out.
    fn version(&self) -> io::Result<u128> {
        Ok(0)
    }
}

/// One source for several tables, each a [`Section`] of it.
impl<R: ReadAt + ?Sized> ReadAt for Arc<R> {
    fn len(&self) -> io::Result<u64> {
        (**self).len()
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        (**self).read_exact_at(offset, bytes)
    }

    fn version(&self) -> io::Result<u128> {
        (**self).version()
    }
}

impl ReadAt for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        positioned::read_exact_at(self, offset, bytes)
    }

    fn version(&self) -> io::Result<u128> {
        let since =
            self.metadata()?.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Ok(since.map_or(0, |since| since.as_nanos()))
    }
}

/// A part of a source: a table in a larger file.
///
/// ```
/// use dragnet_probe::{Open, Section};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// # let table = std::fs::read(path)?;
/// # let pack_path = std::env::temp_dir().join(format!("dragnet-section-{}.pack", std::process::id()));
/// # std::fs::write(&pack_path, [&[7; 1000][..], &table, &[7; 1000]].concat())?;
/// let pack = std::fs::File::open(&pack_path)?;
/// let table = Open::source(Section::new(pack, 1000, table.len() as u64)).pursuit()?;
/// assert_eq!(table.header().summary.longest.police, 18);
/// # std::fs::remove_file(&pack_path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Section<R> {
    source: R,
    offset: u64,
    len: u64,
}

impl<R: ReadAt> Section<R> {
    /// Creates the part of `source` with the `len` bytes from byte `offset` on.
    #[must_use]
    pub fn new(source: R, offset: u64, len: u64) -> Section<R> {
        Section { source, offset, len }
    }
}

impl<R: ReadAt> ReadAt for Section<R> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.source.len()?.saturating_sub(self.offset).min(self.len))
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= self.len);
        let begin = self.offset.checked_add(offset);
        match (begin, end) {
            (Some(begin), Some(_)) => self.source.read_exact_at(begin, bytes),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn version(&self) -> io::Result<u128> {
        self.source.version()
    }
}
