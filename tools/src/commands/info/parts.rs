//! Parts that the answers about all kinds of tables share.

use crate::output::{
    human,
    json::{Hex, JsonCell},
};
use dragnet_formats::{board::Board, rules::Rules};
use dragnet_probe::BlockStatistics;
use schemars::JsonSchema;
use serde::Serialize;

/// Returns the bits of a file of so many bytes per position.
pub(super) fn bits_per_position(bytes: u64, positions: u64) -> f64 {
    bytes as f64 * 8.0 / positions as f64
}

/// Returns three fields: the length of the file, the length of the index, and the kinds of blocks.
pub(super) fn sizes(
    bytes: u64,
    index: u64,
    positions: u64,
    blocks: &BlockStatistics,
) -> [(&'static str, String); 3] {
    let bits = bits_per_position(bytes, positions);
    [
        ("file", format!("{}, {bits:.3} bits per position", human::bytes(bytes))),
        ("index", human::bytes(index)),
        (
            "blocks",
            format!(
                "{}: {} of one value, {} copies, {} packed ({}), {} zstd ({})",
                human::count(blocks.blocks),
                human::count(blocks.constant),
                human::count(blocks.shared),
                human::count(blocks.packed),
                human::bytes(blocks.packed_bytes),
                human::count(blocks.zstd),
                human::bytes(blocks.zstd_bytes),
            ),
        ),
    ]
}

/// The header and the sizes of a board's table that every kind has.
#[derive(Serialize, JsonSchema)]
pub(super) struct BoardInfo {
    /// Rows of the board; 1 for a graph.
    height: u16,
    /// Columns of the board; the vertices of a graph.
    width: u16,
    /// Open cells.
    cells: usize,
    /// The exits, in reading order.
    exits: Vec<JsonCell>,
    /// The rules, all of them. `null` if a program gave the game.
    rules: Option<Rules>,
    /// The preset that these rules are. `null` if they are none.
    preset: Option<&'static str>,
}

impl BoardInfo {
    pub(super) fn new(board: &Board, rules: Option<&Rules>) -> BoardInfo {
        BoardInfo {
            height: board.height(),
            width: board.width(),
            cells: board.open_count(),
            exits: board.exits().map(JsonCell::from).collect(),
            rules: rules.cloned(),
            preset: rules.and_then(Rules::preset_name),
        }
    }
}

/// The blocks of a table by their kinds.
#[derive(Serialize, JsonSchema)]
pub(super) struct BlocksInfo {
    /// Blocks of the table.
    total: u64,
    /// Blocks of one value, which have no bytes.
    constant: u64,
    /// Blocks whose bytes are those of another block.
    shared: u64,
    /// Blocks of packed bits.
    packed: ExtentsInfo,
    /// Blocks compressed with zstd.
    zstd: ExtentsInfo,
}

/// The extents of a file that hold blocks of one kind.
#[derive(Serialize, JsonSchema)]
pub(super) struct ExtentsInfo {
    /// How many extents the file holds.
    extents: u64,
    /// Their length.
    bytes: u64,
}

impl From<&BlockStatistics> for BlocksInfo {
    fn from(blocks: &BlockStatistics) -> BlocksInfo {
        BlocksInfo {
            total: blocks.blocks,
            constant: blocks.constant,
            shared: blocks.shared,
            packed: ExtentsInfo { extents: blocks.packed, bytes: blocks.packed_bytes },
            zstd: ExtentsInfo { extents: blocks.zstd, bytes: blocks.zstd_bytes },
        }
    }
}

/// The sizes of a table's file, and its blocks.
#[derive(Serialize, JsonSchema)]
pub(super) struct FileInfo {
    /// Length of the file.
    pub(super) bytes: u64,
    /// Length of the block index.
    pub(super) index_bytes: u64,
    /// Bits of the file per position.
    pub(super) bits_per_position: f64,
    /// Blocks by their kinds.
    pub(super) blocks: BlocksInfo,
    /// Digest of all values.
    pub(super) digest: Hex,
}
