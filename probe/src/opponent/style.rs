//! The style of an opponent that cannot win: to hold out for long, or to set traps.

use crate::{
    ProbeError, Table,
    moves::Choice,
    opponent::{
        cost::Stakes,
        strength::{RangeError, Strength},
    },
};
use dragnet_formats::value::Value;

/// The most moves whose replies are looked at.
const TRICKS: usize = 64;

/// A share of 1.
const WHOLE: u64 = 1_000_000;

/// The way in which the other side is expected to reply to a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replier {
    /// Every reply is equally likely.
    Uniform,
    /// The other side errs with this strength. Its horizon and its reaction play no role.
    Erring(Strength),
}

/// The choice among moves that all lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The moves that lose in the most plies.
    Longest,
    /// The moves after which the reply most likely throws the win away, and of these those that lose in the
    /// most plies.
    Trickiest(Replier),
}

impl Style {
    /// Checks the strength of a replier.
    pub(super) fn check(&self) -> Result<(), RangeError> {
        match self {
            Style::Longest | Style::Trickiest(Replier::Uniform) => Ok(()),
            Style::Trickiest(Replier::Erring(strength)) => strength.check(),
        }
    }

    /// Returns the best of drawing moves, which come first in `choices`: those whose replies most likely lose
    /// the draw.
    pub(super) fn of_draws(self, table: &Table, choices: &[Choice]) -> Result<Vec<Choice>, ProbeError> {
        let replier = match self {
            Style::Longest => Replier::Uniform,
            Style::Trickiest(replier) => replier,
        };
        let draws = choices.iter().take(TRICKS).filter(|choice| choice.value == Value::Draw);
        trickiest(table, replier, draws)
    }

    /// Returns the moves that this style prefers among `choices`, which all lose, the longest loss first.
    pub(super) fn of_losses(self, table: &Table, choices: &[Choice]) -> Result<Vec<Choice>, ProbeError> {
        let mut preferred = match self {
            Style::Longest => choices.to_vec(),
            Style::Trickiest(replier) => trickiest(table, replier, choices.iter().take(TRICKS))?,
        };
        let longest = preferred.first().map(|choice| choice.value);
        preferred.retain(|choice| Some(choice.value) == longest);
        Ok(preferred)
    }
}

/// Returns the moves with the greatest trick share, in their order.
fn trickiest<'a>(
    table: &Table,
    replier: Replier,
    choices: impl Iterator<Item = &'a Choice>,
) -> Result<Vec<Choice>, ProbeError> {
    let (mut most, mut best) = (0, Vec::new());
    for choice in choices {
        let share = trick_share(table, replier, choice)?;
        if share > most {
            (most, best) = (share, Vec::new());
        }
        if share == most {
            best.push(*choice);
        }
    }
    Ok(best)
}

/// Returns how likely the reply to `choice` makes the outcome worse for the side that replies, in millionths.
fn trick_share(table: &Table, replier: Replier, choice: &Choice) -> Result<u64, ProbeError> {
    let replies = table.best_moves(choice.position)?;
    let Some(best) = replies.first().map(Choice::worth) else { return Ok(0) };
    let stakes = Stakes::new(choice.position.turn, table.rules().undecided);
    Ok(match replier {
        Replier::Uniform => {
            let drops = replies.iter().filter(|reply| stakes.cost(best, reply.worth()).drop > 0).count();
            WHOLE * drops as u64 / replies.len() as u64
        }
        Replier::Erring(strength) => {
            let (dropping, all) = stakes.weigh(&strength, &replies);
            WHOLE / 1000 * u64::from(strength.errors) * dropping / all
        }
    })
}
