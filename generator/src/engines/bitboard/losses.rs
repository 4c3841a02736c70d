//! Losses: positions all of whose moves lead into what the other side wins, row by row and for a whole block.

use super::{
    overlay_set::OverlaySet,
    pass::Pass,
    police::{King, NEAR, NEAR_SIDE, PoliceTile},
    team_turn::TeamTurn,
    thief::Overlay,
    words::{ROWS, Words, ones},
};
use dragnet_formats::cell::Side;

/// Returns those of the thief cells `left` with which every move of the police from the row at `row` in the
/// order of all rows leads into the source.
#[inline(always)]
pub(super) fn police_row(pass: &Pass, turn: &mut TeamTurn, overlay: usize, row: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing(Side::Thief, overlay);
    match &pass.grid.single {
        Some(single) => single.steps(row).iter().fold(left, |all, &to| all & source.word(to)),
        None => {
            let word_of = |team| source.word(pass.grid.team_row(team));
            left & turn.all(pass.game.police(), &word_of, 0, row as u64)
        }
    }
}

/// Leaves of the positions `left` of the rows `some` of one block those from which every move of the thief
/// leads into the source.
#[inline(always)]
pub(super) fn thief_rows(pass: &Pass, here: &Overlay, tile: u32, some: u64, left: &mut Words) {
    for target in &here.targets {
        let there = pass.standing(Side::Police, target.overlay as usize).block(tile);
        for shift in &here.shifts[target.shifts.clone()] {
            ones(some).for_each(|row| left[row] = shift.add::<false>(left[row], there[row]));
        }
    }
}

/// Leaves of the positions `left` of one block those from which every move of the police leads into the
/// source.
#[inline(always)]
pub(super) fn police_block(pass: &Pass, turn: &mut TeamTurn, overlay: usize, tile: u32, left: &mut Words) {
    let police = &pass.grid.police[tile as usize];
    match &police.king {
        Some(king) => king_block(police, king, pass.standing(Side::Thief, overlay), tile, left),
        None => {
            for (left, row) in left.iter_mut().zip(police.range()) {
                *left = police_row(pass, turn, overlay, row, *left);
            }
        }
    }
}

/// Leaves of the positions `left` of one block those from which every king move of the police leads into
/// `source`. The AND over nine squares is taken in two steps: over three in a row, then over three of these
/// in a column.
#[inline(always)]
fn king_block(police: &PoliceTile, king: &King, source: &OverlaySet, tile: u32, left: &mut Words) {
    // Squares without a row are walls, into which there is no move: all bits set, they change no AND.
    let mut near = [!0; NEAR];
    let inside = source.block(tile);
    if police.rows == ROWS {
        // A full tile: its rows are its squares in reading order.
        for (to, from) in near[NEAR_SIDE..].chunks_exact_mut(NEAR_SIDE).zip(inside.as_chunks::<8>().0) {
            to[1..9].copy_from_slice(from);
        }
    } else {
        for (&word, &square) in inside.iter().zip(&king.squares) {
            near[usize::from(square)] = word;
        }
    }
    for rim in &king.around {
        let words = source.block(rim.tile);
        for &(at, square) in &rim.cells {
            near[usize::from(square)] = words[usize::from(at)];
        }
    }
    let mut across = [[0; 8]; NEAR_SIDE];
    for (row, across) in across.iter_mut().enumerate() {
        for (col, word) in across.iter_mut().enumerate() {
            let at = row * NEAR_SIDE + col;
            *word = near[at] & near[at + 1] & near[at + 2];
        }
    }
    // Laid out as the squares of `near`.
    let mut all = [0; NEAR];
    for row in 0..8 {
        for col in 0..8 {
            all[(row + 1) * NEAR_SIDE + col + 1] =
                across[row][col] & across[row + 1][col] & across[row + 2][col];
        }
    }
    for (left, &square) in left.iter_mut().zip(&king.squares) {
        *left &= all[usize::from(square)];
    }
}

/// Leaves of the positions `left` of one block those from which every move of the thief leads into the
/// source.
#[inline(always)]
pub(super) fn thief_block(pass: &Pass, here: &Overlay, tile: u32, left: &mut Words) {
    for target in &here.targets {
        let there = pass.standing(Side::Police, target.overlay as usize).block(tile);
        for shift in &here.shifts[target.shifts.clone()] {
            left.iter_mut().zip(there).for_each(|(left, &there)| *left = shift.add::<false>(*left, there));
        }
    }
}
