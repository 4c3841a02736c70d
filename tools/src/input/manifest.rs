//! Manifests: TOML files that list which tables are to be made, where, how, and within which limits.

#[cfg(test)]
mod hostile;

use crate::{
    failure::Failure,
    input::{
        arguments::{self, EngineName, Exit, FavourName},
        board_files::Lookup,
        boards::{self, Maker},
        graphs::{Form, Streets},
        limits::{self, Limits},
        map_options,
        size::{Size, SizeRange},
        table_list::{ListedTable, Origin, TableList, check_name, of_level, table_name},
        text,
        toml_text::toml_message,
    },
};
use dragnet_formats::{codec::Encoder, doors::Door, guards::Guard, pieces::Pieces, rules::Rules};
use dragnet_generator::{encode::Encoding, save::require_file, schedule::Order};
use dragnet_maps::{MapSelectors, Selector};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    marker::PhantomData,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};
use toml::Spanned;
use xxhash_rust::xxh3::xxh3_128;

/// The most tables of a manifest. More are a slip of the finger, and would fill the memory before anything is
/// checked.
const MAX_TABLES: u64 = 100_000;

/// A manifest as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ManifestText {
    #[serde(deserialize_with = "limits::folder")]
    out: PathBuf,
    /// The order in which the tables are made.
    order: Option<OrderName>,
    /// A command for the system's shell, run when the tables are done.
    on_end: Option<String>,
    #[serde(default, deserialize_with = "keyed")]
    limits: Limits,
    #[serde(default)]
    rules: BTreeMap<String, Rules>,
    #[serde(default)]
    boards: Vec<Spanned<Keyed<BoardsSection>>>,
}

/// A section, which is no list of the values of its keys.
#[derive(Deserialize)]
#[serde(transparent)]
struct Keyed<T: DeserializeOwned>(#[serde(deserialize_with = "keyed")] T);

/// Reads a section by its keys. What the compiler derives also takes a list of their values in the order of
/// the program.
fn keyed<'de, T: DeserializeOwned, D: Deserializer<'de>>(section: D) -> Result<T, D::Error> {
    struct Keys<T>(PhantomData<T>);

    impl<'de, T: DeserializeOwned> Visitor<'de> for Keys<T> {
        type Value = T;

        fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
            text.write_str("a section of keys and values")
        }

        fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(keys))
        }
    }

    section.deserialize_map(Keys(PhantomData))
}

/// An order as `order` names it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OrderName {
    LargestFirst,
    AsListed,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Order {
        match name {
            OrderName::LargestFirst => Order::LargestFirst,
            OrderName::AsListed => Order::AsListed,
        }
    }
}

/// A section `[[boards]]`: the tables of some boards, all made in one way.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BoardsSection {
    /// Board files, folders of them, and globs.
    files: Option<Several<String>>,
    /// Walls of maps of editors.
    #[serde(default, deserialize_with = "map_options::listed")]
    walls: Option<Vec<Selector>>,
    /// Exits of maps of editors.
    #[serde(default, deserialize_with = "map_options::listed")]
    exits: Option<Vec<Selector>>,
    /// Where officers start in maps of editors.
    #[serde(default, deserialize_with = "map_options::listed")]
    police: Option<Vec<Selector>>,
    /// Where the thief starts in maps of editors.
    #[serde(default, deserialize_with = "map_options::listed")]
    thief: Option<Vec<Selector>>,
    /// Rounds of guards in maps of editors.
    #[serde(default, deserialize_with = "map_options::listed")]
    rounds: Option<Vec<Selector>>,
    /// Squares with letters in maps of editors.
    #[serde(default, deserialize_with = "map_options::of_letters")]
    letter: Option<BTreeMap<char, Vec<Selector>>>,
    /// The level of maps that have several, instead of all.
    map_level: Option<String>,
    /// Files of graphs, and globs.
    graphs: Option<Several<String>>,
    /// How the graphs are written.
    form: Option<Form>,
    /// Whether vertices of edge lists are words.
    names: Option<bool>,
    /// Whether a line of an edge list is an edge one way only.
    directed: Option<bool>,
    /// The number of vertices of the graphs.
    vertices: Option<u32>,
    /// Open boards of every size in a range.
    #[serde(default, deserialize_with = "parsed")]
    sizes: Option<SizeRange>,
    /// The kind of boards to generate.
    make: Option<Maker>,
    /// Sizes of the generated boards.
    #[serde(default, deserialize_with = "parsed")]
    size: Option<SizeRange>,
    /// Seeds of the generated boards.
    #[serde(default, deserialize_with = "seeds")]
    seeds: Option<RangeInclusive<u64>>,
    /// The share of walls of random boards.
    density: Option<f64>,
    /// The passages of mazes besides those that connect them.
    extra: Option<usize>,
    #[serde(default, deserialize_with = "exits")]
    exit: Option<Vec<Exit>>,
    /// The name of a preset, or of a section `[rules.NAME]`.
    rules: Option<String>,
    /// The doors of each board of the section.
    doors: Option<Vec<Door>>,
    /// The guards of each board of the section.
    guards: Option<Vec<Guard>>,
    /// The number of officers, whatever the rules say.
    #[serde(default, deserialize_with = "officers")]
    officers: Option<u8>,
    favour: Option<FavourName>,
    #[serde(default, deserialize_with = "level")]
    level: Option<i32>,
    engine: Option<EngineName>,
    /// The pattern of the tables' names.
    name: Option<String>,
}

/// One value, or a list of them.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum Several<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Several<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            Several::One(one) => vec![one],
            Several::Many(many) => many,
        }
    }
}

fn parsed<'de, T: FromStr<Err = String>, D: Deserializer<'de>>(text: D) -> Result<Option<T>, D::Error> {
    String::deserialize(text)?.parse().map(Some).map_err(de::Error::custom)
}

fn exits<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Vec<Exit>>, D::Error> {
    let exits = Several::<String>::deserialize(text)?.into_vec();
    let exit =
        |text: String| text.parse().map_err(|error| de::Error::custom(format!("{error}; found {text:?}")));
    exits.into_iter().map(exit).collect::<Result<_, _>>().map(Some)
}

fn officers<'de, D: Deserializer<'de>>(number: D) -> Result<Option<u8>, D::Error> {
    let number = i64::deserialize(number)?;
    let officers = u8::try_from(number).ok().filter(|&officers| (1..=Pieces::MAX).contains(&officers.into()));
    officers.map(Some).ok_or_else(|| {
        de::Error::custom(format!("expected a number from 1 to {}, found {number}", Pieces::MAX))
    })
}

fn level<'de, D: Deserializer<'de>>(number: D) -> Result<Option<i32>, D::Error> {
    let number = i64::deserialize(number)?;
    let level = i32::try_from(number).ok().filter(|level| Encoder::LEVELS.contains(level));
    let (least, most) = (Encoder::LEVELS.start(), Encoder::LEVELS.end());
    level
        .map(Some)
        .ok_or_else(|| de::Error::custom(format!("expected a level from {least} to {most}, found {number}")))
}

/// Reads a range of seeds, `1..20`, or a single one.
fn seeds<'de, D: Deserializer<'de>>(seeds: D) -> Result<Option<RangeInclusive<u64>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a seed, or a range of them like \"1..20\"")]
    enum Seeds {
        One(u64),
        Range(String),
    }
    let range = match Seeds::deserialize(seeds)? {
        Seeds::One(seed) => return Ok(Some(seed..=seed)),
        Seeds::Range(range) => range,
    };
    let (from, to) = range.split_once("..").unwrap_or((&range, &range));
    let ends = from.parse().ok().zip(to.parse().ok());
    match ends {
        Some((from, to)) if from <= to => Ok(Some(from..=to)),
        _ => Err(de::Error::custom(format!(
            "expected a seed or a range of them like \"1..20\", the smaller first, found {range:?}"
        ))),
    }
}

/// Reads the manifest in the file `path`. Paths in it begin at its folder. Board files are found, but not
/// read.
pub(crate) fn read(path: &Path) -> Result<TableList, Failure> {
    let text = text::read(path, "a manifest")?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let list = parse(&text, folder, &Lookup::on_disk()).map_err(|failure| failure.in_file(path))?;
    Ok(TableList { manifest: Some(path.to_owned()), ..list })
}

/// Reads a manifest from its text. `folder` is the folder of the file, and `lookup` looks for board files.
fn parse(text: &str, folder: &Path, lookup: &Lookup) -> Result<TableList, Failure> {
    let read = toml::from_str(text).map_err(|error| Failure::input(toml_message(text, &error)));
    let ManifestText { out, order, on_end, limits, rules, boards } = read?;
    for (name, rules) in &rules {
        if Rules::preset(name).is_some() {
            return Err(Failure::input(format!("rules.{name}: expected a name that is no preset")));
        }
        rules.check().map_err(|error| Failure::Input(error.into()).about(format!("rules.{name}")))?;
    }
    if boards.is_empty() {
        return Err(Failure::input("expected at least one [[boards]], found none"));
    }
    let mut tables = Vec::new();
    for (number, section) in boards.into_iter().enumerate() {
        let line = text[..section.span().start].matches('\n').count() + 1;
        let place: Arc<str> = format!("line {line}: boards[{number}]").into();
        let found = section.into_inner().0.tables(&rules, &place, folder, lookup).and_then(|found| {
            at_most_tables((tables.len() + found.len()) as u64)?;
            Ok(found)
        });
        tables.extend(found.map_err(|failure| failure.about(&place))?);
    }
    let mut names: HashMap<&str, &ListedTable> = HashMap::new();
    for table in &tables {
        if let Some(other) = names.insert(&table.name, table) {
            return Err(Failure::input(format!(
                "two tables would both become {}.dtb, of {} and of {}",
                table.name, other.origin, table.origin
            ))
            .with_hint("give their sections different names, for example name = \"{name}-{rules}\""));
        }
    }
    let order = order.map(Order::from).unwrap_or_default();
    let limits = limits.in_folder(folder);
    let (out, key) = (folder.join(out), xxh3_128(text.as_bytes()));
    Ok(TableList { manifest: None, key, out, limits, order, on_end, is_part: false, tables })
}

impl BoardsSection {
    /// Returns the tables of the section.
    fn tables(
        self,
        named: &BTreeMap<String, Rules>,
        place: &Arc<str>,
        folder: &Path,
        lookup: &Lookup,
    ) -> Result<Vec<ListedTable>, Failure> {
        self.check()?;
        let rules_name = self.rules.as_deref().unwrap_or(match self.graphs {
            Some(_) => "cops",
            None => "classic",
        });
        let rules =
            named.get(rules_name).cloned().or_else(|| Rules::preset(rules_name)).ok_or_else(|| {
                let known: Vec<&str> =
                    Rules::PRESETS.into_iter().chain(named.keys().map(String::as_str)).collect();
                Failure::input(format!("rules: expected one of {}; found {rules_name:?}", known.join(", ")))
            })?;
        let rules = Arc::new(rules);
        let doors: Arc<[Door]> = self.doors.as_deref().unwrap_or_default().into();
        let guards: Arc<[Guard]> = self.guards.as_deref().unwrap_or_default().into();
        // Generated boards have no exit of their own.
        let exit: Arc<[Exit]> = match &self.exit {
            Some(exit) => exit.as_slice().into(),
            None if self.files.is_some() || self.graphs.is_some() => Arc::new([]),
            None => Arc::new([Exit::First]),
        };
        let mut tables = Vec::new();
        for (mut name, origin) in self.origins(folder, lookup)? {
            if let Some(pattern) = &self.name {
                name = expand(pattern, &name, &origin, rules_name)?;
            }
            check_name(&name)?;
            tables.push(ListedTable {
                name,
                origin,
                exit: Arc::clone(&exit),
                rules: Arc::clone(&rules),
                doors: Arc::clone(&doors),
                guards: Arc::clone(&guards),
                officers: self.officers,
                place: Some(Arc::clone(place)),
                engine: self.engine.unwrap_or(EngineName::Auto),
                encoding: Encoding {
                    favour: self.favour.unwrap_or(FavourName::Size).into(),
                    level: self.level.unwrap_or(Encoder::DEFAULT_LEVEL),
                },
            });
        }
        Ok(tables)
    }

    /// Checks that the section names one kind of boards, and nothing that boards of this kind do not use.
    fn check(&self) -> Result<(), Failure> {
        let kinds = [self.files.is_some(), self.graphs.is_some(), self.sizes.is_some(), self.make.is_some()];
        if kinds.into_iter().filter(|&given| given).count() != 1 {
            return Err(Failure::input("expected one of files, graphs, sizes and make"));
        }
        let maker = |uses: fn(Maker) -> bool| self.make.is_some_and(uses);
        let unused = [
            ("size", "make", self.size.is_some(), self.make.is_some()),
            ("seeds", "make = \"maze\", random or rooms", self.seeds.is_some(), maker(Maker::is_random)),
            ("density", "make = \"random\"", self.density.is_some(), maker(|maker| maker == Maker::Random)),
            ("extra", "make = \"maze\"", self.extra.is_some(), maker(|maker| maker == Maker::Maze)),
            ("form", "graphs", self.form.is_some(), self.graphs.is_some()),
            ("names", "graphs", self.names.is_some(), self.graphs.is_some()),
            ("directed", "graphs", self.directed.is_some(), self.graphs.is_some()),
            ("vertices", "graphs", self.vertices.is_some(), self.graphs.is_some()),
            ("walls", "files", self.walls.is_some(), self.files.is_some()),
            ("exits", "files", self.exits.is_some(), self.files.is_some()),
            ("police", "files", self.police.is_some(), self.files.is_some()),
            ("thief", "files", self.thief.is_some(), self.files.is_some()),
            ("rounds", "files", self.rounds.is_some(), self.files.is_some()),
            ("letter", "files", self.letter.is_some(), self.files.is_some()),
            ("map-level", "files", self.map_level.is_some(), self.files.is_some()),
            (
                "level",
                "favour = \"size\"",
                self.level.is_some(),
                self.favour.is_none_or(FavourName::has_level),
            ),
        ];
        match unused.into_iter().find(|&(_, _, given, used)| given && !used) {
            Some((key, of, ..)) => Err(Failure::input(format!("{key} needs {of} beside it"))),
            None => Ok(()),
        }
    }

    /// Returns the boards of the section, each with the name that its table has without a pattern.
    fn origins(&self, folder: &Path, lookup: &Lookup) -> Result<Vec<(String, Origin)>, Failure> {
        if let Some(range) = self.sizes {
            at_most_tables(range.count())?;
            return Ok(range.sizes().map(|size| (boards::open_name(size), Origin::Open(size))).collect());
        }
        if let Some(maker) = self.make {
            let sizes =
                self.size.ok_or_else(|| Failure::input("make needs size = \"ROWSxCOLUMNS\" beside it"))?;
            let (density, extra) = (self.density.unwrap_or(Maker::DENSITY), self.extra.unwrap_or(0));
            let seeds = self.seeds.clone().unwrap_or(1..=1);
            at_most_tables((seeds.end() - seeds.start()).saturating_add(1).saturating_mul(sizes.count()))?;
            // If one size and one seed can be made, all can: the sizes have been checked.
            maker
                .make(Size { height: 1, width: 1 }, *seeds.start(), density, extra)
                .map_err(|error| Failure::Input(error.into()))?;
            let mut made = Vec::new();
            for size in sizes.sizes() {
                for seed in seeds.clone() {
                    let name =
                        format!("{}-{}x{}-{seed}", arguments::name_of(&maker), size.height, size.width);
                    made.push((name, Origin::Made { maker, size, seed, density, extra }));
                }
            }
            return Ok(made);
        }
        let streets = Streets {
            form: self.form,
            names: self.names.unwrap_or(false),
            directed: self.directed.unwrap_or(false),
            undirected: false,
            vertices: self.vertices,
        };
        let (key, patterns) =
            if self.graphs.is_some() { ("graphs", &self.graphs) } else { ("files", &self.files) };
        let about = |failure: Failure| failure.about(key);
        let [walls, exits, police, thief, rounds] =
            [&self.walls, &self.exits, &self.police, &self.thief, &self.rounds]
                .map(|selectors| selectors.clone().unwrap_or_default());
        let (letter, level) = (self.letter.clone().unwrap_or_default(), self.map_level.clone());
        let selectors = Arc::new(MapSelectors { walls, exits, police, thief, rounds, letter, level });
        let mut found = Vec::new();
        for pattern in patterns.clone().map(Several::into_vec).unwrap_or_default() {
            for path in (lookup.files)(folder, &pattern).map_err(about)? {
                let name = table_name(&path).map_err(about)?;
                if key == "graphs" {
                    found.push((name, Origin::Graph { path, streets }));
                    continue;
                }
                let Some(levels) = (lookup.levels)(&path, &selectors).map_err(about)? else {
                    found.push((name, Origin::File { path, selectors: Arc::clone(&selectors) }));
                    continue;
                };
                for level in levels {
                    found.push(of_level(&path, &name, level).map_err(about)?);
                }
            }
        }
        Ok(found)
    }
}

fn at_most_tables(found: u64) -> Result<(), Failure> {
    if found <= MAX_TABLES {
        return Ok(());
    }
    Err(Failure::input(format!("expected at most {MAX_TABLES} tables in a manifest, found {found}")))
}

/// Expands the placeholders of a name pattern: `name` is the name without a pattern, `rules` that of the
/// rules.
fn expand(pattern: &str, name: &str, origin: &Origin, rules: &str) -> Result<String, Failure> {
    let (size, seed) = match origin {
        Origin::Given { .. } | Origin::File { .. } | Origin::Graph { .. } => (None, None),
        Origin::Open(size) => (Some(*size), None),
        Origin::Made { size, seed, .. } => (Some(*size), Some(*seed)),
    };
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        text += before;
        let (key, after) = after
            .split_once('}')
            .ok_or_else(|| Failure::input(format!("name: expected a }} behind {{ in {pattern:?}")))?;
        text += &match (key, size, seed) {
            ("name", ..) => name.to_owned(),
            ("rules", ..) => rules.to_owned(),
            ("height", Some(size), _) => size.height.to_string(),
            ("width", Some(size), _) => size.width.to_string(),
            ("seed", _, Some(seed)) => seed.to_string(),
            _ => {
                let known = match (size, seed) {
                    (None, _) => "{name} or {rules}",
                    (_, None) => "{name}, {rules}, {height} or {width}",
                    _ => "{name}, {rules}, {height}, {width} or {seed}",
                };
                return Err(Failure::input(format!("name: expected {known}, found {{{key}}}")));
            }
        };
        rest = after;
    }
    Ok(text + rest)
}

/// Returns whether a path names a manifest and not a board.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// Returns the failure about a manifest whose name does not end in `.toml`.
pub(crate) fn misnamed(path: &Path) -> Failure {
    Failure::input("this looks like a manifest; its name must end in .toml").in_file(path)
}

/// Returns whether a file that was taken for a board is a manifest, for the message about it.
pub(crate) fn is_manifest_text(path: &Path) -> bool {
    let text = require_file(path).ok().and_then(|()| text::read(path, "a manifest").ok());
    text.and_then(|text| toml::from_str::<toml::Table>(&text).ok())
        .is_some_and(|table| table.contains_key("boards"))
}

/// A manifest with explanations, for help texts.
pub(crate) const HELP: &str = "\
A manifest:
  out = \"tables\"                    the output folder; paths begin at the
                                    manifest's folder
  order = \"largest-first\"           or as-listed; small boards first if left out
  on-end = \"mail -s done me </dev/null\"
                                    a command for the shell when all is done; it
                                    knows $DRAGNET_OUTCOME (finished, failed or
                                    interrupted), $DRAGNET_STATUS (exit status),
                                    $DRAGNET_REPORT (the page)

  [limits]                          all may be left out
  threads = 2                       one per processor if left out
  memory = \"12 GiB\"                 of tables at work; three quarters of the
                                    machine's or its control group's if left out
  scratch = \"/fast/scratch\"         the folder for logs of long solves: those
                                    of checkpoints, and those that do not fit
                                    into the memory, as well as sets that do
                                    not; the tables' if left out
  scratch-free = \"5 GiB\"            what must stay free on its disk; nothing
  time = \"10h\"                      wall time of the run; unlimited if left out
  disk-free = \"5 GiB\"               what must stay free on the disk; nothing
  checkpoints = \"10min\"             time between checkpoints of a long solve; if
                                    left out 1min, or as many as keep their cost
                                    under 5 %. The engine counters takes none
  board-time = \"2h\"                 wall time of a single board, which is then
                                    left out; unlimited if left out

  [rules.leapers]                   rules of your own, as in a rules file: see
  thief = { moves = \"knight\" }      'dragnet help rules'

  [[boards]]
  files = [\"maps/*.map\", \"a.txt\"]   board files, globs, folders of boards. Each
                                    level of an LDtk project is a board of its
                                    own, called FILE-LEVEL
  exit = \"first\"                    or \"none\", or a list of ROW,COL; the boards'
                                    own if left out
  rules = \"leapers\"                 or a preset; if left out classic, of graphs
                                    cops
  officers = 2                      whatever the rules say
  doors = [{ cell = [1, 2], key = [0, 1] }]
                                    cells that open and close, by a key or a
                                    schedule: see 'dragnet help boards'
  guards = [{ round = [[1, 2], [1, 7]], sight = 6 }]
                                    guards who walk rounds: see there, too
  favour = \"size\"                   what tables are optimised for: size, the
                                    default, or speed
  level = 9                         of zstd, 1 to 22, for favour = \"size\"; 4
  engine = \"auto\"                   or counters, bitboard; auto if left out
  name = \"{name}-{rules}\"           also {height}, {width} and {seed} of boards
                                    that are made; {name} if left out

  [[boards]]
  files = \"world.ldtk\"              maps of editors: see 'dragnet help boards'
  map-level = \"Cave\"                one level; all if left out
  walls = \"value:rock\"              a selector, or a list of them; what the
                                    maps' conventions say if left out
  exits = [\"object:Door\", \"layer:Exits\"]
                                    also police, thief and rounds
  letter = { m = \"value:mud\" }      squares with letters, for each a selector or
                                    a list; what maps themselves say if left out

  [[boards]]
  graphs = \"streets/*.g6\"           graphs, along whose edges both sides step
  form = \"six\"                      or edges, lists; by the ending if left out
  directed = true                   a line of an edge list is an edge one way
                                    only; false. Also vertices = 100; names =
                                    true if vertices are words

  [[boards]]
  sizes = \"3x3..24x24\"              open boards of every size; their exit is
                                    \"first\" if left out

  [[boards]]
  make = \"maze\"                     or random, rooms, open, as of 'board --make'
  size = \"65x65\"                    one size or a range
  seeds = \"1..20\"                   one seed or a range; 1 if left out
  extra = 10                        for mazes, 0 if left out; density = 0.2 for
                                    random boards";
