//! Sums over tables, and the report that holds entries and sums.

use crate::{
    failure::Failure,
    report::entry::{Status, TableEntry},
};
use serde::{Deserialize, Serialize};

/// Sums over the entries of a report.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) boards: u64,
    pub(crate) made: u64,
    pub(crate) kept: u64,
    pub(crate) skipped: u64,
    pub(crate) failed: u64,
    pub(crate) interrupted: u64,
    /// Positions of the finished tables.
    pub(crate) positions: u64,
    /// Bytes of the finished tables.
    pub(crate) bytes: u64,
    /// Seconds of solving the finished tables.
    pub(crate) solve_seconds: f64,
    /// Seconds of writing the finished tables.
    pub(crate) write_seconds: f64,
    /// Wall time of the run, in seconds, if the entries come from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elapsed_seconds: Option<f64>,
}

impl Totals {
    fn of(entries: &[TableEntry]) -> Totals {
        let mut totals = Totals { boards: entries.len() as u64, ..Totals::default() };
        for entry in entries {
            *totals.count_mut(entry.status) += 1;
            if entry.status.is_finished() {
                totals.positions = totals.positions.saturating_add(entry.positions.unwrap_or(0));
                totals.bytes = totals.bytes.saturating_add(entry.bytes.unwrap_or(0));
                totals.solve_seconds += entry.solve_seconds.unwrap_or(0.0);
                totals.write_seconds += entry.write_seconds.unwrap_or(0.0);
            }
        }
        totals
    }

    fn count_mut(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Made => &mut self.made,
            Status::Kept => &mut self.kept,
            Status::Skipped => &mut self.skipped,
            Status::Failed => &mut self.failed,
            Status::Interrupted => &mut self.interrupted,
        }
    }

    /// Returns the number of tables with this status.
    pub(super) fn count(&self, status: Status) -> u64 {
        *self.clone().count_mut(status)
    }

    /// Returns the seconds of all work on the finished tables.
    pub(super) fn seconds(&self) -> f64 {
        self.solve_seconds + self.write_seconds
    }
}

/// The outcome of a run, or of tables that were given, as it is listed and written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct RunReport {
    /// The title of the page.
    pub(crate) title: String,
    pub(crate) totals: Totals,
    pub(crate) entries: Vec<TableEntry>,
}

impl RunReport {
    /// Returns the report of these entries, in their order.
    pub(crate) fn new(title: impl Into<String>, entries: Vec<TableEntry>) -> RunReport {
        RunReport { title: title.into(), totals: Totals::of(&entries), entries }
    }

    /// Returns the report as JSON.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
