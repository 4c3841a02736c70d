//! `dragnet report`: a page of finished tables.

use super::{open, takers::pursuit, unless_closed};
use crate::{
    failure::{Failure, message},
    input::{
        arguments::{Threads, pieces},
        tables::TablePaths,
    },
    report::{self, entry::TableEntry, place::Place, status::Status, totals::RunReport},
    table::{
        portrait::Portrait,
        statistics::{LongestExamples, PursuitStatistics, Reading},
    },
};
use clap::Args;
use dragnet_formats::pieces::Pieces;
use std::path::{Path, PathBuf};

/// Make a page of tables, with a picture of each board
///
/// Writes report.html, which needs no other file and no network, and report.json beside it; prints a summary.
/// Each picture shows how long the thief lasts on each cell against an officer on the best cell for the
/// police, or on that of --police. Every value of the tables is read. Tables that cannot be read are listed
/// as failed, with exit status 2 or 3.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dragnet report tables --out tables\n  dragnet report a.dtb b.dtb --out page --title Castles"
)]
pub(crate) struct ReportCommand {
    #[command(flatten)]
    tables: TablePaths,
    /// The folder for report.html and report.json, created if need be
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Where the officer of the pictures stands, if not on each board's best cell; several officers are
    /// joined by +
    #[arg(long, value_name = "ROW,COL", value_parser = pieces)]
    police: Option<Pieces>,
    /// The title of the page
    #[arg(long, value_name = "TEXT", default_value = "Tables")]
    title: String,
    /// The address of an application that has these tables, such as http://localhost:4747/, for links to
    /// positions; without it the page has commands that show them
    #[arg(long, value_name = "URL")]
    app: Option<String>,
    #[command(flatten)]
    threads: Threads,
}

impl ReportCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let files = self.tables.files()?;
        let mut worst = 0;
        let entries = self.threads.run(|| {
            let entry = |path: &PathBuf| {
                let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
                self.entry(path, &name).unwrap_or_else(|failure| {
                    worst = worst.max(failure.status());
                    let _ = failure.report();
                    TableEntry {
                        message: failure.error().map(message),
                        ..TableEntry::new(name, Status::Failed)
                    }
                })
            };
            files.iter().map(entry).collect()
        })?;
        let report = RunReport::new(&self.title, entries);
        let place = Place { application: self.app, ..Place::alone(&self.out) };
        report::write(&report, &self.out, &place)?;
        unless_closed(report::print(&report))?;
        if worst == 0 { Ok(()) } else { Err(Failure::Silent(worst)) }
    }

    fn entry(&self, path: &Path, name: &str) -> Result<TableEntry, Failure> {
        let table = pursuit("report", open(path)?, path)?;
        let portrait = Portrait::of(&table, self.police, Reading::OF_COMMAND)
            .map_err(|failure| failure.in_file(path))?;
        let statistics =
            PursuitStatistics::of(&table, Reading::OF_COMMAND).map_err(|failure| failure.in_file(path))?;
        Ok(TableEntry {
            portrait: Some(portrait),
            longest_examples: Some(LongestExamples::of(&statistics)),
            ..TableEntry::new(name, Status::Kept).with_table(path, &table)
        })
    }
}
