//! The game of the free side against a policy.

use super::{choices::Choices, definition::Policy, error::PolicyError, ground::Ground};
use dragnet_formats::{cell::Side, pieces::Pieces, value::Value};
use dragnet_generator::{Generator, Observer, Stage, StopRequest};
use std::sync::atomic::AtomicBool;

/// A position of the game against a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyPosition {
    /// The side to move.
    pub turn: Side,
    /// The post of the fixed side.
    pub post: u32,
    /// The place of the free side.
    pub place: u32,
}

/// The game on a [`Ground`] in which one side, the *fixed* one, follows a [`Policy`], and the *free* side
/// plays as it likes.
///
/// Takes 4 bytes for each pair of a post and a place of the free side, and some 16 bytes for each different
/// choice of the policy.
#[derive(Debug)]
pub struct PolicyGame<'a> {
    ground: &'a Ground,
    fixed: Side,
    /// The place of each post.
    places: Vec<u32>,
    /// Whether a game may begin at each post.
    starts: Vec<bool>,
    choices: Choices,
}

/// The most pairs of a post and a place, so that two positions for each can be numbered in 32 bits.
const MOST_PAIRS: u64 = 1 << 31;

impl<'a> PolicyGame<'a> {
    /// Asks `policy` in every position in which its side moves, on the threads of `generator`.
    ///
    /// # Errors
    /// When there are too many positions, the policy fails or makes a move that is not legal, the memory does
    /// not suffice, or the observer stops the work.
    pub fn new(
        ground: &'a Ground,
        policy: &impl Policy,
        generator: &Generator,
        observer: &dyn Observer,
    ) -> Result<PolicyGame<'a>, PolicyError> {
        let fixed = policy.side();
        let (posts, others) = (policy.posts(ground), ground.places(fixed.other()) as u64);
        if posts > MOST_PAIRS / others {
            return Err(PolicyError::TooManyPairs { posts, places: others, most: MOST_PAIRS });
        }
        observer.stage(Stage::Asking { positions: posts * others });
        let choices = generator.install(|| Choices::new(ground, policy, posts as usize, observer))?;
        Ok(PolicyGame {
            ground,
            fixed,
            places: (0..posts as u32).map(|post| policy.place(post)).collect(),
            starts: (0..posts as u32).map(|post| policy.is_start(post)).collect(),
            choices,
        })
    }

    /// Returns the most bytes of memory that a game of so many posts and places of the free side takes with
    /// all that is computed of it, with chance or without: an estimate from above.
    #[must_use]
    pub fn memory_needed(posts: u64, places: u64, chance: bool) -> u64 {
        let pairs = posts.saturating_mul(places);
        pairs.saturating_mul(if chance { 250 } else { 24 })
    }

    /// Returns the ground.
    #[must_use]
    pub fn ground(&self) -> &'a Ground {
        self.ground
    }

    /// Returns the side that follows the policy.
    #[must_use]
    pub fn fixed_side(&self) -> Side {
        self.fixed
    }

    /// Returns the side that plays as it likes.
    #[must_use]
    pub fn free_side(&self) -> Side {
        self.fixed.other()
    }

    /// Returns the number of posts.
    #[must_use]
    pub fn posts(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of places of the free side.
    #[must_use]
    pub fn places(&self) -> usize {
        self.ground.places(self.free_side())
    }

    /// Returns the place of a post.
    ///
    /// # Panics
    /// If there is no such post.
    #[must_use]
    #[inline]
    pub fn place_of(&self, post: u32) -> u32 {
        self.places[post as usize]
    }

    /// Returns the first post at `place` in which a game may begin, or `None` if there is none.
    #[must_use]
    pub fn start_post(&self, place: u32) -> Option<u32> {
        let mut posts = self.places.iter().zip(&self.starts);
        let found = posts.position(|(&other, &is_start)| is_start && other == place);
        found.map(|post| post as u32)
    }

    /// Returns whether the policy draws lots in some position.
    #[must_use]
    pub fn has_chance(&self) -> bool {
        !self.choices.are_certain()
    }

    /// Returns what the policy does in the positions in which it moves.
    pub(super) fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the places of the police and of the thief in a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn both_places(&self, position: PolicyPosition) -> [u32; 2] {
        let (fixed, free) = (self.place_of(position.post), position.place);
        match self.fixed {
            Side::Police => [fixed, free],
            Side::Thief => [free, fixed],
        }
    }

    /// Returns the cells of the police and of the thief in a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn pieces(&self, position: PolicyPosition) -> [Pieces; 2] {
        let [police, thief] = self.both_places(position);
        [self.ground.pieces(Side::Police, police), self.ground.pieces(Side::Thief, thief)]
    }

    /// Returns all positions in which a game may begin, those with the police to move first.
    pub fn starts(&self) -> impl Iterator<Item = PolicyPosition> + '_ {
        let posts = |turn| (0..self.posts() as u32).map(move |post| (turn, post));
        let posts = Side::BOTH.into_iter().flat_map(posts).filter(|&(_, post)| self.starts[post as usize]);
        let places = self.places() as u32;
        posts.flat_map(move |(turn, post)| (0..places).map(move |place| PolicyPosition { turn, post, place }))
    }

    /// Calls `each` with all starts that are not decided without a move, in their order.
    ///
    /// # Errors
    /// [`PolicyError::Stopped`] when the observer stops the work.
    pub(crate) fn for_each_open_start(
        &self,
        observer: &dyn Observer,
        mut each: impl FnMut(PolicyPosition),
    ) -> Result<(), PolicyError> {
        let received = AtomicBool::new(false);
        let (stop, mut looks) = (StopRequest::new(observer, &received), 0);
        stop.check()?;
        for position in self.starts().filter(|&position| self.known(position).is_none()) {
            if stop.ask_at_times(&mut looks) {
                return Err(PolicyError::Stopped);
            }
            each(position);
        }
        Ok(())
    }

    /// Returns the value of a position that is decided without a move, for the side to move: it is terminal,
    /// or its side to move is stuck.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    #[inline]
    pub fn known(&self, position: PolicyPosition) -> Option<Value> {
        let [police, thief] = self.both_places(position);
        if let Some(winner) = self.ground.winner(police, thief) {
            return Some(Value::terminal(winner, position.turn));
        }
        let mover = if position.turn == Side::Police { police } else { thief };
        let stuck = self.ground.moves(position.turn, mover).is_empty();
        stuck.then(|| self.ground.rules().stuck.value())
    }

    /// Returns the positions to which moves lead, in reading order of the pieces after the move, each with
    /// its probability if the policy moves, which is above 0, and with 1 if the free side does. None if the
    /// position is [known](PolicyGame::known).
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn moves(&self, position: PolicyPosition) -> Vec<(PolicyPosition, f64)> {
        let PolicyPosition { turn, post, place } = position;
        let after = turn.other();
        let mut moves: Vec<(PolicyPosition, f64)> = if self.known(position).is_some() {
            Vec::new()
        } else if turn == self.fixed {
            let (posts, shares) = self.choices.of(self.pair(post, place));
            let to = |(&post, &share)| (PolicyPosition { turn: after, post, place }, share);
            posts.iter().zip(shares).map(to).collect()
        } else {
            let to = |&place| (PolicyPosition { turn: after, post, place }, 1.0);
            self.ground.moves(turn, place).iter().map(to).collect()
        };
        if turn == Side::Police {
            // The numbers of teams have another order.
            moves.sort_by_key(|&(to, _)| self.ground.officers(self.both_places(to)[0]));
        }
        moves
    }

    /// Returns the number of a pair of a post and a place of the free side.
    #[inline(always)]
    pub(super) fn pair(&self, post: u32, place: u32) -> usize {
        post as usize * self.places() + place as usize
    }

    /// Returns the number of pairs of a post and a place of the free side.
    pub(super) fn pairs(&self) -> usize {
        self.posts() * self.places()
    }
}
