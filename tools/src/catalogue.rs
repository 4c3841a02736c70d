//! The list of what the application can open: tables, boards and graphs in files and folders.

use crate::{
    failure::Failure,
    input::{boards, graphs, tables::tables_below},
    messages::{self, Kind},
    output::{counted::Counted, human, json::Hex},
};
use dragnet_formats::{board::text, container::layout::MAGIC};
use dragnet_maps::{MapSelectors, has_ending};
use dragnet_probe::{AnyTable, Open, ProbeError};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};
use tempfile::{NamedTempFile, TempPath};

/// The version of the list's form.
const VERSION: u32 = 1;

/// The ending of a table's name.
const TABLE: &str = "dtb";

/// A file that can be opened, and what the list says of it.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) item: Item,
    /// The file as it was before it was looked at.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only a server looks at its files again"))]
    stamp: Stamp,
    /// The scratch file at `path`, which is removed with this, if the board is made of a map of an editor.
    #[expect(dead_code, reason = "its end removes the file")]
    converted: Option<Arc<TempPath>>,
}

/// The length of a file and the time of its last change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    /// Returns the stamp of a file.
    pub(crate) fn of(path: &Path) -> io::Result<Stamp> {
        let metadata = fs::metadata(path)?;
        Ok(Stamp { length: metadata.len(), changed: metadata.modified().ok() })
    }
}

/// Returns the files with what the list is to say of them now: a table whose file has changed, or is gone, is
/// looked at again. `None` if nothing has changed.
#[cfg(feature = "serve")]
pub(crate) fn looked_at_again<'a>(known: impl Iterator<Item = &'a Found>) -> Option<Vec<Found>> {
    let mut changed = false;
    let again = known.map(|found| {
        let Item::Table { name, .. } = &found.item else { return found.clone() };
        let stamp = Stamp::of(&found.path).unwrap_or(Stamp { length: 0, changed: None });
        if stamp == found.stamp {
            return found.clone();
        }
        changed = true;
        Found {
            item: Item::new_table(name.clone(), Facts::of_file(&found.path, stamp)),
            stamp,
            ..found.clone()
        }
    });
    let mut again: Vec<Found> = again.collect();
    changed.then(|| {
        add_graphs(&mut again);
        again
    })
}

/// The list, as `catalogue.json` and the server have it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Catalogue {
    /// Version of this form.
    version: u32,
    /// Where the list is: in a program that answers, or in a folder.
    #[schemars(extend("enum" = ["program", "site"]))]
    home: &'static str,
    /// Unit of every distance, "plies". Absent in a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    /// Tables, boards and graphs that can be opened, in the order of kinds and names.
    items: Vec<Item>,
}

impl Catalogue {
    /// Returns the list in a folder of static files.
    pub(crate) fn of_site(items: Vec<Item>) -> Catalogue {
        Catalogue { version: VERSION, home: "site", unit: None, items }
    }

    /// Returns the list of a server.
    #[cfg(feature = "serve")]
    pub(crate) fn of_program(items: Vec<Item>) -> Catalogue {
        Catalogue { version: VERSION, home: "program", unit: Some("plies"), items }
    }
}

/// An entry of the list.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Item {
    /// A table.
    Table {
        /// The name of the table.
        name: String,
        /// The address of the file, relative to the list.
        url: String,
        /// The address of the statistics, relative to the list.
        statistics: String,
        /// The address of the graph of which the table was made, relative to the list, if it is there too.
        #[serde(skip_serializing_if = "Option::is_none")]
        graph: Option<String>,
        #[serde(flatten)]
        facts: Facts,
    },
    /// A board to be solved.
    Board {
        /// The name of the board.
        name: String,
        /// The address of the file, relative to the list.
        url: String,
    },
    /// A graph to be solved.
    Graph {
        /// The name of the graph.
        name: String,
        /// The address of the file, relative to the list.
        url: String,
    },
}

impl Item {
    /// Returns the entry of an open table called `name`.
    #[cfg(feature = "serve")]
    pub(crate) fn of_table(name: &str, table: &AnyTable) -> Item {
        Item::new_table(name.to_owned(), Facts::of(table))
    }

    fn new_table(name: String, facts: Facts) -> Item {
        Item::Table {
            url: url_of_table(&name),
            statistics: format!("tables/{}.stats.json", encoded(&name)),
            name,
            graph: None,
            facts,
        }
    }

    /// Returns the kind and the name, which links have.
    pub(crate) fn kind_and_name(&self) -> (&'static str, &str) {
        match self {
            Item::Table { name, .. } => ("table", name),
            Item::Board { name, .. } => ("board", name),
            Item::Graph { name, .. } => ("graph", name),
        }
    }

    /// Returns the address of the file, which no two of them share.
    pub(crate) fn url(&self) -> &str {
        match self {
            Item::Table { url, .. } | Item::Board { url, .. } | Item::Graph { url, .. } => url,
        }
    }
}

/// The facts in the header of a table.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(tag = "game", rename_all = "lowercase")]
pub(crate) enum Facts {
    /// A pursuit table.
    Pursuit {
        /// Rows of the board.
        height: u16,
        /// Columns of the board.
        width: u16,
        /// Officers on the board.
        officers: u8,
        /// Bytes of the file.
        bytes: u64,
        #[serde(flatten)]
        counted: Counted,
    },
    /// A table of a game whose positions are numbers.
    Graph {
        /// The name of the game.
        title: String,
        /// Positions.
        positions: u64,
        /// Bytes of the file.
        bytes: u64,
        /// The digest of all values.
        #[schemars(with = "Hex")]
        digest: String,
    },
    /// A table that cannot be read.
    Damaged {
        /// The reason.
        message: String,
        /// Bytes of the file.
        bytes: u64,
    },
}

impl Facts {
    fn of_file(path: &Path, stamp: Stamp) -> Facts {
        match Open::path(path).any() {
            Ok(table) => Facts::of(&table),
            Err(error) => Facts::Damaged { message: damage(&error), bytes: stamp.length },
        }
    }

    fn of(table: &AnyTable) -> Facts {
        match table {
            AnyTable::Partial(table) => Facts::Damaged {
                message: format!("a partial table, which keeps {} only, cannot be shown", table.keep()),
                bytes: table.file_len(),
            },
            AnyTable::Pursuit(table) => {
                let header = table.header();
                Facts::Pursuit {
                    height: table.board().height(),
                    width: table.board().width(),
                    officers: table.officers(),
                    bytes: table.file_len(),
                    counted: Counted::new(table.board().open_count() as u64, &header.summary),
                }
            }
            AnyTable::Game(table) => Facts::Graph {
                title: table.header().name.clone(),
                positions: table.positions(),
                bytes: table.file_len(),
                digest: format!("{:016x}", table.summary().digest),
            },
        }
    }
}

/// Returns what the files and folders hold, in the order of their names. Of a folder all tables are taken,
/// also those in folders within it, whose names tell the way; links that lead out of the folder are left out.
/// `selectors` are those of maps of editors.
///
/// # Errors
/// When a folder cannot be read, a file holds nothing that can be opened, or two tables, boards or
/// graphs have the same name.
pub(crate) fn find(paths: &[PathBuf], selectors: &MapSelectors) -> Result<Vec<Found>, Failure> {
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(tables_of(path)?);
        } else {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            files.push((name, path.clone()));
        }
    }
    let mut found = files
        .into_par_iter()
        .map(|(name, path)| look(name, path, selectors))
        .collect::<Result<Vec<_>, _>>()?;
    found.sort_by(|a, b| a.item.url().cmp(b.item.url()));
    let mut known: BTreeMap<(&str, &str), &Path> = BTreeMap::new();
    for Found { path, item, .. } in &found {
        if let Some(other) = known.insert(item.kind_and_name(), path) {
            let (a, b) = (other.display(), path.display());
            return Err(Failure::input(format!("expected files with different names, found {a} and {b}")));
        }
    }
    add_graphs(&mut found);
    Ok(found)
}

/// Tells each table of a game on a graph where its graph is: a graph of the same name, whose game has the
/// table's key.
fn add_graphs(found: &mut [Found]) {
    let graphs: BTreeMap<String, (PathBuf, String)> = found
        .iter()
        .filter_map(|Found { path, item, .. }| match item {
            Item::Graph { name, url } => Some((name.clone(), (path.clone(), url.clone()))),
            Item::Table { .. } | Item::Board { .. } => None,
        })
        .collect();
    for Found { path, item, .. } in found {
        if let Item::Table { name, graph, facts: Facts::Graph { .. }, .. } = item
            && let Some((of, url)) = graphs.get(name)
            && let Ok(AnyTable::Game(table)) = Open::path(&*path).any()
            && graphs::plain_game(of).is_ok_and(|game| game.check(table.header()).is_ok())
        {
            *graph = Some(url.clone());
        }
    }
}

/// Returns the number of tables, boards and graphs in words.
pub(crate) fn counted<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    let [mut tables, mut boards, mut graphs] = [0; 3];
    for item in items {
        match item {
            Item::Table { .. } => tables += 1,
            Item::Board { .. } => boards += 1,
            Item::Graph { .. } => graphs += 1,
        }
    }
    let mut words = vec![human::counted(tables, "table", "tables")];
    if boards > 0 {
        words.push(human::counted(boards, "board", "boards"));
    }
    if graphs > 0 {
        words.push(human::counted(graphs, "graph", "graphs"));
    }
    words.join(", ")
}

fn cannot_read(error: std::io::Error, path: &Path) -> Failure {
    Failure::cannot("read", path, error)
}

/// Returns the tables in a folder and in those within it, each under its name, the way from the folder.
/// Leaves out links that lead out of the folder.
fn tables_of(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let root = fs::canonicalize(folder).map_err(|error| cannot_read(error, folder))?;
    let mut tables = Vec::new();
    for path in tables_below(&root)? {
        let real = fs::canonicalize(&path).map_err(|error| cannot_read(error, &path))?;
        if !real.starts_with(&root) {
            messages::say(Kind::Warning, &format!("{} leads out of the folder; left out", path.display()));
            continue;
        }
        let way = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        let parts: Option<Vec<&str>> = way.iter().map(|part| part.to_str()).collect();
        if let Some(parts) = parts {
            tables.push((parts.join("/"), real));
        }
    }
    Ok(tables)
}

/// Returns what the file is.
fn look(name: String, path: PathBuf, selectors: &MapSelectors) -> Result<Found, Failure> {
    let stamp = Stamp::of(&path).map_err(|error| cannot_read(error, &path))?;
    if path.extension().is_some_and(|extension| extension == TABLE) || is_table(&path) {
        let item = Item::new_table(name, Facts::of_file(&path, stamp));
        return Ok(Found { path, item, stamp, converted: None });
    }
    if has_ending(&path) || selectors.first_given().is_some() {
        return converted(name, &path, stamp, selectors);
    }
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    let file = encoded(&format!("{name}{ending}"));
    let item = if boards::is_board(&path) {
        Item::Board { name, url: format!("boards/{file}") }
    } else {
        graphs::require_graph(&path).map_err(|failure| match failure {
            Failure::Input(_) if !is_text(&path) => {
                Failure::input("expected a table, a board or a graph, found bytes that are no text")
                    .in_file(&path)
            }
            failure => failure.about("expected a table, a board or a graph"),
        })?;
        Item::Graph { name, url: format!("graphs/{file}") }
    };
    Ok(Found { path, item, stamp, converted: None })
}

/// Returns the board of a map of an editor, as a scratch file with its text, which the application reads.
fn converted(name: String, path: &Path, stamp: Stamp, selectors: &MapSelectors) -> Result<Found, Failure> {
    let scenario = boards::scenario_of(path, boards::read_file(path, selectors)?);
    if scenario.board.graph().is_some() {
        return Err(
            Failure::input("expected a map of squares, found hexagons, which are not drawn").in_file(path)
        );
    }
    let text = text::write(&scenario).map_err(|error| Failure::Input(error.into()).in_file(path))?;
    let cannot = |error: std::io::Error| Failure::from(error).about("cannot write a scratch file");
    let mut file = NamedTempFile::with_suffix(".txt").map_err(cannot)?;
    file.write_all(text.as_bytes()).map_err(cannot)?;
    let url = format!("boards/{}", encoded(&format!("{name}.txt")));
    let scratch = file.into_temp_path();
    let (path, item) = (scratch.to_path_buf(), Item::Board { name, url });
    Ok(Found { path, item, stamp, converted: Some(Arc::new(scratch)) })
}

/// Returns whether the file begins as a table does.
fn is_table(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok() && begin == MAGIC)
}

/// Returns whether a file begins as text does, without control characters.
fn is_text(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(512).read_to_end(&mut begin));
    read.is_ok() && begin.iter().all(|byte| matches!(byte, b'\t'..=b'\r' | b' '..))
}

/// Returns the address of the table called `name`, relative to the list.
pub(crate) fn url_of_table(name: &str) -> String {
    format!("tables/{}.dtb", encoded(name))
}

/// Returns a name as the path of an address, whose parts are percent-encoded.
pub(crate) fn encoded(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~+,=@".contains(byte);
    name.bytes()
        .map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Returns the message about a table that cannot be read, without the path of its file.
pub(crate) fn damage(error: &ProbeError) -> String {
    match error {
        ProbeError::File { source, .. } => format!("the table cannot be read: {source}"),
        ProbeError::InFile { source, .. } | ProbeError::InBatch { source, .. } => damage(source),
        ProbeError::Changed { .. } => "the table was changed while it was read; ask again".to_owned(),
        error => format!("the table is damaged: {error}"),
    }
}
