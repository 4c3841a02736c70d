//! The level of the dial that wins a share of games, found by simulation.

use crate::{
    Position, ProbeError,
    opponent::{
        duel::Duel,
        lots::Lots,
        player::Opponent,
        strength::{RangeError, Strength},
        style::Style,
        valued_game::ValuedGame,
    },
};
use dragnet_formats::cell::Side;

/// The difference between a target and the share that was measured, per mille, within which the target counts
/// as reached.
const TOLERANCE: u64 = 100;

/// The quantile of the normal distribution for an interval of 95 %.
const QUANTILE: f64 = 1.96;

/// A share of wins that an opponent is to reach.
#[derive(Clone, Debug)]
pub struct Target {
    /// The side of the opponent.
    pub side: Side,
    /// The share of games that it is to win, 0 to 1000 per mille.
    pub share: u16,
    /// The style of the opponent.
    pub style: Style,
    /// The other side's player.
    pub against: Opponent,
    /// The number of games at each level that is tried, 1 to [`Target::MOST_GAMES`].
    pub games: u32,
    /// The seed of all lots.
    pub seed: u64,
}

/// A strength with the share of games that it wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The level of the dial.
    pub level: u16,
    /// The strength at that level.
    pub strength: Strength,
    /// The games that were played at that level after it was chosen.
    pub games: u32,
    /// The games of these that were won.
    pub wins: u32,
    /// The lower end of the 95 % confidence interval of the share of wins, 0 to 1.
    pub from: f64,
    /// The upper end of the 95 % confidence interval of the share of wins, 0 to 1.
    pub to: f64,
    /// Whether the share of wins is within 100 per mille of the target. If not, play on the other side or the
    /// board decides the games: see `lowest` and `highest`.
    pub reached: bool,
    /// The least number of wins at any level that was tried, the weakest among them.
    pub lowest: u32,
    /// The greatest number of wins at any level that was tried, perfect play among them.
    pub highest: u32,
}

/// The reason why no strength can be looked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// There is no position to begin with.
    #[error("expected at least one start, found none")]
    NoStart,
    /// A game would be over before its first move.
    #[error("expected a start with a move, found start {index} (from 0): {position}")]
    Terminal {
        /// The place of the start among those given, from 0.
        index: usize,
        /// The start.
        position: Position,
    },
    /// A number is out of its range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The table cannot be asked.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl Target {
    /// The most games at each level.
    pub const MOST_GAMES: u32 = 100_000;

    /// Creates the target that `side` wins `share` per mille of 200 games against a perfect player.
    #[must_use]
    pub fn new(side: Side, share: u16) -> Target {
        Target { side, share, style: Style::Longest, against: Opponent::perfect(0), games: 200, seed: 0 }
    }
}

impl Calibration {
    /// Returns the share of games that were won, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.games)
    }
}

impl Opponent {
    /// Finds the level of the dial at which an opponent wins a share of the games from `starts`, by playing
    /// games at some twelve levels. All lots come from the target's seed. Against a perfect player a start
    /// that is not won costs no game: the table says that none can be won.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, opponent::{Opponent, Target}};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let won = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let target = Target { games: 50, ..Target::new(Side::Police, 400) };
    /// let found = Opponent::calibrate(&table, &[won], &target)?;
    /// assert!(found.reached && found.level < 1000);
    ///
    /// // The thief loses against a perfect player, however strong he is.
    /// let found = Opponent::calibrate(&table, &[won], &Target { side: Side::Thief, ..target })?;
    /// assert!(!found.reached && found.highest == 0);
    /// # Ok::<(), dragnet_probe::opponent::CalibrationError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no start, a start is terminal, a parameter is out of its range, or the table is damaged.
    pub fn calibrate<G: ValuedGame>(
        game: &G,
        starts: &[Position],
        target: &Target,
    ) -> Result<Calibration, CalibrationError> {
        RangeError::check("the share of wins", 0, 1000, target.share.into())?;
        RangeError::check("the number of games", 1, Target::MOST_GAMES.into(), target.games.into())?;
        if starts.is_empty() {
            return Err(CalibrationError::NoStart);
        }
        let mut choices = Vec::new();
        let mut hopeless = vec![false; starts.len()];
        for (index, &position) in starts.iter().enumerate() {
            game.best_moves_into(position, &mut choices)?;
            if choices.is_empty() {
                return Err(CalibrationError::Terminal { index, position });
            }
            // A perfect opponent keeps what the table says.
            if *target.against.strength() == Strength::PERFECT {
                hopeless[index] = game.value(position)?.outcome(position.turn).winner() != Some(target.side);
            }
        }
        let mut games = Games { game, starts, hopeless, target, measured: Vec::new() };
        let goal = u64::from(target.share) * u64::from(target.games);
        let (mut low, mut high) = (0, Strength::LEVELS);
        games.measure(low)?;
        games.measure(high)?;
        while high - low > 1 {
            let level = u16::midpoint(low, high);
            let wins = games.measure(level)?;
            *(if 1000 * u64::from(wins) < goal { &mut low } else { &mut high }) = level;
        }
        let off = |wins: u32| (1000 * u64::from(wins)).abs_diff(goal);
        let wins_of = |&(_, wins): &(u16, u32)| wins;
        let measured = &games.measured;
        let of_two = "both ends of the dial were measured";
        let lowest = measured.iter().map(wins_of).min().expect(of_two);
        let highest = measured.iter().map(wins_of).max().expect(of_two);
        let &(level, _) = measured.iter().min_by_key(|&&(level, wins)| (off(wins), level)).expect(of_two);
        let wins = games.play(level, target.games)?;
        let (from, to) = confidence(wins, target.games);
        let reached = off(wins) <= TOLERANCE * u64::from(target.games);
        let strength = Strength::level(level)?;
        Ok(Calibration { level, strength, games: target.games, wins, from, to, reached, lowest, highest })
    }
}

/// The games of a calibration.
struct Games<'a, G: ValuedGame> {
    game: &'a G,
    starts: &'a [Position],
    /// Whether no game from a start can be won, which then is not played.
    hopeless: Vec<bool>,
    target: &'a Target,
    /// The levels that were tried, each with its number of wins.
    measured: Vec<(u16, u32)>,
}

impl<G: ValuedGame> Games<'_, G> {
    /// Returns how many of the first games are won at `level`, and notes it.
    fn measure(&mut self, level: u16) -> Result<u32, CalibrationError> {
        let wins = self.play(level, 0)?;
        self.measured.push((level, wins));
        Ok(wins)
    }

    /// Returns how many of the games from number `first` are won at `level`.
    fn play(&self, level: u16, first: u32) -> Result<u32, CalibrationError> {
        let Target { side, style, games, seed, .. } = *self.target;
        let mut own = Opponent::new(Strength::level(level)?, style, 0)?;
        let mut other = self.target.against.clone();
        let mut wins = 0;
        for game in (u64::from(first)..).take(games as usize) {
            let number = (game % self.starts.len() as u64) as usize;
            if self.hopeless[number] {
                continue;
            }
            let start = self.starts[number];
            own.restart(Lots::nth(seed, 2 * game));
            other.restart(Lots::nth(seed, 2 * game + 1));
            let (police, thief) = match side {
                Side::Police => (&mut own, &mut other),
                Side::Thief => (&mut other, &mut own),
            };
            wins += u32::from(Duel::play(self.game, start, police, thief)?.winner == Some(side));
        }
        Ok(wins)
    }
}

/// Returns Wilson's confidence interval of the share of wins. The order of the operations is specified, so
/// that every language gets the same numbers.
fn confidence(wins: u32, games: u32) -> (f64, f64) {
    let n = f64::from(games);
    let z2 = QUANTILE * QUANTILE;
    let p = f64::from(wins) / n;
    let centre = p + z2 / (2.0 * n);
    let spread = QUANTILE * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    (((centre - spread) / scale).max(0.0).min(p), ((centre + spread) / scale).min(1.0).max(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_holds_the_share_also_where_all_games_or_none_are_won() {
        for games in 1..=2000 {
            for wins in [0, games / 3, games] {
                let ((from, to), share) = (confidence(wins, games), f64::from(wins) / f64::from(games));
                assert!(from <= share && share <= to, "{wins} of {games}: {from} to {to}");
            }
            assert_eq!((confidence(0, games).0, confidence(games, games).1), (0.0, 1.0));
        }
    }
}
