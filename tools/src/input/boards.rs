//! Boards from files and from the built-in default set.

use crate::{failure::Failure, input::size::Size};
use clap::ValueEnum;
use dragnet_formats::board::{Board, BoardError, Scenario, make};
use dragnet_generator::pursuit::PursuitError;
use serde::Deserialize;
use std::{fs, io::Read, path::Path};

/// A board and the name of its table.
#[derive(Clone, Debug)]
pub(crate) struct NamedBoard {
    pub(crate) name: String,
    pub(crate) board: Board,
}

/// The board in a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Scenario, Failure> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::from(error).about("cannot read standard input"))?;
    } else {
        bytes = fs::read(path)
            .map_err(|error| Failure::from(error).about(format!("cannot read {}", path.display())))?;
    }
    parse(&bytes).map_err(|failure| failure.in_file(path))
}

/// The board in these bytes.
pub(crate) fn parse(bytes: &[u8]) -> Result<Scenario, Failure> {
    Scenario::parse(bytes).map_err(|error| Failure::Input(error.into()))
}

/// A kind of boards that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Maker {
    /// No wall at all.
    Open,
    /// Walls at random.
    Random,
    /// Corridors one cell wide.
    Maze,
    /// Rooms with doors.
    Rooms,
}

impl Maker {
    /// Share of walls of a random board, if nobody says otherwise.
    pub(crate) const DENSITY: f64 = 0.2;

    /// A board of this kind, without exits: `density` is the share of walls of a random one, `extra` the passages that a maze has
    /// besides those that connect it.
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

/// An open board without exits.
pub(crate) fn open(size: Size) -> Result<Board, BoardError> {
    make::open(size.height.into(), size.width.into())
}

/// The name of the table of an open board.
pub(crate) fn open_name(size: Size) -> String {
    format!("open-{:02}x{:02}", size.height, size.width)
}

/// The default set, with the first open cell of each board as its exit: every open board from 3×3 to 12×12, and some
/// mazes, rooms and random boards.
pub(crate) fn default_set() -> Result<Vec<NamedBoard>, BoardError> {
    let mut boards = Vec::new();
    for height in 3..=12 {
        for width in 3..=12 {
            let size = Size { height, width };
            boards.push(NamedBoard { name: open_name(size), board: open(size)? });
        }
    }
    let mut add = |kind: &str, side: usize, board: Board| {
        boards.push(NamedBoard { name: format!("{kind}-{side}x{side}"), board });
    };
    for (side, seed) in [(15, 1), (21, 2), (31, 3)] {
        add("maze", side, make::maze(side, side, 0, seed)?);
        add("loops", side, make::maze(side, side, side, seed)?);
    }
    for (side, seed) in [(16, 1), (24, 2), (32, 3)] {
        add("rooms", side, make::rooms(side, side, seed)?);
        add("random", side, make::random(side, side, 0.2, seed)?);
    }
    for named in &mut boards {
        named.board = with_first_exit(&named.board)?;
    }
    Ok(boards)
}

/// An error if there is nothing to solve on `board`.
pub(crate) fn require_open_cell(board: &Board) -> Result<(), Failure> {
    if board.open_count() == 0 { Err(Failure::Input(PursuitError::NoOpenCell.into())) } else { Ok(()) }
}

/// The board with its first open cell, if there is one, as its only exit.
pub(crate) fn with_first_exit(board: &Board) -> Result<Board, BoardError> {
    let first: Vec<_> = board.open_cells().take(1).collect();
    board.with_exits(&first)
}
