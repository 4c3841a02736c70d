//! Losses: positions all of whose moves lead into what the other side wins, row by row and for a whole block.

use super::{
    super::{
        board::{King, KingRim, NEAR, NEAR_SIDE, OfficerMoves, Overlay},
        sets::OverlayWords,
        words::{ROWS, Words, combined, ones},
    },
    pass::Pass,
};
use dragnet_formats::cell::Side;

/// Returns the thief cells of `undecided` with which every one of the `moves` of a single officer from a
/// place reaches the `source` set.
#[inline(always)]
pub(crate) fn officer_row(moves: &OfficerMoves, source: OverlayWords, place: usize, undecided: u64) -> u64 {
    if undecided == 0 {
        return 0;
    }
    moves.steps(place).iter().fold(undecided, |all, &to| all & source.word(to))
}

/// Keeps in `undecided`, which has the words of the rows `row_mask` of one block, the positions all of whose
/// thief moves reach the source set.
#[inline(always)]
pub(crate) fn thief_rows(pass: &Pass, here: &Overlay, tile: u32, row_mask: u64, undecided: &mut [u64]) {
    for target in &here.targets {
        let source = pass.standing(Side::Police, target.overlay as usize).block(tile);
        let shifts = &here.shifts[target.shifts.clone()];
        for (row, word) in ones(row_mask).zip(&mut *undecided).filter(|(_, word)| **word != 0) {
            *word = shifts.iter().fold(*word, |word, shift| shift.add::<false>(word, source[row]));
        }
    }
}

/// Keeps in `undecided` the positions of one block from which every move of a single officer reaches the
/// source set.
#[inline(always)]
pub(crate) fn officer_block(pass: &Pass, overlay: usize, tile: u32, undecided: &mut Words) {
    let here = &pass.grid.overlays[overlay];
    let (moves, cells) = (pass.grid.moves_in(here.world), pass.grid.officer.range(tile));
    let source = pass.standing(Side::Thief, here.police_target as usize);
    match &moves.tiles[tile as usize].king {
        Some(king) => {
            let all = king_words::<false>(cells.len(), king, source.block(tile), |rim, near| {
                let words = source.block(rim.tile);
                rim.cells.iter().for_each(|&(at, square)| near[usize::from(square)] = words[usize::from(at)]);
            });
            undecided.iter_mut().zip(&all).for_each(|(word, all)| *word &= all);
        }
        None => {
            for (word, place) in undecided.iter_mut().zip(cells) {
                *word = officer_row(moves, source, place, *word);
            }
        }
    }
}

/// Returns for each of the `rows` cells of a tile the AND of the words at the ends of its king moves or, with
/// `WINS`, the OR. `inside` has the words of the cells, and `fill` puts those of a rim on their squares. The
/// nine squares are gone through in two steps: three in a row, then three of these in a column.
#[inline(always)]
pub(crate) fn king_words<const WINS: bool>(
    rows: usize,
    king: &King,
    inside: &Words,
    fill: impl Fn(&KingRim, &mut [u64; NEAR]),
) -> Words {
    // Squares without a row are walls, into which there is no move: their words change nothing.
    let mut near = [if WINS { 0 } else { !0 }; NEAR];
    if rows == ROWS {
        // A full tile: its rows are its squares in reading order.
        for (to, from) in near[NEAR_SIDE..].chunks_exact_mut(NEAR_SIDE).zip(inside.as_chunks::<8>().0) {
            to[1..9].copy_from_slice(from);
        }
    } else {
        for (&word, &square) in inside.iter().zip(&king.squares) {
            near[usize::from(square)] = word;
        }
    }
    king.around.iter().for_each(|rim| fill(rim, &mut near));
    let mut across = [[0; 8]; NEAR_SIDE];
    for (row, across) in across.iter_mut().enumerate() {
        for (col, word) in across.iter_mut().enumerate() {
            let at = row * NEAR_SIDE + col;
            *word = three::<WINS>(near[at], near[at + 1], near[at + 2]);
        }
    }
    // Laid out as the squares of `near`.
    let mut all = [0; NEAR];
    for row in 0..8 {
        for col in 0..8 {
            all[(row + 1) * NEAR_SIDE + col + 1] =
                three::<WINS>(across[row][col], across[row + 1][col], across[row + 2][col]);
        }
    }
    let mut words = [0; ROWS];
    for (word, &square) in words.iter_mut().zip(&king.squares) {
        *word = all[usize::from(square)];
    }
    words
}

#[inline(always)]
fn three<const WINS: bool>(a: u64, b: u64, c: u64) -> u64 {
    combined::<WINS>(combined::<WINS>(a, b), c)
}

/// Keeps in `undecided` the positions of one block all of whose thief moves reach the source set.
#[inline(always)]
pub(crate) fn thief_block(pass: &Pass, here: &Overlay, tile: u32, undecided: &mut Words) {
    for target in &here.targets {
        let source = pass.standing(Side::Police, target.overlay as usize).block(tile);
        for shift in &here.shifts[target.shifts.clone()] {
            let words = undecided.iter_mut().zip(source);
            words.for_each(|(word, &source)| *word = shift.add::<false>(*word, source));
        }
    }
}
