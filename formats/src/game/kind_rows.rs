//! What is said of the places of officers, for all kinds together and for each.
//!
//! A game has one row for each place of each world: world after world, and the places of one kind after those
//! of another. A table stores the rows of each kind apart, world after world (`FORMAT.md` §4), with moves
//! between the numbers of the kind's own places.

use super::{MoveRows, MoveTable};
use crate::team_numbers::{KindPlaces, TeamNumbers};

/// Returns for each kind the elements of its places.
pub(crate) fn split<T: Clone>(kinds: &TeamNumbers, worlds: u32, all: &[T]) -> Vec<Vec<T>> {
    let places = kinds.places() as usize;
    let part = |kind: &KindPlaces| {
        let starts = (0..worlds as usize).map(|world| world * places + kind.first as usize);
        starts.flat_map(|start| all[start..start + kind.places as usize].iter().cloned()).collect()
    };
    kinds.kinds().iter().map(part).collect()
}

/// Returns the elements of the places of all kinds, given those of each.
pub(crate) fn join<T: Clone>(kinds: &TeamNumbers, worlds: u32, parts: &[Vec<T>]) -> Vec<T> {
    let mut all = Vec::with_capacity(worlds as usize * kinds.places() as usize);
    for world in 0..worlds as usize {
        for (kind, part) in kinds.kinds().iter().zip(parts) {
            let places = kind.places as usize;
            all.extend_from_slice(&part[world * places..][..places]);
        }
    }
    all
}

/// Where the rows of officers lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// To places of the same kind of officers, as moves do.
    OwnKind,
    /// To places of the thief, as captures do.
    Thief,
}

/// Returns for each kind the rows of its places.
pub(crate) fn split_rows(
    kinds: &TeamNumbers,
    worlds: u32,
    targets: Targets,
    table: &MoveTable,
) -> Vec<MoveTable> {
    if kinds.kinds().len() == 1 {
        return vec![table.clone()];
    }
    let all = kinds.places();
    let part = |kind: &KindPlaces| {
        let mut rows = MoveRows::new((worlds * kind.places) as usize, u32::MAX);
        for place in (0..worlds).flat_map(|world| (0..kind.places).map(move |place| world * all + place)) {
            let row = table.of((kind.first + place) as usize).iter();
            let row = row.map(|&to| match targets {
                Targets::OwnKind => to / all * kind.places + to % all - kind.first,
                Targets::Thief => to,
            });
            rows.push(row).expect("no more moves than all kinds have");
        }
        rows.finish()
    };
    kinds.kinds().iter().map(part).collect()
}

/// Returns the rows of the places of all kinds, given those of each.
///
/// # Panics
/// If all have 2^32 moves or more.
#[must_use]
pub fn join_rows(kinds: &TeamNumbers, worlds: u32, targets: Targets, mut parts: Vec<MoveTable>) -> MoveTable {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let all = kinds.places();
    let mut rows = MoveRows::new((worlds * all) as usize, u32::MAX);
    for world in 0..worlds {
        for (kind, part) in kinds.kinds().iter().zip(&parts) {
            for place in 0..kind.places {
                let row = part.of((world * kind.places + place) as usize).iter();
                let row = row.map(|&to| match targets {
                    Targets::OwnKind => to / kind.places * all + kind.first + to % kind.places,
                    Targets::Thief => to,
                });
                rows.push(row).expect("fewer moves than can be counted");
            }
        }
    }
    rows.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_kinds_come_apart_and_together() {
        // Two worlds; two places of one kind and one of another.
        let kinds = TeamNumbers::new([(2, 1), (1, 2)]);
        let mut rows = MoveRows::new(6, 100);
        for row in [&[1, 3][..], &[], &[2, 5], &[0, 4], &[4], &[5]] {
            rows.push(row.iter().copied()).unwrap();
        }
        let table = rows.finish();
        let parts = split_rows(&kinds, 2, Targets::OwnKind, &table);
        let of =
            |part: usize| (0..parts[part].places()).map(|place| parts[part].of(place)).collect::<Vec<_>>();
        assert_eq!(of(0), [&[1, 2][..], &[], &[0, 3], &[3]]);
        assert_eq!(of(1), [&[0, 1][..], &[1]]);
        let again = join_rows(&kinds, 2, Targets::OwnKind, parts);
        assert!((0..6).all(|place| again.of(place) == table.of(place)));
        let elements = ['a', 'b', 'c', 'd', 'e', 'f'];
        let parts = split(&kinds, 2, &elements);
        assert_eq!(parts, [vec!['a', 'b', 'd', 'e'], vec!['c', 'f']]);
        assert_eq!(join(&kinds, 2, &parts), elements);
    }
}
