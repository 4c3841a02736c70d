//! The table of a command that also takes a board, which it solves on the spot.

use super::{Failure, TableAccess, takers::refused};
use crate::{
    input::{
        arguments::{Exit, Threads, officers, rules_on, with_exits},
        boards::{self, StartCells},
        limits::Memory,
        map_options::GroundOptions,
        text,
    },
    output::progress::Progress,
};
use clap::Args;
use dragnet_formats::{
    board::Scenario,
    codec::{Encoder, Favour},
    setting::Setting,
};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_maps::MapReading;
use dragnet_probe::{AnyTable, Open, Table};
use std::{io::Cursor, path::PathBuf, sync::Arc};

/// A table, or a board of which one is made.
#[derive(Args)]
pub(super) struct SubjectArguments {
    /// A table, or a board file in any form, which is solved on the spot
    #[arg(value_name = "TABLE|BOARD")]
    pub(super) file: PathBuf,
    /// Rules of a board: classic, chase, cops, or a TOML file that names what differs from classic [default:
    /// classic, on hexagons cops]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Where the thief escapes, in place of the board's own exits; may be repeated
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    /// How many officers there are, whatever the rules of the board say
    #[arg(long, value_name = "N", value_parser = officers())]
    officers: Option<u8>,
    #[command(flatten)]
    map: GroundOptions,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    access: TableAccess,
}

/// A pursuit table, and the cells at which it begins by default.
pub(super) struct Subject {
    pub(super) table: Arc<Table>,
    /// The cells that the board marks, if they are known.
    pub(super) marked: Option<StartCells>,
}

impl SubjectArguments {
    /// Opens the table, which may be one of a graph, or solves the board, for the command of this name.
    pub(super) fn open_with_graphs(&self, command: &str) -> Result<Subject, Failure> {
        match self.board_bytes()? {
            None => self.open_table(command),
            Some(bytes) => self.solve(self.read(&bytes)?).map_err(|error| error.in_file(&self.file)),
        }
    }

    /// Opens the table of a board of squares, or solves the board, for the command of this name.
    pub(super) fn open(&self, command: &str) -> Result<Subject, Failure> {
        match self.board_bytes()? {
            None => {
                let subject = self.open_table(command)?;
                match subject.table.board().graph() {
                    Some(_) => Err(refused(command, &AnyTable::Pursuit(subject.table), &self.file)),
                    None => Ok(subject),
                }
            }
            Some(bytes) => {
                let reading = self.read(&bytes)?;
                if reading.scenario.board.graph().is_some() {
                    let generate = format!("'dragnet generate {}'", self.file.display());
                    return Err(Failure::input("expected a board of squares, found hexagons")
                        .in_file(&self.file)
                        .with_hint(format!("{generate} makes their table, which probe and line take")));
                }
                self.solve(reading).map_err(|failure| failure.in_file(&self.file))
            }
        }
    }

    /// Returns the board in the bytes of the file.
    fn read(&self, bytes: &[u8]) -> Result<MapReading, Failure> {
        let reading = boards::parse_any(&self.file, bytes, &self.map.selectors());
        let reading =
            reading.map_err(|failure| failure.about("expected a table or a board").in_file(&self.file))?;
        Ok(boards::noted(&self.file, reading))
    }

    /// Checks that `what`, which needs so many bytes, is within the limit of memory.
    pub(super) fn require(&self, what: &str, bytes: u64) -> Result<(), Failure> {
        self.memory.require(what, bytes).map_err(|failure| failure.in_file(&self.file))
    }

    /// Returns a generator with the threads that were asked for.
    pub(super) fn generator(&self) -> Result<Generator, Failure> {
        self.threads.generator()
    }

    /// Returns the bytes of the file, unless it is a table; a board may come through a pipe.
    fn board_bytes(&self) -> Result<Option<Vec<u8>>, Failure> {
        text::bytes_unless_table(&self.file, "a table or a board")
    }

    fn open_table(&self, command: &str) -> Result<Subject, Failure> {
        let given = [
            ("rules", self.rules.is_some()),
            ("exit", !self.exit.is_empty()),
            ("officers", self.officers.is_some()),
        ];
        let given = given.into_iter().find_map(|(name, given)| given.then_some(name));
        if let Some(name) = given.or_else(|| self.map.first_given()) {
            return Err(Failure::input(format!(
                "--{name} is for boards, and this is a table, which has its own"
            ))
            .in_file(&self.file));
        }
        match self.access.open(&self.file)? {
            AnyTable::Pursuit(table) => {
                let marked = StartCells::of_table(&table);
                Ok(Subject { table, marked })
            }
            other => Err(refused(command, &other, &self.file)),
        }
    }

    fn solve(&self, reading: MapReading) -> Result<Subject, Failure> {
        let MapReading { scenario, guards, .. } = reading;
        let rules = rules_on(&scenario.board, self.rules.as_deref())?;
        let rules = rules.for_officers(self.officers, scenario.police.len())?;
        let board = with_exits(scenario.board, &self.exit).map_err(|failure| failure.about("--exit"))?;
        boards::require_open_cell(&board)?;
        // Blocks that are read in place: the table lives no longer than the command.
        let encoding = Encoding { favour: Favour::Speed, level: Encoder::DEFAULT_LEVEL };
        let game = Setting::new(Scenario { board, ..scenario }, rules).with_guards(guards);
        let game = game.map_err(|error| Failure::Input(error.into()))?;
        let (police, thief) = game.starts();
        let marked = StartCells { police, thief };
        let plan = Plan::of_setting(game, encoding)?;
        self.memory.require("the board", plan.needs(self.threads.count()).likely)?;
        let generator = self.generator()?;
        let progress = Progress::new(&self.file.display().to_string(), "positions", plan.positions());
        let solution = generator.solve(&plan, &progress)?;
        let (header, blocks) = generator.encode(&*solution, &plan, &progress)?;
        progress.finish();
        drop(solution);
        let (bytes, _) =
            blocks.write(&header, Cursor::new(Vec::new())).map_err(|error| Failure::Trouble(error.into()))?;
        Ok(Subject { table: Open::bytes(bytes.into_inner()).pursuit()?.into(), marked: Some(marked) })
    }
}
