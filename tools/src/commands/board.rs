//! `dragnet board`: draws, converts and makes boards.

use super::output;
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Exit},
        boards::{self, Maker},
        size::Size,
    },
    output::draw,
};
use clap::{Args, ValueEnum};
use dragnet_formats::board::{Scenario, WriteBoardError, contest, movingai, text};
use std::{io::Write, path::PathBuf};

/// Draw a board, convert it to another form, or make one
///
/// Reads any form of board file ('-' is standard input), or makes a board with --make and --size, and prints
/// it.
#[derive(Args)]
#[command(name = "board", after_help = AFTER_HELP)]
pub(crate) struct BoardCommand {
    /// A board file
    #[arg(required_unless_present = "make", conflicts_with = "make")]
    board: Option<PathBuf>,
    /// The form to print
    #[arg(long, value_enum, default_value = "drawing")]
    to: BoardForm,
    /// The kind of board to make
    #[arg(long, value_enum, requires = "size")]
    make: Option<Maker>,
    /// Height and width of the board to make
    #[arg(long, value_name = "RxC", requires = "make")]
    size: Option<Size>,
    /// The seed; equal seeds make equal boards in every version
    #[arg(long, value_name = "N", default_value_t = 1, requires = "make")]
    seed: u64,
    /// Share of walls of a random board, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Maker::DENSITY, requires = "make")]
    density: f64,
    /// Passages of a maze beyond those that connect its cells
    #[arg(long, value_name = "N", default_value_t = 0, requires = "make")]
    extra: usize,
    /// An exit, in place of the board's own exits; may be repeated
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet board castle.txt
  dragnet board arena.map --exit first --to text > arena.txt
  dragnet board --make maze --size 21x31 --seed 7 --extra 10 --exit first --to text > maze.txt";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoardForm {
    /// A drawing for people, with row and column numbers.
    Drawing,
    /// The text form, which the other commands read.
    Text,
    /// The contest form, with its first line.
    Contest,
    /// The MovingAI .map form, without exits and start cells.
    Movingai,
}

impl BoardCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut scenario = self.scenario()?;
        scenario.board = arguments::with_exits(scenario.board, &self.exit)?;
        let write_error = |error: WriteBoardError| Failure::Input(error.into());
        let text = match self.to {
            BoardForm::Drawing => draw::board(&scenario.board, &scenario.police, scenario.thief),
            BoardForm::Text => text::write(&scenario).map_err(write_error)?,
            BoardForm::Contest => contest::write(&scenario).map_err(write_error)?,
            BoardForm::Movingai => movingai::write(&scenario.board),
        };
        let mut output = output();
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }

    fn scenario(&self) -> Result<Scenario, Failure> {
        if let Some(path) = &self.board {
            return boards::read(path);
        }
        let (Some(maker), Some(size)) = (self.make, self.size) else {
            return Err(Failure::input("expected a board file, or --make KIND --size RxC"));
        };
        let board = maker.make(size, self.seed, self.density, self.extra);
        Ok(Scenario::from_board(board.map_err(|error| Failure::Input(error.into()))?))
    }
}
