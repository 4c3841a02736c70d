//! The named scenarios: boards whose answers are known.

use crate::failure::Failure;
use clap::ValueEnum;
use dragnet_formats::board::{Board, make};

/// A board whose answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ScenarioName {
    /// An open board of 64x64
    #[value(name = "open-64")]
    Open64,
    /// An open board of 100x100
    #[value(name = "open-100")]
    Open100,
    /// 64x64, one square in five a wall
    #[value(name = "random-64")]
    Random64,
    /// 100x100, one square in five a wall
    #[value(name = "random-100")]
    Random100,
    /// Rooms with doors, 64x64
    #[value(name = "rooms-64")]
    Rooms64,
    /// A maze of 65x65 without loops
    #[value(name = "maze-65")]
    Maze65,
    /// A maze of 101x101 with loops
    #[value(name = "loops-101")]
    Loops101,
    /// A corridor of 2000 cells
    #[value(name = "corridor-2000")]
    Corridor2000,
    /// Two officers on an open board of 12x12
    #[value(name = "officers-12")]
    Officers12,
}

impl ScenarioName {
    /// Returns the board, without an exit.
    pub(super) fn board(self) -> Result<Board, Failure> {
        let board = match self {
            ScenarioName::Open64 => make::open(64, 64),
            ScenarioName::Open100 => make::open(100, 100),
            ScenarioName::Random64 => make::random(64, 64, 0.2, 1),
            ScenarioName::Random100 => make::random(100, 100, 0.2, 1),
            ScenarioName::Rooms64 => make::rooms(64, 64, 1),
            ScenarioName::Maze65 => make::maze(65, 65, 0, 1),
            ScenarioName::Loops101 => make::maze(101, 101, 250, 1),
            ScenarioName::Corridor2000 => make::open(1, 2000),
            ScenarioName::Officers12 => make::open(12, 12),
        };
        board.map_err(|error| Failure::Input(error.into()))
    }

    pub(super) fn officers(self) -> u8 {
        if self == ScenarioName::Officers12 { 2 } else { 1 }
    }

    /// Returns the content digest of the table, which both engines and an independent program have computed.
    pub(super) fn digest(self) -> &'static str {
        match self {
            ScenarioName::Open64 => "66f7f7d05334b8ef",
            ScenarioName::Open100 => "d71003f4da88507a",
            ScenarioName::Random64 => "78f64ce5a60d260c",
            ScenarioName::Random100 => "daf87663e0d0b8da",
            ScenarioName::Rooms64 => "3e1fc29fdc9ae96c",
            ScenarioName::Maze65 => "3175f35e3e17be0d",
            ScenarioName::Loops101 => "8df88bbb6b047899",
            ScenarioName::Corridor2000 => "6a646a2d8c2fd536",
            ScenarioName::Officers12 => "d8157d18c50b552d",
        }
    }
}
