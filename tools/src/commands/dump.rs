//! `dragnet dump`: every position, for other programs.

use super::{open_as, output, takers::refused};
use crate::{failure::Failure, output::json::PlayerResult};
use clap::Args;
use dragnet_formats::{cell::Side, value::Value};
use dragnet_probe::{AnyTable, Cache, GameTable, Open, Position, Scan, Table};
use std::{
    io::{IsTerminal, Write, stdout},
    path::PathBuf,
};

/// Write every position as CSV, or as binary codes
///
/// Order: police to move before thief to move, then police cells, then thief cells, in reading order. Teams
/// of several officers come in the order of FORMAT.md, section 7: by their last cell, then by the one before.
/// With --binary one 32-bit little-endian code per position: 0 for a draw, else 1 + 2*dtw, plus 1 if the side
/// to move wins. The positions of a game table come in the order of their numbers.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dragnet dump tables/open-03x03.dtb | head\n  dragnet dump tables/castle.dtb --binary > castle.bin"
)]
pub(crate) struct Dump {
    /// The table
    table: PathBuf,
    /// Write codes of four bytes instead of CSV
    #[arg(long)]
    binary: bool,
}

/// A row of positions touches every block of one police tile, a fraction of each: they are kept for the rows
/// that follow.
const CACHE: u64 = 256 << 20;

impl Dump {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.binary && stdout().is_terminal() {
            return Err(Failure::input(
                "--binary: expected a file or a pipe as standard output, found a terminal",
            )
            .with_hint("append > FILE"));
        }
        match open_as(Open::path(&self.table).cache(&Cache::new(CACHE)), &self.table)? {
            AnyTable::Pursuit(table) => self.pursuit(&table),
            AnyTable::Game(table) => self.game_table(&table),
            table @ AnyTable::Partial(_) => Err(refused("dump", &table, &self.table)),
        }
    }

    fn game_table(&self, table: &GameTable) -> Result<(), Failure> {
        let mut output = output();
        if !self.binary {
            writeln!(output, "position,value,dtw")?;
        }
        let mut values = Vec::new();
        for block in 0..table.numbering().block_count() {
            table
                .block_values(block, &mut values)
                .map_err(|error| Failure::from(error).in_file(&self.table))?;
            for (position, &value) in table.numbering().positions_of(block).zip(&values) {
                if self.binary {
                    output.write_all(&value.code().to_le_bytes())?;
                } else {
                    write!(output, "{position},{},", PlayerResult::from(value))?;
                    end_row(&mut output, value)?;
                }
            }
        }
        Ok(output.flush()?)
    }

    fn pursuit(&self, table: &Table) -> Result<(), Failure> {
        let scan = Scan::new(table)?;
        let cells = 0..scan.cell_count() as u32;
        let officers = table.officers();
        let mut output = output();
        if !self.binary {
            if table.header().worlds > 1 {
                write!(output, "world,")?;
            }
            write!(output, "turn")?;
            for officer in 1..=officers {
                let number = if officers == 1 { String::new() } else { officer.to_string() };
                write!(output, ",police{number}_row,police{number}_col")?;
            }
            writeln!(output, ",thief_row,thief_col,outcome,dtw")?;
        }
        let in_table = |error| Failure::from(error).in_file(&self.table);
        let mut scores = Vec::new();
        for turn in Side::BOTH {
            for police in table.header().team_numbers().teams(scan.officer_cells()) {
                scan.team_row(police, turn, &mut scores).map_err(in_table)?;
                for (thief, &score) in cells.clone().zip(&scores) {
                    let value = Value::from_score(score);
                    if self.binary {
                        output.write_all(&value.code().to_le_bytes())?;
                    } else {
                        let position = scan.with_thief(police, thief, turn);
                        if table.header().worlds > 1 {
                            write!(output, "{},", position.world)?;
                        }
                        write_row(&mut output, position, value)?;
                    }
                }
            }
        }
        Ok(output.flush()?)
    }
}

fn write_row(output: &mut impl Write, position: Position, value: Value) -> std::io::Result<()> {
    let Position { police, thief, turn, .. } = position;
    let outcome = value.outcome(turn);
    write!(output, "{turn}")?;
    for cell in police.iter().chain([&thief]) {
        write!(output, ",{cell}")?;
    }
    write!(output, ",{outcome},")?;
    end_row(output, value)
}

/// Writes the distance and ends the row.
fn end_row(output: &mut impl Write, value: Value) -> std::io::Result<()> {
    match value.dtw() {
        Some(dtw) => writeln!(output, "{dtw}"),
        None => writeln!(output),
    }
}
