//! A batch's manifest: which tables are to be made, where, how, and within which limits.

use crate::{
    failure::Failure,
    input::{
        arguments::{self, EngineName, Exit, FavourName},
        boards::{self, Maker},
        size::{Size, SizeRange},
    },
};
use bytesize::ByteSize;
use dragnet_formats::{
    board::Scenario,
    codec::Encoder,
    header::{Header, Summary},
    rules::Rules,
};
use dragnet_generator::{Job, encode::Encoding};
use serde::{Deserialize, Deserializer, de};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The most tables of a manifest: more are a slip of the finger, and would fill the memory before anything is checked.
const MAX_TABLES: u64 = 100_000;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    out: PathBuf,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    rules: BTreeMap<String, Rules>,
    #[serde(default)]
    boards: Vec<Spanned<Entry>>,
}

/// What the batch must keep to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Limits {
    /// Threads; one per processor if it is left out.
    #[serde(default, deserialize_with = "threads")]
    pub(crate) threads: Option<usize>,
    /// Bytes of memory of the whole process.
    #[serde(default, deserialize_with = "bytes")]
    pub(crate) memory: Option<u64>,
    /// Wall time of the batch.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) time: Option<Duration>,
    /// Bytes that must stay free on the disk of the output folder.
    #[serde(default, deserialize_with = "bytes")]
    pub(crate) disk_free: Option<u64>,
    /// Time between the check-points of a long solve.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) check_points: Option<Duration>,
}

/// One `[[boards]]`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    /// Board files and globs.
    files: Option<Several<String>>,
    /// Open boards of every size in a range.
    #[serde(default, deserialize_with = "parsed")]
    sizes: Option<SizeRange>,
    /// A kind of boards that are made.
    make: Option<Maker>,
    /// Their sizes.
    #[serde(default, deserialize_with = "parsed")]
    size: Option<SizeRange>,
    /// Their seeds.
    #[serde(default, deserialize_with = "seeds")]
    seeds: Option<RangeInclusive<u64>>,
    density: Option<f64>,
    extra: Option<usize>,
    #[serde(default, deserialize_with = "exits")]
    exit: Option<Vec<Exit>>,
    /// A preset, or one of `[rules]`.
    rules: Option<String>,
    favour: Option<FavourName>,
    #[serde(default, deserialize_with = "level")]
    level: Option<i32>,
    engine: Option<EngineName>,
    /// A pattern.
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

fn bytes<'de, D: Deserializer<'de>>(text: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(text)?;
    match ByteSize::from_str(&text) {
        Ok(size) => Ok(Some(size.as_u64())),
        Err(_) => {
            Err(de::Error::custom(format!("expected a number of bytes like \"12 GiB\", found {text:?}")))
        }
    }
}

fn duration<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    humantime::parse_duration(&text)
        .map(Some)
        .map_err(|_| de::Error::custom(format!("expected a time like \"8h 30min\", found {text:?}")))
}

fn threads<'de, D: Deserializer<'de>>(number: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(number)?;
    arguments::threads(&number.to_string())
        .map(Some)
        .map_err(|error| de::Error::custom(format!("{error}, found {number}")))
}

fn level<'de, D: Deserializer<'de>>(number: D) -> Result<Option<i32>, D::Error> {
    let number = i64::deserialize(number)?;
    let level = i32::try_from(number).ok().filter(|level| Encoder::LEVELS.contains(level));
    let (least, most) = (Encoder::LEVELS.start(), Encoder::LEVELS.end());
    level
        .map(Some)
        .ok_or_else(|| de::Error::custom(format!("expected a level from {least} to {most}, found {number}")))
}

/// `1..20`, or a number.
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
    let ends = range.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match ends {
        Some((from, to)) if from <= to => Ok(Some(from..=to)),
        _ => Err(de::Error::custom(format!(
            "expected a range of seeds like \"1..20\", the smaller first, found {range:?}"
        ))),
    }
}

/// Where a board comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// A file.
    File(PathBuf),
    /// An open board.
    Open(Size),
    /// A board that is made.
    Made { maker: Maker, size: Size, seed: u64, density: f64, extra: usize },
}

/// A table that is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Shared by all tables of an entry, as the rules are: both may be long.
    exit: Arc<[Exit]>,
    rules: Arc<Rules>,
    engine: EngineName,
    encoding: Encoding,
}

impl Planned {
    /// The board with its start cells, made or read.
    pub(crate) fn scenario(&self) -> Result<Scenario, Failure> {
        let mut scenario = match &self.origin {
            Origin::File(path) => boards::read(path)?,
            Origin::Open(size) => {
                Scenario::from_board(boards::open(*size).map_err(|error| Failure::Input(error.into()))?)
            }
            Origin::Made { maker, size, seed, density, extra } => {
                let board = maker.make(*size, *seed, *density, *extra);
                Scenario::from_board(board.map_err(|error| Failure::Input(error.into()))?)
            }
        };
        scenario.board =
            arguments::with_exits(scenario.board, &self.exit).map_err(|failure| match &self.origin {
                Origin::File(path) => failure.in_file(path),
                _ => failure,
            })?;
        boards::require_open_cell(&scenario.board).map_err(|failure| failure.about(&self.origin))?;
        Ok(scenario)
    }

    /// What is to be made of its board.
    pub(crate) fn job(&self, scenario: &Scenario) -> Job {
        Job {
            board: scenario.board.clone(),
            rules: (*self.rules).clone(),
            engine: self.engine.into(),
            encoding: self.encoding,
        }
    }
}

/// What a table says and how: the same for the same board, rules and encoding, and another for any other.
pub(crate) fn key(job: &Job) -> Result<String, Failure> {
    let (police_tile, thief_tile) = job.encoding.tile_sizes(&job.board, job.rules.officers);
    let header = Header {
        board: job.board.clone(),
        rules: job.rules.clone(),
        police_tile,
        thief_tile,
        summary: Summary::of_draws(Header::positions_of(&job.board, &job.rules)?),
    };
    let mut bytes = header.to_bytes()?;
    bytes.extend(format!("{:?} {}", job.encoding.favour, job.encoding.level).bytes());
    Ok(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes)))
}

/// A manifest that has been read and checked.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) out: PathBuf,
    pub(crate) limits: Limits,
    pub(crate) tables: Vec<Planned>,
}

impl Manifest {
    /// Reads the manifest in the file `path`. Boards and output folder are looked for from its folder on. Board files are found, but
    /// not read.
    pub(crate) fn read(path: &Path) -> Result<Manifest, Failure> {
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => Failure::input("expected a manifest in UTF-8").in_file(path),
            _ => Failure::from(error).about(format!("cannot read {}", path.display())),
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Manifest::parse(&text, folder, &files).map_err(|failure| failure.in_file(path))
    }

    /// As [`Manifest::read`], with the text and its folder given; `find` looks for files.
    pub(crate) fn parse(text: &str, folder: &Path, find: &Find) -> Result<Manifest, Failure> {
        let read = toml::from_str(text).map_err(|error| {
            let message = arguments::toml_message(text, &error);
            // The place comes first, then the key, then what is wrong there.
            let key = error.span().and_then(|span| key_at(text, span.start));
            Failure::input(match (message.split_once(": "), key) {
                (Some((place, what)), Some(key)) => format!("{place}: {key}: {what}"),
                _ => message,
            })
        });
        let Text { out, limits, rules, boards } = read?;
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
        for (number, entry) in boards.into_iter().enumerate() {
            let line = text[..entry.span().start].matches('\n').count() + 1;
            let found = entry.into_inner().tables(&rules, folder, find).and_then(|found| {
                at_most_tables((tables.len() + found.len()) as u64)?;
                Ok(found)
            });
            tables.extend(found.map_err(|failure| failure.about(format!("line {line}: boards[{number}]")))?);
        }
        let mut names: HashMap<&str, &Planned> = HashMap::new();
        for table in &tables {
            if let Some(other) = names.insert(&table.name, table) {
                return Err(Failure::input(format!(
                    "two tables would both become {}.dtb, of {} and of {}; give their entries different names, for example \
                     name = \"{{name}}-{{rules}}\"",
                    table.name, other.origin, table.origin
                )));
            }
        }
        Ok(Manifest { out: folder.join(out), limits, tables })
    }
}

/// The key whose name or value stands at this byte, if the text is TOML.
fn key_at(text: &str, at: usize) -> Option<String> {
    fn search(value: &DeValue, at: usize) -> Option<String> {
        // Tables' own places are their headings.
        let within = |inner: &Spanned<DeValue>, name: &str| {
            let deeper = search(inner.get_ref(), at).map(|rest| match rest.starts_with('[') {
                true => format!("{name}{rest}"),
                false => format!("{name}.{rest}"),
            });
            deeper.or_else(|| inner.span().contains(&at).then(|| name.to_owned()))
        };
        match value {
            DeValue::Table(table) => table.iter().find_map(|(key, inner)| {
                within(inner, key.get_ref())
                    .or_else(|| key.span().contains(&at).then(|| key.get_ref().to_string()))
            }),
            DeValue::Array(array) => (0..)
                .zip(array.iter())
                .find_map(|(number, inner): (usize, _)| within(inner, &format!("[{number}]"))),
            _ => None,
        }
    }
    search(&DeValue::Table(DeTable::parse(text).ok()?.into_inner()), at)
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Open(Size { height, width }) => write!(f, "an open board of {height}x{width}"),
            Origin::Made { maker, size: Size { height, width }, seed, .. } => {
                write!(f, "{} {height}x{width}, seed {seed}", arguments::name_of(maker))
            }
        }
    }
}

impl Entry {
    /// The tables that it stands for.
    fn tables(
        self,
        named: &BTreeMap<String, Rules>,
        folder: &Path,
        find: &Find,
    ) -> Result<Vec<Planned>, Failure> {
        let kinds = [self.files.is_some(), self.sizes.is_some(), self.make.is_some()];
        if kinds.into_iter().filter(|&given| given).count() != 1 {
            return Err(Failure::input("expected one of files, sizes and make"));
        }
        if self.make.is_none() {
            let of_make = [
                ("size", self.size.is_some()),
                ("seeds", self.seeds.is_some()),
                ("density", self.density.is_some()),
                ("extra", self.extra.is_some()),
            ];
            if let Some((key, _)) = of_make.into_iter().find(|&(_, given)| given) {
                return Err(Failure::input(format!("{key} needs make = \"…\" beside it")));
            }
        }
        let rules_name = self.rules.as_deref().unwrap_or("classic");
        let rules =
            named.get(rules_name).cloned().or_else(|| Rules::preset(rules_name)).ok_or_else(|| {
                let known: Vec<&str> =
                    Rules::PRESETS.into_iter().chain(named.keys().map(String::as_str)).collect();
                Failure::input(format!("rules: expected one of {}; found {rules_name:?}", known.join(", ")))
            })?;
        let rules = Arc::new(rules);
        // Boards that are made have no exit of their own.
        let exit: Arc<[Exit]> = match (&self.exit, &self.files) {
            (Some(exit), _) => exit.as_slice().into(),
            (None, Some(_)) => Arc::new([]),
            (None, None) => Arc::new([Exit::First]),
        };
        let mut tables = Vec::new();
        for (mut name, origin) in self.origins(folder, find)? {
            if let Some(pattern) = &self.name {
                name = expand(pattern, &name, &origin, rules_name)?;
            }
            check_name(&name)?;
            tables.push(Planned {
                name,
                origin,
                exit: Arc::clone(&exit),
                rules: Arc::clone(&rules),
                engine: self.engine.unwrap_or(EngineName::Auto),
                encoding: Encoding {
                    favour: self.favour.unwrap_or(FavourName::Size).into(),
                    level: self.level.unwrap_or(Encoder::DEFAULT_LEVEL),
                },
            });
        }
        Ok(tables)
    }

    /// Its boards, each with the name that its table has without a pattern.
    fn origins(&self, folder: &Path, find: &Find) -> Result<Vec<(String, Origin)>, Failure> {
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
            // What cannot be made in one size and of one seed can be made of none: the sizes are those of boards.
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
        let mut found = Vec::new();
        for pattern in self.files.clone().map(Several::into_vec).unwrap_or_default() {
            for path in find(folder, &pattern)? {
                let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(|| {
                    Failure::input(format!("files: expected a file name in UTF-8, found {}", path.display()))
                })?;
                found.push((name.to_owned(), Origin::File(path.clone())));
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

/// Looks from a folder on for the files that a pattern stands for.
pub(crate) type Find = dyn Fn(&Path, &str) -> Result<Vec<PathBuf>, Failure>;

/// The files that a pattern stands for, in the order of their names.
fn files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let whole = folder.join(pattern);
    let text = whole.to_str().ok_or_else(|| Failure::input("files: expected a folder name in UTF-8"))?;
    let paths = glob::glob(text).map_err(|error| {
        Failure::input(format!("files: {pattern:?}: character {}: {}", error.pos + 1, error.msg))
    })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| {
            let path = error.path().display().to_string();
            Failure::from(std::io::Error::from(error)).about(format!("files: cannot read {path}"))
        })?;
        if !path.is_dir() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::input(format!("files: expected a file, found none by {pattern:?}")));
    }
    Ok(files)
}

/// The name that `pattern` gives.
fn expand(pattern: &str, name: &str, origin: &Origin, rules: &str) -> Result<String, Failure> {
    let (size, seed) = match origin {
        Origin::File(_) => (None, None),
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

/// The longest name that a file with the ending `.dtb` can have on common file systems.
const MAX_NAME: usize = 251;

/// Tables stand in the output folder itself, and what begins with a dot there is not a table.
fn check_name(name: &str) -> Result<(), Failure> {
    let bad = |c: char| c == '/' || c == '\\' || c.is_control();
    if name.is_empty() || name.starts_with('.') || name.contains(bad) {
        return Err(Failure::input(format!(
            "name: expected a file name that does not begin with a dot, found {name:?}"
        )));
    }
    if name.len() > MAX_NAME {
        let found = name.len();
        return Err(Failure::input(format!(
            "name: expected a name of at most {MAX_NAME} bytes, found {found}"
        )));
    }
    Ok(())
}

/// Whether a path is that of a manifest, and not of a board.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// For the help texts.
pub(crate) const HELP: &str = "\
A manifest:
  out = \"tables\"                      the output folder; paths begin at the manifest's folder

  [limits]                            all may be left out
  threads = 2                         one per processor
  memory = \"12 GiB\"                   of the process; three quarters of the machine's or its control group's
  time = \"10h\"                        wall time of the batch
  disk-free = \"5 GiB\"                 what must stay free on the disk
  check-points = \"10min\"              between two of a long solve

  [rules.leapers]                     rules of your own, as in a rules file
  thief = { moves = \"knight\" }

  [[boards]]
  files = [\"maps/*.map\", \"a.txt\"]     board files and globs
  exit = \"first\"                      or a list of ROW,COL; the boards' own if it is left out
  rules = \"leapers\"                   or a preset; classic
  favour = \"size\"                     or \"speed\"
  level = 9
  name = \"{name}-{rules}\"             also {height}, {width} and {seed} of boards that are made

  [[boards]]
  sizes = \"3x3..24x24\"                open boards of every size

  [[boards]]
  make = \"maze\"                       or random, rooms, open; as of 'dragnet board --make'
  size = \"65x65\"
  seeds = \"1..20\"
  extra = 10                          for mazes; density = 0.2 for random boards";
