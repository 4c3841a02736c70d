//! The command `dragnet`: makes, checks and asks endgame tablebases for pursuit games.
//!
//! A library only so that what the program reads can be tested from outside; nothing here is for other programs, which
//! take `dragnet-probe`.
#![forbid(unsafe_code)]

mod arguments;
mod batch;
mod boards;
mod commands;
mod draw;
mod estimate;
mod failure;
mod graphs;
mod human;
mod journal;
mod lock;
mod machine;
mod manifest;
mod numbered;
mod pieces;
mod portrait;
mod probing;
mod progress;
mod report;
mod scan;
mod signals;

#[doc(hidden)]
pub mod fuzzing;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, parser::ValueSource};
use failure::Failure;
use std::process::ExitCode;

/// Endgame tablebases for pursuit games: who wins from every position of policeman against thief, in how many plies, and
/// with which move.
#[derive(Parser)]
#[command(version, max_term_width = 110, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Coordinates are ROW,COL from 0, row 0 on top. Distances are in plies: single moves of one side.

Exit status: 0 done, 1 a check failed, 2 usage or bad input, 3 trouble with files or memory, 130 interrupted
(143 by SIGTERM).

Examples:
  dragnet generate                                    the default set, into tables/
  dragnet generate castle.txt --out tables
  dragnet probe tables/castle.dtb --police 7,7 --thief 0,3 --turn police
  dragnet verify tables/*.dtb";

#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    Generate(commands::generate::Generate),
    Probe(commands::probe::Probe),
    Line(commands::line::LineCommand),
    Info(commands::info::Info),
    Stats(commands::stats::Stats),
    Verify(commands::verify::Verify),
    Report(commands::report::ReportCommand),
    Pack(commands::pack::Pack),
    Dump(commands::dump::Dump),
    Answer(commands::answer::Answer),
    Board(commands::board::BoardCommand),
    Bench(commands::bench::Bench),
    Batch(commands::batch::BatchCommand),
    Estimate(commands::estimate::Estimate),
    Graph(commands::graph::GraphCommand),
    Cops(commands::cops::Cops),
}

/// Runs the program with the process's arguments and gives its exit status.
#[must_use]
pub fn main() -> ExitCode {
    let matches = Arguments::command().try_get_matches().unwrap_or_else(|_| {
        // Only the arguments of the command that was given have been built, but a help text or an error can speak of all.
        let mut all = Arguments::command();
        all.build();
        all.get_matches()
    });
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match arguments.command {
        Command::Generate(command) => command.run(|name| {
            let given = matches.subcommand_matches("generate").and_then(|matches| matches.value_source(name));
            given == Some(ValueSource::CommandLine)
        }),
        Command::Probe(command) => apart(|| command.run()),
        Command::Line(command) => apart(|| command.run()),
        Command::Info(command) => apart(|| command.run()),
        Command::Stats(command) => apart(|| command.run()),
        Command::Verify(command) => apart(|| command.run()),
        Command::Report(command) => apart(|| command.run()),
        Command::Pack(command) => apart(|| command.run()),
        Command::Dump(command) => apart(|| command.run()),
        Command::Answer(command) => apart(|| command.run()),
        Command::Board(command) => apart(|| command.run()),
        Command::Bench(command) => apart(|| command.run()),
        Command::Batch(command) => apart(|| command.run()),
        Command::Estimate(command) => apart(|| command.run()),
        Command::Graph(command) => apart(|| command.run()),
        Command::Cops(command) => apart(|| command.run()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Runs a command whose code is not to stand amidst what all commands run, and be in memory with it.
#[inline(never)]
fn apart(run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    run()
}
