//! The outcome of one table, in the one form in which it is printed, kept in the journal and reported.

use crate::{
    output::counted::Counted,
    report::{history::TableEvent, status::Status},
    table::{
        portrait::{Portrait, pairs},
        statistics::PursuitStatistics,
    },
};
use dragnet_formats::{
    cell::{Cell, Side},
    header::{Counts, Longest},
    pieces::Pieces,
    value::Plies,
};
use dragnet_probe::{DoorTable, Position, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The message of a table that was interrupted before it was begun.
pub(crate) const NOT_BEGUN: &str = "not begun";

/// One table of a run: what `generate` prints, what the journal keeps, and what a report lists.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TableEntry {
    pub(crate) name: String,
    pub(crate) status: Status,
    /// Why there is no finished table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The table that was replaced, if another one was in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<String>,
    /// A probable mistake about the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warning: Option<String>,
    /// The path of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u16>,
    /// Open cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u64>,
    /// Positions of the game, both sides to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) positions: Option<u64>,
    /// The engine that solved the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) police_to_move: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thief_to_move: Option<Counts>,
    /// The longest win of each side, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest: Option<Longest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bits_per_position: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solve_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) write_seconds: Option<f64>,
    /// The most bytes of memory that the process had taken when the table was finished, for this table or one
    /// before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process_peak_memory_bytes: Option<u64>,
    /// When the table was made, in the form of RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made_at: Option<String>,
    /// The version of the program that made the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made_by: Option<String>,
    /// The outcomes of the table in all runs so far; in reports alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) history: Vec<TableEvent>,
    /// The estimated bytes of memory that a table needs which was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) portrait: Option<Portrait>,
    /// A position with each side's longest win, where every value of the table has been read for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) longest_examples: Option<LongestExamples>,
}

/// A position with the longest win of each side, if it wins any.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LongestExamples {
    pub(crate) police: Option<Example>,
    pub(crate) thief: Option<Example>,
}

/// A position, and how far it is from its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Example {
    /// The plies to the end.
    pub(crate) dtw: Plies,
    #[serde(with = "pairs")]
    pub(crate) police: Pieces,
    pub(crate) thief: [u16; 2],
    /// The side to move.
    pub(crate) turn: Side,
}

impl Example {
    /// Returns the thief's cell.
    pub(super) fn thief_cell(&self) -> Cell {
        Cell::new(self.thief[0], self.thief[1])
    }
}

impl LongestExamples {
    /// Returns the examples of a table's statistics.
    pub(crate) fn of(statistics: &PursuitStatistics) -> LongestExamples {
        let example = |side: Side| {
            statistics.examples[side as usize].map(|(dtw, Position { police, thief, turn })| Example {
                dtw,
                police,
                thief: [thief.row, thief.col],
                turn,
            })
        };
        LongestExamples { police: example(Side::Police), thief: example(Side::Thief) }
    }

    /// Returns the examples that there are, with the side that wins.
    pub(super) fn both(&self) -> impl Iterator<Item = (Side, &Example)> {
        let sides = [(Side::Police, &self.police), (Side::Thief, &self.thief)];
        sides.into_iter().filter_map(|(side, example)| Some((side, example.as_ref()?)))
    }
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
        let counted = Counted::new(header.board.open_count() as u64, &header.summary);
        TableEntry {
            path: Some(path.display().to_string()),
            height: Some(header.board.height()),
            width: Some(header.board.width()),
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

    /// Returns the entry with everything that the header of the finished table with doors in `path` holds, so
    /// without the counts of wins.
    pub(crate) fn with_doors(self, path: &Path, table: &DoorTable) -> TableEntry {
        let (board, bytes, positions) =
            (table.game().board(), table.table().file_len(), table.game().positions());
        TableEntry {
            path: Some(path.display().to_string()),
            height: Some(board.height()),
            width: Some(board.width()),
            cells: Some(board.open_count() as u64),
            positions: Some(positions),
            digest: Some(format!("{:016x}", table.table().summary().digest)),
            bytes: Some(bytes),
            bits_per_position: Some(bytes as f64 * 8.0 / positions as f64),
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
