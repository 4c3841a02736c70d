//! `dragnet policy`: the best reply to a side that moves in a fixed way, and what that way is worth.

mod spec;
mod start;
mod question;
mod phrases;
pub(crate) mod certain;
pub(crate) mod chance;

use super::{
    subject::{Subject, SubjectArguments},
    takers::refused,
};
use crate::{
    failure::Failure,
    input::arguments::whole_number,
    output::progress::{self, Progress},
    signals,
};
use clap::{ArgGroup, Args};
use dragnet_formats::{cell::Side, setting::Setting};
use dragnet_policy::{ChanceWorth, Ground, PerfectPlay, Precision, Worth, best_reply, odds, perfect_play};
use dragnet_probe::AnyTable;
use question::{Question, failure};
use spec::PolicySpec;
use start::StartArguments;

/// Show what a side gets against another one that moves in a fixed way, and what that way is worth
///
/// One side follows a policy, and the other one plays its best against it. Against a policy without chance
/// the answers are exact. With chance they are probabilities and expected plies between sure bounds. The
/// worth of the policy is what it loses beside perfect play, over all positions in which a game can begin.
#[derive(Args)]
#[command(after_help = AFTER_HELP, group = ArgGroup::new("policy").required(true).args(["police", "thief"]))]
pub(crate) struct PolicyCommand {
    #[command(flatten)]
    subject: SubjectArguments,
    /// The police follows this policy
    #[arg(long, value_name = "POLICY")]
    police: Option<PolicySpec>,
    /// The thief follows this policy
    #[arg(long, value_name = "POLICY")]
    thief: Option<PolicySpec>,
    #[command(flatten)]
    start: StartArguments,
    /// How near bounds must come: of probabilities their difference, of expected plies the share of it in
    /// them
    #[arg(long, value_name = "WIDTH", default_value_t = Precision::default().width, value_parser = width)]
    epsilon: f64,
    /// The most rounds in which bounds are computed; bounds that have not met then are shown as they are
    #[arg(
        long, value_name = "N", default_value_t = Precision::default().rounds,
        value_parser = whole_number(1..=u32::MAX),
    )]
    rounds: u32,
    /// How many of the starts are listed in which the policy loses most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole_number(0..=1000usize))]
    worst: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Policies:
  patrol:FILE     walks the route in the file again and again
  greedy          the police runs at the thief, the thief away from the police
  random          draws one of its legal moves by lot; random:0,1=3+0,0=0 goes
                  right three times as often and does not stay (rows down,
                  columns right)
  moves:FILE      looks its moves up in a list
  opponent:LEVEL  is the opponent of 'play': a name from easy to perfect, or a
                  level from 0 to 1000

Examples:
  dragnet policy yard.txt --police patrol:route.txt
  dragnet policy yard.txt --police greedy --from 0,0/7,7 --turn thief
  dragnet policy castle.txt --rules chase --thief random
  dragnet policy tables/castle.dtb --police opponent:easy --json";

/// Reads the width of intervals.
fn width(text: &str) -> Result<f64, String> {
    let width = text.parse().ok().filter(|&width| width > 0.0 && width <= 1.0);
    width.ok_or_else(|| "expected a number above 0 and at most 1, such as 1e-6".to_owned())
}

impl PolicyCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (side, spec) = match (&self.police, &self.thief) {
            (Some(spec), _) => (Side::Police, spec),
            (_, Some(spec)) => (Side::Thief, spec),
            (None, None) => return Err(Failure::input("expected --police POLICY or --thief POLICY")),
        };
        signals::watch(progress::say, "nothing is kept")?;
        let Subject { table, marked } = self.subject.open_with_graphs("policy")?;
        let file = &self.subject.file;
        let Some(Setting { board, rules, .. }) = table.setting().cloned() else {
            return Err(Failure::input("policies play on boards, and a program gave the game of this table")
                .in_file(file));
        };
        if table.header().worlds > 1 {
            return Err(refused("policy", &AnyTable::Pursuit(table), file));
        }
        self.subject.require("the moves of both sides", Ground::memory_needed(&board, &rules))?;
        let generator = self.subject.generator()?;
        let needed = PerfectPlay::memory_needed(&board, &rules, &generator);
        self.subject.require("perfect play", needed)?;
        let ground = Ground::new(board, rules).map_err(|error| failure(error).in_file(file))?;
        let progress = Progress::new(&file.display().to_string(), "positions", 0);
        let question = Question {
            subject: &self.subject,
            table: &table,
            ground: &ground,
            generator: &generator,
            progress: &progress,
            spec,
        };
        let game = question.game(side)?;
        let start = self.start.position(&game, spec, marked.as_ref()).map_err(|error| error.in_file(file))?;
        let perfect = perfect_play(&ground, &generator, &progress).map_err(failure)?;
        if game.has_chance() {
            let precision = Precision { width: self.epsilon, rounds: self.rounds };
            let odds = odds(&game, precision, &generator, &progress).map_err(failure)?;
            let worth = ChanceWorth::new(&game, &odds, &perfect, self.worst, &progress).map_err(failure)?;
            progress.finish();
            let answer = chance::ChanceAnswer { spec, game: &game, odds, perfect, worth, start };
            if self.json { answer.print_json() } else { answer.print() }
        } else {
            let reply = best_reply(&game, &generator, &progress).map_err(failure)?;
            let worth = Worth::new(&game, &reply, &perfect, self.worst, &progress).map_err(failure)?;
            progress.finish();
            let answer = certain::CertainAnswer { spec, game: &game, reply, perfect, worth, start };
            if self.json { answer.print_json() } else { answer.print() }
        }
    }
}
