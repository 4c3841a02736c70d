//! How a table is opened.

use crate::{
    AnyTable, GameTable, PartialTable, ProbeError, ReadAt, Table,
    block_reader::BlockReader,
    cache::Cache,
    pursuit_table::PursuitTable,
    source::{Contents, Source, read_file},
};
use bytes::Bytes;
use dragnet_formats::container::{Preamble, TableError, TableHeader, TableKind};
use std::{fmt, path::PathBuf};

/// A table to be opened: says where its bytes are, then which cache keeps its blocks, and last as which kind
/// of table it is opened. Nothing is looked at before that.
///
/// | where | what is read | for |
/// |---|---|---|
/// | [`Open::path`] | the header now, each block when it is first asked for | files on disk |
/// | [`Open::whole`] | the whole file now | small tables, slow or removable disks |
/// | [`Open::bytes`] | nothing: the bytes are in memory | tables that are shipped in the program |
/// | [`Open::source`] | pieces, through your [`ReadAt`] | archives, virtual file systems, networks |
/// | `Open::mapped` | nothing: the file is mapped | many processes on one file that nobody changes |
///
/// Blocks are checked before they are used, and those that are read or decompressed are kept in a [`Cache`].
///
/// ```
/// use dragnet_probe::{AnyTable, Cache, Open, ProbeError};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Open::path(path).pursuit()?;
/// assert_eq!((table.board().height(), table.board().width()), (4, 5));
/// let own = Cache::new(64 << 20); // for this table, and any other that names it
/// assert!(matches!(Open::path(path).cache(&own).any()?, AnyTable::Pursuit(_)));
/// assert!(matches!(Open::path("no such file").any(), Err(ProbeError::File { .. })));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[must_use = "a table is opened by the last call: pursuit, game, partial or any"]
pub struct Open {
    find: Box<dyn FnOnce() -> Result<Contents, ProbeError> + Send>,
    cache: Cache,
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").field("cache", &self.cache).finish_non_exhaustive()
    }
}

impl Open {
    /// Opens a file: reads the header of its table, and each block when it is first asked for.
    ///
    /// The file may be replaced by renaming another over it, as Dragnet does: the open table goes on with the
    /// old contents. If the file is written to or cut short, what has not been kept becomes an error.
    pub fn path(path: impl Into<PathBuf>) -> Open {
        let path = path.into();
        Open::found(move || Source::file(&path).map(Contents::Source))
    }

    /// Reads a whole file into memory: no disk is waited for afterwards.
    ///
    /// ```
    /// use dragnet_probe::Open;
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::whole(path).pursuit()?;
    /// assert_eq!(table.header().summary.longest.police, 18);
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    pub fn whole(path: impl Into<PathBuf>) -> Open {
        let path = path.into();
        Open::found(move || Ok(Contents::Memory(read_file(&path)?.into())))
    }

    /// Opens the table in bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`], which
    /// can share memory of any owner. Nothing is copied.
    ///
    /// ```
    /// use dragnet_probe::{Bytes, Open};
    /// use std::sync::Arc;
    ///
    /// static ALLEY: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb"));
    /// let table = Open::bytes(ALLEY).pursuit()?;
    /// assert_eq!(table.file_len(), ALLEY.len() as u64);
    ///
    /// let pack: Arc<[u8]> = [&[7; 1000][..], ALLEY].concat().into();
    /// let shared = Open::bytes(Bytes::from_owner(pack).slice(1000..)).pursuit()?;
    /// assert_eq!(shared.board(), table.board());
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    pub fn bytes(bytes: impl Into<Bytes>) -> Open {
        let bytes = bytes.into();
        Open::found(move || Ok(Contents::Memory(bytes)))
    }

    /// Opens the table in a source of your own, such as an archive of a game or a virtual file system: reads
    /// its header, and each block when it is first asked for. See [`ReadAt`].
    pub fn source(source: impl ReadAt + 'static) -> Open {
        Open::found(move || Source::new(Box::new(source)).map(Contents::Source))
    }

    /// Returns the table that `find` finds, with the cache that all tables share.
    pub(crate) fn found(find: impl FnOnce() -> Result<Contents, ProbeError> + Send + 'static) -> Open {
        Open { find: Box::new(find), cache: Cache::shared() }
    }

    /// Keeps the table's blocks in `cache` and not in the one that all tables share, except those that lie in
    /// memory already and are not compressed.
    pub fn cache(self, cache: &Cache) -> Open {
        Open { cache: cache.clone(), ..self }
    }

    /// Opens a pursuit table.
    ///
    /// # Errors
    /// When the bytes cannot be read or are no table of this kind.
    pub fn pursuit(self) -> Result<Table, ProbeError> {
        PursuitTable::new(self.blocks()?)
    }

    /// Opens a game table.
    ///
    /// # Errors
    /// When the bytes cannot be read or are no table of this kind.
    pub fn game(self) -> Result<GameTable, ProbeError> {
        Ok(GameTable { blocks: self.blocks()? })
    }

    /// Opens a partial table.
    ///
    /// # Errors
    /// When the bytes cannot be read or are no table of this kind.
    pub fn partial(self) -> Result<PartialTable, ProbeError> {
        PursuitTable::new(self.blocks()?)
    }

    /// Opens a table of whichever kind it is.
    ///
    /// # Errors
    /// When the bytes cannot be read or are no table.
    pub fn any(self) -> Result<AnyTable, ProbeError> {
        let contents = (self.find)()?;
        let kind = match &contents {
            Contents::Memory(bytes) => kind(bytes)?,
            Contents::Source(source) => source.parse_start(|start, _| kind(start))?,
        };
        let known = Open::found(move || Ok(contents)).cache(&self.cache);
        Ok(match kind {
            TableKind::Pursuit => AnyTable::Pursuit(known.pursuit()?.into()),
            TableKind::Game => AnyTable::Game(known.game()?.into()),
            TableKind::Partial => AnyTable::Partial(known.partial()?.into()),
        })
    }

    fn blocks<H: TableHeader>(self) -> Result<BlockReader<H>, ProbeError> {
        BlockReader::open((self.find)()?, self.cache)
    }
}

/// Returns the kind of table that begins with these bytes.
fn kind(start: &[u8]) -> Result<TableKind, TableError> {
    Preamble::read(start).and_then(|(_, header)| TableKind::of(header))
}
