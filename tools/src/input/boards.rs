//! Boards from files, and boards that are made.

use crate::{
    failure::Failure,
    input::{size::Size, text},
    messages::{Kind, say_once},
};
use clap::ValueEnum;
use dragnet_formats::{
    board::{Board, BoardError, Scenario, make},
    cell::Cell,
};
use dragnet_generator::{pursuit::PursuitError, save};
use dragnet_maps::{MapReading, MapSelectors};
use dragnet_probe::Table;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Reads the board in a file, which may be a map of an editor; `-` is standard input.
pub(crate) fn read(path: &Path, selectors: &MapSelectors) -> Result<Scenario, Failure> {
    Ok(scenario_of(path, read_with_findings(path, selectors)?))
}

/// Reads the board in a file, with what was understood of it if it is a map.
pub(crate) fn read_with_findings(path: &Path, selectors: &MapSelectors) -> Result<MapReading, Failure> {
    parse_any(path, &bytes(path)?, selectors).map_err(|failure| failure.in_file(path))
}

/// Returns the bytes of a file, which may be a map of an editor; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    text::bytes(path, "a board")
}

/// Reads the board in the bytes of a file, which may be a map of an editor.
pub(crate) fn parse_any(path: &Path, bytes: &[u8], selectors: &MapSelectors) -> Result<MapReading, Failure> {
    if let Some(reading) = dragnet_maps::read(path, bytes, selectors)? {
        return Ok(reading);
    }
    if let Some(name) = selectors.first_given() {
        return Err(Failure::input(format!("{name}: expected a map of an editor, found a board in text")));
    }
    Ok(MapReading::of_board(parse(bytes)?))
}

/// Returns what was read of the file `path`, and says what was not, or may be meant otherwise.
pub(crate) fn noted(path: &Path, reading: MapReading) -> MapReading {
    for note in &reading.notes {
        say_once(Kind::Note, &Failure::input(note).in_file(path).text());
    }
    reading
}

/// Returns the board of the file `path` for a command without guards, and says what was not read of it.
pub(crate) fn scenario_of(path: &Path, reading: MapReading) -> Scenario {
    let MapReading { scenario, guards, .. } = noted(path, reading);
    if !guards.is_empty() {
        let text = "the guards of the map are left out";
        say_once(Kind::Note, &Failure::input(text).in_file(path).text());
    }
    scenario
}

/// Returns the boards of a map that has levels, each with the name of its level, or `None` of any other file.
/// The selectors may name one level.
pub(crate) fn of_levels(
    path: &Path,
    bytes: &[u8],
    selectors: &MapSelectors,
) -> Result<Option<Vec<(String, MapReading)>>, Failure> {
    let levels = dragnet_maps::read_levels(path, bytes, selectors)
        .map_err(|error| Failure::from(error).in_file(path))?;
    let reading = |(level, reading): (String, MapReading)| (level, noted(path, reading));
    Ok(levels.map(|levels| levels.into_iter().map(reading).collect()))
}

/// Checks that `path` is no pipe: a file that is read more than once, and before signals are heard.
pub(crate) fn require_file(path: &Path, with: &str) -> Result<(), Failure> {
    save::require_file(path).map_err(|_| {
        Failure::input(format!("expected a file with {with}, found something else")).in_file(path)
    })
}

/// Reads the board in a file that is no pipe.
pub(crate) fn read_file(path: &Path, selectors: &MapSelectors) -> Result<MapReading, Failure> {
    require_file(path, "a board")?;
    read_with_findings(path, selectors)
}

/// Reads the board in these bytes, in any of the forms of boards in text.
pub(crate) fn parse(bytes: &[u8]) -> Result<Scenario, Failure> {
    Scenario::parse(bytes).map_err(|error| Failure::Input(error.into()))
}

/// The cells that a board file marks `P` and `T`, which a table does not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StartCells {
    /// The officers' cells, in reading order.
    pub(crate) police: Vec<Cell>,
    /// The thief's cell, if it is marked.
    pub(crate) thief: Option<Cell>,
}

impl StartCells {
    /// Returns the cells that the table's board marks; `None` if the table knows none.
    pub(crate) fn of_table(table: &Table) -> Option<StartCells> {
        let (police, thief) = table.setting()?.starts();
        Some(StartCells { police, thief }).filter(|start| !start.is_empty())
    }

    /// Returns whether no cell is marked.
    pub(crate) fn is_empty(&self) -> bool {
        self.police.is_empty() && self.thief.is_none()
    }
}

/// Returns whether a file that was taken for something else is a board, for the message about it.
pub(crate) fn is_board(path: &Path) -> bool {
    save::require_file(path).is_ok() && bytes(path).is_ok_and(|bytes| looks_like_board(&bytes))
}

/// Returns whether a text is a board rather than words: a single row with letters is a word or a remark.
pub(crate) fn looks_like_board(text: &[u8]) -> bool {
    let is_board = |Scenario { board, .. }: Scenario| board.height() > 1 || board.letters().next().is_none();
    Scenario::parse(text).is_ok_and(is_board)
}

/// A kind of generated board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Maker {
    /// No wall at all
    Open,
    /// Walls at random
    Random,
    /// Corridors one cell wide
    Maze,
    /// Rooms with doors
    Rooms,
}

impl Maker {
    /// Returns whether boards of this kind depend on a seed.
    pub(crate) fn is_random(self) -> bool {
        self != Maker::Open
    }

    /// Share of walls of a random board unless something else is asked for.
    pub(crate) const DENSITY: f64 = 0.2;

    /// Makes a board of this kind, without exits. `density` is the share of walls of a random board, `extra`
    /// the passages that a maze has besides those that connect it.
    pub(crate) fn make(self, size: Size, seed: u64, density: f64, extra: usize) -> Result<Board, BoardError> {
        let (height, width) = (size.height.into(), size.width.into());
        match self {
            Maker::Open => make::open(height, width),
            Maker::Random => make::random(height, width, density, seed),
            Maker::Maze => make::maze(height, width, extra, seed),
            Maker::Rooms => make::rooms(height, width, seed),
        }
    }
}

/// Makes an open board without exits.
pub(crate) fn open(size: Size) -> Result<Board, BoardError> {
    make::open(size.height.into(), size.width.into())
}

/// Returns the name of the table of an open board.
pub(crate) fn open_name(size: Size) -> String {
    format!("open-{:02}x{:02}", size.height, size.width)
}

/// Returns an error if `board` has no open cell, so that there is nothing to solve.
pub(crate) fn require_open_cell(board: &Board) -> Result<(), Failure> {
    if board.open_count() == 0 { Err(Failure::Input(PursuitError::NoOpenCell.into())) } else { Ok(()) }
}

/// Returns the board with its first open cell, if there is one, as its only exit.
pub(crate) fn with_first_exit(board: &Board) -> Result<Board, BoardError> {
    let first: Vec<_> = board.open_cells().take(1).collect();
    board.with_exits(&first)
}
