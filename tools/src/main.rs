//! The command `dragnet`: makes, checks and asks endgame tablebases for pursuit games. Other programs use
//! `dragnet-probe`.
// Comments of options are help texts, which have no links.
#![allow(rustdoc::bare_urls)]
// Allowed in `input/mapped.rs` alone.
#![deny(unsafe_code)]

mod messages;
mod version;
mod signals;
mod machine;
mod failure;
mod line_file;
#[cfg(feature = "mpi")]
mod mpi;
mod output;
mod leftovers;
mod input;
mod topics;
mod advice;
mod game_table;
mod palette;
mod link;
mod pages;
mod table;
mod report;
mod make;
mod catalogue;
#[cfg(any(feature = "serve", test))]
mod schemas;
#[cfg(feature = "serve")]
mod serve;
mod commands;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use std::{env, process::ExitCode};

/// Endgame tablebases for pursuit games: who wins from every position of policeman against thief, in how many
/// plies, and with which move.
#[derive(Parser)]
#[command(version = version::SHORT, long_version = version::LONG, max_term_width = 110, after_help = AFTER_HELP)]
struct Arguments {
    #[command(flatten)]
    messages: messages::MessageArguments,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit status:
  0    done
  1    a check failed
  2    wrong usage or bad input
  3    trouble with files or memory
  130  interrupted by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP

Examples:
  dragnet generate                           the default set, into tables/
  dragnet generate castle.txt --out tables
  dragnet probe tables/castle.dtb --police 7,7 --thief 0,3
  dragnet verify tables/*.dtb";

/// A command. The description of its arguments is made only when it is the one that was asked for.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    Generate(commands::generate::Generate),
    Plan(commands::plan::PlanCommand),
    Probe(commands::probe::Probe),
    Line(commands::line::LineCommand),
    Show(commands::show::Show),
    Play(commands::play::Play),
    Policy(commands::policy::PolicyCommand),
    Info(commands::info::Info),
    Stats(commands::stats::Stats),
    Verify(commands::verify::Verify),
    Report(commands::report::ReportCommand),
    Site(commands::site::Site),
    #[cfg(feature = "serve")]
    View(commands::view::View),
    Pack(commands::pack::Pack),
    Dump(commands::dump::Dump),
    Answer(commands::answer::Answer),
    Stealth(commands::stealth::Stealth),
    Board(commands::board::BoardCommand),
    #[cfg(feature = "serve")]
    Serve(commands::serve::Serve),
    Bench(commands::bench::Bench),
    Batch(commands::batch::BatchCommand),
    Checkpoints(commands::checkpoints::CheckpointsCommand),
    Graph(commands::graph::GraphCommand),
    Cops(commands::cops::Cops),
    Completions(commands::completions::Completions),
    Man(commands::man::ManCommand),
    Help(commands::help::Help),
}

/// Returns the description of the whole command line, for texts about it.
fn command_line() -> clap::Command {
    let mut description = deferred();
    description.build();
    description
}

/// Returns the description of the command line, in which a command has a name and nothing else.
fn deferred() -> clap::Command {
    commands::help::Help::described(Arguments::command())
}

/// Returns the process's arguments, or the exit status after the reason why they are none has been printed,
/// or the help that they ask for.
fn arguments() -> Result<Arguments, ExitCode> {
    let mut words = advice::joined_words(env::args_os());
    // `graph help solve` is `help graph solve`.
    if words.get(2).is_some_and(|word| word == "help") {
        let description = command_line();
        let group = words.get(1).and_then(|word| description.find_subcommand(word));
        if group.is_some_and(clap::Command::has_subcommands) {
            words.swap(1, 2);
        }
    }
    // To describe every command takes longer than to solve a small board. Only a text may need it.
    let read = deferred().try_get_matches_from(&words).or_else(|error| match error.kind() {
        ErrorKind::DisplayVersion => Err(error),
        _ => command_line().try_get_matches_from(&words),
    });
    read.and_then(|matches| Arguments::from_arg_matches(&matches)).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => advice::refusal(&error, &words).report(),
    })
}

/// Runs the program with the process's arguments and returns its exit status.
fn main() -> ExitCode {
    if let Err(error) = signals::abort_with(failure::TROUBLE) {
        return failure::Failure::from(error).report();
    }
    #[cfg(unix)]
    failure::explain_refused_threads();
    let Arguments { messages, command } = match arguments() {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    messages.apply();
    let result = match command {
        Command::Generate(command) => command.run(),
        Command::Plan(command) => command.run(),
        Command::Probe(command) => command.run(),
        Command::Line(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Policy(command) => command.run(),
        Command::Info(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Site(command) => command.run(),
        #[cfg(feature = "serve")]
        Command::View(command) => command.run(),
        Command::Pack(command) => command.run(),
        Command::Dump(command) => command.run(),
        Command::Answer(command) => command.run(),
        Command::Stealth(command) => command.run(),
        Command::Board(command) => command.run(),
        #[cfg(feature = "serve")]
        Command::Serve(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Batch(command) => command.run(),
        Command::Checkpoints(command) => command.run(),
        Command::Graph(command) => command.run(),
        Command::Cops(command) => command.run(),
        Command::Completions(command) => command.run(command_line()),
        Command::Man(command) => command.run(command_line()),
        Command::Help(command) => command.run(command_line()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

#[cfg(test)]
mod tests {
    use super::command_line;

    #[test]
    fn examples_in_help_texts_fit_a_terminal_of_80_columns() {
        fn check(command: &clap::Command) {
            for text in [command.get_after_help(), command.get_after_long_help()].into_iter().flatten() {
                for line in text.to_string().lines().filter(|line| line.starts_with("  ")) {
                    assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
                }
            }
            command.get_subcommands().for_each(check);
        }
        check(&command_line());
    }
}
