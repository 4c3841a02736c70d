//! Arguments that several commands share.

use crate::{
    failure::Failure,
    input::{boards, graphs::Streets},
    machine,
};
use clap::{Args, ValueEnum, builder::RangedI64ValueParser};
use dragnet_formats::{
    board::Board,
    cell::{Cell, ParseCellError, Side},
    codec::{Encoder, Favour},
    pieces::{ParsePiecesError, Pieces},
    rules::Rules,
};
use dragnet_generator::{Engine, Generator, Job, encode::Encoding};
use dragnet_probe::Position;
use rayon::ThreadPoolBuilder;
use serde::Deserialize;
use std::{fs, io::ErrorKind, path::Path, str::FromStr};

/// Where the thief escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    At(Cell),
    First,
    None,
}

impl FromStr for Exit {
    type Err = String;

    fn from_str(text: &str) -> Result<Exit, String> {
        match text {
            "first" => Ok(Exit::First),
            "none" => Ok(Exit::None),
            _ => cell(text)
                .map(Exit::At)
                .map_err(|_| "expected ROW,COL with numbers from 0, or first, or none".to_owned()),
        }
    }
}

/// The board with the exits asked for; its own if none is.
pub(crate) fn with_exits(board: Board, exits: &[Exit]) -> Result<Board, Failure> {
    if exits.is_empty() {
        return Ok(board);
    }
    if exits.len() > 1 && exits.contains(&Exit::None) {
        return Err(Failure::input("--exit none cannot stand beside another --exit"));
    }
    let cells: Vec<Cell> = exits
        .iter()
        .filter_map(|exit| match exit {
            Exit::At(cell) => Some(*cell),
            Exit::First => board.open_cells().next(),
            Exit::None => None,
        })
        .collect();
    board.with_exits(&cells).map_err(|error| Failure::Input(error.into()).about("--exit"))
}

/// The rules that `--rules` names: a preset, or a TOML file.
pub(crate) fn rules(name: &str) -> Result<Rules, Failure> {
    if let Some(rules) = Rules::preset(name) {
        return Ok(rules);
    }
    let path = Path::new(name);
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::input(format!(
            "--rules {name}: expected {}, or a rules file; found no file of that name",
            Rules::PRESETS.join(" or ")
        )),
        ErrorKind::InvalidData => Failure::input("expected a rules file in UTF-8").in_file(path),
        _ => Failure::from(error).about(format!("cannot read {name}")),
    })?;
    let rules: Rules =
        toml::from_str(&text).map_err(|error| Failure::input(toml_message(&text, &error)).in_file(path))?;
    rules.check().map_err(|error| Failure::Input(error.into()).in_file(path))?;
    Ok(rules)
}

/// The error in one line, with the place as board files tell it.
pub(crate) fn toml_message(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: {}", error.message().replace('\n', ", "))
}

/// More threads than this are a slip of the finger; their stacks alone may be too much for the system.
const MAX_THREADS: usize = 1024;

/// `--threads`.
#[derive(Args)]
pub(crate) struct Threads {
    /// Threads; 0 for one per processor
    #[arg(long = "threads", value_name = "N", default_value_t = 0, value_parser = threads)]
    count: usize,
}

impl Threads {
    /// How many they are.
    pub(crate) fn count(&self) -> usize {
        processors_if_0(self.count)
    }

    /// What was asked for, unless it is one per processor.
    pub(crate) fn given(&self) -> Option<usize> {
        Some(self.count).filter(|&count| count > 0)
    }

    /// A generator with these threads.
    pub(crate) fn generator(&self) -> Result<Generator, Failure> {
        Generator::new(self.count).map_err(|error| Failure::from(error).about("cannot start the threads"))
    }

    /// Lets `work` use these threads.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.count)
            .build()
            .map_err(|error| Failure::Trouble(error.into()).about("cannot start the threads"))?;
        Ok(pool.install(work))
    }
}

/// So many threads, or one per processor.
pub(crate) fn processors_if_0(threads: usize) -> usize {
    if threads == 0 { machine::processors() } else { threads }
}

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&threads| threads <= MAX_THREADS)
        .ok_or_else(|| format!("expected a number from 0 to {MAX_THREADS}"))
}

/// `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngineName {
    /// Bitboard, which is the quicker one; or the one that has begun a table and was interrupted.
    Auto,
    /// Retrograde analysis with a counter per position.
    Counters,
    /// Sets of bits, 64 positions to a word.
    Bitboard,
}

/// A value as it stands on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl From<Engine> for EngineName {
    fn from(engine: Engine) -> EngineName {
        match engine {
            Engine::Auto => EngineName::Auto,
            Engine::Counters => EngineName::Counters,
            Engine::Bitboard => EngineName::Bitboard,
        }
    }
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Engine {
        match name {
            EngineName::Auto => Engine::Auto,
            EngineName::Counters => Engine::Counters,
            EngineName::Bitboard => Engine::Bitboard,
        }
    }
}

/// `--favour`.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FavourName {
    /// Blocks that are read in place.
    Speed,
    /// The smallest file.
    Size,
}

impl From<FavourName> for Favour {
    fn from(name: FavourName) -> Favour {
        match name {
            FavourName::Speed => Favour::Speed,
            FavourName::Size => Favour::Size,
        }
    }
}

/// What `--level` may be.
pub(crate) fn levels() -> RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(i64::from(*Encoder::LEVELS.start())..=i64::from(*Encoder::LEVELS.end()))
}

/// How tables are made.
#[derive(Args)]
pub(crate) struct Making {
    /// classic, chase, cops, or a TOML file that names what differs from classic [default: classic, on graphs cops]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// How many officers there are, whatever the rules say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=Pieces::MAX as i64))]
    officers: Option<u8>,
    /// The files are graphs, along whose edges both sides step; vertex v is the cell 0,v
    #[arg(long)]
    graph: bool,
    #[command(flatten)]
    streets: Streets,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// How to solve; the table does not depend on it [default: auto]
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    /// What the table is optimised for [default: size]
    #[arg(long, value_enum)]
    favour: Option<FavourName>,
    /// Level of zstd under --favour size, 1 to 22 [default: 4]. A table does not record its level: generate --force makes it
    /// anew with another one
    #[arg(long, value_name = "N", value_parser = levels())]
    level: Option<i32>,
}

impl Making {
    /// The rules, read from their file if they are no preset.
    pub(crate) fn rules(&self) -> Result<Rules, Failure> {
        let rules = match &self.rules {
            Some(name) => rules(name)?,
            None if self.graph => Rules::cops(),
            None => Rules::classic(),
        };
        Ok(Rules { officers: self.officers.unwrap_or(rules.officers), ..rules })
    }

    /// The board in a file, or that of the graph in it.
    pub(crate) fn board(&self, path: &Path) -> Result<Board, Failure> {
        if self.graph { Ok(self.streets.read(path, false)?.0) } else { Ok(boards::read(path)?.board) }
    }

    /// Returns each argument that a manifest specifies itself, and whether it was given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 8] {
        [
            ("rules", self.rules.is_some()),
            ("officers", self.officers.is_some()),
            ("graph", self.graph),
            ("form", self.streets.form.is_some()),
            ("directed", self.streets.directed),
            ("engine", self.engine.is_some()),
            ("favour", self.favour.is_some()),
            ("level", self.level.is_some()),
        ]
    }

    /// Returns how the tables are encoded.
    pub(crate) fn encoding(&self) -> Encoding {
        Encoding {
            favour: self.favour.unwrap_or(FavourName::Size).into(),
            level: self.level.unwrap_or(Encoder::DEFAULT_LEVEL),
        }
    }

    /// The table of `board` under `rules`, made in this way.
    pub(crate) fn job(&self, board: Board, rules: &Rules) -> Job {
        Job {
            board,
            rules: rules.clone(),
            engine: self.engine.unwrap_or(EngineName::Auto).into(),
            encoding: self.encoding(),
        }
    }
}

/// A cell as `ROW,COL`, or a vertex of a graph.
pub(crate) fn cell(text: &str) -> Result<Cell, ParseCellError> {
    let vertex = text.parse().ok().filter(|_| !text.starts_with('+'));
    vertex.map_or_else(|| text.parse(), |vertex| Ok(Cell::new(0, vertex)))
}

/// The cells of a side's pieces, joined by `+`.
pub(crate) fn pieces(text: &str) -> Result<Pieces, ParsePiecesError> {
    let cells = text.split('+').map(cell).collect::<Result<Vec<Cell>, _>>()?;
    Ok(Pieces::new(&cells)?)
}

/// A position on the command line.
#[derive(Args)]
pub(crate) struct PositionArguments {
    /// The police officer's cell; several officers' are joined by +, as in 0,3+7,7. On a graph a cell is a vertex
    #[arg(long, value_name = "ROW,COL", value_parser = pieces)]
    police: Option<Pieces>,
    /// The thief's cell
    #[arg(long, value_name = "ROW,COL", value_parser = cell)]
    thief: Option<Cell>,
    /// Who is to move: police or thief
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
}

impl PositionArguments {
    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.police.is_none() && self.thief.is_none() && self.turn.is_none()
    }

    /// The position; the police moves first unless `--turn` says otherwise.
    pub(crate) fn position(&self) -> Result<Position, Failure> {
        let missing = |name| Failure::input(format!("expected --{name} ROW,COL"));
        Ok(Position {
            police: self.police.ok_or_else(|| missing("police"))?,
            thief: self.thief.ok_or_else(|| missing("thief"))?,
            turn: self.turn.unwrap_or(Side::Police),
        })
    }
}
