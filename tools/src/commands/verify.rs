//! `dragnet verify`: is a table whole, and is every value right?

pub(crate) mod table_check;
mod against;
mod game_table;

use super::{open, print_json, print_line, takers, unless_closed};
use crate::{
    failure::Failure,
    input::{
        arguments::{Threads, whole_number},
        graphs::{NamedGame, TableGraph},
        tables::TablePaths,
    },
    output::{human, progress::Progress},
};
use clap::Args;
use dragnet_probe::{AnyTable, Table};
use dragnet_verify::{Sampled, VerifyError, WrongPosition, verify, verify_sample};
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};
use table_check::{CheckDepth, Outcomes, Passed, SampleCheck, TableCheck};

/// Check every checksum, and every value against its successors
///
/// Each stored value is derived again from the values after each move, without the engines. Only one
/// assignment of values agrees with the rules everywhere, so a table that passes is right. Exit status 1 if
/// one fails.
///
/// The table of a graph does not hold its moves: add the graph from which it was made. Without the graph, its
/// checksums, counts and digest are checked. Of a partial table the checksums are checked: add the pursuit
/// table from which it was made, and each outcome or move is held against that.
///
/// A whole check takes about as long as it took to make the table. Each thread takes memory for the teams and
/// cells of the board, not for its positions; within a small --memory fewer threads work, and a table is
/// refused if one thread has no room. With --sample it takes seconds however large the table is, and a wrong
/// value is found only if it is drawn or decides one that is.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    #[command(flatten)]
    tables: TablePaths,
    #[command(flatten)]
    graph: TableGraph,
    /// Check what a partial table keeps against this pursuit table, from which it was made
    #[arg(long, value_name = "FULL")]
    against: Option<PathBuf>,
    /// Check the checksums alone, at the speed of the disk: finds damage, not wrong values
    #[arg(long)]
    quick: bool,
    /// Derive the values of this many positions alone, drawn from the whole table: a quick look at a pursuit
    /// table of any size
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX))]
    sample: Option<u64>,
    /// Draw the sample by this number: other numbers draw other positions
    #[arg(long, value_name = "N", requires = "sample", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object per table
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet verify tables
  dragnet verify --quick tables/*.dtb
  dragnet verify --sample 100000 tables/castle.dtb
  dragnet verify game.dtb --graph game.txt --names
  dragnet verify small/castle.dtb --against tables/castle.dtb";

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let files = self.tables.files()?;
        self.check_options(files.len())?;
        let game = self.threads.run(|| self.graph.read())??;
        let full = self.against.as_deref().map(|full| takers::pursuit(takers::AGAINST, open(full)?, full));
        let full = full.transpose()?;
        let (mut worst, mut outcomes) = (0, Outcomes::default());
        for path in &files {
            let begin = Instant::now();
            match self.check(path, game.as_ref(), full.as_deref()) {
                Ok(passed) => {
                    let time = begin.elapsed();
                    outcomes.add_passed(passed.depth);
                    unless_closed(match self.json {
                        true => print_json(&TableCheck::passed(path, &passed, time)),
                        false => print_line(&table_check::line(path, &passed, time)),
                    })?;
                }
                Err(failure) => {
                    worst = worst.max(failure.status());
                    outcomes.add_failed(path, matches!(failure, Failure::Check(_)));
                    if self.json {
                        unless_closed(print_json(&TableCheck::failed(path, failure.text())))?;
                    } else {
                        let _ = failure.report();
                    }
                }
            }
        }
        if files.len() > 1 && !self.json {
            unless_closed(print_line(&outcomes.line()))?;
        }
        if worst == 0 { Ok(()) } else { Err(Failure::Silent(worst)) }
    }

    /// Checks that the options do not exclude each other, given the number of tables.
    fn check_options(&self, tables: usize) -> Result<(), Failure> {
        let (graph, against, quick) = (!self.graph.is_empty(), self.against.is_some(), self.quick);
        if graph && tables > 1 {
            return Err(Failure::input("--graph is about one table"));
        }
        if against && (tables > 1 || quick || graph) {
            return Err(Failure::input("--against is about one partial table, without --quick and --graph"));
        }
        if graph && quick {
            return Err(Failure::input("--quick looks at checksums alone and takes no --graph"));
        }
        if self.sample.is_some() && (quick || graph || against) {
            return Err(Failure::input(
                "--sample is for pursuit tables, and takes no --quick, --graph or --against",
            ));
        }
        Ok(())
    }

    /// Checks the table in a file.
    fn check(&self, path: &Path, game: Option<&NamedGame>, full: Option<&Table>) -> Result<Passed, Failure> {
        // A damaged table has failed the check; a file that cannot be read has not been checked.
        let as_check = |failure| match failure {
            Failure::Input(error) => Failure::Check(error),
            other => other,
        };
        let Some(count) = self.sample else {
            return self.check_all(path, game, full).map_err(as_check);
        };
        match open(path).map_err(as_check)? {
            AnyTable::Pursuit(table) => {
                let progress = Progress::of_table(path, "positions", 0);
                let sampled = self.threads.run(|| verify_sample(&table, count, self.seed, &progress))?;
                progress.finish();
                let failed = |error| as_check(failure(error, &table).in_file(path));
                let Sampled { checked, of } = sampled.map_err(failed)?;
                let depth = CheckDepth::Sample(SampleCheck { positions: checked, of, seed: self.seed });
                Ok(Passed { positions: table.header().positions(), bytes: table.file_len(), depth })
            }
            AnyTable::Game(_) | AnyTable::Partial(_) => Err(Failure::input(
                "--sample is for pursuit tables, and this is another table: verify it without --sample",
            )
            .in_file(path)),
        }
    }

    /// Checks the whole table in a file.
    fn check_all(
        &self,
        path: &Path,
        game: Option<&NamedGame>,
        full: Option<&Table>,
    ) -> Result<Passed, Failure> {
        let table = open(path)?;
        if self.quick {
            return quick(&table, path, CheckDepth::Quick);
        }
        match table {
            AnyTable::Partial(table) => {
                let Some(full) = full else {
                    return quick(&AnyTable::Partial(table), path, CheckDepth::Checksums("--against FULL"));
                };
                self.threads.run(|| against::check(&table, full, path))??;
                let (positions, bytes) = (table.header().game.positions(), table.file_len());
                Ok(Passed { positions, bytes, depth: CheckDepth::Values })
            }
            AnyTable::Pursuit(_) | AnyTable::Game(_) if full.is_some() => Err(Failure::input(
                "--against is for partial tables, and this one has all values: verify it alone",
            )
            .in_file(path)),
            AnyTable::Pursuit(_) if game.is_some() => {
                Err(Failure::input("--graph is for game tables, and this is a pursuit table").in_file(path))
            }
            AnyTable::Pursuit(table) => {
                let progress = Progress::of_table(path, "positions", 0);
                let memory = self.graph.memory();
                let verified = self.threads.run(|| verify(&table, memory.limit(), &progress))?;
                progress.finish();
                verified.map_err(|error| match error {
                    VerifyError::Memory { needed, .. } => memory.refused("each thread", needed).in_file(path),
                    error => failure(error, &table).in_file(path),
                })?;
                let (positions, bytes) = (table.header().positions(), table.file_len());
                Ok(Passed { positions, bytes, depth: CheckDepth::Values })
            }
            AnyTable::Game(table) => {
                self.threads.run(|| game_table::check(&table, game, path, self.graph.memory()))??;
                let (positions, bytes) = (table.positions(), table.file_len());
                let depth =
                    if game.is_some() { CheckDepth::Values } else { CheckDepth::Checksums("--graph GRAPH") };
                Ok(Passed { positions, bytes, depth })
            }
        }
    }
}

/// Checks the checksums of a table.
fn quick(table: &AnyTable, path: &Path, depth: CheckDepth) -> Result<Passed, Failure> {
    let blocks = match table {
        AnyTable::Pursuit(table) => table.header().block_count(),
        AnyTable::Game(table) => table.numbering().block_count(),
        AnyTable::Partial(table) => table.numbering().block_count(),
    };
    let progress = Progress::of_table(path, "blocks", blocks);
    let checked = table.check_sums_while(|done, _| {
        progress.set(done, String::new);
        ControlFlow::Continue(())
    });
    let checked = checked.and_then(|_| table.check_unchanged());
    progress.finish();
    checked.map_err(|error| Failure::from(error).in_file(path))?;
    Ok(Passed { positions: table.positions(), bytes: table.file_len(), depth })
}

/// Returns the failure of a pursuit table that does not pass.
fn failure(error: VerifyError, table: &Table) -> Failure {
    let VerifyError::Position(WrongPosition { position, found, expected }) = error else {
        return error.into();
    };
    let words = |value| human::value(value, position.turn);
    let expected = expected.map_or_else(|| "it is too far from its end".to_owned(), words);
    let (position, found) = (human::position(table.board(), &position), words(found));
    Failure::Check(anyhow::anyhow!("{position}: its successors say that {expected}, the table that {found}"))
}
