//! `dragnet stats`: counts, longest wins and the histogram of distances.

mod game_table;

use super::{open, output, print_json, show_each, takers::refused};
use crate::{
    failure::Failure,
    input::{arguments::Threads, tables::TablePaths},
    output::human,
    table::statistics::{PursuitStatistics, Reading},
};
use clap::Args;
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_probe::{AnyTable, Table};
use std::{io::Write, path::Path};

/// Show counts, the longest wins with an example, and the histogram of distances
///
/// Looks at every position of the tables.
#[derive(Args)]
#[command(after_help = "Examples:\n  dragnet stats tables/open-08x08.dtb\n  dragnet stats tables --json")]
pub(crate) struct Stats {
    #[command(flatten)]
    tables: TablePaths,
    #[command(flatten)]
    threads: Threads,
    /// A JSON object per table instead of text
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        show_each(&self.tables, self.json, |path| match open(path)? {
            AnyTable::Pursuit(table) => self.pursuit(path, &table),
            AnyTable::Game(table) => self.game_table(path, &table),
            table @ AnyTable::Partial(_) => Err(refused("stats", &table, path)),
        })
    }

    fn pursuit(&self, path: &Path, table: &Table) -> Result<(), Failure> {
        let scanned = self.threads.run(|| PursuitStatistics::of(table, Reading::OF_COMMAND));
        let statistics = scanned?.map_err(|failure| failure.in_file(path))?;
        if self.json {
            print_json(&statistics.json(path.to_string_lossy().into_owned()))
        } else {
            print(table, &statistics)
        }
    }
}

fn print(table: &Table, statistics: &PursuitStatistics) -> Result<(), Failure> {
    let PursuitStatistics { counted, histogram, examples } = statistics;
    let mut output = output();
    let cells = human::count(counted.cells);
    writeln!(output, "{} positions on {cells} open cells\n", human::count(counted.positions))?;
    writeln!(output, "to move  {:>22} {:>22} {:>22}", "police wins", "thief wins", "draw")?;
    for (side, counts) in [(Side::Police, &counted.police_to_move), (Side::Thief, &counted.thief_to_move)] {
        let column = |n| format!("{} {:>8}", human::count(n), human::percent(n, counts.total()));
        writeln!(
            output,
            "{:<8} {:>22} {:>22} {:>22}",
            side.to_string(),
            column(counts.police),
            column(counts.thief),
            column(counts.draw)
        )?;
    }
    if let Some(side) = Outcome::Draw.counted(table.undecided()).winner() {
        writeln!(output, "a draw counts as a win of the {side}")?;
    }
    writeln!(output)?;
    for (side, example) in Side::BOTH.into_iter().zip(examples) {
        match example {
            &Some((dtw, position)) => {
                let from = human::position(table.board(), &position);
                writeln!(output, "longest win of the {side}: {}, from {from}", human::plies(dtw))?;
            }
            None => writeln!(output, "the {side} wins no position")?,
        }
    }
    histogram.write(["police wins", "thief wins"], &mut output)?;
    writeln!(output, "\ndigest {}", counted.digest)?;
    Ok(output.flush()?)
}
