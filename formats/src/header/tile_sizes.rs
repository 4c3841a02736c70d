//! The sizes of tiles that a table has.

use crate::{
    codec::Favour,
    numbering::{EIGHT, ROW, SIXTEEN, TileSize, tile},
};

/// Returns the sizes of the police's and the thief's tiles in a table of a game with this many officers,
/// whose grids have at most `height` rows. A single row is taken for the vertices of a graph, without
/// neighbourhood.
///
/// Large police tiles compress better: 16×16 × 8×8 takes 0.40 bits per position of a random 64×64 board at
/// zstd level 4, and 8×8 × 8×8 takes 0.51. Small ones are quicker to check at the first touch and need
/// narrower indices when they are read in place: 2.26 bits per position instead of 2.76. Several officers
/// share the slots that a block can have.
///
/// ```
/// use dragnet_formats::{codec::Favour, header::tile_sizes, numbering::{EIGHT, SIXTEEN}};
///
/// assert_eq!(tile_sizes(20, 1, Favour::Size), [SIXTEEN, EIGHT]);
/// assert_eq!(tile_sizes(20, 1, Favour::Speed), [EIGHT, EIGHT]);
/// ```
#[must_use]
pub fn tile_sizes(height: u16, officers: u8, favour: Favour) -> [TileSize; 2] {
    let on_squares = match (officers, favour) {
        (0 | 1, Favour::Speed) => EIGHT,
        (0 | 1, Favour::Size) => SIXTEEN,
        (2, _) => tile(4, 4),
        (3, _) => tile(2, 4),
        (4 | 5, _) => tile(2, 2),
        (_, _) => tile(1, 2),
    };
    if height > 1 {
        return [on_squares, EIGHT];
    }
    // 256 does not fit a byte, and 255 would split a word.
    [tile(1, on_squares.squares().min(192) as u8), ROW]
}
