//! The moves of a piece between all places, as compressed rows.

use crate::stop::{StopCheck, Stopped};
use std::sync::Arc;

/// The cells of a board have more moves than a [`MoveTable`] may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected at most {most} moves of all cells together, found more: use fewer steps, a shorter reach or a smaller \
     board"
)]
pub struct TooManyMoves {
    /// The most moves that were allowed.
    pub most: u32,
}

/// The rows of a [`MoveTable`] that grows.
///
/// ```
/// use dragnet_formats::game::MoveRows;
///
/// // A piece on place 0 may stay or go to place 1, from where it has no move.
/// let mut rows = MoveRows::new(2, 100);
/// rows.push([0, 1])?;
/// rows.push([])?;
/// let moves = rows.finish();
/// assert_eq!((moves.of(0), moves.of(1)), (&[0, 1][..], &[][..]));
/// # Ok::<(), dragnet_formats::game::TooManyMoves>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveRows {
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// The most moves of all places together.
    most: u32,
}

impl MoveRows {
    /// Creates the rows of none of `places` places, which may have `most` moves together.
    #[must_use]
    pub fn new(places: usize, most: u32) -> MoveRows {
        let mut starts = Vec::with_capacity(places + 1);
        starts.push(0);
        MoveRows { starts, targets: Vec::new(), most }
    }

    /// Adds the moves of the next place, which must rise.
    ///
    /// # Errors
    /// When all places so far have more moves than allowed.
    pub fn push(&mut self, moves: impl IntoIterator<Item = u32>) -> Result<(), TooManyMoves> {
        self.targets.extend(moves);
        match u32::try_from(self.targets.len()) {
            Ok(end) if end <= self.most => self.starts.push(end),
            _ => return Err(TooManyMoves { most: self.most }),
        }
        Ok(())
    }

    /// Returns the table of the places added.
    #[must_use]
    pub fn finish(self) -> MoveTable {
        MoveTable { starts: self.starts.into(), targets: self.targets.into() }
    }
}

/// The moves of a piece between all places of its kind, or of a side between where its pieces may stand: for
/// each place the places to which it may move, rising. Places are numbered in reading order, or as
/// [`MoveTable::renumbered`] says. Takes 4 bytes for each place and each move, which clones share.
#[derive(Clone, Debug)]
pub struct MoveTable {
    starts: Arc<[u32]>,
    targets: Arc<[u32]>,
}

impl MoveTable {
    /// Returns the places to which a piece on place number `place` may move, rising.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    #[inline]
    pub fn of(&self, place: usize) -> &[u32] {
        &self.targets[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Returns the row of a place in one of `worlds` worlds, each of which has as many rows.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    #[inline]
    pub fn of_part(&self, world: u32, worlds: u32, place: u32) -> &[u32] {
        let first = if worlds == 1 { 0 } else { world as usize * (self.places() / worlds as usize) };
        self.of(first + place as usize)
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the number of places.
    #[must_use]
    pub fn places(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the reversed moves: for each place, the places from which a move leads to it. Shares the
    /// memory of this table if each move can be taken back.
    #[must_use]
    pub fn transposed(&self) -> MoveTable {
        self.transposed_unless(&mut StopCheck::never()).expect("nobody stops this work")
    }

    /// Returns the reversed moves as [`MoveTable::transposed`] does, unless `check` says that the work is to
    /// stop.
    ///
    /// # Errors
    /// When the work is to stop.
    pub fn transposed_unless(&self, check: &mut StopCheck) -> Result<MoveTable, Stopped> {
        let mut starts = vec![0u32; self.starts.len()];
        for from in 0..self.places() {
            check.steps(self.of(from).len())?;
            for &to in self.of(from) {
                starts[to as usize + 1] += 1;
            }
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut origins = vec![0; self.targets.len()];
        for from in 0..self.places() {
            check.steps(self.of(from).len())?;
            for &to in self.of(from) {
                let entry = &mut next[to as usize];
                origins[*entry as usize] = from as u32;
                *entry += 1;
            }
        }
        if *starts == *self.starts && *origins == *self.targets {
            return Ok(self.clone());
        }
        Ok(MoveTable { starts: starts.into(), targets: origins.into() })
    }

    /// Returns the table in another numbering: place `i` of the new table is place `order[i]` of this one.
    /// `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When the work is to stop.
    ///
    /// # Panics
    /// If `order` is not a permutation of all places.
    pub fn renumbered(&self, order: &[u32], check: &mut StopCheck) -> Result<MoveTable, Stopped> {
        let mut new_of = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_of[old as usize] = new as u32;
        }
        let mut starts = Vec::with_capacity(order.len() + 1);
        starts.push(0);
        let mut targets = Vec::with_capacity(self.targets.len());
        for &old in order {
            let first = targets.len();
            // Sorting looks at each some times.
            check.steps(8 * self.of(old as usize).len())?;
            targets.extend(self.of(old as usize).iter().map(|&to| new_of[to as usize]));
            targets[first..].sort_unstable();
            starts.push(targets.len() as u32);
        }
        Ok(MoveTable { starts: starts.into(), targets: targets.into() })
    }
}
