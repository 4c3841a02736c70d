//! The numbers of teams: multisets of places, for each kind of officers one (`FORMAT.md` §7).

use crate::{
    cell::Cell,
    pieces::{Pieces, binomial, multisets, rank, unrank},
};
use smallvec::{SmallVec, smallvec};

/// The officers of one kind, and their places in a numbering of the places of all kinds, one kind after the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindPlaces {
    /// The number of the kind's first place.
    pub first: u32,
    /// The number of places.
    pub places: u32,
    /// The number of officers.
    pub officers: u8,
}

/// All teams of officers of some kinds, numbered from 0 without a gap: the first kind's places count least.
///
/// ```
/// use dragnet_formats::team_numbers::TeamNumbers;
///
/// // Two officers on three places, and one of another kind on two more.
/// let teams = TeamNumbers::new([(3, 2), (2, 1)]);
/// assert_eq!((teams.count(), teams.officers(), teams.places()), (12, 3, 5));
/// assert_eq!(teams.number(&[0, 2, 4]), 3 + 6);
/// assert_eq!(teams.team(3 + 6)[..], [0, 2, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamNumbers {
    kinds: [KindPlaces; Pieces::MAX],
    count: u8,
}

impl TeamNumbers {
    /// Creates the numbers of teams of kinds with so many places and so many officers each. Kinds beyond
    /// [`Pieces::MAX`] are left out.
    #[must_use]
    pub fn new(kinds: impl IntoIterator<Item = (u32, u8)>) -> TeamNumbers {
        let mut numbers = TeamNumbers { kinds: Default::default(), count: 0 };
        let mut first = 0;
        for (kind, (places, officers)) in numbers.kinds.iter_mut().zip(kinds) {
            *kind = KindPlaces { first, places, officers };
            first += places;
            numbers.count += 1;
        }
        numbers
    }

    /// Returns the kinds.
    #[must_use]
    #[inline(always)]
    pub fn kinds(&self) -> &[KindPlaces] {
        &self.kinds[..usize::from(self.count)]
    }

    /// Returns the number of officers of a team.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.kinds().iter().map(|kind| kind.officers).sum()
    }

    /// Returns the number of places of all kinds.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.kinds().iter().map(|kind| kind.places).sum()
    }

    /// Returns the number of teams, or `u64::MAX` if it is greater than that.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u64 {
        self.kinds().iter().fold(1, |count, kind| count.saturating_mul(kind.count()))
    }

    /// Returns the kind of an officer, counted kind by kind from 0.
    ///
    /// # Panics
    /// If there is no such officer.
    #[must_use]
    pub fn kind_of(&self, officer: usize) -> KindPlaces {
        let mut before = 0;
        let kind = self.kinds().iter().find(|kind| {
            before += usize::from(kind.officers);
            officer < before
        });
        *kind.expect("an officer of the team")
    }

    /// Returns the numbers of the teams of the officers in `range`, counted kind by kind, on the same places.
    #[must_use]
    pub fn of_officers(&self, range: std::ops::Range<usize>) -> TeamNumbers {
        let mut numbers = *self;
        let mut before = 0;
        for kind in &mut numbers.kinds[..usize::from(self.count)] {
            let end = before + usize::from(kind.officers);
            kind.officers = range.end.min(end).saturating_sub(range.start.max(before)) as u8;
            before = end;
        }
        numbers
    }

    /// Returns whether the officers on these places, kind by kind, are a team.
    #[must_use]
    #[inline]
    pub fn is_team(&self, places: impl ExactSizeIterator<Item = u32>) -> bool {
        let kinds = self.kinds().iter();
        let kinds = kinds.flat_map(|kind| std::iter::repeat_n(kind, usize::from(kind.officers)));
        places.len() == usize::from(self.officers())
            && kinds.zip(places).all(|(kind, place)| place.wrapping_sub(kind.first) < kind.places)
    }

    /// Returns the number of the team on these places, which come kind by kind, in any order within a kind.
    #[must_use]
    #[inline]
    pub fn number(&self, places: &[u32]) -> u64 {
        if self.count == 1 {
            return number_of_one_kind(places);
        }
        let (mut rest, mut number, mut radix) = (places, 0u64, 1u64);
        for kind in self.kinds() {
            let (here, after) = rest.split_at(kind.officers.into());
            let here: SmallVec<[u32; Pieces::MAX]> = here.iter().map(|place| place - kind.first).collect();
            number += radix * number_of_one_kind(&here);
            (rest, radix) = (after, radix.saturating_mul(kind.count()));
        }
        number
    }

    /// Returns the places of the team with this number, which is at most 2⁶², kind by kind, rising.
    #[must_use]
    pub fn team(&self, number: u64) -> SmallVec<[u32; Pieces::MAX]> {
        let mut team = SmallVec::new();
        let mut left = number;
        for kind in self.kinds() {
            let mut places: SmallVec<[u64; Pieces::MAX]> = smallvec![0; kind.officers.into()];
            // With one kind nothing is left, so that its number of teams does not matter.
            let radix = if self.count == 1 { u64::MAX } else { kind.count() };
            unrank(left % radix, &mut places);
            left /= radix;
            team.extend(places.iter().map(|&place| kind.first + place as u32));
        }
        team
    }

    /// Returns all teams in the order of their numbers, with the places on these cells, which rise.
    ///
    /// # Panics
    /// If there are fewer cells than places.
    pub fn teams(self, cells: &[Cell]) -> impl Iterator<Item = Pieces> + '_ {
        (0..self.count()).map(move |number| {
            let team: SmallVec<[Cell; Pieces::MAX]> =
                self.team(number).iter().map(|&place| cells[place as usize]).collect();
            Pieces::new(&team).expect("a team has no more officers than a side")
        })
    }
}

impl KindPlaces {
    /// Returns the number of multisets of the kind's places, or `u64::MAX` if it is greater than that.
    #[inline]
    fn count(&self) -> u64 {
        multisets(self.places.into(), self.officers.into())
    }
}

/// Returns the number of a multiset of places that are numbered from 0.
#[inline]
fn number_of_one_kind(places: &[u32]) -> u64 {
    match *places {
        [one] => one.into(),
        [a, b] => u64::from(a.min(b)) + binomial(u64::from(a.max(b)) + 1, 2),
        _ => {
            let mut sorted = SmallVec::<[u32; Pieces::MAX]>::from_slice(places);
            sorted.sort_unstable();
            rank(sorted.into_iter().map(u64::from))
        }
    }
}
