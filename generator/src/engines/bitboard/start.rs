//! Level 0: the terminal positions, and those without a move.

use super::{
    overlay_state::{GrowingSet, Joined, OverlayState},
    pass::Pass,
    words::{ROWS, rows_with_bits},
};
use dragnet_formats::{cell::Side, rules::terminal};

/// Lets the positions of one overlay join the growing sets that are decided without a move. `stuck_wins` is
/// whether the rules say that a side without a move wins.
pub(super) fn start(
    pass: &Pass,
    stuck_wins: bool,
    overlay: usize,
    mut growing: [GrowingSet; 2],
    state: &mut OverlayState,
) -> Joined {
    let here = &pass.grid.overlays[overlay];
    for (tile, police) in (0..).zip(&pass.grid.police) {
        let stands = police.stands.binary_search(&(overlay as u32)).is_ok();
        if !stands && here.exits | here.stuck | police.stuck | police.arrived == 0 {
            continue;
        }
        for mover in Side::BOTH {
            let set = pass.growing[mover as usize];
            let (mut terminals, mut stuck) = ([0; ROWS], [0; ROWS]);
            for row in 0..police.rows {
                let captured =
                    if stands { pass.grid.captured(pass.game, police.first + row, overlay) } else { 0 };
                let arrived = if police.arrived >> row & 1 == 1 { here.open } else { 0 };
                let wins = terminal::decide(captured, here.exits, arrived);
                terminals[row] = wins.of(set.winner());
                if set.wins() == stuck_wins {
                    let cannot_move = match mover {
                        Side::Police if police.stuck >> row & 1 == 1 => here.open,
                        Side::Police => 0,
                        Side::Thief => here.stuck,
                    };
                    stuck[row] = cannot_move & !wins.either();
                }
            }
            let new = std::array::from_fn(|row| terminals[row] | stuck[row]);
            state.join(pass.grid, set, &mut growing[mover as usize], tile, &new);
            // A terminal position needs no value: the table leaves it out.
            state.note(pass.level, set, tile, rows_with_bits(&stuck), &stuck);
        }
    }
    Joined::new(&growing, state)
}
