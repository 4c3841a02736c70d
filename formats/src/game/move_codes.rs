//! Codes of moves, in tables that keep a best move of each position (`FORMAT.md` §11).

use super::Team;
use crate::pieces::Pieces;
use smallvec::SmallVec;

/// The differences by which the pieces of a side move in one turn, piece by piece.
pub type Differences = SmallVec<[i32; Pieces::MAX]>;

/// The most moves that the codes of a position can tell apart.
pub const MAX_MOVES: u64 = 1 << 30;

/// The moves of a side from one position: for each of its pieces the list of its place.
#[derive(Clone, Debug)]
pub struct MoveCodes<'a> {
    /// Whether every piece moves, or one.
    pub team: Team,
    /// The lists, in the order of the pieces' places.
    pub lists: SmallVec<[&'a [i32]; Pieces::MAX]>,
}

/// ```
/// use dragnet_formats::game::{MoveCodes, Team};
///
/// let (first, second) = (&[-1, 0, 1][..], &[0, 5][..]);
/// let all = MoveCodes { team: Team::All, lists: [first, second].into_iter().collect() };
/// assert_eq!(all.code(&[1, 5]), Some(1 + 2 + 3));
/// assert_eq!(all.differences(6).as_deref(), Some(&[1, 5][..]));
/// let one = MoveCodes { team: Team::One, ..all };
/// assert_eq!(one.code(&[0, 5]), Some(1 + 3 + 1));
/// assert_eq!(one.code(&[1, 5]), None);
/// assert_eq!(one.differences(6), None);
/// ```
impl MoveCodes<'_> {
    /// Returns the code of the move that leads the pieces by these differences; `None` if it is none of
    /// these moves.
    #[must_use]
    pub fn code(&self, differences: &[i32]) -> Option<u32> {
        let place = |piece: usize| self.lists[piece].binary_search(&differences[piece]).ok();
        let number = match self.team {
            Team::All => (0..self.lists.len())
                .rev()
                .try_fold(0, |number, piece| Some(number * self.lists[piece].len() + place(piece)?))?,
            Team::One => {
                let moved = |piece: &usize| {
                    (0..self.lists.len()).all(|other| other == *piece || differences[other] == 0)
                };
                let pieces = (0..self.lists.len()).filter(moved);
                let (piece, at) = pieces.filter_map(|piece| Some((piece, place(piece)?))).next()?;
                self.lists[..piece].iter().map(|list| list.len()).sum::<usize>() + at
            }
        };
        u32::try_from(number + 1).ok()
    }

    /// Returns the differences by which the move with this code leads the pieces; `None` if there is no such
    /// move.
    #[must_use]
    pub fn differences(&self, code: u32) -> Option<Differences> {
        let mut left = code.checked_sub(1)? as usize;
        let mut differences = Differences::new();
        match self.team {
            Team::All => {
                for list in &self.lists {
                    differences.push(list[left.checked_rem(list.len())?]);
                    left /= list.len();
                }
                (left == 0).then_some(differences)
            }
            Team::One => {
                differences.resize(self.lists.len(), 0);
                for (piece, list) in self.lists.iter().enumerate() {
                    if let Some(&difference) = list.get(left) {
                        differences[piece] = difference;
                        return Some(differences);
                    }
                    left -= list.len();
                }
                None
            }
        }
    }
}
