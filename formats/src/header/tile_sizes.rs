//! The sizes of tiles that a table has.

use crate::{
    board::Board,
    codec::Favour,
    numbering::{EIGHT, ROW, SIXTEEN, TileSize, tile},
};

/// Returns the sizes of the police's and the thief's tiles in a table of `board` with this many officers.
///
/// Large police tiles compress better: 16×16 × 8×8 takes 0.40 bits per position of a random 64×64 board at
/// zstd level 4, and 8×8 × 8×8 takes 0.51. Small ones are quicker to check at the first touch and need
/// narrower indices when they are read in place: 2.26 bits per position instead of 2.76. Several officers
/// share the slots that a block can have.
///
/// ```
/// use dragnet_formats::{board::make, codec::Favour, header::tile_sizes,
/// numbering::{EIGHT, SIXTEEN}};
///
/// let board = make::open(20, 30)?;
/// assert_eq!(tile_sizes(&board, 1, Favour::Size), (SIXTEEN, EIGHT));
/// assert_eq!(tile_sizes(&board, 1, Favour::Speed), (EIGHT, EIGHT));
/// # Ok::<(), dragnet_formats::board::BoardError>(())
/// ```
#[must_use]
pub fn tile_sizes(board: &Board, officers: u8, favour: Favour) -> (TileSize, TileSize) {
    tile_sizes_of(board.graph().is_some(), officers, favour)
}

/// Returns the sizes of the tiles of the police and of the thief, on places that are squares of a plane or,
/// if `in_line`, a single row without neighbourhood, as the vertices of a graph.
#[must_use]
pub fn tile_sizes_of(in_line: bool, officers: u8, favour: Favour) -> (TileSize, TileSize) {
    let on_squares = match (officers, favour) {
        (0 | 1, Favour::Speed) => EIGHT,
        (0 | 1, Favour::Size) => SIXTEEN,
        (2, _) => tile(4, 4),
        (3, _) => tile(2, 4),
        (4 | 5, _) => tile(2, 2),
        (_, _) => tile(1, 2),
    };
    if !in_line {
        return (on_squares, EIGHT);
    }
    // 256 does not fit a byte, and 255 would split a word.
    (tile(1, on_squares.squares().min(192) as u8), ROW)
}
