//! Moves of either side as maxima over whole rows, and the transposition between the two kinds of rows.

use super::{
    police_moves::PartMoves,
    score::{WORD, WordRow, WordScore, raise},
    word_cells::WordCells,
};
use multiversion::multiversion;

/// Derives the scores of `count` teams with the thief to move from those around each cell of the word.
#[multiversion(targets = "simd")]
pub(super) fn derive_replies<S: WordScore>(
    near: &[S],
    stride: usize,
    count: usize,
    cells: &WordCells,
    stuck: S,
    replies: &mut [S],
) {
    for bit in 0..cells.thief.len() {
        let moves = cells.moves(bit);
        for first in (0..count).step_by(WORD) {
            let mut best = [S::NO_MOVE; WORD];
            for &row in moves {
                raise(&mut best, near[row * stride + first..].first_chunk().expect("whole words of teams"));
            }
            let into = &mut replies[bit * stride + first..][..WORD];
            for (score, best) in into.iter_mut().zip(best) {
                *score = if moves.is_empty() { stuck } else { best.before() };
            }
        }
    }
}

/// Turns rows with a score for each team, `stride` elements apart, into rows with a score for each of the
/// first [`WORD`] rows.
#[multiversion(targets = "simd")]
pub(super) fn transpose<S: WordScore>(rows: &[S], stride: usize, teams: &mut [WordRow<S>]) {
    const SIDE: usize = 8;
    for (first, teams) in teams.chunks_mut(SIDE).enumerate() {
        for bit in (0..WORD).step_by(SIDE) {
            let square: [&[S; SIDE]; SIDE] = std::array::from_fn(|row| {
                rows[(bit + row) * stride + first * SIDE..].first_chunk().expect("whole words of teams")
            });
            for (team, row) in teams.iter_mut().enumerate() {
                let column: [S; SIDE] = std::array::from_fn(|row| square[row][team]);
                row.0[bit..bit + SIDE].copy_from_slice(&column);
            }
        }
    }
}

/// Puts the best score that each state before a part of a turn can reach into `best`.
#[multiversion(targets = "simd")]
pub(super) fn best_of_partial_turns<S: WordScore>(
    moves: &PartMoves,
    after: &[WordRow<S>],
    best: &mut Vec<WordRow<S>>,
) {
    best.clear();
    for state in 0..moves.states() {
        let mut row = [S::NO_MOVE; WORD];
        moves.of(state).iter().for_each(|&to| raise(&mut row, &after[to as usize].0));
        best.push(WordRow(row));
    }
}
