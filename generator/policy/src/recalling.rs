//! A side that remembers where the other side stood.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use dragnet_formats::{cell::Side, pieces::Pieces};
use std::error::Error;

/// A side that draws its moves by lot, with weights by a function of the position and of where the other side
/// stood at this side's last turns. An opponent that reacts late plays so.
///
/// A post is a place together with the places of the other side at those turns: place + places · memory. The
/// memory is a number with a digit for each turn, the latest last; a digit is 0 for no turn, or 1 more than a
/// place.
///
/// The function is called with the pieces of the police and of the thief, and with the other side's pieces at
/// the turns before, the latest last, fewer at the beginning of a game. It returns the pieces after each move
/// with the weight of the move.
///
/// # Example
///
/// An officer who runs to where the thief was a turn ago.
///
/// ```
/// use dragnet_formats::{board::make, cell::{Cell, Side}, pieces::Pieces, rules::Rules, value::Value};
/// use dragnet_generator::Generator;
/// use dragnet_policy::{Ground, Policy, PolicyGame, PolicyPosition, Recalling, best_reply};
///
/// let ground = Ground::new(make::open(1, 5)?, Rules::classic())?;
/// let late = Recalling::new(&ground, Side::Police, 1, |[police, thief]: [Pieces; 2], seen: &[Pieces]| {
///     let (at, to) = (police.cell().col, seen.first().unwrap_or(&thief).cell().col);
///     let step = at + u16::from(to > at) - u16::from(to < at);
///     Ok(vec![(Cell::new(0, step).into(), 1.0)])
/// });
/// assert_eq!(late.posts(&ground), 5 * 6);
/// let generator = Generator::new(1)?;
/// let game = PolicyGame::new(&ground, &late, &generator, &())?;
/// let start = PolicyPosition { turn: Side::Police, post: 0, place: 2 };
/// // The thief runs to the end of the street, where the officer arrives a turn later.
/// assert_eq!(best_reply(&game, &generator, &())?.value(start), Value::Win(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recalling<'a, F> {
    ground: &'a Ground,
    side: Side,
    turns: u8,
    choose: F,
}

impl<'a, F> Recalling<'a, F>
where
    F: Fn([Pieces; 2], &[Pieces]) -> Result<Vec<(Pieces, f64)>, Box<dyn Error + Send + Sync>> + Sync,
{
    /// Creates the policy of `side` that remembers so many turns.
    pub fn new(ground: &'a Ground, side: Side, turns: u8, choose: F) -> Recalling<'a, F> {
        Recalling { ground, side, turns, choose }
    }

    fn places(&self) -> u64 {
        self.ground.places(self.side) as u64
    }

    /// Returns the number of values of a digit of a memory.
    fn digits(&self) -> u64 {
        self.ground.places(self.side.other()) as u64 + 1
    }

    /// Returns the number of memories.
    fn memories(&self) -> u64 {
        self.digits().saturating_pow(self.turns.into())
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

impl<F> Policy for Recalling<'_, F>
where
    F: Fn([Pieces; 2], &[Pieces]) -> Result<Vec<(Pieces, f64)>, Box<dyn Error + Send + Sync>> + Sync,
{
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
        let pieces = match self.side {
            Side::Police => [own, other],
            Side::Thief => [other, own],
        };
        let moves = (self.choose)(pieces, &self.seen(memory)).map_err(PolicyError::Own)?;
        let memory = (memory * self.digits() + u64::from(place) + 1) % self.memories();
        for (to, weight) in moves {
            let place = self.ground.place(self.side, &to);
            let place = place.ok_or(PolicyError::IllegalMove { side: self.side, at: own, other, to })?;
            let post = u64::from(place) + self.places() * memory;
            choices.push(PolicyMove { post: post as u32, weight });
        }
        Ok(())
    }
}
