//! `dragnet board`: draws, converts and makes boards.

use super::output;
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Exit, whole_number},
        boards::{self, Maker},
        map_options::MapOptions,
        size::Size,
    },
    messages::{self, Kind, printable},
    output::{draw, human},
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    board::{Scenario, Square, WriteBoardError, contest, movingai, text},
    guards::Guard,
};
use dragnet_maps::MapReading;
use std::{collections::BTreeMap, io::Write, path::PathBuf};

/// Draw a board, convert it to another form, or make one
///
/// Reads any form of board file ('-' is standard input), or makes a board with --make and --size, and prints
/// it. Of a map of Tiled, LDtk or Godot, a PNG picture or CSV it says first what was understood: which rule
/// tells the walls, exits, letters, start cells and guards.
#[derive(Args)]
#[command(name = "board", after_help = AFTER_HELP)]
pub(crate) struct BoardCommand {
    /// A board file; '-' is standard input
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
    /// The seed of a random board, a maze or rooms; equal seeds make equal boards in every version [default:
    /// 1]
    #[arg(long, value_name = "N", requires = "make", value_parser = whole_number(0..=u64::MAX))]
    seed: Option<u64>,
    /// Share of walls of a random board, 0 to 1 [default: 0.2]
    #[arg(long, value_name = "SHARE", requires = "make", value_parser = share)]
    density: Option<f64>,
    /// Passages of a maze beyond those that connect its cells [default: 0]
    #[arg(long, value_name = "N", requires = "make", value_parser = whole_number(0..=usize::MAX))]
    extra: Option<usize>,
    /// An exit, in place of the board's own exits; may be repeated
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    #[command(flatten)]
    map: MapOptions,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet board castle.txt
  dragnet board arena.map --exit first --to text > arena.txt
  dragnet board castle.tmx --walls layer:Walls --exits object:Door
  dragnet board world.ldtk --map-level Cave --to text > cave.txt
  dragnet board castle.tmx --to guards > guards.toml
  dragnet board --make maze --size 21x31 --seed 7
  dragnet board --make rooms --size 64x64 --exit first --to text > rooms.txt";

/// Reads a share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 1, such as 0.25".to_owned())
}

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
    /// The guards of a map, as a file for --guards.
    Guards,
}

impl BoardCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let MapReading { mut scenario, guards, mut findings, notes, drawing } = self.reading()?;
        scenario.board =
            arguments::with_exits(scenario.board, &self.exit).map_err(|failure| failure.about("--exit"))?;
        findings.extend(notes.iter().map(|note| format!("note    {note}")));
        let write_error = |error: WriteBoardError| Failure::Input(error.into());
        let is_drawn = matches!(self.to, BoardForm::Drawing);
        if !is_drawn {
            if scenario.board.graph().is_some() {
                return Err(Failure::input(
                    "expected a board of squares, which has this form; found hexagons",
                ));
            }
            findings.iter().for_each(|finding| messages::say(Kind::Detail, finding));
        }
        let text = match self.to {
            BoardForm::Drawing => {
                let lines: String =
                    findings.iter().map(|finding| format!("{}\n", printable(finding))).collect();
                let drawn = || draw::board(&scenario.board, &scenario.police, scenario.thief);
                lines + &drawing.unwrap_or_else(drawn)
            }
            BoardForm::Text => text::write(&scenario).map_err(write_error)?,
            BoardForm::Contest => contest::write(&scenario).map_err(write_error)?,
            BoardForm::Movingai => {
                warn_of_losses(&scenario);
                movingai::write(&scenario.board)
            }
            BoardForm::Guards if guards.is_empty() => {
                return Err(Failure::input("expected a map with rounds of guards, found none"));
            }
            BoardForm::Guards => guards.iter().map(Guard::to_string).collect::<Vec<_>>().join("\n"),
        };
        let mut output = output();
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }

    fn reading(&self) -> Result<MapReading, Failure> {
        if let Some(path) = &self.board {
            return boards::read_with_findings(path, &self.map.selectors());
        }
        if let Some(name) = self.map.first_given() {
            return Err(Failure::input(format!("--{name} has no use for --make")));
        }
        let (Some(maker), Some(size)) = (self.make, self.size) else {
            return Err(Failure::input("expected a board file, or --make KIND --size RxC"));
        };
        let unused = [
            ("--seed", self.seed.is_some() && !maker.is_random()),
            ("--density", self.density.is_some() && maker != Maker::Random),
            ("--extra", self.extra.is_some() && maker != Maker::Maze),
        ];
        if let Some((option, _)) = unused.into_iter().find(|&(_, unused)| unused) {
            let maker = arguments::name_of(&maker);
            return Err(Failure::input(format!("{option} has no use for --make {maker}")));
        }
        let density = self.density.unwrap_or(Maker::DENSITY);
        let board = maker.make(size, self.seed.unwrap_or(1), density, self.extra.unwrap_or(0));
        let scenario = Scenario::from_board(board.map_err(|error| Failure::Input(error.into()))?);
        Ok(MapReading::of_board(scenario))
    }
}

/// Warns of what the MovingAI form cannot say about the board.
fn warn_of_losses(scenario: &Scenario) {
    let known = [Square::Wall, Square::Open].map(Square::letter);
    let mut letters: BTreeMap<char, u64> = BTreeMap::new();
    for letter in scenario.board.cells().filter_map(|(cell, _)| scenario.board.character(cell)) {
        *letters.entry(letter).or_default() += u64::from(!known.contains(&letter));
    }
    let mut lost: Vec<String> = (letters.into_iter().filter(|&(_, count)| count > 0))
        .map(|(letter, count)| format!("{} {letter}", human::counted(count, "square", "squares")))
        .collect();
    let starts = (scenario.police.len() + usize::from(scenario.thief.is_some())) as u64;
    lost.extend((starts > 0).then(|| human::counted(starts, "start cell", "start cells")));
    if !lost.is_empty() {
        let text =
            format!("the MovingAI form has only walls and open squares: {} left out", lost.join(" and "));
        messages::say(Kind::Warning, &text);
    }
}
