//! The best reply to a policy with chance.

use super::{
    certain::CertainPositions,
    decision_process::{ByTurn, DecisionProcess, PositionSet},
    error::PolicyError,
    expected::expected_plies,
    interval::{Best, Interval},
    policy_game::{PolicyGame, PolicyPosition},
    probability::probability,
    rounds::{Precision, Rounds},
};
use dragnet_generator::{Generator, Observer, StopRequest};
use std::sync::atomic::AtomicBool;

/// The prospects of the free side against a policy with chance, in each position, with bounds.
///
/// The greatest probability of winning and the least probability of losing may belong to different plans of
/// the free side. What is missing from a sum of 1 is the probability of a game without end.
#[derive(Debug)]
pub struct Odds<'a> {
    game: &'a PolicyGame<'a>,
    win: ByTurn<Interval>,
    loss: ByTurn<Interval>,
    /// The bounds of expected plies where a win or a loss is certain.
    plies: ByTurn<Interval>,
    wins: PositionSet,
    loses: PositionSet,
    met: bool,
}

/// Returns what the free side of `game` can get, by interval iteration on the threads of `generator`
/// (Haddad and Monmege 2018; Baier, Klein, Leuschner, Parker and Wunderlich 2017). Where this takes many
/// rounds, an approximation is computed, and bounds near it are proved (Hartmanns and Kaminski 2020).
/// `PROTOCOL.md` §12 says why the bounds hold. Takes some 220 bytes for each pair of a post and a place.
///
/// ```
/// use dragnet_formats::{board::text, cell::Side, rules::Rules};
/// use dragnet_generator::Generator;
/// use dragnet_policy::{Ground, PolicyGame, PolicyPosition, Precision, RandomWalk, odds};
///
/// // The thief, next to an exit, passes or leaves by lot. The officer needs two turns to reach him.
/// let board = text::parse(b"...E\n")?.board;
/// let rules = Rules::classic();
/// let (ground, generator) = (Ground::new(board, rules)?, Generator::new(1)?);
/// let walk = RandomWalk::new(&ground, Side::Thief);
/// let game = PolicyGame::new(&ground, &walk, &generator, &())?;
/// let odds = odds(&game, Precision::default(), &generator, &())?;
/// let start = PolicyPosition { turn: Side::Police, post: 2, place: 0 };
/// // He leaves with probability 1/3, steps to the officer or stays with 1/3 each, and is caught then.
/// let win = odds.win(start);
/// assert!(win.low <= 2.0 / 3.0 && 2.0 / 3.0 <= win.high && win.width() <= 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolicyError::Width`] for a width that is none, [`PolicyError::Stopped`] when the observer stops the
/// work.
pub fn odds<'a>(
    game: &'a PolicyGame<'a>,
    precision: Precision,
    generator: &Generator,
    observer: &dyn Observer,
) -> Result<Odds<'a>, PolicyError> {
    precision.check()?;
    let received = AtomicBool::new(false);
    let stop = StopRequest::new(observer, &received);
    generator.install(|| {
        let process = DecisionProcess::new(game, stop)?;
        let CertainPositions { can_win, wins, may_lose, loses } = CertainPositions::new(&process)?;
        let mut rounds = Rounds::new(precision, stop);
        let between = |possible: &PositionSet, certain: &PositionSet| {
            let of = |possible: &[bool], certain: &[bool]| {
                possible.iter().zip(certain).map(|(&possible, &certain)| possible && !certain).collect()
            };
            ByTurn { fixed: of(&possible.fixed, &certain.fixed), free: of(&possible.free, &certain.free) }
        };
        let open = between(&can_win, &wins);
        let win = probability(&process, Best::Greatest, &open, &wins, &mut rounds)?;
        let open = between(&may_lose, &loses);
        let loss = probability(&process, Best::Least, &open, &loses, &mut rounds)?;
        let none = vec![Interval::exact(0.0); game.pairs()];
        let mut plies = ByTurn { fixed: none.clone(), free: none };
        expected_plies(&process, Best::Least, &wins, &mut rounds, &mut plies)?;
        expected_plies(&process, Best::Greatest, &loses, &mut rounds, &mut plies)?;
        stop.check()?;
        Ok(Odds { game, win, loss, plies, wins, loses, met: rounds.met })
    })
}

impl Odds<'_> {
    /// Returns whether all bounds have met as nearly as was asked for. They have not if the rounds did not
    /// suffice, or if games last for so many plies that doubles cannot tell them as nearly: some 10^8 with a
    /// width of 10^-6.
    #[must_use]
    pub fn have_met(&self) -> bool {
        self.met
    }

    /// Returns the greatest probability with which the free side wins from a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn win(&self, position: PolicyPosition) -> Interval {
        self.of(&self.win, position)
    }

    /// Returns the least probability with which the free side loses from a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn loss(&self, position: PolicyPosition) -> Interval {
        self.of(&self.loss, position)
    }

    /// Returns the expected number of plies to an end that is certain: the least one if the free side can win
    /// with probability 1, among the plans that do so; the greatest one if it loses with probability 1
    /// whatever it does. `None` in all other positions, in which the number of plies has no bounds or depends
    /// on who wins.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn plies(&self, position: PolicyPosition) -> Option<Interval> {
        let is_certain = self.of(&self.wins, position) || self.of(&self.loses, position);
        is_certain.then(|| self.of(&self.plies, position))
    }

    /// Returns what belongs to a position.
    fn of<T: Copy>(&self, by_turn: &ByTurn<T>, position: PolicyPosition) -> T {
        let pair = self.game.pair(position.post, position.place);
        if position.turn == self.game.fixed_side() { by_turn.fixed[pair] } else { by_turn.free[pair] }
    }
}
