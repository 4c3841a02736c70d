//! `dragnet answer`: the textbook's question.

use super::output;
use crate::{arguments::Threads, boards, failure::Failure};
use clap::Args;
use dragnet_formats::{
    cell::{Cell, Side},
    rules::Rules,
    value::Outcome,
};
use dragnet_generator::{Engine, Job, encode::Encoding};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Say who wins the board on standard input
///
/// The board has one P, one T and any number of E, with or without the line "rows columns" before it. The police moves
/// first. Prints exactly "Police catches the thief", "The thief escapes" or "Draw".
#[derive(Args)]
#[command(after_help = "Example:\n  printf '3 3\\nP.E\\n..T\\n...\\n' | dragnet answer")]
pub(crate) struct Answer {
    /// A board file, if not standard input
    board: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

impl Answer {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let path = self.board.as_deref().unwrap_or(Path::new("-"));
        let scenario = boards::read(path)?;
        let missing = |what: &str| Failure::input(format!("expected {what} on the board")).in_file(path);
        let [police]: [Cell; 1] = scenario
            .police
            .try_into()
            .map_err(|found: Vec<Cell>| missing(&format!("one police officer 'P', found {}", found.len())))?;
        let thief = scenario.thief.ok_or_else(|| missing("a thief 'T', found none"))?;
        let job = Job {
            board: scenario.board,
            rules: Rules::classic(),
            engine: Engine::Auto,
            encoding: Encoding::default(),
        };
        let solution = self.threads.generator()?.solve(&job, &())?;
        let outcome = solution.value(&police.into(), thief).map(|value| value.outcome(Side::Police));
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
