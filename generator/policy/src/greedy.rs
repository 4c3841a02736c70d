//! A chase or a flight along shortest paths.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use dragnet_formats::{cell::Side, game::MoveTable, pieces::Pieces};
use smallvec::SmallVec;
use std::{cmp::Reverse, sync::OnceLock};

/// A side that looks one move ahead at the distance to the other side. The police makes it as small as it
/// can, the thief as great as he can.
///
/// The distance from a place of the mover is the number of its own turns to the other side's cell, or the
/// number of open cells if there is no way. Of several officers the one nearest to the thief counts, and for
/// the police among equals the sum of all their distances. Of equal moves the first one in reading order is
/// made: that of a team whose sorted list of cells comes first. Exits play no role.
#[derive(Clone, Debug)]
pub struct Greedy<'a> {
    ground: &'a Ground,
    side: Side,
    /// The moves of one piece of the mover, taken back.
    back: MoveTable,
    /// For each cell of the other side's piece, the distances of all cells of the mover to it, once they are
    /// asked for.
    distances: Vec<OnceLock<Vec<u32>>>,
}

impl<'a> Greedy<'a> {
    /// Creates the policy of `side`, which comes to take 4 bytes for each pair of open cells.
    #[must_use]
    pub fn new(ground: &'a Ground, side: Side) -> Greedy<'a> {
        let back = ground.piece_moves(side).transposed();
        let distances = vec![OnceLock::new(); back.places()];
        Greedy { ground, side, back, distances }
    }

    /// Returns the turns from each cell of the mover to the cell `to`.
    fn distances(&self, to: u32) -> &[u32] {
        self.distances[to as usize].get_or_init(|| {
            let far = self.back.places() as u32;
            let mut distances = vec![far; far as usize];
            distances[to as usize] = 0;
            let (mut queue, mut at) = (vec![to], 0);
            while let Some(&cell) = queue.get(at) {
                at += 1;
                for &from in self.back.of(cell as usize) {
                    if distances[from as usize] == far {
                        distances[from as usize] = distances[cell as usize] + 1;
                        queue.push(from);
                    }
                }
            }
            distances
        })
    }

    /// Returns how bad it is for the police to have its officers at `place`, with their distances to the
    /// thief.
    fn police_key(&self, place: u32, distances: &[u32]) -> (u64, u64) {
        let of_officers = self.ground.officers(place).iter().map(|&cell| u64::from(distances[cell as usize]));
        of_officers.fold((u64::MAX, 0), |(least, sum), distance| (least.min(distance), sum + distance))
    }

    /// Returns how far the thief's cell `place` is from the nearest officer, with the distances to each.
    fn thief_key(place: u32, distances: &[&[u32]]) -> u32 {
        let of_officers = distances.iter().map(|distances| distances[place as usize]);
        of_officers.min().expect("a team has officers")
    }

    /// Returns the move of the side from `place`, or `None` if it has none.
    pub(super) fn best(&self, place: u32, other: u32) -> Option<u32> {
        let moves = self.ground.moves(self.side, place).iter().copied();
        match self.side {
            Side::Police => {
                let distances = self.distances(other);
                moves.min_by_key(|&to| (self.police_key(to, distances), self.ground.officers(to)))
            }
            Side::Thief => {
                let officers = self.ground.officers(other).iter();
                let distances: SmallVec<[&[u32]; Pieces::MAX]> =
                    officers.map(|&officer| self.distances(officer)).collect();
                moves.min_by_key(|&to| (Reverse(Greedy::thief_key(to, &distances)), to))
            }
        }
    }
}

impl Policy for Greedy<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        choices.extend(self.best(post, place).map(PolicyMove::certain));
        Ok(())
    }
}
