//! The game against a policy without chance, for the `counters` engine.

use super::policy_game::{PolicyGame, PolicyPosition};
use dragnet_formats::{game::MoveTable, value::Value};
use dragnet_generator::{Game, Reversible, SolveError, Start, StopRequest, grow_exact};
use std::ops::Range;

/// The game against a policy that leaves nothing to chance. The number of a position is (turn · posts + post)
/// · places + place, with turn 0 for the fixed side. Takes 8 bytes for each pair of a post and a place beside
/// the game.
#[derive(Debug)]
pub(super) struct CertainGame<'a> {
    game: &'a PolicyGame<'a>,
    places: usize,
    pairs: usize,
    /// Where the posts begin from which the policy goes to the post of a pair, with the free side at its
    /// place; and the end of the last.
    starts: Vec<u32>,
    posts_back: Vec<u32>,
    /// The moves of the free side taken back.
    moves_back: MoveTable,
    /// How many low bits of a post's number, and of a place's, are dropped to get the number of its lane.
    lane_bits: [u32; 2],
}

/// The most lanes per side to move, as many as the pursuit game has.
const LANES: usize = 64;

impl<'a> CertainGame<'a> {
    /// Creates the game of a policy without chance.
    ///
    /// # Errors
    /// When the memory does not suffice, or the work is to stop.
    pub(super) fn new(game: &'a PolicyGame<'a>, stop: StopRequest) -> Result<CertainGame<'a>, SolveError> {
        let (places, pairs) = (game.places(), game.pairs());
        let (mut starts, mut posts_back) = (Vec::new(), Vec::new());
        grow_exact(&mut starts, pairs + 1).map_err(SolveError::OutOfMemory)?;
        grow_exact(&mut posts_back, pairs).map_err(SolveError::OutOfMemory)?;
        starts.resize(pairs + 1, 0);
        let target = |pair: usize| {
            let (posts, _) = game.choices().of(pair);
            posts.first().map(|&post| game.pair(post, (pair % places) as u32))
        };
        for post in 0..game.posts() {
            stop.check()?;
            (post * places..(post + 1) * places).filter_map(target).for_each(|to| starts[to + 1] += 1);
        }
        for at in 0..pairs {
            starts[at + 1] += starts[at];
        }
        posts_back.resize(starts[pairs] as usize, 0);
        // Each start serves as the place of its next post, and ends as the start of the next pair.
        for post in 0..game.posts() {
            stop.check()?;
            for to in (post * places..(post + 1) * places).filter_map(target) {
                posts_back[starts[to] as usize] = post as u32;
                starts[to] += 1;
            }
        }
        starts.copy_within(0..pairs, 1);
        starts[0] = 0;
        Ok(CertainGame {
            places,
            pairs,
            starts,
            posts_back,
            moves_back: game.ground().moves_back(game.free_side(), stop)?,
            lane_bits: [game.posts(), places].map(lane_bits),
            game,
        })
    }

    /// Returns the game against the policy.
    pub(super) fn game(&self) -> &'a PolicyGame<'a> {
        self.game
    }

    /// Returns the number of a position.
    #[inline]
    pub(super) fn number(&self, position: PolicyPosition) -> u64 {
        let pair = self.game.pair(position.post, position.place);
        (if position.turn == self.game.fixed_side() { pair } else { self.pairs + pair }) as u64
    }

    /// Returns the position with a number.
    #[inline]
    pub(super) fn position(&self, number: u64) -> PolicyPosition {
        let number = number as usize;
        let (turn, pair) = match number.checked_sub(self.pairs) {
            None => (self.game.fixed_side(), number),
            Some(pair) => (self.game.free_side(), pair),
        };
        PolicyPosition { turn, post: (pair / self.places) as u32, place: (pair % self.places) as u32 }
    }
}

/// Returns how many low bits of the numbers below `count` must be dropped to leave at most [`LANES`]
/// different ones.
fn lane_bits(count: usize) -> u32 {
    (count.saturating_sub(1) >> LANES.ilog2()).checked_ilog2().map_or(0, |bits| bits + 1)
}

impl Game for CertainGame<'_> {
    fn positions(&self) -> u64 {
        2 * self.pairs as u64
    }

    fn start(&self, position: u64) -> Start {
        self.game.known(self.position(position)).map_or(Start::Open, Start::Known)
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        let PolicyPosition { turn, post, place } = self.position(position);
        let ground = self.game.ground();
        if turn == self.game.fixed_side() {
            let (posts, _) = self.game.choices().of(self.game.pair(post, place));
            posts.iter().for_each(|&post| each((self.pairs + self.game.pair(post, place)) as u64));
        } else {
            let moves = ground.moves(turn, place).iter();
            moves.for_each(|&place| each(self.game.pair(post, place) as u64));
        }
    }

    fn stuck(&self, _position: u64) -> Value {
        self.game.ground().rules().stuck.value()
    }
}

impl Reversible for CertainGame<'_> {
    fn has_kept_turns(&self) -> bool {
        false
    }

    fn lanes(&self) -> usize {
        2 * LANES
    }

    /// Returns the range of posts or of places that `position` is in. With the fixed side to move the
    /// predecessors have the same post, with the free side to move the same place.
    #[inline]
    fn lane(&self, position: u64) -> usize {
        let position = self.position(position);
        if position.turn == self.game.fixed_side() {
            (position.post >> self.lane_bits[0]) as usize
        } else {
            LANES + (position.place >> self.lane_bits[1]) as usize
        }
    }

    fn for_each_start(&self, range: Range<u64>, mut each: impl FnMut(u64, Start, u32)) {
        for number in range {
            let position = self.position(number);
            let moves = match position.turn == self.game.fixed_side() {
                true => 1,
                false => self.game.ground().moves(position.turn, position.place).len() as u32,
            };
            each(number, self.start(number), moves);
        }
    }

    #[inline]
    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        let number = position as usize;
        match number.checked_sub(self.pairs) {
            None => {
                let (post, place) = (number / self.places, number % self.places);
                let first = self.pairs + post * self.places;
                let from = self.moves_back.of(place);
                from.iter().for_each(|&place| each((first + place as usize) as u64));
            }
            Some(pair) => {
                let place = pair % self.places;
                let range = self.starts[pair] as usize..self.starts[pair + 1] as usize;
                let from = &self.posts_back[range];
                from.iter().for_each(|&post| each((post as usize * self.places + place) as u64));
            }
        }
    }
}
