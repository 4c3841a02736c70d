//! The answer about a policy with chance.

use super::{
    phrases::{
        self, JsonPosition, JsonValue, Lines, OUTCOMES, bounds, expected, outcome, percent, target,
        target_json,
    },
    spec::PolicySpec,
};
use crate::{
    failure::Failure,
    output::{console::print_json, human},
};
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_policy::{
    ChanceWorth, Interval, Odds, OddsShare, PerfectPlay, PolicyGame, PolicyPosition, WorseOdds,
};
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
        print_json(&Document {
            fixed: self.game.fixed_side(),
            chance: true,
            posts: self.game.posts(),
            met: self.odds.have_met(),
            start: self.start.map(|start| self.start_json(start)),
            worth: WorthJson {
                starts: self.worth.starts,
                shares: OUTCOMES.map(|perfect| ShareJson::new(perfect, self.worth.share(perfect))),
                worst: self.worth.worst.iter().map(|start| self.worst_json(start)).collect(),
            },
        })
    }

    fn odds_json(&self, position: PolicyPosition) -> OddsJson {
        OddsJson {
            win: bounds(self.odds.win(position)),
            loss: bounds(self.odds.loss(position)),
            plies: self.odds.plies(position).map(bounds),
        }
    }

    fn start_json(&self, start: PolicyPosition) -> StartJson {
        let moves = self.game.moves(start).into_iter();
        let moves = moves.map(|(after, probability)| MoveJson {
            to: target_json(self.game, start.turn, after),
            probability: (start.turn == self.game.fixed_side()).then_some(probability),
            odds: self.odds_json(after),
        });
        StartJson {
            position: JsonPosition::new(self.game, start),
            odds: self.odds_json(start),
            perfect: JsonValue::new(self.perfect.value_in(self.game, start), start.turn),
            moves: moves.collect(),
        }
    }

    fn worst_json(&self, start: &WorseOdds) -> WorstJson {
        WorstJson {
            position: JsonPosition::new(self.game, start.position),
            odds: self.odds_json(start.position),
            perfect: JsonValue::new(start.perfect, start.position.turn),
            lost: start.lost,
        }
    }
}

#[derive(Serialize)]
struct Document {
    fixed: Side,
    chance: bool,
    posts: usize,
    met: bool,
    start: Option<StartJson>,
    worth: WorthJson,
}

#[derive(Serialize)]
struct OddsJson {
    win: [Option<f64>; 2],
    loss: [Option<f64>; 2],
    plies: Option<[Option<f64>; 2]>,
}

#[derive(Serialize)]
struct StartJson {
    position: JsonPosition,
    odds: OddsJson,
    perfect: JsonValue,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    to: serde_json::Value,
    probability: Option<f64>,
    odds: OddsJson,
}

#[derive(Serialize)]
struct WorthJson {
    starts: u64,
    shares: [ShareJson; 3],
    worst: Vec<WorstJson>,
}

#[derive(Serialize)]
struct ShareJson {
    perfect: Outcome,
    starts: u64,
    /// The mean of the greatest probabilities with which the free side wins.
    win: Option<[Option<f64>; 2]>,
    loss: Option<[Option<f64>; 2]>,
    certain: u64,
    plies: Option<[Option<f64>; 2]>,
}

impl ShareJson {
    fn new(perfect: Outcome, share: &OddsShare) -> ShareJson {
        let mean = |sum: Interval, count: u64| (count > 0).then(|| bounds(sum.per(count)));
        ShareJson {
            perfect,
            starts: share.starts,
            win: mean(share.win, share.starts),
            loss: mean(share.loss, share.starts),
            certain: share.certain,
            plies: mean(share.plies, share.certain),
        }
    }
}

#[derive(Serialize)]
struct WorstJson {
    position: JsonPosition,
    odds: OddsJson,
    perfect: JsonValue,
    lost: f64,
}
