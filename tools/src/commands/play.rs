//! `dragnet play`: a game against the table.

mod game;
mod opponent;
mod words;
mod lines;

use super::{
    strength::strength,
    subject::{Subject, SubjectArguments},
};
use crate::{failure::Failure, input::arguments::PositionArguments, table::portrait::best_start};
use clap::Args;
use dragnet_formats::cell::Side;
use dragnet_probe::opponent::Strength;
use game::Game;
use opponent::Opponent;
use std::path::Path;

/// Play against a table, or against a board that is solved on the spot
///
/// The game begins where the board marks police and thief, or where --police and --thief say, or else on good
/// cells of both. The third occurrence of a position ends it. The board is printed as text, and each line of
/// standard input is a move: a cell like 3,4, a direction like ne, or stay; help lists the words.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Play {
    #[command(flatten)]
    subject: SubjectArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// Your side: police or thief
    #[arg(long, value_name = "SIDE", default_value = "police")]
    side: Side,
    /// How well the opponent plays: a name from easy to perfect, or a level from 0 to 1000, which is perfect;
    /// its errors are other moves by lot
    #[arg(long, value_name = "LEVEL", default_value = "perfect", value_parser = strength)]
    opponent: Strength,
    /// Draw all lots from this number: the same moves then make the same game
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Show what every move is worth, from the beginning
    #[arg(long)]
    hints: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet play tables/castle.dtb --side thief --opponent easy
  dragnet play castle.txt --police 7,7 --thief 0,3 --hints
  printf 'n\\nne\\nstay\\n' | dragnet play castle.txt --seed 7";

impl Play {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = &self.subject.file;
        if file == Path::new("-") {
            return Err(Failure::input(
                "expected the name of a file, found -: standard input is for the moves",
            ));
        }
        let Subject { table, marked } = self.subject.open("play")?;
        let best = |police| best_start(&table, police);
        let start = self.position.position(table.board(), table.officers(), || marked, best);
        let start = start.map_err(|failure| failure.in_file(file))?;
        let mut game =
            Game::new(&table, self.side, start).map_err(|error| Failure::from(error).in_file(file))?;
        let mut opponent = Opponent::new(self.opponent, self.seed);
        lines::play(&mut opponent, &mut game, self.hints)
    }
}
