//! How a table is opened.

use crate::Cache;

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
/// use dragnet_probe::{Access, Cache, Options};
///
/// let cache = Cache::new(64 << 20); // for all tables that are opened with these options
/// let options = Options::default().cache(&cache).access(Access::Whole);
/// assert_eq!(options.cache.statistics().limit, 64 << 20);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The cache in which the table keeps its blocks, except those that lie in memory already and are not
    /// compressed.
    pub cache: Cache,
    /// The order in which the file will be read.
    pub access: Access,
}

impl Default for Options {
    /// Returns the cache that all tables share, and random access.
    fn default() -> Options {
        Options { cache: Cache::shared(), access: Access::Random }
    }
}

impl Options {
    /// Returns these options with the blocks kept in `cache`.
    #[must_use]
    pub fn cache(self, cache: &Cache) -> Options {
        Options { cache: cache.clone(), ..self }
    }

    /// Returns these options with the file read in the order `access`.
    #[must_use]
    pub fn access(self, access: Access) -> Options {
        Options { access, ..self }
    }
}
