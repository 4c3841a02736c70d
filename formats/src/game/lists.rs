//! Places that belong to each place, as a palette of lists of differences (`FORMAT.md` §4).

use super::{MoveRows, MoveTable, Places, TooManyMoves};
use crate::{
    leb128::{self, NoNumber},
    stop::{StopCheck, Stopped},
};
use std::collections::HashMap;

/// For each place the places that belong to it: those to which a piece there may move, or those of the thief
/// that an officer there captures. Places with the same differences share a list.
///
/// ```
/// use dragnet_formats::{board::make, game::{DifferenceLists, PursuitGame, Span}, rules::Rules,
/// stop::StopCheck};
///
/// let game = PursuitGame::compile(&make::open(1, 5)?, &Rules::classic(), &mut StopCheck::never())?;
/// let [_, thief] = &game.places;
/// let lists = DifferenceLists::new(&game.moves[1], Span::moves(thief, game.worlds))?;
/// // The thief stays or steps to the side: three lists, for both ends and for all places between.
/// assert_eq!((lists.of(0), lists.of(2), lists.of(3)), (&[0, 1][..], &[-1, 0, 1][..], &[-1, 0, 1][..]));
/// assert_eq!(DifferenceLists::from_bytes(&lists.to_bytes(), 5), Ok(lists));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceLists {
    /// Where each list begins in `differences`, and where the last one ends.
    starts: Vec<u32>,
    differences: Vec<i32>,
    /// For each place the number of its list.
    numbers: Vec<u16>,
}

/// The reason why lists cannot be written, or bytes are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListsError {
    /// A number is impossible.
    #[error("expected {expected}, found {found}")]
    Field {
        /// A text for "expected ...".
        expected: &'static str,
        /// The number that was found.
        found: u64,
    },
    /// A list leads to where no place is.
    #[error("expected a place {difference} squares from square {square}, found none")]
    NoPlace {
        /// The number of the square that the list belongs to.
        square: u32,
        /// A difference of its list.
        difference: i32,
    },
    /// There are too many moves.
    #[error(transparent)]
    Moves(#[from] TooManyMoves),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<NoNumber> for ListsError {
    fn from(NoNumber { expected, found }: NoNumber) -> ListsError {
        ListsError::Field { expected, found }
    }
}

/// From where and to where lists lead: the places of a grid in each world, world after world.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    from: &'a Places,
    to: &'a Places,
    worlds: u32,
    /// Whether lists lead from world to world, or stay in theirs.
    between_worlds: bool,
}

impl<'a> Span<'a> {
    /// Returns that of moves, which lead from any world to any.
    #[must_use]
    pub fn moves(places: &'a Places, worlds: u32) -> Span<'a> {
        Span { from: places, to: places, worlds, between_worlds: true }
    }

    /// Returns that of captures, by officers of thieves in the same world.
    #[must_use]
    pub fn captures(officers: &'a Places, thief: &'a Places, worlds: u32) -> Span<'a> {
        Span { from: officers, to: thief, worlds, between_worlds: false }
    }

    /// Returns the number of places in all worlds from which lists lead.
    fn origin_count(self) -> usize {
        self.worlds as usize * self.from.count()
    }

    /// Returns the numbers of their squares.
    fn origins(self) -> impl Iterator<Item = u32> {
        let worlds = (0..self.worlds).map(move |world| if self.between_worlds { world } else { 0 });
        worlds.flat_map(move |world| squares_in(world, self.from))
    }

    fn target_worlds(self) -> u32 {
        if self.between_worlds { self.worlds } else { 1 }
    }

    /// Returns the numbers of the squares to which lists may lead, in the order of the numbers of places.
    fn targets(self) -> impl Iterator<Item = u32> {
        (0..self.target_worlds()).flat_map(move |world| squares_in(world, self.to))
    }

    /// Returns how many squares there are, places or not, to which lists might lead.
    fn target_squares(self) -> usize {
        self.target_worlds() as usize * self.to.squares().len()
    }
}

/// Returns the numbers of the squares of places in a world.
fn squares_in(world: u32, places: &Places) -> impl Iterator<Item = u32> {
    let first = world * places.squares().len() as u32;
    places.square_numbers().map(move |square| first + square)
}

impl DifferenceLists {
    /// The most lists.
    pub const MAX_LISTS: usize = 1 << 16;
    /// The most differences of all lists together.
    pub const MAX_DIFFERENCES: usize = 1 << 22;

    /// The lists up to which the number of a list is one byte.
    const ONE_BYTE: usize = 256;

    /// Creates the lists of the rows of `table`, which lead as `span` says.
    ///
    /// # Errors
    /// When there are more lists or differences than a table may have.
    ///
    /// # Panics
    /// If `table` has not a row for each origin of `span`, or a row has a target that it has not.
    pub fn new(table: &MoveTable, span: Span) -> Result<DifferenceLists, ListsError> {
        let targets: Vec<u32> = span.targets().collect();
        let mut lists = DifferenceLists { starts: vec![0], differences: Vec::new(), numbers: Vec::new() };
        let mut known = HashMap::new();
        for (place, origin) in span.origins().enumerate() {
            let row = table.of(place).iter();
            let row: Vec<i32> = row.map(|&to| targets[to as usize] as i32 - origin as i32).collect();
            let number = match known.get(&row) {
                Some(&number) => number,
                None => {
                    let number = lists.add(&row)?;
                    known.insert(row, number);
                    number
                }
            };
            lists.numbers.push(number);
        }
        Ok(lists)
    }

    /// Adds a list, and returns its number.
    fn add(&mut self, differences: &[i32]) -> Result<u16, ListsError> {
        let number = self.starts.len() - 1;
        if number == DifferenceLists::MAX_LISTS {
            let found = number as u64 + 1;
            return Err(ListsError::Field { expected: "at most 65,536 different lists of moves", found });
        }
        self.differences.extend_from_slice(differences);
        let found = self.differences.len();
        if found > DifferenceLists::MAX_DIFFERENCES {
            return Err(ListsError::Field {
                expected: "at most 4,194,304 moves in all different lists",
                found: found as u64,
            });
        }
        self.starts.push(found as u32);
        Ok(number as u16)
    }

    /// Returns the differences from the square of place number `place` to the squares of its list, rising.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    #[inline]
    pub fn of(&self, place: usize) -> &[i32] {
        let list = usize::from(self.numbers[place]);
        &self.differences[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Returns the number of differences of the lists of all places together.
    fn row_sum(&self) -> u64 {
        let len = |list: usize| u64::from(self.starts[list + 1] - self.starts[list]);
        self.numbers.iter().map(|&number| len(number.into())).sum()
    }

    /// Returns the number of bytes of memory that the lists take.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.differences) + size_of_val(&*self.numbers)
    }

    /// Returns the bytes of the lists in a table.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let count = self.starts.len() - 1;
        leb128::push(&mut bytes, count as u32);
        for ends in self.starts.windows(2) {
            let list = &self.differences[ends[0] as usize..ends[1] as usize];
            leb128::push(&mut bytes, list.len() as u32);
            if let Some(&first) = list.first() {
                leb128::push(&mut bytes, (first << 1 ^ first >> 31) as u32);
            }
            list.windows(2).for_each(|pair| leb128::push(&mut bytes, (pair[1] - pair[0] - 1) as u32));
        }
        bytes.extend(self.numbers.iter().map(|&number| number as u8));
        if count > DifferenceLists::ONE_BYTE {
            bytes.extend(self.numbers.iter().map(|&number| (number >> 8) as u8));
        }
        bytes
    }

    /// Reads the lists of `places` places. Takes memory in proportion to the bytes.
    ///
    /// # Errors
    /// When the bytes are anything else. Where the lists lead is not looked at.
    pub fn from_bytes(mut bytes: &[u8], places: usize) -> Result<DifferenceLists, ListsError> {
        let rest = &mut bytes;
        let count = leb128::take(rest)? as usize;
        if count == 0 || count > DifferenceLists::MAX_LISTS {
            return Err(ListsError::Field { expected: "1 to 65,536 lists", found: count as u64 });
        }
        let mut lists = DifferenceLists { starts: vec![0], differences: Vec::new(), numbers: Vec::new() };
        for _ in 0..count {
            let len = leb128::take(rest)? as usize;
            let all = lists.differences.len() + len;
            if all > DifferenceLists::MAX_DIFFERENCES {
                let expected = "at most 4,194,304 differences in all lists";
                return Err(ListsError::Field { expected, found: all as u64 });
            }
            let mut last = None;
            for _ in 0..len {
                let number = leb128::take(rest)?;
                let difference = match last {
                    None => Some((number >> 1) as i32 ^ -((number & 1) as i32)),
                    Some(last) => i32::try_from(i64::from(last) + 1 + i64::from(number)).ok(),
                };
                let expected = "a difference of 32 bits";
                let difference = difference.ok_or(ListsError::Field { expected, found: number.into() })?;
                lists.differences.push(difference);
                last = Some(difference);
            }
            lists.starts.push(all as u32);
        }
        let bytes_of_number = if count > DifferenceLists::ONE_BYTE { 2 } else { 1 };
        if rest.len() != places * bytes_of_number {
            let expected = "a number of a list for each place and nothing else";
            return Err(ListsError::Field { expected, found: rest.len() as u64 });
        }
        let (low, high) = rest.split_at(places);
        let high = high.iter().copied().chain(std::iter::repeat(0));
        lists.numbers = low.iter().zip(high).map(|(&low, high)| u16::from_le_bytes([low, high])).collect();
        // Tables stay open for long.
        lists.starts.shrink_to_fit();
        lists.differences.shrink_to_fit();
        match lists.numbers.iter().find(|&&number| usize::from(number) >= count) {
            Some(&number) => {
                Err(ListsError::Field { expected: "the number of a list", found: number.into() })
            }
            None => Ok(lists),
        }
    }

    /// Returns the rows of the lists, which lead as `span` says, at most `most` places in all rows together.
    /// `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When a list leads to where no place is, there are more, or the work is to stop.
    ///
    /// # Panics
    /// If there are not as many numbers of lists as origins of `span`.
    pub fn rows(&self, span: Span, most: u32, check: &mut StopCheck) -> Result<MoveTable, ListsError> {
        assert_eq!(self.numbers.len(), span.origin_count(), "a list for each place");
        // A few bytes can stand for thousands of millions: they take no memory before they are refused.
        if self.row_sum() > most.into() {
            return Err(TooManyMoves { most }.into());
        }
        let mut numbers = vec![None; span.target_squares()];
        (0..).zip(span.targets()).for_each(|(place, square)| numbers[square as usize] = Some(place));
        let mut rows = MoveRows::new(self.numbers.len(), most);
        let mut row: Vec<u32> = Vec::new();
        for (place, square) in span.origins().enumerate() {
            let differences = self.of(place);
            check.steps(differences.len())?;
            row.clear();
            for &difference in differences {
                let target = i64::from(square) + i64::from(difference);
                let target = usize::try_from(target).ok().and_then(|target| numbers.get(target).copied());
                row.push(target.flatten().ok_or(ListsError::NoPlace { square, difference })?);
            }
            rows.push(row.iter().copied())?;
        }
        Ok(rows.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(squares: &[bool]) -> Places {
        Places::new(1, squares.len() as u16, squares.to_vec())
    }

    /// Returns the lists of these bytes for two places of three squares, as rows.
    fn read(bytes: &[u8]) -> Result<MoveTable, ListsError> {
        let places = places(&[true, false, true]);
        DifferenceLists::from_bytes(bytes, 2)?.rows(Span::moves(&places, 1), 100, &mut StopCheck::never())
    }

    #[test]
    fn every_check_of_lists_fires() {
        // Two lists, {0, 2} and {-2}, one for each place.
        let good = [2, 2, 0, 1, 1, 3, 0, 1];
        let rows = read(&good).unwrap();
        assert_eq!((rows.of(0), rows.of(1)), (&[0, 1][..], &[0][..]));
        let altered = |at: usize, byte| {
            let mut bytes = good;
            bytes[at] = byte;
            read(&bytes).unwrap_err()
        };
        assert!(matches!(altered(0, 0), ListsError::Field { expected: "1 to 65,536 lists", .. }));
        assert!(matches!(altered(0, 0xFF), ListsError::Field { .. }), "a number without an end");
        assert_eq!(altered(2, 2), ListsError::NoPlace { square: 0, difference: 1 });
        assert_eq!(altered(5, 5), ListsError::NoPlace { square: 2, difference: -3 });
        assert_eq!(altered(3, 2), ListsError::NoPlace { square: 0, difference: 3 });
        assert!(matches!(altered(7, 2), ListsError::Field { expected: "the number of a list", .. }));
        assert!(matches!(read(&good[..7]), Err(ListsError::Field { .. })));
        assert!(matches!(read(&[&good[..], &[0]].concat()), Err(ListsError::Field { .. })));
        let huge = [1, 0xFF, 0xFF, 0xFF, 0x0F];
        assert!(matches!(read(&huge), Err(ListsError::Field { found: 33_554_431, .. })));
        let far = [1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0];
        assert!(matches!(read(&far), Err(ListsError::Field { .. } | ListsError::NoPlace { .. })));
    }

    #[test]
    fn many_lists_have_numbers_of_two_bytes() {
        let here = places(&[true; 600]);
        let mut rows = MoveRows::new(600, 1000);
        (0..600).for_each(|place| rows.push([599 - place]).unwrap());
        let span = Span::moves(&here, 1);
        let lists = DifferenceLists::new(&rows.finish(), span).unwrap();
        let read = DifferenceLists::from_bytes(&lists.to_bytes(), 600).unwrap();
        let rows = read.rows(span, 1000, &mut StopCheck::never()).unwrap();
        assert!((0..600).all(|place| rows.of(place) == [599 - place as u32]));
        let few = read.rows(span, 599, &mut StopCheck::never());
        assert_eq!(few.unwrap_err(), TooManyMoves { most: 599 }.into());
    }

    proptest! {
        /// Rows between any places of two grids come back, within worlds and between them.
        #[test]
        fn lists_round_trip(
            squares in prop::collection::vec((any::<bool>(), any::<bool>()), 1..40), worlds in 1u32..4,
            rows in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..9), 120),
        ) {
            let from = places(&squares.iter().map(|squares| squares.0).collect::<Vec<bool>>());
            let to = places(&squares.iter().map(|squares| squares.1).collect::<Vec<bool>>());
            prop_assume!(from.count() > 0);
            for span in [Span::captures(&from, &to, worlds), Span::moves(&from, worlds)] {
                let (count, targets) = (span.origin_count(), span.targets().count());
                let mut table = MoveRows::new(count, 2000);
                for row in rows.iter().take(count) {
                    let row = row.iter().filter(|_| targets > 0).map(|at| at.index(targets) as u32);
                    table.push(row.collect::<std::collections::BTreeSet<u32>>()).unwrap();
                }
                let table = table.finish();
                let lists = DifferenceLists::new(&table, span).unwrap();
                let again = DifferenceLists::from_bytes(&lists.to_bytes(), count);
                prop_assert_eq!(again.as_ref(), Ok(&lists));
                let found = lists.rows(span, 2000, &mut StopCheck::never()).unwrap();
                prop_assert!((0..count).all(|place| found.of(place) == table.of(place)));
            }
        }

        /// Arbitrary bytes are read, or refused.
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..100), few in 0u8..4) {
            let places = places(&[true, false, true]);
            let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte >> (2 * few)).collect();
            if let Ok(lists) = DifferenceLists::from_bytes(&bytes, 2) {
                let _ = lists.rows(Span::moves(&places, 1), 100, &mut StopCheck::never());
            }
        }
    }
}
