//! Level 0: the terminal positions, and those without a move.

use super::{
    super::{
        board::{Grid, Places, PoliceRow},
        words::{ROWS, rows_with_bits},
    },
    step::Step,
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{
    cell::Side,
    game::{Team, terminal},
};
use smallvec::SmallVec;

/// The rows of a police tile whose positions are decided wherever the thief is, and where officers capture.
#[derive(Debug)]
pub(crate) struct TileStart {
    /// The rows without a move, one bit each.
    stuck: u64,
    /// The rows in which an officer has arrived, one bit each.
    arrived: u64,
    /// The overlays with cells that officers of the rows capture, rising.
    captures: SmallVec<[u32; 8]>,
}

impl TileStart {
    /// Returns the start of a police tile in a world.
    pub(crate) fn new(game: &Pursuit, grid: &Grid, world: u32, tile: u32) -> TileStart {
        let (rule, moves) = (game.terminal_rule(), grid.moves_in(world));
        let mut start = TileStart { stuck: 0, arrived: 0, captures: SmallVec::new() };
        for at in 0..grid.rows(tile) {
            let officers = grid.officers(PoliceRow::new(tile, at));
            let mut stuck = officers.iter().map(|&cell| {
                let place = grid.officer.place(grid.officer.row(cell));
                moves.steps(place).is_empty()
            });
            let is_stuck = match game.team() {
                Team::All => stuck.any(|stuck| stuck),
                Team::One => stuck.all(|stuck| stuck),
            };
            start.stuck |= u64::from(is_stuck) << at;
            start.arrived |= u64::from(rule.arrived(world, &officers)) << at;
            let captured = officers.iter().flat_map(|officer| rule.captured_from(world, officer));
            start.captures.extend(captured.map(|&cell| grid.bit(world, cell).overlay));
            start.captures.sort_unstable();
            start.captures.dedup();
        }
        start
    }
}

/// Lets the positions of a slice join the growing sets that are decided without a move. `tiles` has the
/// starts of all police tiles, world after world, and `stuck_wins` is whether the rules say that a side
/// without a move wins.
pub(crate) fn start(step: &mut Step, tiles: &[TileStart], stuck_wins: bool) {
    let (pass, slice) = (step.pass, step.slice);
    let here = &pass.grid.overlays[slice.overlay];
    let tiles = &tiles[here.world as usize * pass.grid.tile_count()..];
    for tile in pass.grid.cut.tiles(slice.range) {
        let TileStart { stuck, arrived, captures } = &tiles[tile as usize];
        let captures = captures.binary_search(&(slice.overlay as u32)).is_ok();
        if !captures && here.escapes | here.stuck | stuck | arrived == 0 {
            continue;
        }
        if step.is_stopped() {
            break;
        }
        let captured: [u64; ROWS] = std::array::from_fn(|row| {
            if !captures || row >= pass.grid.rows(tile) {
                return 0;
            }
            let officers: Places = pass.grid.officers(PoliceRow::new(tile, row));
            pass.grid.captured(pass.game.terminal_rule(), &officers, slice.overlay)
        });
        for mover in Side::BOTH {
            let set = pass.growing[mover];
            let (mut terminals, mut without_move) = ([0; ROWS], [0; ROWS]);
            for row in 0..pass.grid.rows(tile) {
                let arrived = if arrived >> row & 1 == 1 { here.open } else { 0 };
                let wins = terminal::decide(captured[row], here.escapes, arrived);
                terminals[row] = wins.of(set.winner());
                if set.wins() == stuck_wins {
                    let cannot_move = match mover {
                        Side::Police if stuck >> row & 1 == 1 => here.open,
                        Side::Police => 0,
                        Side::Thief => here.stuck,
                    };
                    without_move[row] = cannot_move & !wins.either();
                }
            }
            let new = std::array::from_fn(|row| terminals[row] | without_move[row]);
            step.join(mover, tile, !0, &new);
            // A terminal position needs no value: the table leaves it out.
            step.log(mover, tile, rows_with_bits(&without_move), &without_move);
        }
    }
}
