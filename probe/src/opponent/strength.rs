//! How well an opponent plays, in numbers.

use dragnet_formats::value::{MAX_DTW, Plies};

/// How well an opponent plays: how often it errs and at what cost, how far it sees, how soon it reacts.
/// Shares and weights are per mille.
///
/// ```
/// use dragnet_probe::opponent::Strength;
///
/// let careless = Strength { errors: 150, ..Strength::HARD };
/// assert_eq!(careless.check(), Ok(()));
/// assert!(Strength { errors: 1001, ..careless }.check().is_err());
/// assert_eq!(Strength::level(1000), Ok(Strength::PERFECT));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strength {
    /// The share of turns in which the opponent errs if there is a tempting error, 0 to 1000 per mille.
    pub errors: u16,
    /// The weight of an error that makes the outcome worse, 0 to 1000. An error that loses L plies has the
    /// weight 4000 / L.
    pub blunders: u16,
    /// The most plies that an error may lose if it keeps the outcome, 0 to [`Strength::UNLIMITED`].
    pub plies: Plies,
    /// The most steps of the outcome, from win to draw to loss, that an error may cost: 0, 1 or 2.
    pub drop: u8,
    /// The number of plies ahead that the opponent sees the end of the game, 0 to [`Strength::UNLIMITED`].
    /// Where it sees none, it chases or flees by the shortest ways.
    pub horizon: Plies,
    /// The number of rounds after which the opponent takes notice of what the other side does, 0 to
    /// [`Strength::SLOWEST`].
    pub reaction: u8,
}

/// A parameter that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {parameter} from {least} to {most}, found {found}")]
pub struct RangeError {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The least value that is allowed.
    pub least: u64,
    /// The greatest value that is allowed.
    pub most: u64,
    /// The value that was given.
    pub found: u64,
}

impl RangeError {
    /// Checks that a parameter is in its range.
    pub(crate) fn check(
        parameter: &'static str,
        least: u64,
        most: u64,
        found: u64,
    ) -> Result<(), RangeError> {
        if (least..=most).contains(&found) {
            Ok(())
        } else {
            Err(RangeError { parameter, least, most, found })
        }
    }
}

impl Strength {
    /// The horizon that sees every end, and the cost that every error stays below.
    pub const UNLIMITED: Plies = MAX_DTW;

    /// The greatest [`Strength::reaction`].
    pub const SLOWEST: u8 = 8;

    /// The highest level of the dial.
    pub const LEVELS: u16 = 1000;

    /// A player for beginners: sees 12 plies, reacts a round late and often errs.
    pub const EASY: Strength =
        Strength { errors: 350, blunders: 500, plies: 24, drop: 2, horizon: 12, reaction: 1 };

    /// A player who errs in a fifth of the turns and sees 40 plies.
    pub const NORMAL: Strength =
        Strength { errors: 200, blunders: 250, plies: 12, drop: 2, horizon: 40, reaction: 0 };

    /// A player who sees everything and errs in a tenth of the turns.
    pub const HARD: Strength =
        Strength { errors: 100, blunders: 300, plies: 8, drop: 1, horizon: Strength::UNLIMITED, reaction: 0 };

    /// A player who never errs.
    pub const PERFECT: Strength =
        Strength { errors: 0, blunders: 0, plies: 0, drop: 0, horizon: Strength::UNLIMITED, reaction: 0 };

    /// The presets by name, the weakest first.
    pub const PRESETS: [(&'static str, Strength); 4] = [
        ("easy", Strength::EASY),
        ("normal", Strength::NORMAL),
        ("hard", Strength::HARD),
        ("perfect", Strength::PERFECT),
    ];

    /// Returns the preset called `name`.
    #[must_use]
    pub fn preset(name: &str) -> Option<Strength> {
        Strength::PRESETS.into_iter().find(|&(other, _)| other == name).map(|(_, strength)| strength)
    }

    /// Returns the strength at `level` of the dial, from 0, which errs in every turn, to
    /// [`Strength::LEVELS`], which is perfect. A higher level never errs more, nor at a higher cost.
    ///
    /// # Errors
    /// When there is no such level.
    pub fn level(level: u16) -> Result<Strength, RangeError> {
        RangeError::check("the level", 0, Strength::LEVELS.into(), level.into())?;
        let weakness = u32::from(Strength::LEVELS - level);
        if weakness == 0 {
            return Ok(Strength::PERFECT);
        }
        Ok(Strength {
            errors: (weakness * weakness).div_ceil(1000) as u16,
            blunders: weakness as u16,
            plies: 2 + weakness / 10,
            drop: 2,
            horizon: Strength::UNLIMITED,
            reaction: 0,
        })
    }

    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), RangeError> {
        for (parameter, most, found) in [
            ("errors", 1000, self.errors.into()),
            ("blunders", 1000, self.blunders.into()),
            ("plies", Strength::UNLIMITED.into(), self.plies.into()),
            ("drop", 2, self.drop.into()),
            ("horizon", Strength::UNLIMITED.into(), self.horizon.into()),
            ("reaction", Strength::SLOWEST.into(), self.reaction.into()),
        ] {
            RangeError::check(parameter, 0, most, found)?;
        }
        Ok(())
    }
}
