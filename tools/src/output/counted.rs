//! Counts of a table as the program's JSON documents have them.

use super::json::Hex;
use dragnet_formats::header::{Counts, Longest, Summary};
use schemars::JsonSchema;
use serde::Serialize;

/// The counts that stand in a table's header, under the names that `stats --json`, `generate --json` and
/// `report.json` share. The latter two copy them one by one, in `report/entry.rs`.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Counted {
    /// Open cells.
    pub(crate) cells: u64,
    /// Positions, both sides to move.
    pub(crate) positions: u64,
    /// Outcomes of the positions with the police to move.
    pub(crate) police_to_move: Counts,
    /// Outcomes of the positions with the thief to move.
    pub(crate) thief_to_move: Counts,
    /// Plies of the longest win of each side, 0 if it wins no position.
    pub(crate) longest: Longest,
    /// Digest of all values.
    #[schemars(with = "Hex")]
    pub(crate) digest: String,
}

impl Counted {
    /// Returns the counts in the summary of a table with this many open cells.
    pub(crate) fn new(cells: u64, summary: &Summary) -> Counted {
        Counted {
            cells,
            positions: 2 * summary.police_to_move.total(),
            police_to_move: summary.police_to_move,
            thief_to_move: summary.thief_to_move,
            longest: summary.longest,
            digest: Hex(summary.digest).into(),
        }
    }
}
