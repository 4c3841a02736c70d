//! `dragnet probe`: the value of a position and of every move.

use super::{open, output, print_json};
use crate::{arguments::PositionArguments, failure::Failure, human};
use clap::Args;
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
    rules::Undecided,
    value::{Outcome, Plies, Value},
};
use dragnet_probe::{Choice, Position, ProbeError, Table};
use serde::Serialize;
use smallvec::SmallVec;
use std::{
    io::{BufRead, Write},
    path::{Path, PathBuf},
};

/// Tell the value of a position and of every move, best first
///
/// The distance beside a move is that of the position after it. Among moves that win the quickest comes first, among
/// moves that lose the slowest.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Probe {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    position: PositionArguments,
    /// Answer a stream of lines "police_row police_col thief_row thief_col turn" with lines "outcome TAB dtw"; of several officers each
    /// has its row and column
    #[arg(long)]
    stdin: bool,
    /// JSON instead of the list
    #[arg(long, conflicts_with = "stdin")]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet probe tables/open-08x08.dtb --police 7,7 --thief 0,3 --turn police
  echo '7 7 0 3 thief' | dragnet probe tables/open-08x08.dtb --stdin";

#[derive(Serialize)]
struct Answer {
    outcome: Outcome,
    dtw: Option<Plies>,
    turn: Side,
    police: serde_json::Value,
    thief: [u16; 2],
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    to: serde_json::Value,
    outcome: Outcome,
    dtw: Option<Plies>,
}

impl Probe {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let table = open(&self.table)?;
        if self.stdin {
            if !self.position.is_empty() {
                return Err(Failure::input("--stdin reads positions; give none on the command line"));
            }
            return answer_stream(&table, &self.table);
        }
        let position = self.position.position()?;
        let in_table = |error: ProbeError| Failure::from(error).in_file(&self.table);
        let value = table.value(position).map_err(in_table)?;
        let moves = table.best_moves(position).map_err(in_table)?;
        if self.json {
            print_json(&answer(position, value, &moves))
        } else {
            print(position, value, &moves, table.rules().undecided)
        }
    }
}

fn answer(position: Position, value: Value, moves: &[Choice]) -> Answer {
    let moves = moves
        .iter()
        .map(|choice| MoveAnswer {
            to: human::pieces_json(&choice.to),
            outcome: choice.value.outcome(choice.position.turn),
            dtw: choice.value.dtw(),
        })
        .collect();
    Answer {
        outcome: value.outcome(position.turn),
        dtw: value.dtw(),
        turn: position.turn,
        police: human::pieces_json(&position.police),
        thief: [position.thief.row, position.thief.col],
        moves,
    }
}

fn print(position: Position, value: Value, moves: &[Choice], undecided: Undecided) -> Result<(), Failure> {
    let mut output = output();
    let counted = match (value, value.outcome(position.turn).counted(undecided).winner()) {
        (Value::Draw, Some(side)) => format!(", which counts as a win of the {side}"),
        _ => String::new(),
    };
    writeln!(output, "{position}: {}{counted}", human::value(value, position.turn))?;
    let width = moves.iter().map(|choice| choice.to.to_string().len()).max().unwrap_or(0).max(4) + 5;
    if !moves.is_empty() {
        writeln!(output, "\n  {:<width$} outcome  plies after it", "move")?;
    }
    for choice in moves {
        let to =
            if choice.to == position.mover() { format!("{} pass", choice.to) } else { choice.to.to_string() };
        let outcome = choice.value.outcome(choice.position.turn).to_string();
        writeln!(output, "  {to:<width$} {outcome:<8} {}", human::distance(choice.value))?;
    }
    Ok(output.flush()?)
}

/// Bytes of input that are read at a time, and answered together.
const INPUT: usize = 1 << 20;

/// Answers positions line by line, as many together as there are lines already: a program may ask one at a time and waits for
/// nothing, and a file of positions has each block unzipped once for some 50,000 of them.
fn answer_stream(table: &Table, path: &Path) -> Result<(), Failure> {
    let mut input = std::io::BufReader::with_capacity(INPUT, std::io::stdin().lock());
    let mut output = output();
    let mut line = Vec::new();
    let mut positions = Vec::new();
    let mut answered = 0u64;
    let officers = usize::from(table.rules().officers);
    loop {
        positions.clear();
        let mut wrong = None;
        let mut more = true;
        while more && wrong.is_none() {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                more = false;
                break;
            }
            match parse(&line, officers) {
                Ok(position) => positions.push(position),
                Err(failure) => wrong = Some(failure),
            }
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        // The first position without an answer, of several, is the one to name.
        let values = loop {
            match table.values(&positions) {
                Ok(values) => break values,
                Err(ProbeError::InBatch { index, source }) => {
                    wrong = Some(Failure::from(*source).in_file(path));
                    positions.truncate(index);
                }
                Err(error) => return Err(Failure::from(error).in_file(path)),
            }
        };
        for (position, value) in positions.iter().zip(values) {
            writeln!(output, "{}\t{}", value.outcome(position.turn), human::distance(value))?;
        }
        output.flush()?;
        answered += positions.len() as u64;
        if let Some(failure) = wrong {
            return Err(failure.about(format!("standard input, line {}", answered + 1)));
        }
        if !more {
            return Ok(());
        }
    }
}

/// The position in a line `police_row police_col thief_row thief_col turn`, with the cells of so many officers.
fn parse(line: &[u8], officers: usize) -> Result<Position, Failure> {
    let line = line.trim_ascii();
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let error = || {
        Failure::input(format!(
            "expected {}thief_row thief_col and police or thief, found {:?}",
            "police_row police_col ".repeat(officers),
            String::from_utf8_lossy(&line[..line.len().min(80)])
        ))
    };
    let mut number = || {
        let word = words.next().ok_or_else(error)?;
        word.iter()
            .try_fold(0u16, |number, &byte| {
                let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
                number.checked_mul(10)?.checked_add(digit.into())
            })
            .ok_or_else(error)
    };
    let mut police = SmallVec::<[Cell; Pieces::MAX]>::new();
    for _ in 0..officers {
        police.push(Cell::new(number()?, number()?));
    }
    let police = Pieces::new(&police).map_err(|_| error())?;
    let thief = Cell::new(number()?, number()?);
    let turn = match (words.next(), words.next()) {
        (Some(b"police"), None) => Side::Police,
        (Some(b"thief"), None) => Side::Thief,
        _ => return Err(error()),
    };
    Ok(Position { police, thief, turn })
}
