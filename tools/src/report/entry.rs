//! The outcome of one table, in the one form in which it is printed, kept in the journal and reported.

use crate::{
    output::{counted::Counted, json::Hex},
    report::{history::TableEvent, status::Status},
    table::{portrait::Portrait, statistics::LongestExamples},
};
use dragnet_formats::header::{Counts, Longest};
use dragnet_probe::Table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The message of a table that was interrupted before it was begun.
pub(crate) const NOT_BEGUN: &str = "not begun";

/// A table of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct TableEntry {
    /// Name of the table.
    pub(crate) name: String,
    /// Outcome of the table.
    pub(crate) status: Status,
    /// Reason why there is no finished table. Absent if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// Table or file that was in the place of the table. Absent if nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<String>,
    /// Probable mistake about the board. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warning: Option<String>,
    /// Path of the table. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// Rows of the board. Absent if the board was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u16>,
    /// Columns of the board. Absent if the board was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u16>,
    /// Open cells. Absent if the board was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u64>,
    /// Positions, both sides to move. Absent if the board was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) positions: Option<u64>,
    /// Engine that solved the game. Absent unless the table was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["counters", "bitboard"]))]
    pub(crate) engine: Option<String>,
    /// Outcomes of the positions with the police to move. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) police_to_move: Option<Counts>,
    /// Outcomes of the positions with the thief to move. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thief_to_move: Option<Counts>,
    /// Plies of the longest win of each side, 0 if it wins no position. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest: Option<Longest>,
    /// Digest of all values. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Hex>")]
    pub(crate) digest: Option<String>,
    /// Length of the table. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    /// Bits of the file per position. Absent unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bits_per_position: Option<f64>,
    /// From the board to all values. Absent unless the table was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solve_seconds: Option<f64>,
    /// From the values to the finished file. Absent unless the table was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) write_seconds: Option<f64>,
    /// Most memory that the process had taken when the table was finished, for this table or one before it.
    /// Absent unless the table was made, and where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process_peak_memory_bytes: Option<u64>,
    /// When the table was made, in the form of RFC 3339. Absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made_at: Option<String>,
    /// Version of the program that made the table. Absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made_by: Option<String>,
    /// Outcomes of the table in each run that did not find it finished, the first one first. Absent if
    /// nothing is known, and except in `report.json`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) history: Vec<TableEvent>,
    /// Memory that a table likely needs which was left out. Absent unless the table was skipped for lack of
    /// memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_bytes: Option<u64>,
    /// The table at a glance. Absent without a manifest, and unless the table is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) portrait: Option<Portrait>,
    /// Where the longest wins start. Absent unless `report` or `site` has read every value for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) longest_examples: Option<LongestExamples>,
}

impl TableEntry {
    /// Returns the entry of a table about which no more is known.
    pub(crate) fn new(name: impl Into<String>, status: Status) -> TableEntry {
        TableEntry {
            name: name.into(),
            status,
            message: None,
            replaced: None,
            warning: None,
            path: None,
            height: None,
            width: None,
            cells: None,
            positions: None,
            engine: None,
            police_to_move: None,
            thief_to_move: None,
            longest: None,
            digest: None,
            bytes: None,
            bits_per_position: None,
            solve_seconds: None,
            write_seconds: None,
            process_peak_memory_bytes: None,
            made_at: None,
            made_by: None,
            history: Vec::new(),
            memory_bytes: None,
            portrait: None,
            longest_examples: None,
        }
    }

    /// Returns the entry with everything that the header of the finished table in `path` holds.
    pub(crate) fn with_table(self, path: &Path, table: &Table) -> TableEntry {
        let header = table.header();
        let counted = Counted::new(table.board().open_count() as u64, &header.summary);
        TableEntry {
            path: Some(path.display().to_string()),
            height: Some(table.board().height()),
            width: Some(table.board().width()),
            cells: Some(counted.cells),
            positions: Some(counted.positions),
            police_to_move: Some(counted.police_to_move),
            thief_to_move: Some(counted.thief_to_move),
            longest: Some(counted.longest),
            digest: Some(counted.digest),
            bytes: Some(table.file_len()),
            bits_per_position: Some(table.file_len() as f64 * 8.0 / counted.positions as f64),
            ..self
        }
    }

    /// Returns whether the digests of both entries are the same, and all that both know of their values.
    pub(crate) fn has_values_of(&self, other: &TableEntry) -> bool {
        fn agree<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        self.digest == other.digest
            && agree(&self.cells, &other.cells)
            && agree(&self.positions, &other.positions)
            && agree(&self.police_to_move, &other.police_to_move)
            && agree(&self.thief_to_move, &other.thief_to_move)
            && agree(&self.longest, &other.longest)
    }

    /// Returns the seconds of solving and writing, if they are known.
    pub(crate) fn seconds(&self) -> Option<f64> {
        let known = [self.solve_seconds, self.write_seconds];
        known.iter().any(Option::is_some).then(|| known.iter().flatten().sum())
    }

    /// Returns the counts of all positions by outcome, whichever side is to move.
    pub(super) fn outcomes(&self) -> Option<Counts> {
        let mut counts = self.police_to_move?;
        counts += self.thief_to_move?;
        Some(counts)
    }

    /// Returns whether the run was stopped before the table was begun.
    pub(crate) fn is_not_begun(&self) -> bool {
        self.status == Status::Interrupted && self.message.as_deref() == Some(NOT_BEGUN)
    }

    /// Returns what is to be said about the table beside its figures: why it is not finished, what it
    /// replaced, what is probably a mistake.
    pub(crate) fn note(&self) -> Option<String> {
        let replaced = self.replaced.as_ref().map(|what| format!("replaced {what}"));
        let notes: Vec<String> =
            [self.message.clone(), replaced, self.warning.clone()].into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Returns the longest win of either side, in plies.
    pub(super) fn longest_win(&self) -> Option<u32> {
        self.longest.map(|longest| longest.police.max(longest.thief))
    }
}
