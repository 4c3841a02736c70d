//! Which engine solves.

use crate::encode::word_tile;
use dragnet_formats::{
    board::{Board, Square},
    numbering::Tiling,
    rules::Rules,
};

/// Boards with fewer open cells than this in the mean of those 8x8 tiles that have one are thin: little of a word of 64 bits is in
/// use. Corridors a single cell wide and nothing else have 8, with which one thread is up to 1.5 times as quick by
/// [`counters`](crate::counters); streets of one cell every twelve have 11, mazes 30, and there [`bitboard`](crate::bitboard) is quicker.
const THIN: usize = 9;

/// Several threads share words better than lists, of which a level of a thin board has short ones. So they take the lists only if fewer
/// than one cell in so many is a fork: then little is decided in a level, and there is nothing to share.
const FORKS: usize = 40;

/// Which engine solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The quicker one: [`counters`](crate::counters) for one officer on boards that are nothing but thin corridors,
    /// [`bitboard`](crate::bitboard) for all else.
    #[default]
    Auto,
    /// [`counters`](crate::counters).
    Counters,
    /// [`bitboard`](crate::bitboard).
    Bitboard,
}

impl Engine {
    /// The engine itself, or that which [`Engine::Auto`] takes for the game of `rules` on `board` with so many threads.
    #[must_use]
    pub fn for_game(self, board: &Board, rules: &Rules, threads: usize) -> Engine {
        if self != Engine::Auto {
            return self;
        }
        let cells = board.open_count();
        let thin = rules.officers == 1 && cells < THIN * Tiling::count(board, word_tile(board)) as usize;
        if thin && (threads == 1 || forks(board) * FORKS < cells) {
            Engine::Counters
        } else {
            Engine::Bitboard
        }
    }

    /// The one that is not this.
    pub(crate) fn other(self) -> Engine {
        match self {
            Engine::Counters => Engine::Bitboard,
            _ => Engine::Counters,
        }
    }
}

/// How many open squares have open ones on three sides or four.
fn forks(board: &Board) -> usize {
    let (squares, width) = (board.squares(), usize::from(board.width()));
    let open =
        |at: Option<usize>| at.and_then(|at| squares.get(at)).is_some_and(|&square| square != Square::Wall);
    let fork = |&at: &usize| {
        let (left, right) = (at % width > 0, at % width + 1 < width);
        let sides =
            [at.checked_sub(width), at.checked_add(width), left.then(|| at - 1), right.then(|| at + 1)];
        open(Some(at)) && sides.into_iter().filter(|&side| open(side)).count() > 2
    };
    (0..squares.len()).filter(fork).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::make;

    /// A street with side streets of eight cells, eight cells apart.
    fn comb() -> Board {
        let squares = (0..9).flat_map(|row| (0..96).map(move |col| row == 0 || col % 8 == 0));
        let squares = squares.map(|open| if open { Square::Open } else { Square::Wall }).collect();
        Board::new(9, 96, squares).unwrap()
    }

    #[test]
    fn auto_is_the_quicker_engine() {
        let (rules, corridor) = (Rules::classic(), make::open(1, 500).unwrap());
        let auto = |board: &Board, threads| Engine::Auto.for_game(board, &rules, threads);
        for threads in [1, 2, 16] {
            assert_eq!(auto(&corridor, threads), Engine::Counters);
            assert_eq!(auto(&make::open(9, 9).unwrap(), threads), Engine::Bitboard);
            assert_eq!(auto(&make::maze(33, 33, 0, 1).unwrap(), threads), Engine::Bitboard);
            let two = Rules { officers: 2, ..Rules::classic() };
            assert_eq!(Engine::Auto.for_game(&corridor, &two, threads), Engine::Bitboard);
            assert_eq!(Engine::Bitboard.for_game(&corridor, &rules, threads), Engine::Bitboard);
        }
        assert_eq!(forks(&comb()), 11);
        assert_eq!((auto(&comb(), 1), auto(&comb(), 2)), (Engine::Counters, Engine::Bitboard));
    }
}
