//! The board as the engine sees it, which does not change while solving: tiles of thief cells and of police
//! rows, and the moves between them.

mod corridors;

mod overlay;

mod thief;

mod overlay_order;

mod police_tiles;

mod police;

mod police_moves;

mod slices;

mod team_tiles;

mod grid;

pub(crate) use {
    corridors::AREA,
    grid::Grid,
    overlay::{CellBit, Overlays},
    police::{OfficerTiles, PoliceRow},
    police_moves::{King, KingRim, NEAR, NEAR_SIDE, OfficerMoves},
    slices::{Cut, SliceTile},
    team_tiles::{Places, TeamTiles, replaced, with},
    thief::Overlay,
};
