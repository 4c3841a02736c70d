//! The best reply to a policy without chance.

use super::{
    certain_game::CertainGame,
    error::PolicyError,
    policy_game::{PolicyGame, PolicyPosition},
};
use dragnet_formats::value::Value;
use dragnet_generator::{GameSolution, Generator, LineEnd, Observer, StopRequest};
use std::{cmp::Reverse, collections::HashSet, sync::atomic::AtomicBool};

/// The values of all positions against a policy that leaves nothing to chance: what the free side gets if it
/// plays best, and how soon.
#[derive(Debug)]
pub struct BestReply<'a> {
    solution: GameSolution<CertainGame<'a>>,
}

/// Returns the best reply to the policy of `game`, by the engine [`counters`](dragnet_generator::counters) on
/// the threads of `generator`. Takes 12 bytes for each pair of a post and a place, and what the engine's
/// frontiers take.
///
/// ```
/// use dragnet_formats::{board::text, cell::{Cell, Side}, rules::Rules, value::Value};
/// use dragnet_generator::Generator;
/// use dragnet_policy::{Ground, PolicyGame, PolicyPosition, best_reply, read_route};
///
/// // The officer walks up and down the left side; the thief in the middle waits for his turn.
/// let board = text::parse(b"....E\n.###.\n.....\n")?.board;
/// let ground = Ground::new(board, Rules::classic())?;
/// let patrol = read_route(&ground, Side::Police, "0,0 1,0 2,0 1,0")?;
/// let generator = Generator::new(1)?;
/// let game = PolicyGame::new(&ground, &patrol, &generator, &())?;
/// let reply = best_reply(&game, &generator, &())?;
/// let thief = ground.place(Side::Thief, &Cell::new(2, 2).into()).expect("an open cell");
/// let start = PolicyPosition { turn: Side::Police, post: 0, place: thief };
/// assert_eq!(reply.value(start), Value::Loss(8)); // the thief escapes with his fourth move
/// assert_eq!(reply.line(start).0.len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolicyError::HasChance`] when the policy draws lots; otherwise when the memory does not suffice, or the
/// observer stops the work.
pub fn best_reply<'a>(
    game: &'a PolicyGame<'a>,
    generator: &Generator,
    observer: &dyn Observer,
) -> Result<BestReply<'a>, PolicyError> {
    if game.has_chance() {
        return Err(PolicyError::HasChance);
    }
    let received = AtomicBool::new(false);
    let game = CertainGame::new(game, StopRequest::new(observer, &received))?;
    Ok(BestReply { solution: generator.solve_reversible(game, observer)? })
}

impl BestReply<'_> {
    /// Returns the value of a position for its side to move.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn value(&self, position: PolicyPosition) -> Value {
        self.solution.value_or_draw(self.solution.game().number(position))
    }

    /// Returns the positions after `position` if the free side plays best, and how the line ends: the winner
    /// takes the quickest way and the loser the slowest, of equals the first in reading order of the pieces
    /// after the move. A draw is played until a position repeats.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn line(&self, position: PolicyPosition) -> (Vec<PolicyPosition>, LineEnd) {
        let (mut line, mut seen, mut here) = (Vec::new(), HashSet::from([position]), position);
        loop {
            let moves = self.solution.game().game().moves(here).into_iter().map(|(to, _)| to);
            let Some(next) = moves.min_by_key(|&to| Reverse(self.value(to).score_for_mover())) else {
                return (line, LineEnd::Known(self.value(here)));
            };
            line.push(next);
            here = next;
            if !seen.insert(here) {
                return (line, LineEnd::Repetition);
            }
        }
    }
}
