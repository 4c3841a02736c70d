//! The style of an opponent that cannot win: to hold out for long, or to set traps.

use crate::{
    ProbeError,
    moves::Choice,
    opponent::{
        cost::Stakes,
        strength::{RangeError, Strength},
        valued_game::ValuedGame,
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

    /// Keeps the best of drawing moves, which come first in `choices`: those whose replies most likely lose
    /// the draw. `replies` is scratch for moves.
    pub(super) fn prefer_draws<G: ValuedGame>(
        self,
        game: &G,
        choices: &mut Vec<Choice>,
        replies: &mut Vec<Choice>,
    ) -> Result<(), ProbeError> {
        let replier = match self {
            Style::Longest => Replier::Uniform,
            Style::Trickiest(replier) => replier,
        };
        choices.truncate(TRICKS);
        choices.retain(|choice| choice.value == Value::Draw);
        keep_trickiest(game, replier, choices, replies)
    }

    /// Keeps the moves that this style prefers among `choices`, which all lose, the longest loss first.
    /// `replies` is scratch for moves.
    pub(super) fn prefer_losses<G: ValuedGame>(
        self,
        game: &G,
        choices: &mut Vec<Choice>,
        replies: &mut Vec<Choice>,
    ) -> Result<(), ProbeError> {
        if let Style::Trickiest(replier) = self {
            choices.truncate(TRICKS);
            keep_trickiest(game, replier, choices, replies)?;
        }
        let longest = choices.first().map(|choice| choice.value);
        choices.retain(|choice| Some(choice.value) == longest);
        Ok(())
    }
}

/// Keeps the moves with the greatest trick share, in their order.
fn keep_trickiest<G: ValuedGame>(
    game: &G,
    replier: Replier,
    choices: &mut Vec<Choice>,
    replies: &mut Vec<Choice>,
) -> Result<(), ProbeError> {
    let (mut most, mut kept) = (0, 0);
    for at in 0..choices.len() {
        let share = trick_share(game, replier, &choices[at], replies)?;
        if share > most {
            (most, kept) = (share, 0);
        }
        if share == most {
            choices[kept] = choices[at];
            kept += 1;
        }
    }
    choices.truncate(kept);
    Ok(())
}

/// Returns how likely the reply to `choice` makes the outcome worse for the side that replies, in millionths.
fn trick_share<G: ValuedGame>(
    game: &G,
    replier: Replier,
    choice: &Choice,
    replies: &mut Vec<Choice>,
) -> Result<u64, ProbeError> {
    game.best_moves_into(choice.position, replies)?;
    let Some(best) = replies.first().map(Choice::worth) else { return Ok(0) };
    let stakes = Stakes::new(choice.position.turn, game.undecided());
    Ok(match replier {
        Replier::Uniform => {
            let drops = replies.iter().filter(|reply| stakes.cost(best, reply.worth()).drop > 0).count();
            WHOLE * drops as u64 / replies.len() as u64
        }
        Replier::Erring(strength) => {
            let weights = stakes.weigh(&strength, replies);
            WHOLE / 1000 * u64::from(strength.errors) * weights.dropping / weights.lots()
        }
    })
}
