//! The worth of a policy without chance beside perfect play.

use super::{
    best_reply::BestReply,
    error::PolicyError,
    perfect_play::PerfectPlay,
    policy_game::{PolicyGame, PolicyPosition},
};
use dragnet_formats::value::{Outcome, Plies, Value};
use dragnet_generator::Observer;
use std::cmp::Reverse;

/// The losses of the fixed side by its policy, over all starts that are not decided without a move.
///
/// The policy is one of the ways in which its side can play, so that no start is better with it. A start
/// *loses an outcome* if the fixed side's win becomes a draw or a loss, or its draw a loss; a draw is as good
/// as the outcome for which the rules count it.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The number of starts.
    pub starts: u64,
    /// The number of starts by their outcomes.
    outcomes: [[u64; 3]; 3],
    /// The starts that lose an outcome.
    pub outcomes_lost: u64,
    /// Plies that wins of the fixed side take more, over the starts that it wins either way.
    pub slower_wins: PlyLoss,
    /// Plies that losses of the fixed side take less, over the starts that it loses either way.
    pub quicker_losses: PlyLoss,
    /// The starts that lose most, the worst first: those that lose more of the outcome, then more plies, then
    /// in the order of [`PolicyGame::starts`].
    pub worst: Vec<WorseStart>,
}

/// Plies that a policy loses in starts whose outcome stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyLoss {
    /// The starts whose outcome stays.
    pub starts: u64,
    /// The sum of the plies lost.
    pub plies: u64,
}

impl PlyLoss {
    /// Returns the plies that a start loses on average, or `None` if there is no start.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.starts > 0).then(|| self.plies as f64 / self.starts as f64)
    }
}

/// A start at which a policy loses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorseStart {
    /// The start.
    pub position: PolicyPosition,
    /// The value of the start if both sides play perfectly, for the side to move.
    pub perfect: Value,
    /// The value of the start against the policy, for the side to move.
    pub value: Value,
}

impl Worth {
    /// Compares `reply`, the best reply to the policy of `game`, with perfect play, and keeps the `most`
    /// worst starts.
    ///
    /// ```
    /// use dragnet_formats::{board::make, cell::Side, rules::Rules, value::Outcome};
    /// use dragnet_generator::Generator;
    /// use dragnet_policy::{Greedy, Ground, PolicyGame, Worth, best_reply, perfect_play};
    ///
    /// let (ground, generator) = (Ground::new(make::open(4, 4)?, Rules::classic())?, Generator::new(1)?);
    /// let game = PolicyGame::new(&ground, &Greedy::new(&ground, Side::Police), &generator, &())?;
    /// let reply = best_reply(&game, &generator, &())?;
    /// let worth = Worth::new(&game, &reply, &perfect_play(&ground, &generator, &())?, 3, &())?;
    /// // A king who runs straight at the thief catches him from everywhere on an open board.
    /// assert_eq!((worth.starts, worth.outcomes_lost), (2 * 16 * 15, 0));
    /// assert_eq!(worth.count(Outcome::Police, Outcome::Police), worth.starts);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolicyError::Stopped`] when the observer stops the work.
    pub fn new(
        game: &PolicyGame,
        reply: &BestReply,
        perfect: &PerfectPlay,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<Worth, PolicyError> {
        let mut worth = Worth {
            starts: 0,
            outcomes: [[0; 3]; 3],
            outcomes_lost: 0,
            slower_wins: PlyLoss::default(),
            quicker_losses: PlyLoss::default(),
            worst: Vec::new(),
        };
        let rank = |start: &WorseStart| {
            let (drop, plies) = start.lost(game);
            Reverse((drop, plies))
        };
        game.for_each_open_start(observer, |position| {
            let start = WorseStart::new(game, reply, perfect, position);
            worth.add(game, start);
            let least = worth.worst.last().filter(|_| worth.worst.len() >= most);
            if rank(&start) != Reverse((0, 0)) && least.is_none_or(|least| rank(&start) < rank(least)) {
                worth.worst.insert(worth.worst.partition_point(|other| rank(other) <= rank(&start)), start);
                worth.worst.truncate(most);
            }
        })?;
        Ok(worth)
    }

    /// Counts a start.
    fn add(&mut self, game: &PolicyGame, start: WorseStart) {
        let WorseStart { position, perfect, value } = start;
        let (drop, plies) = start.lost(game);
        let [before, after] = [perfect, value].map(|value| value.outcome(position.turn));
        self.starts += 1;
        self.outcomes[before as usize][after as usize] += 1;
        self.outcomes_lost += u64::from(drop > 0);
        let same = match before.winner() {
            _ if before != after => return,
            Some(winner) if winner == game.fixed_side() => &mut self.slower_wins,
            Some(_) => &mut self.quicker_losses,
            None => return,
        };
        same.starts += 1;
        same.plies += u64::from(plies);
    }

    /// Returns the number of starts with the outcome `perfect` if both sides play perfectly, and the outcome
    /// `value` against the policy.
    #[must_use]
    pub fn count(&self, perfect: Outcome, value: Outcome) -> u64 {
        self.outcomes[perfect as usize][value as usize]
    }
}

impl WorseStart {
    /// Compares the value of a position of `game` against its policy, in `reply`, with perfect play.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn new(
        game: &PolicyGame,
        reply: &BestReply,
        perfect: &PerfectPlay,
        position: PolicyPosition,
    ) -> WorseStart {
        WorseStart { position, perfect: perfect.value_in(game, position), value: reply.value(position) }
    }

    /// Returns the steps of the outcome, from win to draw to loss, that the fixed side of `game` loses; and,
    /// if the outcome stays, the plies.
    ///
    /// ```
    /// use dragnet_formats::{board::text, cell::Side, rules::Rules};
    /// use dragnet_generator::Generator;
    /// use dragnet_policy::{
    ///     Ground, PolicyGame, PolicyPosition, WorseStart, best_reply, perfect_play, read_route,
    /// };
    ///
    /// let board = text::parse(b"....\n.##.\n....\n")?.board;
    /// let (ground, generator) = (Ground::new(board, Rules::classic())?, Generator::new(1)?);
    /// let patrol = read_route(&ground, Side::Police, "0,0 0,1")?;
    /// let game = PolicyGame::new(&ground, &patrol, &generator, &())?;
    /// let reply = best_reply(&game, &generator, &())?;
    /// let perfect = perfect_play(&ground, &generator, &())?;
    /// // The thief beside the route is never caught, and perfect play would catch him.
    /// let position = PolicyPosition { turn: Side::Police, post: 0, place: 9 };
    /// assert_eq!(WorseStart::new(&game, &reply, &perfect, position).lost(&game), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lost(&self, game: &PolicyGame) -> (u8, Plies) {
        let (fixed, undecided) = (game.fixed_side(), game.ground().rules().undecided);
        let turn = self.position.turn;
        let [before, after] = [self.perfect, self.value].map(|value| value.outcome(turn).counted(undecided));
        let plies = match (self.perfect.dtw(), self.value.dtw()) {
            (Some(before), Some(after)) => before.abs_diff(after),
            _ => 0,
        };
        let rank = |outcome: Outcome| match outcome.winner() {
            Some(winner) => 2 * u8::from(winner == fixed),
            None => 1,
        };
        match rank(before).saturating_sub(rank(after)) {
            0 => (0, if self.perfect.outcome(turn) == self.value.outcome(turn) { plies } else { 0 }),
            drop => (drop, 0),
        }
    }
}
