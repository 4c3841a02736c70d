//! The tables, boards and graphs that the server knows, by name. A name of a request is only looked up here:
//! no part of a request becomes a path of a file.

use crate::{
    catalogue::{self, Found, Item, Stamp},
    failure::Failure,
    messages::{self, Kind},
};
use dragnet_maps::MapSelectors;
use dragnet_probe::{AnyTable, Cache, Open, ProbeError};
use parking_lot::{Mutex, MutexGuard, RwLock};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// The most tables that are open at once.
const OPEN_TABLES: usize = 64;

/// The time for which a file is taken to be as it was when it was looked at last.
const FRESH: Duration = Duration::from_secs(1);

/// The folders and files that are served, and what is in them.
pub(crate) struct Library {
    paths: Vec<PathBuf>,
    /// Walls and exits of maps of editors.
    selectors: MapSelectors,
    /// The cache of all open tables.
    cache: Cache,
    items: RwLock<Items>,
    open: Mutex<HashMap<String, Opened>>,
}

/// A table that is open.
struct Opened {
    table: Arc<AnyTable>,
    stamp: Stamp,
    looked_at: Instant,
    used: Instant,
}

/// The files that are served, by address.
struct Items {
    by_url: Arc<BTreeMap<String, Found>>,
    /// When the files were looked at last.
    looked_at: Instant,
}

impl Library {
    /// Looks into the folders, and returns what they hold. The cache of all tables takes at most
    /// `cache` bytes. `selectors` are those of maps of editors.
    ///
    /// # Errors
    /// When a folder cannot be read, a file is nothing that can be served, or two have the same name.
    pub(crate) fn new(paths: Vec<PathBuf>, cache: u64, selectors: MapSelectors) -> Result<Library, Failure> {
        let items = Items::new(catalogue::find(&paths, &selectors)?);
        let cache = Cache::new(cache);
        Ok(Library { paths, selectors, cache, items: RwLock::new(items), open: Mutex::default() })
    }

    /// Looks into the folders again. If that fails, everything stays as it was, and a warning says why.
    #[cfg(unix)]
    pub(super) fn rescan(&self) {
        match catalogue::find(&self.paths, &self.selectors) {
            Ok(items) => {
                let counted = catalogue::counted(items.iter().map(|found| &found.item));
                messages::say(Kind::Note, &format!("the folders hold {counted} now"));
                *self.items.write() = Items::new(items);
                self.opened().clear();
            }
            Err(failure) => messages::say(
                Kind::Warning,
                &format!("the folders could not be looked at again: {}", failure.text()),
            ),
        }
    }

    /// Returns everything that is served, by address.
    pub(super) fn items(&self) -> Arc<BTreeMap<String, Found>> {
        Arc::clone(&self.items.read().by_url)
    }

    /// Returns the items for people and programs, in the order of their names, and looks again at the tables
    /// whose files have changed.
    pub(crate) fn list(&self) -> Vec<Item> {
        self.refresh();
        self.items().values().map(|found| found.item.clone()).collect()
    }

    /// Looks again at the tables whose files have changed, if that was not done a moment ago.
    fn refresh(&self) {
        let (known, looked_at) = {
            let items = self.items.read();
            (Arc::clone(&items.by_url), items.looked_at)
        };
        if looked_at.elapsed() < FRESH {
            return;
        }
        let again = catalogue::looked_at_again(known.values());
        let mut items = self.items.write();
        // The folders may have been looked at meanwhile.
        if Arc::ptr_eq(&items.by_url, &known) {
            items.looked_at = Instant::now();
            if let Some(again) = again {
                *items = Items::new(again);
            }
        }
    }

    /// Returns the number of tables that are open.
    pub(super) fn open_tables(&self) -> usize {
        self.opened().len()
    }

    /// Returns the table in a file that is served, open already or opened now.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub(super) fn table(&self, name: &str, path: &Path) -> Result<Arc<AnyTable>, ProbeError> {
        let now = Instant::now();
        let mut known = None;
        if let Some(opened) = self.opened().get_mut(name) {
            opened.used = now;
            if now.duration_since(opened.looked_at) < FRESH {
                return Ok(Arc::clone(&opened.table));
            }
            known = Some((Arc::clone(&opened.table), opened.stamp));
        }
        let stamp = Stamp::of(path).map_err(|source| ProbeError::File { path: path.to_owned(), source })?;
        let table = match known {
            Some((table, old)) if old == stamp => table,
            _ => Arc::new(Open::path(path).cache(&self.cache).any()?),
        };
        let mut open = self.opened();
        let opened = Opened { table: Arc::clone(&table), stamp, looked_at: now, used: now };
        open.insert(name.to_owned(), opened);
        if open.len() > OPEN_TABLES {
            let oldest = open.iter().min_by_key(|(_, opened)| opened.used).map(|(name, _)| name.clone());
            oldest.and_then(|name| open.remove(&name));
        }
        Ok(table)
    }

    /// Closes a table whose file was changed, so that the next question opens it again.
    pub(super) fn close(&self, name: &str) {
        self.opened().remove(name);
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<String, Opened>> {
        self.open.lock()
    }
}

impl Items {
    /// Returns what was found just now.
    fn new(found: Vec<Found>) -> Items {
        let by_url = found.into_iter().map(|found| (found.item.url().to_owned(), found)).collect();
        Items { by_url: Arc::new(by_url), looked_at: Instant::now() }
    }
}
