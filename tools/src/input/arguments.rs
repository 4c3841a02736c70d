//! Arguments that several commands share.

use crate::{
    failure::Failure,
    input::{
        boards::{self, StartCells},
        nearest::suggestion,
        text,
        toml_text::toml_message,
    },
    machine,
    messages::{self, Kind},
    output::human,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    board::Board,
    cell::{Cell, ParseCellError, ParseSideError, Side},
    codec::{Encoder, Favour},
    pieces::{ParsePiecesError, Pieces},
    rules::Rules,
};
use dragnet_generator::{Engine, Generator};
use dragnet_probe::Position;
use rayon::ThreadPoolBuilder;
use serde::Deserialize;
use std::{fmt::Display, ops::RangeInclusive, path::Path, str::FromStr};
use toml::de::DeTable;

/// An exit as `--exit` and `exit` in a manifest name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A cell.
    At(Cell),
    /// A vertex of a graph.
    Vertex(u16),
    /// The first open cell in reading order.
    First,
    /// No exit at all; cannot stand beside others.
    None,
}

impl FromStr for Exit {
    type Err = String;

    fn from_str(text: &str) -> Result<Exit, String> {
        match text {
            "first" => Ok(Exit::First),
            "none" => Ok(Exit::None),
            _ => match vertex(text) {
                Some(vertex) => Ok(Exit::Vertex(vertex)),
                None => (text.parse().map(Exit::At))
                    .map_err(|_| "expected ROW,COL with numbers from 0, or first, or none".to_owned()),
            },
        }
    }
}

/// Returns the board with these exits, or with its own if `exits` is empty.
pub(crate) fn with_exits(board: Board, exits: &[Exit]) -> Result<Board, Failure> {
    if exits.is_empty() {
        return Ok(board);
    }
    if exits.len() > 1 && exits.contains(&Exit::None) {
        return Err(Failure::input("none cannot stand beside another exit"));
    }
    let mut cells = Vec::with_capacity(exits.len());
    for exit in exits {
        match *exit {
            Exit::At(cell) => cells.push(cell),
            Exit::Vertex(vertex) if board.graph().is_some() => cells.push(Cell::new(0, vertex)),
            Exit::Vertex(number) => {
                return Err(Failure::input(format!(
                    "expected ROW,COL on a board of squares, found the single number {number}"
                )));
            }
            Exit::First => cells.push(board.open_cells().next().ok_or_else(|| {
                Failure::input("expected an open cell to be the exit, found a board without one")
            })?),
            Exit::None => {}
        }
    }
    board.with_exits(&cells).map_err(|error| Failure::Input(error.into()))
}

/// Returns the rules that `--rules` names: a preset, or a TOML file.
pub(crate) fn rules(name: &str) -> Result<Rules, Failure> {
    if let Some(rules) = Rules::preset(name) {
        return Ok(rules);
    }
    let path = Path::new(name);
    if path.try_exists().is_ok_and(|exists| !exists) {
        return Err(Failure::input(format!(
            "--rules {name}: expected {}, or a rules file; found no file of that name{}",
            Rules::PRESETS.join(" or "),
            suggestion(name, Rules::PRESETS)
        )));
    }
    let text = text::read(path, "a rules file")?;
    let read: Result<Rules, Failure> =
        toml::from_str(&text).map_err(|error| Failure::input(toml_message(&text, &error)));
    let rules = match read {
        // Rows of walls are comments to TOML, and a file without any key has the classic rules.
        Ok(rules) if !names_nothing(&text) => rules,
        _ if boards::looks_like_board(text.as_bytes()) => {
            return Err(Failure::input("expected a rules file; this looks like a board").in_file(path));
        }
        read => read.map_err(|failure| failure.in_file(path))?,
    };
    rules.check().map_err(|error| Failure::Input(error.into()).in_file(path))?;
    Ok(rules)
}

/// Returns the rules that `--rules` names, or else those that are played on this board: on a graph, whose
/// edges lead in no direction, cops.
pub(crate) fn rules_on(board: &Board, name: Option<&str>) -> Result<Rules, Failure> {
    match name {
        Some(name) => rules(name),
        None if board.graph().is_some() => Ok(Rules::cops()),
        None => Ok(Rules::classic()),
    }
}

/// Returns whether a TOML file has no key at all.
fn names_nothing(text: &str) -> bool {
    DeTable::parse(text).is_ok_and(|table| table.get_ref().is_empty())
}

/// The most threads. More are a slip of the finger; their stacks alone may be too much for the system.
const MAX_THREADS: usize = 1024;

/// The argument `--threads`.
#[derive(Args)]
pub(crate) struct Threads {
    /// Threads; 0 for one per processor
    #[arg(long = "threads", short = 'j', value_name = "N", default_value_t = 0, value_parser = threads)]
    count: usize,
}

impl Threads {
    /// Returns the number that was asked for, unless it is one per processor.
    pub(crate) fn given(&self) -> Option<usize> {
        Some(self.count).filter(|&count| count > 0)
    }

    /// Returns the number of threads: one per processor unless another number was asked for.
    pub(crate) fn count(&self) -> usize {
        processors_if_0(self.count)
    }

    /// Returns a generator with these threads.
    pub(crate) fn generator(&self) -> Result<Generator, Failure> {
        Generator::new(self.count).map_err(Failure::of_threads)
    }

    /// Runs `work` on a pool of these threads.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.count).build().map_err(Failure::of_threads)?;
        Ok(pool.install(work))
    }
}

/// Returns `threads`, or the number of processors if it is 0.
pub(crate) fn processors_if_0(threads: usize) -> usize {
    if threads == 0 { machine::processors() } else { threads }
}

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&threads| threads <= MAX_THREADS)
        .ok_or_else(|| format!("expected a number from 0 to {MAX_THREADS}"))
}

/// An engine as `--engine` and `engine` in a manifest name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngineName {
    /// The engine bitboard, which is the faster one, or counters if the board has keys
    Auto,
    /// Retrograde analysis with a counter per position; takes no checkpoints
    Counters,
    /// Sets of bits, 64 positions to a word
    Bitboard,
}

/// Returns the name of `value` on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .expect("no value of the program's enumerations is skipped")
        .get_name()
        .to_owned()
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

/// A favour as `--favour` and `favour` in a manifest name it: what tables are optimised for.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FavourName {
    /// Blocks that are read in place
    Speed,
    /// The smallest file
    Size,
}

impl FavourName {
    /// Returns whether tables are compressed, so that a level of compression matters.
    pub(crate) fn has_level(self) -> bool {
        matches!(self, FavourName::Size)
    }
}

impl From<FavourName> for Favour {
    fn from(name: FavourName) -> Favour {
        match name {
            FavourName::Speed => Favour::Speed,
            FavourName::Size => Favour::Size,
        }
    }
}

/// Returns the parser of a whole number within a range.
pub(crate) fn whole_number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Returns the parser of a number of officers.
pub(crate) fn officers() -> impl Fn(&str) -> Result<u8, String> + Clone {
    whole_number(1..=Pieces::MAX as u8)
}

/// Returns the parser of `--level`.
pub(crate) fn levels() -> impl Fn(&str) -> Result<i32, String> + Clone {
    whole_number(Encoder::LEVELS)
}

/// Reads a single number: a vertex of a graph.
fn vertex(text: &str) -> Option<u16> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Reads a cell as `ROW,COL`, or a vertex of a graph.
pub(crate) fn cell(text: &str) -> Result<Cell, ParseCellError> {
    vertex(text).map_or_else(|| text.parse(), |vertex| Ok(Cell::new(0, vertex)))
}

/// Reads the cells of a side's pieces, joined by `+`.
pub(crate) fn pieces(text: &str) -> Result<Pieces, ParsePiecesError> {
    let cells = text.split('+').map(cell).collect::<Result<Vec<Cell>, _>>()?;
    Ok(Pieces::new(&cells)?)
}

/// Reads a side, in any case.
fn side(text: &str) -> Result<Side, ParseSideError> {
    text.to_ascii_lowercase().parse().map_err(|_| ParseSideError { found: text.to_owned() })
}

/// Cells on the command line, before it is known whether the board has vertices or squares.
#[derive(Clone, Copy, Debug)]
struct GivenCells<T> {
    cells: T,
    /// The first of them that was given as a single number: a vertex.
    vertex: Option<u16>,
}

fn given_pieces(text: &str) -> Result<GivenCells<Pieces>, ParsePiecesError> {
    Ok(GivenCells { cells: pieces(text)?, vertex: text.split('+').find_map(vertex) })
}

fn given_cell(text: &str) -> Result<GivenCells<Cell>, ParseCellError> {
    Ok(GivenCells { cells: cell(text)?, vertex: vertex(text) })
}

impl<T> GivenCells<T> {
    /// Returns the cells on `board`, which `--name` gives.
    fn on(self, board: &Board, name: &str) -> Result<T, Failure> {
        match self.vertex {
            Some(number) if board.graph().is_none() => Err(Failure::input(format!(
                "--{name}: expected ROW,COL on a board of squares, found the single number {number}"
            ))),
            _ => Ok(self.cells),
        }
    }
}

/// A position on the command line.
#[derive(Args)]
pub(crate) struct PositionArguments {
    /// The police officer's cell; several officers' are joined by +, as in 0,3+7,7. On a graph a cell is a
    /// vertex [default: the marks P of the board, or else the best cells]
    #[arg(long, value_name = "ROW,COL", value_parser = given_pieces)]
    police: Option<GivenCells<Pieces>>,
    /// The thief's cell [default: the mark T of the board, or else where he lasts longest]
    #[arg(long, value_name = "ROW,COL", value_parser = given_cell)]
    thief: Option<GivenCells<Cell>>,
    /// The side to move: police or thief [default: police]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    turn: Option<Side>,
    /// The world, in games with several: on a board with doors a state of theirs, which 'dragnet help boards'
    /// numbers [default: 0]
    #[arg(long, value_name = "N")]
    world: Option<u32>,
}

impl PositionArguments {
    /// Returns whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.police.is_none() && self.thief.is_none() && self.turn.is_none() && self.world.is_none()
    }

    /// Returns the world: 0 unless `--world` says otherwise.
    pub(crate) fn world(&self) -> u32 {
        self.world.unwrap_or(0)
    }

    /// Returns the side to move: the police unless `--turn` says otherwise.
    pub(crate) fn turn(&self) -> Side {
        self.turn.unwrap_or(Side::Police)
    }

    /// Returns the position of so many officers on `board`. Cells that were not given are those
    /// that the board marks, which `marked` returns if they are known, or else those that `best` chooses,
    /// given the officers' cells if they are known; `None` if it cannot.
    pub(crate) fn position(
        &self,
        board: &Board,
        officers: u8,
        marked: impl FnOnce() -> Option<StartCells>,
        best: impl FnOnce(Option<Pieces>) -> Result<Option<(Pieces, Cell)>, Failure>,
    ) -> Result<Position, Failure> {
        let given = self.police.is_some() && self.thief.is_some();
        let marked = if given { None } else { marked() };
        let police = self.police_or(board, officers, marked.as_ref())?;
        let thief = self.thief(board)?.or_else(|| marked.and_then(|marked| marked.thief));
        let turn = self.turn();
        let (what, chosen) = match (police, thief) {
            (Some(police), Some(thief)) => {
                return Ok(Position::new(police, thief, turn).in_world(self.world()));
            }
            (None, None) => {
                ("P and T", "the police stands on its best cells, the thief where he lasts longest")
            }
            (None, Some(_)) => ("P", "the police stands on its best cells"),
            (Some(_), None) => ("T", "the thief stands where he lasts longest"),
        };
        let Some(best) = best(police)? else { return Err(unknown(what, board, officers)) };
        messages::say(Kind::Note, &format!("no mark {what} of its board is known: {chosen}"));
        let (police, thief) = (police.unwrap_or(best.0), thief.unwrap_or(best.1));
        Ok(Position::new(police, thief, turn).in_world(self.world()))
    }

    /// Returns the officers' cells, if they were given.
    pub(crate) fn police(&self, board: &Board) -> Result<Option<Pieces>, Failure> {
        self.police.map(|police| police.on(board, "police")).transpose()
    }

    /// Returns the thief's cell, if it was given.
    pub(crate) fn thief(&self, board: &Board) -> Result<Option<Cell>, Failure> {
        self.thief.map(|thief| thief.on(board, "thief")).transpose()
    }

    /// Returns the officers' cells: those that were given, or else those that the board marks, if they are
    /// known.
    pub(crate) fn police_or(
        &self,
        board: &Board,
        officers: u8,
        marked: Option<&StartCells>,
    ) -> Result<Option<Pieces>, Failure> {
        if let Some(police) = self.police(board)? {
            return Ok(Some(police));
        }
        if officers == 0 {
            return Ok(Pieces::new(&[]).ok());
        }
        let Some(marked) = marked.filter(|marked| !marked.police.is_empty()) else { return Ok(None) };
        match Pieces::new(&marked.police) {
            Ok(police) if police.len() == usize::from(officers) => Ok(Some(police)),
            _ => {
                let marks = human::counted(marked.police.len() as u64, "mark P", "marks P");
                let message =
                    format!("expected --police ROW,COL: the board has {marks}, and {officers} play");
                Err(Failure::input(message).with_hint(example(board, officers)))
            }
        }
    }
}

/// Returns the failure of a position without the cells of the board's marks, `P` or `T` or both.
pub(crate) fn unknown(marks: &str, board: &Board, officers: u8) -> Failure {
    let options: Vec<&str> = [("P", "--police ROW,COL"), ("T", "--thief ROW,COL")]
        .iter()
        .filter(|(mark, _)| marks.contains(mark))
        .map(|&(_, option)| option)
        .collect();
    let message = format!("expected {}: no mark {marks} of its board is known", options.join(" and "));
    Failure::input(message).with_hint(example(board, officers))
}

/// Returns options that name a position on the board: the officers on its first open cell, the thief on the
/// last one.
fn example(board: &Board, officers: u8) -> String {
    let cells = (board.open_cells().next(), board.open_cells().last());
    let (Some(first), Some(last)) = cells else { return "the board has no open cell".to_owned() };
    let [first, last] = [first, last].map(|cell| human::pieces(board, &cell.into()));
    let police = vec![first; officers.into()].join("+");
    format!("for example --police {police} --thief {last}")
}
