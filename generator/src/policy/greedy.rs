//! A chase or a flight along shortest paths.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use crate::games::pursuit::PursuitError;
use dragnet_formats::{
    cell::Side,
    moves::{MoveTable, Steps},
};

/// A side that looks one move ahead at the distance to the other side. The police makes it as small as it
/// can, the thief as great as he can.
///
/// The distance from a place of the mover is the number of its own turns to the other side's cell, or the
/// number of open cells if there is no way. Of several officers the one nearest to the thief counts, and for
/// the police among equals the sum of all their distances. Of equal moves the one to the lowest place is
/// made, which for a single piece is the first in reading order. Exits play no role.
#[derive(Clone, Debug)]
pub struct Greedy<'a> {
    ground: &'a Ground,
    side: Side,
    cells: usize,
    /// For each cell of the other side's piece, the distances of all cells of the mover to it.
    distances: Vec<u32>,
}

impl<'a> Greedy<'a> {
    /// Creates the policy of `side`. Takes 4 bytes for each pair of open cells.
    ///
    /// # Errors
    /// [`PolicyError::Pursuit`] when the side has too many moves.
    pub fn new(ground: &'a Ground, side: Side) -> Result<Greedy<'a>, PolicyError> {
        let steps = Steps::new(ground.rules(), side);
        let moves = MoveTable::at_most(ground.board(), &steps, u32::MAX);
        let back = moves.map_err(PursuitError::from)?.transposed();
        let cells = back.cell_count();
        let mut distances = vec![cells as u32; cells * cells];
        let mut queue = Vec::with_capacity(cells);
        for (target, row) in distances.chunks_exact_mut(cells).enumerate() {
            queue.clear();
            queue.push(target as u32);
            row[target] = 0;
            let mut at = 0;
            while let Some(&cell) = queue.get(at) {
                at += 1;
                for &from in back.of(cell as usize) {
                    if row[from as usize] == cells as u32 {
                        row[from as usize] = row[cell as usize] + 1;
                        queue.push(from);
                    }
                }
            }
        }
        Ok(Greedy { ground, side, cells, distances })
    }

    /// Returns the turns from the mover's cell `from` to the cell `to`.
    fn distance(&self, from: u32, to: u32) -> u64 {
        self.distances[to as usize * self.cells + from as usize].into()
    }

    /// Returns how bad it is for the police to have its officers at `place`.
    fn police_key(&self, place: u32, thief: u32) -> (u64, u64) {
        let of_officers = self.ground.officers(place).iter().map(|&cell| self.distance(cell, thief));
        of_officers.fold((u64::MAX, 0), |(least, sum), distance| (least.min(distance), sum + distance))
    }

    /// Returns how far the thief's cell `place` is from the nearest officer.
    fn thief_key(&self, place: u32, police: u32) -> u64 {
        let officers = self.ground.officers(police).iter();
        officers.map(|&officer| self.distance(place, officer)).min().expect("a team has officers")
    }

    /// Returns the move of the side from `place`, or `None` if it has none.
    pub(super) fn best(&self, place: u32, other: u32) -> Option<u32> {
        let moves = self.ground.moves(self.side, place).iter().copied();
        match self.side {
            Side::Police => moves.min_by_key(|&to| (self.police_key(to, other), to)),
            Side::Thief => moves.min_by_key(|&to| (u64::MAX - self.thief_key(to, other), to)),
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
