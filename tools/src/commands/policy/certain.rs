//! The answer about a policy without chance.

use super::{
    phrases::{self, JsonPosition, Lines, OUTCOMES, outcome, target, target_json},
    spec::PolicySpec,
};
use crate::{
    failure::Failure,
    output::{console::print_json, human, json::JsonPieces},
    table::answers::{LineEndAnswer, ValueAnswer},
};
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_generator::LineEnd;
use dragnet_policy::{BestReply, PerfectPlay, PlyLoss, PolicyGame, PolicyPosition, WorseStart, Worth};
use schemars::JsonSchema;
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
        print_json(&CertainPolicy {
            fixed: game.fixed_side(),
            chance: false,
            posts: game.posts(),
            start: self.start.map(|start| self.start_json(start)),
            worth: CertainWorth {
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

    fn start_json(&self, start: PolicyPosition) -> CertainStart {
        let (line, end) = self.reply.line(start);
        let mut before = start;
        let mut moves = Vec::with_capacity(line.len());
        for after in line {
            moves.push(CertainMove {
                side: before.turn,
                to: target_json(self.game, before.turn, after),
                value: ValueAnswer::new(self.reply.value(after), after.turn),
            });
            before = after;
        }
        CertainStart {
            position: JsonPosition::new(self.game, start),
            value: ValueAnswer::new(self.reply.value(start), start.turn),
            perfect: ValueAnswer::new(self.perfect.value_in(self.game, start), start.turn),
            moves,
            end: match end {
                LineEnd::Known(value) => value.outcome(before.turn).winner(),
                LineEnd::Repetition => None,
            }
            .into(),
        }
    }

    fn worst_json(&self, start: &WorseStart) -> CertainWorst {
        let WorseStart { position, perfect, value } = *start;
        CertainWorst {
            position: JsonPosition::new(self.game, position),
            value: ValueAnswer::new(value, position.turn),
            perfect: ValueAnswer::new(perfect, position.turn),
        }
    }
}

/// A policy without chance.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CertainPolicy {
    /// The side that follows the policy.
    fixed: Side,
    /// Whether the policy draws lots.
    #[schemars(extend("const" = false))]
    chance: bool,
    /// Posts of the policy: of a patrol its steps.
    posts: usize,
    /// The game from the start. `null` if no start is known.
    start: Option<CertainStart>,
    /// Losses of the policy beside perfect play.
    worth: CertainWorth,
}

/// The game from the start.
#[derive(Serialize, JsonSchema)]
struct CertainStart {
    /// The start.
    position: JsonPosition,
    /// Winner against the policy, and in how many plies.
    value: ValueAnswer,
    /// Winner if both sides play perfectly, and in how many plies.
    perfect: ValueAnswer,
    /// The plies of the best reply, in order.
    moves: Vec<CertainMove>,
    /// Winner after the last ply, or that the position repeats, which is a draw.
    end: LineEndAnswer,
}

/// A ply.
#[derive(Serialize, JsonSchema)]
struct CertainMove {
    /// Side that moves.
    side: Side,
    /// The cell of the thief, or the cells of all officers, after the move.
    to: JsonPieces,
    /// The value after it.
    value: ValueAnswer,
}

/// The worth of a policy without chance.
#[derive(Serialize, JsonSchema)]
struct CertainWorth {
    /// All starts that are not decided without a move.
    starts: u64,
    /// The starts by their outcomes.
    outcomes: [OutcomeRow; 3],
    /// Starts in which the policy loses the outcome.
    outcomes_lost: u64,
    /// Plies that wins of the fixed side take more.
    slower_wins: PlyLossAnswer,
    /// Plies that losses of the fixed side take less.
    quicker_losses: PlyLossAnswer,
    /// The starts in which the policy loses most, the worst first.
    worst: Vec<CertainWorst>,
}

/// The starts with one outcome of perfect play, by their outcome against the policy.
#[derive(Serialize, JsonSchema)]
struct OutcomeRow {
    /// Winner if both sides play perfectly.
    perfect: Outcome,
    /// Starts among them that the police wins against the policy.
    police: u64,
    /// Starts among them that the thief wins.
    thief: u64,
    /// Starts among them that are drawn.
    draw: u64,
}

/// Plies that are lost.
#[derive(Serialize, JsonSchema)]
struct PlyLossAnswer {
    /// Starts whose outcome stays.
    starts: u64,
    /// The sum of the plies lost.
    plies: u64,
}

impl From<PlyLoss> for PlyLossAnswer {
    fn from(loss: PlyLoss) -> PlyLossAnswer {
        PlyLossAnswer { starts: loss.starts, plies: loss.plies }
    }
}

/// A start that loses much.
#[derive(Serialize, JsonSchema)]
struct CertainWorst {
    /// The start.
    position: JsonPosition,
    /// Value of the start against the policy.
    value: ValueAnswer,
    /// Value of the start if both sides play perfectly.
    perfect: ValueAnswer,
}
