//! Policies: how one side chooses its moves.

use super::{error::PolicyError, ground::Ground};
use dragnet_formats::cell::Side;

/// A fixed way to choose the moves of one side of the game on a [`Ground`], perhaps by chance.
///
/// A *post* is a place of the side together with what the policy remembers, such as the step of a patrol. So
/// the next move depends on the post and on the place of the other side alone. Posts are numbered from 0.
///
/// # Example
///
/// A thief who always runs to the last cell of his moves in reading order.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, rules::Rules, value::Value};
/// use dragnet_generator::Generator;
/// use dragnet_policy::{Ground, Policy, PolicyError, PolicyGame, PolicyMove, PolicyPosition, best_reply};
///
/// struct Southward<'a>(&'a Ground);
///
/// impl Policy for Southward<'_> {
///     fn side(&self) -> Side {
///         Side::Thief
///     }
///     fn choose(&self, post: u32, _: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
///         choices.extend(self.0.moves(Side::Thief, post).last().map(|&post| PolicyMove::certain(post)));
///         Ok(())
///     }
/// }
///
/// let ground = Ground::new(make::open(4, 4)?, Rules::classic())?;
/// let generator = Generator::new(1)?;
/// let game = PolicyGame::new(&ground, &Southward(&ground), &generator, &())?;
/// let reply = best_reply(&game, &generator, &())?;
/// // The officer in one corner catches the thief in the other as soon as he can get there.
/// let start = PolicyPosition { turn: Side::Police, post: 15, place: 0 };
/// assert_eq!(reply.value(start), Value::Win(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Policy: Sync {
    /// Returns the side that follows the policy.
    fn side(&self) -> Side;

    /// Returns the number of posts on `ground`. By default each place of the side is one, as for a policy
    /// that remembers nothing.
    fn posts(&self, ground: &Ground) -> u64 {
        ground.places(self.side()) as u64
    }

    /// Returns the place of a post: where the side's pieces stand, by its number on the [`Ground`]. By
    /// default it has the number of the post.
    fn place(&self, post: u32) -> u32 {
        post
    }

    /// Returns whether a game may begin at `post`. By default it may begin at each.
    fn is_start(&self, _post: u32) -> bool {
        true
    }

    /// Appends to `choices`, which is empty, the posts to which the policy goes from `post` while the other
    /// side stands at `place`. Only called if the position is not terminal and the side can move. Must give
    /// the same each time.
    ///
    /// # Errors
    /// As the policy sees fit: [`PolicyError::Own`].
    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError>;
}

/// One of the moves that a policy makes in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyMove {
    /// The post after the move, whose place must be the target of a legal move.
    pub post: u32,
    /// The weight of the move, from 0 to 2^53. Its probability is its share of the sum of all weights.
    pub weight: f64,
}

impl PolicyMove {
    /// The greatest weight of a move.
    pub const MOST_WEIGHT: f64 = (1u64 << 53) as f64;

    /// Returns the only move of a policy that leaves nothing to chance.
    #[must_use]
    pub fn certain(post: u32) -> PolicyMove {
        PolicyMove { post, weight: 1.0 }
    }
}
