//! `dragnet line`: optimal play to the end.

use super::{TableAccess, output, print_json, takers::pursuit};
use crate::{
    failure::Failure,
    input::{arguments::PositionArguments, boards::StartCells},
    output::{draw, human},
    table::{answers::LineAnswer, picture, portrait::best_start, world::board_in},
};
use clap::Args;
use dragnet_probe::{Line, ProbeError, Table};
use std::{io::Write, path::PathBuf};

/// Show optimal play from a position to the end
///
/// The winner plays the shortest way, the loser the longest; of equally good moves the first in reading order
/// is played. A draw is played until a position repeats.
#[derive(Args)]
#[command(name = "line", after_help = AFTER_HELP)]
pub(crate) struct LineCommand {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    access: TableAccess,
    /// Draw the board before and after every move
    #[arg(long)]
    board: bool,
    /// Print JSON instead of the list
    #[arg(long, conflicts_with = "board")]
    json: bool,
    /// Also draw the board and the chase into this SVG file
    ///
    /// The colour of a cell says how many plies a thief lasts who starts there, or that he escapes. An SVG
    /// file of that name is replaced.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet line tables/open-08x08.dtb --police 7,7 --thief 0,3
  dragnet line tables/open-08x08.dtb --police 7,7 --thief 0,3 --board
  dragnet line tables/open-08x08.dtb --police 7,7 --thief 0,3 --svg chase.svg";

impl LineCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let table = pursuit("line", self.access.open(&self.table)?, &self.table)?;
        let marked = || StartCells::of_table(&table);
        let in_table = |error: ProbeError| Failure::from(error).in_file(&self.table);
        let best = |police| best_start(&table, police).map_err(|failure| failure.in_file(&self.table));
        let start = self.position.position(table.board(), table.officers(), marked, best)?;
        let line = table.line(start).map_err(in_table)?;
        if let Some(path) = &self.svg {
            let picture = picture::svg(&table, &line).map_err(|failure| failure.in_file(&self.table))?;
            picture::write(&picture, path)?;
        }
        if self.json { print_json(&LineAnswer::from(&line)) } else { print(&table, &line, self.board) }
    }
}

fn print(table: &Table, line: &Line, boards: bool) -> Result<(), Failure> {
    let mut output = output();
    let board = table.board();
    writeln!(
        output,
        "{}: {}",
        human::position(board, &line.start),
        human::value(line.value, line.start.turn)
    )?;
    if boards {
        let board = board_in(table, line.start.world);
        write!(output, "\n{}", draw::board(&board, &line.start.police, Some(line.start.thief)))?;
    }
    let width = line.moves.len().to_string().len();
    let to_width = line.moves.iter().map(|m| human::pieces(board, &m.to).len()).max().unwrap_or(0).max(9);
    for (number, m) in (1..).zip(&line.moves) {
        let left = match m.value.dtw() {
            Some(dtw) => format!("{dtw} to go"),
            None => "drawn".to_owned(),
        };
        if boards {
            writeln!(output)?;
        }
        writeln!(
            output,
            "{number:>width$}. {:<6} {:<to_width$} {left}",
            m.side.to_string(),
            m.to.to_string()
        )?;
        if boards {
            let board = board_in(table, m.position.world);
            write!(output, "{}", draw::board(&board, &m.position.police, Some(m.position.thief)))?;
        }
    }
    match line.end.winner() {
        Some(side) => writeln!(output, "the {side} has won")?,
        None => {
            let counted = human::counted_draw(table.undecided());
            writeln!(output, "the position repeats: a draw{counted}")?;
        }
    }
    Ok(output.flush()?)
}
