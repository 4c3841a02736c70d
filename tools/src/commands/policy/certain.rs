//! The answer about a policy without chance.

use super::{
    phrases::{self, JsonPosition, JsonValue, Lines, OUTCOMES, outcome, target, target_json},
    spec::PolicySpec,
};
use crate::{
    failure::Failure,
    output::{console::print_json, human},
};
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_generator::LineEnd;
use dragnet_policy::{BestReply, PerfectPlay, PlyLoss, PolicyGame, PolicyPosition, WorseStart, Worth};
use serde::Serialize;

/// The answer of the command about a policy without chance.
pub(super) struct CertainAnswer<'a> {
    pub(super) spec: &'a PolicySpec,
    pub(super) game: &'a PolicyGame<'a>,
    pub(super) reply: BestReply<'a>,
    pub(super) perfect: PerfectPlay<'a>,
    pub(super) worth: Worth,
    pub(super) start: Option<PolicyPosition>,
}

impl CertainAnswer<'_> {
    /// Prints the answer for people.
    pub(super) fn print(&self) -> Result<(), Failure> {
        let mut lines = Lines::new();
        lines.prose(&phrases::heading(self.spec, self.game))?;
        if let Some(start) = self.start {
            self.print_line(&mut lines, start)?;
        }
        self.print_starts(&mut lines)?;
        lines.finish()
    }

    /// Prints the line of play from the start.
    fn print_line(&self, lines: &mut Lines, start: PolicyPosition) -> Result<(), Failure> {
        let turn = start.turn;
        let [value, perfect] = [self.reply.value(start), self.perfect.value_in(self.game, start)]
            .map(|value| phrases::value(value, turn));
        lines.prose("")?;
        lines.prose(&format!("{}: {value}", phrases::position(self.spec, self.game, start)))?;
        lines.prose(&format!("if both sides play perfectly: {perfect}"))?;
        lines.prose("")?;
        let (line, end) = self.reply.line(start);
        let width = line.len().to_string().len();
        let mut before = start;
        for (number, &after) in (1..).zip(&line) {
            let side = before.turn.to_string();
            lines.prose(&format!("{number:>width$}. {side:<6} {}", target(self.game, before, after)))?;
            before = after;
        }
        let winner = match end {
            LineEnd::Repetition => None,
            LineEnd::Known(value) => value.outcome(before.turn).winner(),
        };
        let end = match winner {
            Some(side) => format!("the {side} has won"),
            None => "the position repeats: nobody wins".to_owned(),
        };
        Ok(lines.prose(&end)?)
    }

    /// Prints what the policy does over all starts.
    fn print_starts(&self, lines: &mut Lines) -> Result<(), Failure> {
        let worth = &self.worth;
        let row = |lines: &mut Lines, [of, against, perfect]: [&str; 3]| {
            lines.row(&[
                (0, format!("{of:<16}")),
                (0, format!("{against:>18}")),
                (1, format!("{perfect:>18}")),
            ])
        };
        lines.prose("")?;
        let starts = human::counted(worth.starts, "start", "starts");
        row(lines, [&starts, "with the policy", "perfect play"])?;
        for of in OUTCOMES {
            let against = OUTCOMES.iter().map(|&perfect| worth.count(perfect, of)).sum();
            let perfect = OUTCOMES.iter().map(|&value| worth.count(of, value)).sum();
            let [against, perfect] = [against, perfect].map(|number: u64| {
                format!("{} {:>8}", human::count(number), human::percent(number, worth.starts))
            });
            row(lines, [outcome(of), &against, &perfect])?;
        }
        lines.prose("")?;
        let count = human::counted(worth.outcomes_lost, "start", "starts");
        let share = human::percent(worth.outcomes_lost, worth.starts);
        lines.prose(&format!("the policy loses the outcome of {count}, {share}"))?;
        if let Some(mean) = worth.slower_wins.mean().filter(|&mean| mean > 0.0) {
            lines.prose(&format!("its wins that stay wins take {mean:.2} plies more on average"))?;
        }
        if let Some(mean) = worth.quicker_losses.mean().filter(|&mean| mean > 0.0) {
            lines.prose(&format!("its losses come {mean:.2} plies sooner on average"))?;
        }
        if !worth.worst.is_empty() {
            lines.prose("")?;
            lines.prose("it loses most in these starts:")?;
        }
        for WorseStart { position, perfect, value } in &worth.worst {
            let [perfect, value] = [perfect, value].map(|&value| phrases::value(value, position.turn));
            let position = phrases::position(self.spec, self.game, *position);
            lines.prose(&format!("- {position}: {value}, with perfect play {perfect}"))?;
        }
        Ok(())
    }

    /// Prints the answer as JSON.
    pub(super) fn print_json(&self) -> Result<(), Failure> {
        let game = self.game;
        let worth = &self.worth;
        print_json(&Document {
            fixed: game.fixed_side(),
            chance: false,
            posts: game.posts(),
            start: self.start.map(|start| self.start_json(start)),
            worth: WorthJson {
                starts: worth.starts,
                outcomes: OUTCOMES.map(|perfect| OutcomeRow {
                    perfect,
                    police: worth.count(perfect, Outcome::Police),
                    thief: worth.count(perfect, Outcome::Thief),
                    draw: worth.count(perfect, Outcome::Draw),
                }),
                outcomes_lost: worth.outcomes_lost,
                slower_wins: worth.slower_wins.into(),
                quicker_losses: worth.quicker_losses.into(),
                worst: worth.worst.iter().map(|start| self.worst_json(start)).collect(),
            },
        })
    }

    fn start_json(&self, start: PolicyPosition) -> StartJson {
        let (line, end) = self.reply.line(start);
        let mut before = start;
        let mut moves = Vec::with_capacity(line.len());
        for after in line {
            moves.push(MoveJson {
                side: before.turn,
                to: target_json(self.game, before.turn, after),
                value: JsonValue::new(self.reply.value(after), after.turn),
            });
            before = after;
        }
        StartJson {
            position: JsonPosition::new(self.game, start),
            value: JsonValue::new(self.reply.value(start), start.turn),
            perfect: JsonValue::new(self.perfect.value_in(self.game, start), start.turn),
            moves,
            end: match end {
                LineEnd::Known(value) => match value.outcome(before.turn) {
                    Outcome::Police => "police",
                    Outcome::Thief => "thief",
                    Outcome::Draw => "repetition",
                },
                LineEnd::Repetition => "repetition",
            },
        }
    }

    fn worst_json(&self, start: &WorseStart) -> WorstJson {
        let WorseStart { position, perfect, value } = *start;
        WorstJson {
            position: JsonPosition::new(self.game, position),
            value: JsonValue::new(value, position.turn),
            perfect: JsonValue::new(perfect, position.turn),
        }
    }
}

#[derive(Serialize)]
struct Document {
    fixed: Side,
    chance: bool,
    posts: usize,
    start: Option<StartJson>,
    worth: WorthJson,
}

#[derive(Serialize)]
struct StartJson {
    position: JsonPosition,
    value: JsonValue,
    perfect: JsonValue,
    moves: Vec<MoveJson>,
    end: &'static str,
}

#[derive(Serialize)]
struct MoveJson {
    side: Side,
    to: serde_json::Value,
    value: JsonValue,
}

#[derive(Serialize)]
struct WorthJson {
    starts: u64,
    outcomes: [OutcomeRow; 3],
    outcomes_lost: u64,
    slower_wins: PlyLossJson,
    quicker_losses: PlyLossJson,
    worst: Vec<WorstJson>,
}

/// The starts with one outcome of perfect play, by their outcome against the policy.
#[derive(Serialize)]
struct OutcomeRow {
    perfect: Outcome,
    police: u64,
    thief: u64,
    draw: u64,
}

#[derive(Serialize)]
struct PlyLossJson {
    starts: u64,
    plies: u64,
}

impl From<PlyLoss> for PlyLossJson {
    fn from(loss: PlyLoss) -> PlyLossJson {
        PlyLossJson { starts: loss.starts, plies: loss.plies }
    }
}

#[derive(Serialize)]
struct WorstJson {
    position: JsonPosition,
    value: JsonValue,
    perfect: JsonValue,
}
