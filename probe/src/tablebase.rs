//! Folders of tables, opened as one.

use crate::{Cache, Open, ProbeError, Table, error::TablebaseError, source::Source};
use dragnet_formats::{
    cell::Side,
    container::{Preamble, TableHeader},
    game::Places,
    header::Header,
    rules::{Rules, Stuck, Team, Undecided},
    setting::Setting,
};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Tables in one folder or several, found by board, doors and rules.
///
/// Opening reads the headers of all files that end in `.dtb`, and keeps a hash of each. A
/// table is opened when it is first asked for; of those that nobody holds any more a bounded number stay
/// open. May be asked by many threads at once.
///
/// ```
/// use dragnet_probe::{Rules, Scenario, Setting, Tablebase, TablebaseError};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc");
/// let tables = Tablebase::open([folder])?;
/// let alley = Scenario::parse(b".....\n.##..\n..#..\n....E\n")?; // or the bytes of a map file
/// let table = tables.table(&Setting::new(alley.clone(), Rules::classic()))?;
/// assert_eq!(table.header().summary.longest.thief, 9);
/// let missing = tables.table(&Setting::new(alley, Rules::chase()));
/// assert!(matches!(missing, Err(TablebaseError::Missing { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tablebase {
    /// The files that are tables, folder by folder, by name.
    paths: Vec<PathBuf>,
    /// The places in `paths` of the tables with each hash of what a header says of board, doors and rules.
    by_hash: HashMap<u64, Vec<usize>>,
    unreadable: Vec<ProbeError>,
    open: OpenTables,
    cache: Cache,
}

/// The tables that were asked for last.
#[derive(Debug)]
struct OpenTables {
    /// How many tables are kept, at least 1.
    most: usize,
    /// The tables with their places in [`Tablebase::paths`]; the last one was asked for last.
    tables: Mutex<Vec<(usize, Arc<Table>)>>,
}

impl OpenTables {
    /// Returns the table of a place, which is opened if it is not open.
    fn get_or_open(
        &self,
        place: usize,
        open: impl FnOnce() -> Result<Table, ProbeError>,
    ) -> Result<Arc<Table>, ProbeError> {
        let lock = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tables = lock();
        if let Some(i) = tables.iter().position(|&(other, _)| other == place) {
            let found = tables.remove(i);
            let table = Arc::clone(&found.1);
            tables.push(found);
            return Ok(table);
        }
        // Others need not wait for the file.
        drop(tables);
        let table = Arc::new(open()?);
        let mut tables = lock();
        if let Some((_, other)) = tables.iter().find(|&&(other, _)| other == place) {
            return Ok(Arc::clone(other));
        }
        if tables.len() >= self.most {
            tables.remove(0);
        }
        tables.push((place, Arc::clone(&table)));
        Ok(table)
    }
}

impl Tablebase {
    /// The ending of the names of tables.
    pub const EXTENSION: &'static str = "dtb";

    /// Opens the pursuit tables in these folders. Folders in them are not looked into, and game tables are
    /// passed over. A file that is no whole table is no error here: see [`Tablebase::unreadable`].
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Result<Tablebase, TablebaseError> {
        let mut tables = Tablebase {
            paths: Vec::new(),
            by_hash: HashMap::new(),
            unreadable: Vec::new(),
            open: OpenTables { most: 64, tables: Mutex::new(Vec::new()) },
            cache: Cache::shared(),
        };
        for folder in folders {
            let folder = folder.as_ref();
            let files = files_in(folder)
                .map_err(|source| TablebaseError::Folder { path: folder.to_owned(), source })?;
            for path in files {
                match read_header(&path) {
                    Ok(header) => {
                        let hash = hash_of_header(&header);
                        tables.by_hash.entry(hash).or_default().push(tables.paths.len());
                        tables.paths.push(path);
                    }
                    // A game table is not what anybody looks for here.
                    Err(ProbeError::InFile { source, .. }) if source.is_other_kind() => {}
                    Err(error) => tables.unreadable.push(error),
                }
            }
        }
        Ok(tables)
    }

    /// Keeps at most `tables` tables open that nobody holds, and at least 1; without this call 64. Each is an
    /// open file.
    #[must_use]
    pub fn keep_open(mut self, tables: usize) -> Tablebase {
        self.open.most = tables.max(1);
        self
    }

    /// Keeps the blocks of tables in `cache` and not in the one that all tables share.
    #[must_use]
    pub fn cache(self, cache: &Cache) -> Tablebase {
        Tablebase { cache: cache.clone(), ..self }
    }

    /// Returns the table for a board with its exits, doors and rules, whatever start cells it has; of several
    /// the one in the folder that was named first.
    ///
    /// # Errors
    /// [`TablebaseError::Missing`] if there is none, [`TablebaseError::Damaged`] if there is one and it
    /// cannot be opened.
    pub fn table(&self, setting: &Setting) -> Result<Arc<Table>, TablebaseError> {
        let Setting { board, rules, doors, .. } = setting;
        let Rules { officers, team, stuck, undecided, .. } = *rules;
        let hash = hash_of(doors.worlds(), &board.places(), officers, team, stuck, undecided);
        let mut damaged = None;
        for &place in self.by_hash.get(&hash).into_iter().flatten() {
            let path = &self.paths[place];
            match self.open.get_or_open(place, || Open::path(path).cache(&self.cache).pursuit()) {
                // The hash knows a part of them only, and another file may have come in its place since.
                Ok(table) => {
                    let found = table.setting().map(|found| (&found.board, &found.rules, &found.doors));
                    if found == Some((board, rules, doors)) {
                        return Ok(table);
                    }
                }
                Err(error) => damaged = damaged.or(Some(in_file(path, error))),
            }
        }
        Err(match damaged {
            Some(source) => TablebaseError::Damaged { source },
            None => TablebaseError::Missing {
                height: board.height(),
                width: board.width(),
                tables: self.paths.len(),
                unreadable: self.unreadable.len(),
            },
        })
    }

    /// Returns the files of all tables, folder by folder, by name.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns what is wrong with the files that end in `.dtb` and whose header could not be read. A table
    /// that is missing may be one of them.
    #[must_use]
    pub fn unreadable(&self) -> &[ProbeError] {
        &self.unreadable
    }
}

/// Returns the files of a folder that are tables by their names, in the order of the names.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let named = path.extension().is_some_and(|extension| extension == Tablebase::EXTENSION);
        // A table that is being written has a name that begins with a dot.
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if named && !hidden && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns a hash of what a header says of board, doors and rules, in this process. It is equal for equal
/// ones.
fn hash_of_header(header: &Header) -> u64 {
    let (places, officers) = (&header.places(Side::Police), header.officers());
    hash_of(header.worlds, places, officers, header.team, header.stuck, header.undecided)
}

fn hash_of(
    worlds: u32,
    places: &Places,
    officers: u8,
    team: Team,
    stuck: Stuck,
    undecided: Undecided,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (worlds, places, officers, team, stuck, undecided).hash(&mut hasher);
    hasher.finish()
}

/// Reads the header of a table, without the rest.
fn read_header(path: &Path) -> Result<Header, ProbeError> {
    let file = Source::file(path)?;
    let header = |start: &[u8], _| Preamble::read(start).and_then(|(_, header)| Header::read(header));
    file.parse_start(header).map_err(|error| in_file(path, error))
}

/// Adds the name of the file to an error.
fn in_file(path: &Path, error: ProbeError) -> ProbeError {
    match error {
        ProbeError::File { .. } => error,
        error => ProbeError::InFile { path: path.to_owned(), source: Box::new(error) },
    }
}
