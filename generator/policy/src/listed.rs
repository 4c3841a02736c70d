//! A table of moves.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    greedy::Greedy,
    ground::Ground,
};
use dragnet_formats::cell::Side;
use std::collections::HashMap;

/// The moves of a side in the positions that its table of moves does not list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Otherwise {
    /// The side stays where it is. A position in which the rules do not let it stay must be listed.
    #[default]
    Stay,
    /// The side moves as a [`Greedy`] one does.
    Greedy,
    /// The side draws one of its legal moves by lot, each with the same probability.
    Random,
}

/// A side that looks its moves up in a list. Several moves of one position are drawn by lot, in proportion to
/// their weights. [`read_moves`](super::read_moves) reads a list from a text.
#[derive(Clone, Debug)]
pub struct ListedMoves<'a> {
    ground: &'a Ground,
    side: Side,
    /// The moves by the place of the side and that of the other side; `None` stands for all places of the
    /// other side.
    moves: HashMap<(u32, Option<u32>), Vec<PolicyMove>>,
    otherwise: Otherwise,
    greedy: Option<Greedy<'a>>,
}

impl<'a> ListedMoves<'a> {
    /// Creates the policy of `side` with an empty list.
    #[must_use]
    pub fn new(ground: &'a Ground, side: Side, otherwise: Otherwise) -> ListedMoves<'a> {
        let greedy = (otherwise == Otherwise::Greedy).then(|| Greedy::new(ground, side));
        ListedMoves { ground, side, moves: HashMap::new(), otherwise, greedy }
    }

    /// Adds the move from `place` to the place `to` with a weight, while the other side stands at `other`. A
    /// move for all places of the other side, `None`, is made only where none is listed for the one place.
    ///
    /// # Errors
    /// [`PolicyError::IllegalMove`] when the rules do not have the move.
    ///
    /// # Panics
    /// If a side has no such place.
    pub fn add(&mut self, place: u32, other: Option<u32>, to: u32, weight: f64) -> Result<(), PolicyError> {
        if self.ground.moves(self.side, place).binary_search(&to).is_err() {
            let pieces = |place| self.ground.pieces(self.side, place);
            let other = self.ground.pieces(self.side.other(), other.unwrap_or(0));
            return Err(PolicyError::IllegalMove {
                side: self.side,
                at: pieces(place),
                other,
                to: pieces(to),
            });
        }
        self.moves.entry((place, other)).or_default().push(PolicyMove { post: to, weight });
        Ok(())
    }
}

impl Policy for ListedMoves<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        let listed = self.moves.get(&(post, Some(place))).or_else(|| self.moves.get(&(post, None)));
        let moves = self.ground.moves(self.side, post);
        match (listed, self.otherwise, &self.greedy) {
            (Some(listed), ..) => choices.extend_from_slice(listed),
            (None, _, Some(greedy)) => greedy.choose(post, place, choices)?,
            (None, Otherwise::Random, _) => choices.extend(moves.iter().map(|&to| PolicyMove::certain(to))),
            (None, ..) if moves.binary_search(&post).is_ok() => choices.push(PolicyMove::certain(post)),
            (None, ..) => {
                let (side, at) = (self.side, self.ground.pieces(self.side, post));
                let other = self.ground.pieces(side.other(), place);
                return Err(PolicyError::NotListed { side, at, other });
            }
        }
        Ok(())
    }
}
