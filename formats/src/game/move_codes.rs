//! Codes of moves, in tables that keep a best move of each position (`FORMAT.md` §11).

use super::Team;
use crate::pieces::Pieces;
use smallvec::SmallVec;

/// The differences by which the pieces of a side move in one turn, piece by piece; `None` for one that stands
/// while another moves.
pub type Differences = SmallVec<[Option<i32>; Pieces::MAX]>;

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
/// assert_eq!(all.differences(1 + 2 + 3).as_deref(), Some(&[Some(1), Some(5)][..]));
/// let one = MoveCodes { team: Team::One, ..all };
/// assert_eq!(one.differences(1 + 3 + 1).as_deref(), Some(&[None, Some(5)][..]));
/// assert_eq!(one.differences(6), None);
/// ```
impl MoveCodes<'_> {
    /// Returns the differences by which the move with this code leads the pieces; `None` if there is no such
    /// move.
    #[must_use]
    pub fn differences(&self, code: u32) -> Option<Differences> {
        let mut left = code.checked_sub(1)? as usize;
        let mut differences = Differences::new();
        match self.team {
            Team::All => {
                for list in &self.lists {
                    differences.push(Some(list[left.checked_rem(list.len())?]));
                    left /= list.len();
                }
                (left == 0).then_some(differences)
            }
            Team::One => {
                differences.resize(self.lists.len(), None);
                for (piece, list) in self.lists.iter().enumerate() {
                    if let Some(&difference) = list.get(left) {
                        differences[piece] = Some(difference);
                        return Some(differences);
                    }
                    left -= list.len();
                }
                None
            }
        }
    }
}
