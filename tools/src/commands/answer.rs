//! `dragnet answer`: who wins a board.

use super::output;
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Threads},
        boards,
        limits::Memory,
        map_options::MapOptions,
        table_list::setting,
    },
};
use clap::Args;
use dragnet_formats::{cell::Side, pieces::Pieces, setting::Setting, value::Outcome};
use dragnet_generator::{Plan, encode::Encoding};
use dragnet_maps::MapReading;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Say who wins the board on standard input
///
/// The board has one P or several, as many as officers play, one T and any number of E. A first line "rows
/// columns" may be left out. The police moves first. Prints exactly "Police catches the thief", "The thief
/// escapes" or "Draw".
#[derive(Args)]
#[command(after_help = "Example:\n  printf '3 3\\nP.E\\n..T\\n...\\n' | dragnet answer")]
pub(crate) struct Answer {
    /// A board file; standard input if it is left out
    board: Option<PathBuf>,
    /// classic, chase or cops, or a TOML file with the differences from classic [default: classic, on
    /// hexagons cops]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    #[command(flatten)]
    map: MapOptions,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
}

impl Answer {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let path = self.board.as_deref().unwrap_or(Path::new("-"));
        let reading = boards::read_with_findings(path, &self.map.selectors())?;
        let MapReading { scenario, guards, .. } = boards::noted(path, reading);
        let missing = |what: &str| Failure::input(format!("expected {what} on the board")).in_file(path);
        let rules = arguments::rules_on(&scenario.board, self.rules.as_deref())?;
        let rules = rules.for_officers(None, scenario.police.len())?;
        match (rules.officers, scenario.police.len()) {
            (1, 0) => return Err(missing("a police officer 'P', found none")),
            (officers, found) if found != usize::from(officers) => {
                return Err(missing(&format!("{officers} police officers 'P', found {found}")));
            }
            _ => {}
        }
        let game = Setting::new(scenario, rules).with_guards(guards);
        let game = game.map_err(|error| Failure::Input(error.into()).in_file(path))?;
        let (police, thief) = game.starts();
        let police = Pieces::new(&police).map_err(|error| Failure::Input(error.into()).in_file(path))?;
        let thief = thief.ok_or_else(|| missing("a thief 'T', found none"))?;
        let plan = Plan::of_setting(game, Encoding::default())?;
        self.memory
            .require("the board", plan.needs(self.threads.count()).likely)
            .map_err(|failure| failure.in_file(path))?;
        let solution = self.threads.generator()?.solve(&plan, &())?;
        let undecided = setting(&plan).rules.undecided;
        let outcome =
            solution.value(0, &police, thief).map(|value| value.outcome(Side::Police).counted(undecided));
        let mut output = output();
        let text = match outcome {
            Some(Outcome::Police) => "Police catches the thief",
            Some(Outcome::Thief) => "The thief escapes",
            Some(Outcome::Draw) => "Draw",
            None => return Err(missing("both start cells open")),
        };
        writeln!(output, "{text}")?;
        Ok(output.flush()?)
    }
}
