//! An opponent of a strength as a policy.

use dragnet_formats::{cell::Side, pieces::Pieces};
use dragnet_generator::policy::{Ground, Policy, PolicyError, PolicyMove};
use dragnet_probe::{
    Position, Table,
    opponent::{Opponent, Strength, Style},
};
use std::sync::{Mutex, PoisonError};

/// A side that plays like an opponent of a strength, in the style that holds out longest.
///
/// A post is a place together with the places of the other side at the opponent's last turns, as many as its
/// reaction: place + places · memory. The memory is a number with a digit for each of these turns, the latest
/// last; a digit is 0 for no turn, or 1 more than a place.
pub(super) struct OpponentPolicy<'a> {
    ground: &'a Ground,
    table: &'a Table,
    side: Side,
    strength: Strength,
    /// Opponents that no thread is asking.
    idle: Mutex<Vec<Opponent>>,
}

impl<'a> OpponentPolicy<'a> {
    /// Creates the policy of `side` with the values of `table`, the table of `ground`.
    pub(super) fn new(
        ground: &'a Ground,
        table: &'a Table,
        side: Side,
        strength: Strength,
    ) -> OpponentPolicy<'a> {
        OpponentPolicy { ground, table, side, strength, idle: Mutex::new(Vec::new()) }
    }

    fn places(&self) -> u64 {
        self.ground.places(self.side) as u64
    }

    /// Returns the number of digits that a digit of a memory can be.
    fn digits(&self) -> u64 {
        self.ground.places(self.side.other()) as u64 + 1
    }

    /// Returns the number of memories.
    fn memories(&self) -> u64 {
        self.digits().saturating_pow(self.strength.reaction.into())
    }

    /// Returns the other side's pieces at the turns of a memory, the latest last.
    fn seen(&self, mut memory: u64) -> Vec<Pieces> {
        let mut seen = Vec::new();
        while memory > 0 {
            let digit = memory % self.digits();
            if digit > 0 {
                seen.push(self.ground.pieces(self.side.other(), (digit - 1) as u32));
            }
            memory /= self.digits();
        }
        seen.reverse();
        seen
    }
}

impl Policy for OpponentPolicy<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn posts(&self, _ground: &Ground) -> u64 {
        self.places().saturating_mul(self.memories())
    }

    fn place(&self, post: u32) -> u32 {
        (u64::from(post) % self.places()) as u32
    }

    fn is_start(&self, post: u32) -> bool {
        u64::from(post) < self.places()
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        let memory = u64::from(post) / self.places();
        let own = self.ground.pieces(self.side, self.place(post));
        let other = self.ground.pieces(self.side.other(), place);
        let (police, thief) = match self.side {
            Side::Police => (own, other.cell()),
            Side::Thief => (other, own.cell()),
        };
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let free = idle().pop();
        let mut opponent = match free {
            Some(opponent) => opponent,
            None => Opponent::new(self.strength, Style::Longest, 0)
                .map_err(|error| PolicyError::Own(error.into()))?,
        };
        let position = Position { police, thief, turn: self.side };
        let mut moves = Vec::new();
        let found = opponent.probabilities(self.table, position, &self.seen(memory), &mut moves);
        idle().push(opponent);
        found.map_err(|error| PolicyError::Own(error.into()))?;
        let memory = (memory * self.digits() + u64::from(place) + 1) % self.memories();
        for (choice, weight) in moves {
            let to = self.ground.place(self.side, &choice.to).expect("moves lead to open cells");
            let post = u64::from(to) + self.places() * memory;
            choices.push(PolicyMove { post: post as u32, weight });
        }
        Ok(())
    }
}
