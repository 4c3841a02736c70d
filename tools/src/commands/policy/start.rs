//! The position in which the game against a policy begins.

use super::spec::PolicySpec;
use crate::{
    failure::Failure,
    input::{
        arguments::{cell, pieces},
        boards::StartCells,
    },
    output::human,
};
use clap::Args;
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use dragnet_policy::{PolicyGame, PolicyPosition};
use std::str::FromStr;

/// Where the game begins that is shown move by move.
#[derive(Args)]
pub(super) struct StartArguments {
    /// Where the pieces stand, cells as ROW,COL, several officers' joined by +; on a graph a cell is a vertex
    /// [default: the marks P and T of the board; a patrol stands on its first cell]
    #[arg(long, value_name = "POLICE/THIEF")]
    from: Option<GivenPlaces>,
    /// The side to move: police or thief [default: police]
    #[arg(long, value_name = "SIDE")]
    turn: Option<Side>,
    /// The step of its route, from 0, at which a patrol stands [default: the first one at its cell]
    #[arg(long, value_name = "N")]
    step: Option<u32>,
}

/// The places of both sides on the command line.
#[derive(Clone, Debug)]
struct GivenPlaces {
    police: Pieces,
    thief: Cell,
}

impl FromStr for GivenPlaces {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenPlaces, String> {
        let (police, thief) = text.split_once('/').ok_or("expected POLICE/THIEF, for example 0,3/7,7")?;
        let police = pieces(police).map_err(|error| error.to_string())?;
        Ok(GivenPlaces { police, thief: cell(thief).map_err(|error| error.to_string())? })
    }
}

impl StartArguments {
    /// Returns the position in which the game begins, or `None` if the user names none and the board marks
    /// none.
    pub(super) fn position(
        &self,
        game: &PolicyGame,
        spec: &PolicySpec,
        marked: Option<&StartCells>,
    ) -> Result<Option<PolicyPosition>, Failure> {
        let (fixed, free) = (game.fixed_side(), game.free_side());
        let is_patrol = matches!(spec, PolicySpec::Patrol(_));
        if self.step.is_some() && !is_patrol {
            return Err(Failure::input("--step is for patrols, and the policy is none"));
        }
        let marked = |side| match (marked, side) {
            (Some(marked), Side::Police) => Pieces::new(&marked.police).ok(),
            (Some(marked), Side::Thief) => marked.thief.map(Pieces::one),
            (None, _) => None,
        };
        let pieces = |side| match &self.from {
            Some(given) if side == Side::Police => Some(given.police),
            Some(given) => Some(given.thief.into()),
            None => marked(side),
        };
        let Some(free_pieces) = pieces(free) else { return self.require_nothing() };
        let place = |side, pieces: &Pieces| {
            let found = human::pieces(game.ground().board(), pieces);
            let wrong = || Failure::input(format!("expected open cells for the {side}, found {found}"));
            game.ground().place(side, pieces).ok_or_else(wrong)
        };
        let free_place = place(free, &free_pieces)?;
        let post = match (self.step, pieces(fixed)) {
            (Some(step), _) if step as usize >= game.posts() => {
                let last = game.posts() - 1;
                return Err(Failure::input(format!(
                    "--step: expected a step from 0 to {last}, found {step}"
                )));
            }
            (Some(step), given) => {
                let there = game.ground().pieces(fixed, game.place_of(step));
                if self.from.is_some() && given != Some(there) {
                    return Err(Failure::input(format!(
                        "at step {step} the {fixed} stands on {there}, which is not where --from has it"
                    )));
                }
                step
            }
            (None, Some(given)) => {
                let found = game.start_post(place(fixed, &given)?);
                let (name, hint) = match self.from {
                    Some(_) => ("--from", "--from POLICE/THIEF names another cell"),
                    None => ("the mark of the board", "--step N begins at a step of the route"),
                };
                found.ok_or_else(|| {
                    let first = game.ground().pieces(fixed, game.place_of(0));
                    Failure::input(format!(
                        "{name}: expected the {fixed} on its route, which begins on {first}, found {given}"
                    ))
                    .with_hint(hint)
                })?
            }
            (None, None) if is_patrol => 0,
            (None, None) => return self.require_nothing(),
        };
        let turn = self.turn.unwrap_or(Side::Police);
        Ok(Some(PolicyPosition { turn, post, place: free_place }))
    }

    /// Returns no position, if nothing says more about it.
    fn require_nothing(&self) -> Result<Option<PolicyPosition>, Failure> {
        if self.turn.is_some() || self.step.is_some() {
            return Err(Failure::input("expected --from POLICE/THIEF: the board marks no P and T"));
        }
        Ok(None)
    }
}
