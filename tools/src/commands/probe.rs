//! `dragnet probe`: the value of a position and of every move.

mod stream;

mod game_table;

pub(crate) mod partial;

use super::{TableAccess, output, print_json};
use crate::{
    failure::Failure,
    input::{arguments::PositionArguments, boards::StartCells, graphs::TableGraph},
    output::{human, settings},
    table::{
        answers::{PositionAnswer, counted_winner},
        portrait::best_start,
    },
};
use clap::Args;
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
    value::{Plies, Value},
};
use dragnet_probe::{AnyTable, Choice, Position, ProbeError, Table};
use schemars::JsonSchema;
use serde::Serialize;
use smallvec::SmallVec;
use std::{io::Write, path::PathBuf};

/// Show the value of a position and of every move, best first
///
/// The distance beside a move belongs to the position after it. Among winning moves the shortest comes first,
/// among losing moves the longest.
///
/// A table of 'graph solve' takes a vertex. The table holds the values alone; for moves and names, add the
/// graph from which it was made.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Probe {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    /// A vertex, by its number or by its name in the graph; in another game table, the number of a position
    #[arg(long, value_name = "VERTEX", conflicts_with_all = ["police", "thief", "turn"])]
    vertex: Option<String>,
    #[command(flatten)]
    graph: TableGraph,
    #[command(flatten)]
    access: TableAccess,
    /// Answer lines of standard input, each "police_row police_col thief_row thief_col turn" with the cells
    /// of all officers, and a world behind the turn if it is not 0, or each a vertex. The answers are lines
    /// "outcome TAB dtw"; dtw is the number of plies to the win, and "-" for a draw
    #[arg(long)]
    stdin: bool,
    /// Print JSON instead of the list; with --stdin an object per line
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet probe tables/open-08x08.dtb --police 7,7 --thief 0,3 --turn police
  echo '7 7 0 3 thief' | dragnet probe tables/open-08x08.dtb --stdin
  dragnet probe tables/bank.dtb --turn thief --world 1
  dragnet probe game.dtb --vertex 17
  dragnet probe game.dtb --vertex start --graph game.txt --names";

/// An answer to a line of standard input.
#[derive(Serialize, JsonSchema)]
pub(crate) struct StreamAnswer {
    /// Winner with best play; of a game table the value for the player to move.
    #[schemars(extend("enum" = ["police", "thief", "draw", "won", "lost", "drawn"]))]
    outcome: String,
    /// Winner if a draw counts as a win. Absent unless the rules count draws as a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Side>,
    /// Distance to the win. `null` for a draw.
    dtw: Option<Plies>,
}

impl Probe {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.stdin && !(self.position.is_empty() && self.vertex.is_none()) {
            return Err(Failure::input("--stdin reads positions; give none on the command line"));
        }
        match self.access.open(&self.table)? {
            AnyTable::Pursuit(table) => self.pursuit(&table),
            AnyTable::Game(table) => self.game_table(&table),
            AnyTable::Partial(table) => self.partial(&table),
        }
    }

    fn pursuit(&self, table: &Table) -> Result<(), Failure> {
        if self.vertex.is_some() || !self.graph.is_empty() {
            let message = "--vertex and --graph are for game tables, and this is a pursuit table; expected --police and --thief";
            return Err(Failure::input(message).in_file(&self.table));
        }
        if self.stdin {
            let (officers, undecided) = (table.officers().into(), table.undecided());
            let line = |position: &Position, value: Value| {
                let outcome = value.outcome(position.turn);
                let (winner, dtw) = (counted_winner(outcome, undecided), value.dtw());
                self.line(outcome.to_string(), winner, dtw)
            };
            let parse = |line: &[u8]| parse(line, officers);
            return stream::answer(&self.table, parse, |positions| table.values(positions), line);
        }
        let marked = || StartCells::of_table(table);
        let in_table = |error: ProbeError| Failure::from(error).in_file(&self.table);
        let best = |police| best_start(table, police).map_err(|failure| failure.in_file(&self.table));
        let position = self.position.position(table.board(), table.officers(), marked, best)?;
        let value = table.value(position).map_err(in_table)?;
        let moves = table.best_moves(position).map_err(in_table)?;
        let undecided = table.undecided();
        if self.json {
            print_json(&PositionAnswer::new(position, value, &moves, undecided))
        } else {
            print(table, position, value, &moves)
        }
    }

    /// Returns the answer to a line of standard input.
    fn line(&self, outcome: String, winner: Option<Side>, dtw: Option<Plies>) -> Result<String, Failure> {
        if self.json {
            return Ok(serde_json::to_string(&StreamAnswer { outcome, winner, dtw })?);
        }
        let plies = dtw.map_or_else(|| "-".to_owned(), |dtw| dtw.to_string());
        Ok(format!("{outcome}\t{plies}"))
    }
}

/// Prints the value of a position, the state of its doors, and its moves.
fn print(table: &Table, position: Position, value: Value, moves: &[Choice]) -> Result<(), Failure> {
    let (board, undecided) = (table.board(), table.undecided());
    let pieces = |pieces| human::pieces(board, pieces);
    let mut output = output();
    let counted = if value == Value::Draw { human::counted_draw(undecided) } else { String::new() };
    let sentence = human::position(board, &position);
    writeln!(output, "{sentence}: {}{counted}", human::value(value, position.turn))?;
    let state = table.setting().and_then(|setting| settings::in_world(setting, position.world));
    if let Some(state) = state {
        writeln!(output, "{state}")?;
    }
    let width = moves.iter().map(|choice| pieces(&choice.to).len()).max().unwrap_or(0).max(4) + 5;
    if !moves.is_empty() {
        let world = if table.header().worlds > 1 { "   world" } else { "" };
        writeln!(output, "\n  {:<width$} outcome  plies after it{world}", "move")?;
    }
    for choice in moves {
        let pass = if choice.to == position.mover() { " pass" } else { "" };
        let to = pieces(&choice.to) + pass;
        let outcome = choice.value.outcome(choice.position.turn).to_string();
        let distance = human::distance(choice.value);
        match table.header().worlds {
            1 => writeln!(output, "  {to:<width$} {outcome:<8} {distance}")?,
            _ => writeln!(output, "  {to:<width$} {outcome:<8} {distance:<16} {}", choice.position.world)?,
        }
    }
    Ok(output.flush()?)
}

/// Parses a line `police_row police_col thief_row thief_col turn` with the cells of `officers` officers, and
/// perhaps a world behind it.
fn parse(line: &[u8], officers: usize) -> Result<Position, Failure> {
    let line = line.trim_ascii();
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let error = || {
        Failure::input(format!(
            "expected {}thief_row thief_col and police or thief, perhaps a world, found {:?}",
            "police_row police_col ".repeat(officers),
            String::from_utf8_lossy(&line[..line.len().min(80)])
        ))
    };
    let number = |word: &[u8]| {
        word.iter().try_fold(0u16, |number, &byte| {
            let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
            number.checked_mul(10)?.checked_add(digit.into())
        })
    };
    let mut next = || words.next().and_then(number).ok_or_else(error);
    let mut police = SmallVec::<[Cell; Pieces::MAX]>::new();
    for _ in 0..officers {
        police.push(Cell::new(next()?, next()?));
    }
    let police = Pieces::new(&police).map_err(|_| error())?;
    let thief = Cell::new(next()?, next()?);
    let turn = match words.next() {
        Some(b"police") => Side::Police,
        Some(b"thief") => Side::Thief,
        _ => return Err(error()),
    };
    let world = match (words.next(), words.next()) {
        (None, _) => 0,
        (Some(word), None) => number(word).ok_or_else(error)?.into(),
        _ => return Err(error()),
    };
    Ok(Position { world, police, thief, turn })
}
