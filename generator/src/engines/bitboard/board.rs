//! The board as the engine sees it, which does not change while solving: tiles of thief cells and of police
//! rows, and the moves between them.

mod overlay;

mod thief;

mod police_tiles;

mod police;

mod slices;

mod edge_bits;

mod owners;

mod team_tiles;

mod grid;

pub(crate) use {
    edge_bits::EdgeBits,
    grid::Grid,
    overlay::{CellBit, Overlays},
    owners::Rank,
    police::{King, KingRim, NEAR, NEAR_SIDE, PoliceRow, squares_around},
    slices::Cut,
    team_tiles::{Places, TeamTiles, replaced, with},
    thief::Overlay,
};
