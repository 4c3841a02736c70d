//! The answer about a policy with chance.

use super::{
    phrases::{
        self, JsonBounds, JsonPosition, Lines, OUTCOMES, expected, outcome, percent, target, target_json,
    },
    spec::PolicySpec,
};
use crate::{
    failure::Failure,
    output::{console::print_json, human, json::JsonPieces},
    table::answers::ValueAnswer,
};
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_policy::{
    ChanceWorth, Interval, Odds, OddsShare, PerfectPlay, PolicyGame, PolicyPosition, WorseOdds,
};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of the command about a policy with chance.
pub(super) struct ChanceAnswer<'a> {
    pub(super) spec: &'a PolicySpec,
    pub(super) game: &'a PolicyGame<'a>,
    pub(super) odds: Odds<'a>,
    pub(super) perfect: PerfectPlay<'a>,
    pub(super) worth: ChanceWorth,
    pub(super) start: Option<PolicyPosition>,
}

impl ChanceAnswer<'_> {
    /// Prints the answer for people.
    pub(super) fn print(&self) -> Result<(), Failure> {
        let mut lines = Lines::new();
        lines.prose(&phrases::heading(self.spec, self.game))?;
        if let Some(start) = self.start {
            self.print_start(&mut lines, start)?;
        }
        self.print_starts(&mut lines)?;
        if !self.odds.have_met() {
            lines.prose("")?;
            lines.prose("not all bounds have met: more --rounds may bring them nearer")?;
        }
        lines.finish()
    }

    /// Prints what the free side gets at the start, and with each move.
    fn print_start(&self, lines: &mut Lines, start: PolicyPosition) -> Result<(), Failure> {
        let free = self.game.free_side();
        let [win, loss] = [self.odds.win(start), self.odds.loss(start)].map(percent);
        lines.prose("")?;
        lines.prose(&format!("{}:", phrases::position(self.spec, self.game, start)))?;
        let own = if free == Side::Police { "its" } else { "his" };
        lines.prose(&format!("the {free} can win with a probability of {win}"))?;
        lines.prose(&format!("the {free} can keep the probability of {own} loss down to {loss}"))?;
        if let Some(plies) = self.odds.plies(start) {
            lines.prose(&format!("the end is certain, and expected after {}", expected(plies)))?;
        }
        let perfect = phrases::value(self.perfect.value_in(self.game, start), start.turn);
        lines.prose(&format!("if both sides play perfectly: {perfect}"))?;
        let moves = self.game.moves(start);
        if moves.is_empty() {
            return Ok(());
        }
        let drawn = start.turn != free;
        let row = |lines: &mut Lines, [to, share, win, loss]: [&str; 4]| {
            let share = if drawn { format!("{share:>8}") } else { String::new() };
            let parts =
                [(0, format!("{to:<12}")), (1, share), (0, format!("{win:>14}")), (2, format!("{loss:>14}"))];
            lines.row(&parts)
        };
        lines.prose("")?;
        row(lines, [&start.turn.to_string(), "chance", "win at most", "loss at least"])?;
        for (after, probability) in moves {
            let [win, loss] = [self.odds.win(after), self.odds.loss(after)].map(percent);
            let share = format!("{:.2} %", probability * 100.0);
            row(lines, [&target(self.game, start, after), &share, &win, &loss])?;
        }
        Ok(())
    }

    /// Prints what the policy does over all starts.
    fn print_starts(&self, lines: &mut Lines) -> Result<(), Failure> {
        let worth = &self.worth;
        let (fixed, free) = (self.game.fixed_side(), self.game.free_side());
        let starts = human::counted(worth.starts, "start", "starts");
        lines.prose("")?;
        lines.prose(&format!(
            "{starts} by the outcome of perfect play, and what the {free} gets on average:"
        ))?;
        let row = |lines: &mut Lines, [of, starts, win, loss]: [&str; 4]| {
            let parts = [
                (0, format!("{of:<16}")),
                (2, format!("{starts:>9}")),
                (0, format!("{win:>14}")),
                (1, format!("{loss:>14}")),
            ];
            lines.row(&parts)
        };
        row(lines, ["", "starts", "win at most", "loss at least"])?;
        for of in OUTCOMES {
            let share = worth.share(of);
            if share.starts > 0 {
                let [win, loss] = [share.win, share.loss].map(|sum| percent(sum.per(share.starts)));
                row(lines, [outcome(of), &human::count(share.starts), &win, &loss])?;
            }
        }
        lines.prose("")?;
        for (of, change) in [(fixed, "take longer"), (free, "come sooner")] {
            let share = worth.share(of.into());
            if share.certain > 0 {
                let plies = expected(share.plies.per(share.certain));
                let (certain, starts) = (human::count(share.certain), human::count(share.starts));
                lines.prose(&format!(
                    "{certain} of the {starts} wins of the {of} stay certain; on average they {change}, by {plies}"
                ))?;
            }
        }
        if !worth.worst.is_empty() {
            lines.prose("the policy loses most in these starts:")?;
        }
        for start in &worth.worst {
            let position = phrases::position(self.spec, self.game, start.position);
            let perfect = phrases::value(start.perfect, start.position.turn);
            let lost = start.lost * 100.0;
            lines.prose(&format!(
                "- {position}: with perfect play {perfect}, lost with {lost:.4} % at least"
            ))?;
        }
        Ok(())
    }

    /// Prints the answer as JSON.
    pub(super) fn print_json(&self) -> Result<(), Failure> {
        print_json(&ChancePolicy {
            fixed: self.game.fixed_side(),
            chance: true,
            posts: self.game.posts(),
            met: self.odds.have_met(),
            start: self.start.map(|start| self.start_json(start)),
            worth: ChanceWorthAnswer {
                starts: self.worth.starts,
                shares: OUTCOMES.map(|perfect| ShareAnswer::new(perfect, self.worth.share(perfect))),
                worst: self.worth.worst.iter().map(|start| self.worst_json(start)).collect(),
            },
        })
    }

    fn odds_json(&self, position: PolicyPosition) -> OddsAnswer {
        OddsAnswer {
            win: self.odds.win(position).into(),
            loss: self.odds.loss(position).into(),
            plies: self.odds.plies(position).map(JsonBounds::from),
        }
    }

    fn start_json(&self, start: PolicyPosition) -> ChanceStart {
        let moves = self.game.moves(start).into_iter();
        let moves = moves.map(|(after, probability)| ChanceMove {
            to: target_json(self.game, start.turn, after),
            probability: (start.turn == self.game.fixed_side()).then_some(probability),
            odds: self.odds_json(after),
        });
        ChanceStart {
            position: JsonPosition::new(self.game, start),
            odds: self.odds_json(start),
            perfect: ValueAnswer::new(self.perfect.value_in(self.game, start), start.turn),
            moves: moves.collect(),
        }
    }

    fn worst_json(&self, start: &WorseOdds) -> ChanceWorst {
        ChanceWorst {
            position: JsonPosition::new(self.game, start.position),
            odds: self.odds_json(start.position),
            perfect: ValueAnswer::new(start.perfect, start.position.turn),
            lost: start.lost,
        }
    }
}

/// A policy with chance.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ChancePolicy {
    /// The side that follows the policy.
    fixed: Side,
    /// Whether the policy draws lots.
    #[schemars(extend("const" = true))]
    chance: bool,
    /// Posts of the policy.
    posts: usize,
    /// Whether all bounds are as near to each other as `--epsilon` asks.
    met: bool,
    /// The odds at the start. `null` if no start is known.
    start: Option<ChanceStart>,
    /// Losses of the policy beside perfect play.
    worth: ChanceWorthAnswer,
}

/// Odds of the free side.
#[derive(Serialize, JsonSchema)]
struct OddsAnswer {
    /// The greatest probability with which the free side wins: its lower and its upper bound.
    win: JsonBounds,
    /// The least probability with which the free side loses: its lower and its upper bound.
    loss: JsonBounds,
    /// Expected plies to the end where it is certain: the least to a certain win, the greatest to a certain
    /// loss, with bounds. `null` elsewhere.
    plies: Option<JsonBounds>,
}

/// The odds at the start.
#[derive(Serialize, JsonSchema)]
struct ChanceStart {
    /// The start.
    position: JsonPosition,
    /// Odds of the free side.
    odds: OddsAnswer,
    /// Winner if both sides play perfectly, and in how many plies.
    perfect: ValueAnswer,
    /// Every move of the free side, or every one that the policy may make.
    moves: Vec<ChanceMove>,
}

/// A move.
#[derive(Serialize, JsonSchema)]
struct ChanceMove {
    /// The cell of the thief, or the cells of all officers, after the move.
    to: JsonPieces,
    /// The probability of the move, above 0. `null` for a move of the free side.
    #[schemars(range(min = 0.0, max = 1.0))]
    probability: Option<f64>,
    /// Odds of the free side after the move.
    odds: OddsAnswer,
}

/// The worth of a policy with chance.
#[derive(Serialize, JsonSchema)]
struct ChanceWorthAnswer {
    /// All starts that are not decided without a move.
    starts: u64,
    /// The starts by the outcome of perfect play.
    shares: [ShareAnswer; 3],
    /// The starts in which the policy loses most, the worst first.
    worst: Vec<ChanceWorst>,
}

/// Starts with one outcome of perfect play.
#[derive(Serialize, JsonSchema)]
struct ShareAnswer {
    /// Winner if both sides play perfectly.
    perfect: Outcome,
    /// The number of these starts.
    starts: u64,
    /// The mean over these of the greatest probability with which the free side wins. `null` if there is
    /// none.
    win: Option<JsonBounds>,
    /// The mean over these of the least probability with which the free side loses. `null` if there is none.
    loss: Option<JsonBounds>,
    /// Starts in which the winner of perfect play wins with probability 1.
    certain: u64,
    /// The mean over the latter of the plies that the fixed side expects to lose. `null` if there is none.
    plies: Option<JsonBounds>,
}

impl ShareAnswer {
    fn new(perfect: Outcome, share: &OddsShare) -> ShareAnswer {
        let mean = |sum: Interval, count: u64| (count > 0).then(|| sum.per(count).into());
        ShareAnswer {
            perfect,
            starts: share.starts,
            win: mean(share.win, share.starts),
            loss: mean(share.loss, share.starts),
            certain: share.certain,
            plies: mean(share.plies, share.certain),
        }
    }
}

/// A start that loses much.
#[derive(Serialize, JsonSchema)]
struct ChanceWorst {
    /// The start.
    position: JsonPosition,
    /// Odds of the free side.
    odds: OddsAnswer,
    /// Value of the start if both sides play perfectly.
    perfect: ValueAnswer,
    /// The probability, at least, with which the fixed side does not get what perfect play gets.
    #[schemars(range(min = 0.0, max = 1.0))]
    lost: f64,
}
