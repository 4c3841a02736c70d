//! Losses: positions all of whose moves lead into what the other side wins, row by row and for a whole block.

use super::{
    grid::{Overlay, Shift},
    lane::{ROWS, Words, block},
    level::Pass,
    police::{King, NEAR, NEAR_SIDE, PoliceTile},
    turn::Turn,
};
use dragnet_formats::cell::Side;

/// Of the thief cells `left`, those with which every move of the police from row `row` leads into the source.
#[inline(always)]
pub(super) fn police_row(pass: &Pass, turn: &mut Turn, thief: usize, row: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing(Side::Thief, thief);
    match &pass.grid.single {
        Some(single) => single.steps.of(row).iter().fold(left, |all, &to| all & source[to as usize]),
        None => left & turn.all(pass.game.police(), source, 0, row as u64),
    }
}

/// Of the thief cells `left`, those from which every move leads into the source, with the police in row `cell`.
#[inline(always)]
pub(super) fn thief_row(pass: &Pass, here: &Overlay, cell: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing[Side::Police as usize];
    let there = |shift: &Shift| source[shift.overlay as usize * pass.stride + cell];
    here.shifts.iter().fold(left, |all, shift| shift.add::<false>(all, there(shift)))
}

/// Leaves of the positions `left` those from which every move of the police leads into the source.
#[inline(always)]
pub(super) fn police_moves(
    pass: &Pass,
    turn: &mut Turn,
    thief: usize,
    police: &PoliceTile,
    left: &mut Words,
) {
    match &police.king {
        Some(king) => king_moves(police, king, pass.standing(Side::Thief, thief), left),
        None => {
            for (left, cell) in left.iter_mut().zip(police.range()) {
                *left = police_row(pass, turn, thief, cell, *left);
            }
        }
    }
}

/// The same for a tile of kings.
#[inline(always)]
fn king_moves(police: &PoliceTile, king: &King, source: &[u64], left: &mut Words) {
    // Walls change nothing.
    let mut near = [!0; NEAR];
    let inside = block(source, police);
    if police.rows == ROWS {
        for (to, from) in near[NEAR_SIDE..].chunks_exact_mut(NEAR_SIDE).zip(inside.as_chunks::<8>().0) {
            to[1..9].copy_from_slice(from);
        }
    } else {
        for (&word, &square) in inside.iter().zip(&king.squares) {
            near[usize::from(square)] = word;
        }
    }
    for &(cell, square) in &king.around {
        near[usize::from(square)] = source[cell as usize];
    }
    let mut across = [[0; 8]; NEAR_SIDE];
    for (row, across) in across.iter_mut().enumerate() {
        for (col, word) in across.iter_mut().enumerate() {
            let at = row * NEAR_SIDE + col;
            *word = near[at] & near[at + 1] & near[at + 2];
        }
    }
    // Square by square, laid out as the squares of `near`.
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

/// Leaves of the positions `left` those from which every move of the thief leads into the source.
#[inline(always)]
pub(super) fn thief_moves(pass: &Pass, here: &Overlay, police: &PoliceTile, left: &mut Words) {
    for shift in &here.shifts {
        let there = block(pass.standing(Side::Police, shift.overlay as usize), police);
        left.iter_mut().zip(there).for_each(|(left, &there)| *left = shift.add::<false>(*left, there));
    }
}
