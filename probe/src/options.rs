//! How a table is opened.

/// The order in which a table's file will be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// A block here and a block there: nothing is read from the disk that is not asked for.
    #[default]
    Random,
    /// From the beginning to the end, by programs that look at every position: the disk may read ahead.
    Whole,
}

/// Settings for opening a table.
///
/// ```
/// use dragnet_probe::{Access, Options};
///
/// let options = Options::default().cache_bytes(64 << 20).access(Access::Whole);
/// assert_eq!(options.cache_bytes, 64 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The most bytes of checked blocks that the table keeps in memory. Blocks that lie in memory already,
    /// and are not compressed, are not counted and need no room.
    pub cache_bytes: u64,
    /// The order in which the file will be read.
    pub access: Access,
}

impl Default for Options {
    /// Returns 16 MiB of blocks, about a thousand, and random access.
    fn default() -> Options {
        Options { cache_bytes: 16 << 20, access: Access::Random }
    }
}

impl Options {
    /// Returns these options with at most `bytes` bytes of checked blocks kept.
    #[must_use]
    pub fn cache_bytes(self, bytes: u64) -> Options {
        Options { cache_bytes: bytes, ..self }
    }

    /// Returns these options with the file read in the order `access`.
    #[must_use]
    pub fn access(self, access: Access) -> Options {
        Options { access, ..self }
    }
}
