//! Counts of a table as the program's JSON documents have them.

use dragnet_formats::header::{Counts, Longest, Summary};
use serde::Serialize;

/// The counts that stand in a table's header, under the names that `stats --json`, `generate --json` and
/// `report.json` share. The latter two copy them one by one, in `report/entry.rs`.
#[derive(Clone, Serialize)]
pub(crate) struct Counted {
    /// Open cells.
    pub(crate) cells: u64,
    /// Positions, both sides to move.
    pub(crate) positions: u64,
    pub(crate) police_to_move: Counts,
    pub(crate) thief_to_move: Counts,
    /// The longest win of each side, in plies.
    pub(crate) longest: Longest,
    /// The digest of all values, 16 hexadecimal digits.
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
            digest: format!("{:016x}", summary.digest),
        }
    }
}
