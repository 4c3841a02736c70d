//! Conversions of what describes opponents and their games.

use super::{one_side, unknown};
use crate::{
    failure::Failure,
    opponent_types::{Calibration, ReviewedMove, Strength, Style, Target, style},
};
use dragnet_probe::opponent::{self, Opponent, RangeError, Replier};

/// Returns a parameter from 0 to `most` as the smaller integer that holds all its values.
fn narrow<T: TryFrom<u32>>(parameter: &'static str, most: u32, found: u32) -> Result<T, Failure> {
    let error = RangeError { parameter, least: 0, most: most.into(), found: found.into() };
    let checked = if found <= most { T::try_from(found).ok() } else { None };
    checked.ok_or_else(|| error.into())
}

impl TryFrom<Strength> for opponent::Strength {
    type Error = Failure;

    fn try_from(strength: Strength) -> Result<opponent::Strength, Failure> {
        let converted = opponent::Strength {
            errors: narrow("errors", 1000, strength.errors)?,
            blunders: narrow("blunders", 1000, strength.blunders)?,
            plies: strength.plies,
            drop: narrow("drop", 2, strength.drop)?,
            horizon: strength.horizon,
            reaction: narrow("reaction", opponent::Strength::SLOWEST.into(), strength.reaction)?,
        };
        converted.check()?;
        Ok(converted)
    }
}

impl From<opponent::Strength> for Strength {
    fn from(strength: opponent::Strength) -> Strength {
        Strength {
            errors: strength.errors.into(),
            blunders: strength.blunders.into(),
            plies: strength.plies,
            drop: strength.drop.into(),
            horizon: strength.horizon,
            reaction: strength.reaction.into(),
        }
    }
}

impl TryFrom<Style> for opponent::Style {
    type Error = Failure;

    fn try_from(style: Style) -> Result<opponent::Style, Failure> {
        match style.kind {
            style::LONGEST => Ok(opponent::Style::Longest),
            style::TRICKIEST => Ok(opponent::Style::Trickiest(Replier::Uniform)),
            style::TRICKIEST_AGAINST => {
                Ok(opponent::Style::Trickiest(Replier::Erring(style.replier.try_into()?)))
            }
            found => Err(unknown("kind", "a style, 0 to 2", found)),
        }
    }
}

/// Converts a target against a given enemy.
pub(crate) fn target(target: Target, against: Opponent) -> Result<opponent::Target, Failure> {
    let usual: opponent::Target = opponent::Target::new(
        one_side(target.side, "side")?,
        narrow("the share of wins", 1000, target.share)?,
    );
    Ok(opponent::Target {
        style: target.style.try_into()?,
        against,
        games: if target.games == 0 { usual.games } else { target.games },
        seed: target.seed,
        ..usual
    })
}

impl From<opponent::Calibration> for Calibration {
    fn from(found: opponent::Calibration) -> Calibration {
        Calibration {
            level: found.level.into(),
            strength: found.strength.into(),
            games: found.games,
            wins: found.wins,
            lowest: found.lowest,
            highest: found.highest,
            reached: found.reached.into(),
            from: found.from,
            to: found.to,
        }
    }
}

impl From<&opponent::ReviewedMove> for ReviewedMove {
    fn from(rated: &opponent::ReviewedMove) -> ReviewedMove {
        ReviewedMove {
            ply: rated.ply as u64,
            played: (&rated.played).into(),
            best: (&rated.best).into(),
            drop: rated.cost.drop.into(),
            plies: rated.cost.plies,
        }
    }
}
