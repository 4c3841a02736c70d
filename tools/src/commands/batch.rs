//! `dragnet batch`: looks at a manifest without running it.

use super::{output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{Threads, name_of},
        manifest::Manifest,
    },
    make::run::{self, Plan},
    output::human,
};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::{io::Write, path::PathBuf};

/// Look at the manifest of a batch without running it
#[derive(Args)]
pub(crate) struct BatchCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Check(Check),
}

/// Check a manifest and every board that it names, and print what would be made
///
/// 'dragnet generate MANIFEST' runs it.
#[derive(Args)]
#[command(after_help = crate::input::manifest::HELP)]
struct Check {
    /// The manifest, a TOML file
    manifest: PathBuf,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object per table instead of the list
    #[arg(long)]
    json: bool,
}

/// A table of the plan.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    origin: String,
    height: u16,
    width: u16,
    cells: u64,
    positions: u64,
    engine: String,
    /// Memory that the process takes at most while it makes this table alone.
    memory_bytes: u64,
    /// Whether that is within the limit.
    fits: bool,
    /// Whether it is made with all threads and nothing beside it.
    alone: bool,
}

impl<'a> Row<'a> {
    fn new(plan: &'a Plan, memory: u64) -> Row<'a> {
        Row {
            name: &plan.table.name,
            origin: plan.table.origin.to_string(),
            height: plan.height,
            width: plan.width,
            cells: plan.cells,
            positions: plan.task.positions,
            engine: name_of(&plan.engine),
            memory_bytes: plan.task.process_memory(),
            fits: plan.task.fits(memory),
            alone: plan.task.is_large(),
        }
    }
}

impl BatchCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Action::Check(check) = self.action;
        check.run()
    }
}

impl Check {
    fn run(self) -> Result<(), Failure> {
        let manifest = Manifest::read(&self.manifest)?;
        let threads = run::threads(&manifest, self.threads.given());
        let plans = run::plan(&manifest, threads)?;
        let memory = run::memory_limit(&manifest);
        let rows: Vec<Row> = plans.iter().map(|plan| Row::new(plan, memory)).collect();
        if self.json {
            return rows.iter().try_for_each(print_json);
        }
        let widest = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(5);
        let mut output = output();
        writeln!(
            output,
            "{:widest$}  {:>9}  {:>17}  {:8}  {:>10}  with",
            "table", "size", "positions", "engine", "memory"
        )?;
        for row in &rows {
            let with = match (row.fits, row.alone) {
                (false, _) => "left out: too much memory".to_owned(),
                (true, true) => format!("{threads} threads"),
                (true, false) => "1 thread, others beside it".to_owned(),
            };
            writeln!(
                output,
                "{:widest$}  {:>9}  {:>17}  {:8}  {:>10}  {with}",
                row.name,
                format!("{}x{}", row.height, row.width),
                human::count(row.positions),
                row.engine,
                human::bytes(row.memory_bytes),
            )?;
        }
        let positions = rows.iter().filter(|row| row.fits).map(|row| row.positions).sum();
        let fit = rows.iter().filter(|row| row.fits).count();
        writeln!(
            output,
            "{fit} of {} tables into {}, {} positions; {threads} threads, {} of memory",
            rows.len(),
            manifest.out.display(),
            human::count(positions),
            human::bytes(memory),
        )?;
        Ok(output.flush()?)
    }
}
