//! A walk at random.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use dragnet_formats::{cell::Side, rules::Wrap};
use std::collections::HashSet;

/// A side that draws its move by lot, whatever the other side does: each legal move with the same
/// probability, or with a probability in proportion to a weight of its offset.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, rules::Rules};
/// use dragnet_policy::{Ground, Policy, RandomWalk};
///
/// let ground = Ground::new(make::open(3, 3)?, Rules::classic())?;
/// let eastward = RandomWalk::new(&ground, Side::Thief).with_weights(&[((0, 1), 3.0), ((0, 0), 0.0)])?;
/// let mut choices = Vec::new();
/// eastward.choose(0, 8, &mut choices)?;
/// // From the corner he goes east three times as often as south, and never stays.
/// assert_eq!(choices.iter().map(|choice| choice.weight).collect::<Vec<_>>(), [0.0, 3.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomWalk<'a> {
    ground: &'a Ground,
    side: Side,
    /// The weights of some offsets (rows down, columns right).
    weights: Vec<((i32, i32), f64)>,
}

impl<'a> RandomWalk<'a> {
    /// Creates the walk of `side` in which all legal moves are equally likely.
    #[must_use]
    pub fn new(ground: &'a Ground, side: Side) -> RandomWalk<'a> {
        RandomWalk { ground, side, weights: Vec::new() }
    }

    /// Returns the walk with other weights of some offsets (rows down, columns right); (0, 0) is to pass. All
    /// other moves have the weight 1. Where all legal moves have the weight 0 they are equally likely. Over
    /// joined edges an offset is the shorter way, and of two ways as long as each other the one that crosses
    /// no edge.
    ///
    /// # Errors
    /// When the side has several pieces, the board is a graph, an offset stands there twice, or no move on
    /// this board has an offset with a weight above 0.
    pub fn with_weights(self, weights: &[((i32, i32), f64)]) -> Result<RandomWalk<'a>, PolicyError> {
        let (ground, side) = (self.ground, self.side);
        let single = side == Side::Thief || ground.rules().officers == 1;
        if !weights.is_empty() && (!single || ground.board().graph().is_some()) {
            return Err(PolicyError::NoOffsets);
        }
        let places = 0..ground.places(side) as u32;
        let of_place = |from| ground.moves(side, from).iter().map(move |&to| (from, to));
        let known: HashSet<(i32, i32)> = match weights {
            [] => HashSet::new(),
            _ => places.flat_map(of_place).map(|(from, to)| self.offset(from, to)).collect(),
        };
        for (at, &(offset, weight)) in weights.iter().enumerate() {
            let again = weights[..at].iter().any(|&(other, _)| other == offset);
            if again || weight != 0.0 && !known.contains(&offset) {
                let (rows, columns) = offset;
                return Err(PolicyError::Offset { side, rows, columns, again });
            }
        }
        Ok(RandomWalk { weights: weights.to_vec(), ..self })
    }

    /// Returns the offset of a move of a single piece.
    fn offset(&self, from: u32, to: u32) -> (i32, i32) {
        let [from, to] = [from, to].map(|place| self.ground.pieces(self.side, place).cell());
        let (board, wrap): (_, Wrap) = (self.ground.board(), self.ground.rules().wrap);
        let along = |from: u16, to: u16, length: u16, joined: bool| {
            let (straight, length) = (i32::from(to) - i32::from(from), i32::from(length));
            match joined {
                true if 2 * straight > length => straight - length,
                true if 2 * straight < -length => straight + length,
                _ => straight,
            }
        };
        (
            along(from.row, to.row, board.height(), wrap.vertical()),
            along(from.col, to.col, board.width(), wrap.horizontal()),
        )
    }
}

impl Policy for RandomWalk<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn choose(&self, post: u32, _place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        choices.extend(self.ground.moves(self.side, post).iter().map(|&to| {
            let given = (!self.weights.is_empty()).then(|| self.offset(post, to));
            let weight = self.weights.iter().find(|&&(offset, _)| Some(offset) == given);
            PolicyMove { post: to, weight: weight.map_or(1.0, |&(_, weight)| weight) }
        }));
        if choices.iter().all(|choice| choice.weight == 0.0) {
            choices.iter_mut().for_each(|choice| choice.weight = 1.0);
        }
        Ok(())
    }
}
