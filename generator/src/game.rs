//! What an engine sees of a game.

/// A finite two-player game whose positions are numbered from 0. The player to move chooses a successor; the
/// values follow from [`Start`] and the moves alone.
///
/// The two move functions must agree: `q` is among the predecessors of `p` exactly as often as `p` is among the
/// successors of `q`, except that a position decided at the start may be listed as a predecessor without having
/// moves.
pub trait Game: Sync {
    /// The number of positions.
    fn positions(&self) -> u64;

    /// What `position` is before any move is looked at.
    fn start(&self, position: u64) -> Start;

    /// Calls `each` for every position of `range` in rising order. Worth overriding where consecutive positions
    /// share work.
    fn for_each_start(&self, range: std::ops::Range<u64>, mut each: impl FnMut(u64, Start)) {
        for position in range {
            each(position, self.start(position));
        }
    }

    /// Into how many lanes the positions fall, at least 1. See [`Game::lane`].
    fn lanes(&self) -> usize {
        1
    }

    /// The lane of `position`, less than [`Game::lanes`]. Positions in different lanes have no predecessor in
    /// common, so that threads may work on different lanes without minding each other. A game that cannot promise
    /// this has one lane.
    fn lane(&self, _position: u64) -> usize {
        0
    }

    /// Whether whoever is to move in `position` has also made the move that leads there: the turn was not passed. Then a
    /// predecessor is won if this position is won, and may be lost if this one is lost. Moves that pass the turn and moves that do not never
    /// lead to the same position. A turn of several moves counts as so many plies; a game in which turns have different
    /// numbers of moves has no DTW in turns.
    #[inline]
    fn keeps_turn(&self, _position: u64) -> bool {
        false
    }

    /// Calls `each` for every position that a move leads to, once per move.
    fn for_each_successor(&self, position: u64, each: impl FnMut(u64));

    /// Calls `each` for every position from which a move leads here, once per move.
    fn for_each_predecessor(&self, position: u64, each: impl FnMut(u64));
}

/// What a position is before any move is looked at, seen by its player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Over, and won.
    Won,
    /// Over, and lost.
    Lost,
    /// Still open, with this many moves. With none it is a draw.
    Moves(u32),
}
