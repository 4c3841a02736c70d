//! The worth of a policy with chance beside perfect play.

use super::{
    error::PolicyError,
    interval::Interval,
    odds::Odds,
    perfect_play::PerfectPlay,
    policy_game::{PolicyGame, PolicyPosition},
};
use dragnet_formats::{
    rules::Undecided,
    value::{Outcome, Value},
};
use dragnet_generator::Observer;

/// The losses of the fixed side by a policy with chance, over all starts that are not decided without a move.
#[derive(Clone, Debug)]
pub struct ChanceWorth {
    /// The number of starts.
    pub starts: u64,
    /// The starts by their outcomes if both sides play perfectly: police, thief, draw.
    shares: [OddsShare; 3],
    /// The starts that lose most, the worst first: see [`WorseOdds::lost`]; of equals in the order of
    /// [`PolicyGame::starts`].
    pub worst: Vec<WorseOdds>,
}

/// The odds of the starts with one outcome of perfect play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsShare {
    /// The number of starts.
    pub starts: u64,
    /// The sum of the greatest probabilities with which the free side wins.
    pub win: Interval,
    /// The sum of the least probabilities with which the free side loses.
    pub loss: Interval,
    /// The starts in which the winner of perfect play wins with probability 1.
    pub certain: u64,
    /// The sum of the plies that the fixed side expects to lose in these: as winner by taking longer, as
    /// loser by lasting less long.
    pub plies: Interval,
}

/// A start at which a policy with chance loses something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorseOdds {
    /// The start.
    pub position: PolicyPosition,
    /// The value of the start if both sides play perfectly, for the side to move.
    pub perfect: Value,
    /// The greatest probability with which the free side wins.
    pub win: Interval,
    /// The least probability with which the free side loses.
    pub loss: Interval,
    /// The probability, at least, with which the fixed side does not get what perfect play gets: its win, or
    /// its draw. A draw is as good as the outcome for which the rules count it.
    pub lost: f64,
}

impl ChanceWorth {
    /// Compares `odds`, of the policy of `game`, with perfect play, and keeps the `most` worst starts.
    ///
    /// ```
    /// use dragnet_formats::{board::make, cell::Side, rules::Rules, value::Outcome};
    /// use dragnet_generator::Generator;
    /// use dragnet_policy::{ChanceWorth, Ground, PolicyGame, Precision, RandomWalk, odds, perfect_play};
    ///
    /// let (ground, generator) = (Ground::new(make::open(3, 3)?, Rules::classic())?, Generator::new(1)?);
    /// let game = PolicyGame::new(&ground, &RandomWalk::new(&ground, Side::Thief), &generator, &())?;
    /// let odds = odds(&game, Precision::default(), &generator, &())?;
    /// let worth = ChanceWorth::new(&game, &odds, &perfect_play(&ground, &generator, &())?, 3, &())?;
    /// // The officer catches him in any case; a thief who walks at random is caught sooner.
    /// let share = worth.share(Outcome::Police);
    /// assert_eq!((share.starts, share.certain), (2 * 9 * 8, 2 * 9 * 8));
    /// assert!(share.plies.low > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolicyError::Stopped`] when the observer stops the work.
    pub fn new(
        game: &PolicyGame,
        odds: &Odds,
        perfect: &PerfectPlay,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<ChanceWorth, PolicyError> {
        let mut worth = ChanceWorth { starts: 0, shares: [OddsShare::NONE; 3], worst: Vec::new() };
        game.for_each_open_start(observer, |position| {
            let start = WorseOdds::new(game, odds, perfect, position);
            let WorseOdds { perfect, win, loss, lost, .. } = start;
            let outcome = perfect.outcome(position.turn);
            let share = &mut worth.shares[outcome as usize];
            worth.starts += 1;
            share.starts += 1;
            (share.win, share.loss) = (share.win.plus(win), share.loss.plus(loss));
            let free_wins = outcome == game.free_side().into();
            let is_certain = if free_wins { win.low >= 1.0 } else { loss.low >= 1.0 };
            let plies = odds.plies(position).zip(perfect.dtw()).filter(|_| is_certain);
            if let Some((plies, perfect)) = plies {
                let Interval { low, high } = plies;
                let perfect = f64::from(perfect);
                let lost = match free_wins {
                    true => Interval { low: perfect - high, high: perfect - low },
                    false => Interval { low: low - perfect, high: high - perfect },
                };
                share.certain += 1;
                share.plies = share.plies.plus(lost);
            }
            let least = worth.worst.last().filter(|_| worth.worst.len() >= most);
            if lost > 0.0 && least.is_none_or(|least| lost > least.lost) {
                let at = worth.worst.partition_point(|other| other.lost >= lost);
                worth.worst.insert(at, start);
                worth.worst.truncate(most);
            }
        })?;
        Ok(worth)
    }

    /// Returns the odds of the starts with the outcome `perfect` if both sides play perfectly.
    #[must_use]
    pub fn share(&self, perfect: Outcome) -> &OddsShare {
        &self.shares[perfect as usize]
    }
}

impl OddsShare {
    const NONE: OddsShare = OddsShare {
        starts: 0,
        win: Interval::exact(0.0),
        loss: Interval::exact(0.0),
        certain: 0,
        plies: Interval::exact(0.0),
    };
}

impl WorseOdds {
    /// Compares what the free side gets from a position of `game`, in `odds`, with perfect play.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn new(game: &PolicyGame, odds: &Odds, perfect: &PerfectPlay, position: PolicyPosition) -> WorseOdds {
        let perfect = perfect.value_in(game, position);
        let (win, loss) = (odds.win(position), odds.loss(position));
        let lost = lost(game, perfect.outcome(position.turn), win, loss);
        WorseOdds { position, perfect, win, loss, lost }
    }
}

/// Returns the probability, at least, with which the fixed side does not get the outcome of perfect play.
fn lost(game: &PolicyGame, perfect: Outcome, win: Interval, loss: Interval) -> f64 {
    let (fixed, undecided) = (game.fixed_side(), game.ground().rules().undecided);
    let counts_for = Outcome::Draw.counted(undecided).winner();
    match perfect.counted(undecided).winner() {
        // A draw is as good for the fixed side as its win.
        Some(winner) if winner == fixed && counts_for == Some(fixed) => win.low,
        Some(winner) if winner == fixed => 1.0 - loss.high,
        None if undecided == Undecided::Draw => win.low,
        _ => 0.0,
    }
}
