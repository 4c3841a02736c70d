//! Losses: positions all of whose moves lead into what the other side wins, row by row and for a whole block.

use super::{
    pass::Pass,
    police::{King, NEAR, NEAR_SIDE, PoliceTile},
    team_turn::TeamTurn,
    thief::Overlay,
    words::{ROWS, Words, block},
};
use dragnet_formats::cell::Side;

/// Returns those of the thief cells `left` with which every move of the police from row number `row` leads
/// into the source.
#[inline(always)]
pub(super) fn police_row(pass: &Pass, turn: &mut TeamTurn, overlay: usize, row: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing(Side::Thief, overlay);
    match &pass.grid.single {
        Some(single) => single.steps.of(row).iter().fold(left, |all, &to| all & source[to as usize]),
        None => left & turn.all(pass.game.police(), source, 0, row as u64),
    }
}

/// Returns those of the thief cells `left` of the overlay `here` from which every move leads into the source,
/// with the police in row number `row`.
#[inline(always)]
pub(super) fn thief_row(pass: &Pass, here: &Overlay, row: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing[Side::Police as usize];
    let mut all = left;
    for shift in &here.shifts {
        all = shift.add::<false>(all, source[shift.overlay as usize * pass.stride + row]);
    }
    all
}

/// Leaves of the positions `left` of one block those from which every move of the police leads into the
/// source.
#[inline(always)]
pub(super) fn police_block(
    pass: &Pass,
    turn: &mut TeamTurn,
    overlay: usize,
    police: &PoliceTile,
    left: &mut Words,
) {
    match &police.king {
        Some(king) => king_block(police, king, pass.standing(Side::Thief, overlay), left),
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
fn king_block(police: &PoliceTile, king: &King, source: &[u64], left: &mut Words) {
    // Squares without a row are walls, into which there is no move: all bits set, they change no AND.
    let mut near = [!0; NEAR];
    let inside = block(source, police.first);
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
    for &(row, square) in &king.around {
        near[usize::from(square)] = source[row as usize];
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
pub(super) fn thief_block(pass: &Pass, here: &Overlay, police: &PoliceTile, left: &mut Words) {
    for shift in &here.shifts {
        let there = block(pass.standing(Side::Police, shift.overlay as usize), police.first);
        left.iter_mut().zip(there).for_each(|(left, &there)| *left = shift.add::<false>(*left, there));
    }
}
