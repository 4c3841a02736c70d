//! Sums over tables, and the report that holds entries and sums.

use crate::{
    failure::Failure,
    machine::Machine,
    report::{
        entry::TableEntry,
        history::{History, RunSummary, StatusCounts, now},
    },
    version,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sums over the entries of a report.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Totals {
    /// Tables that were planned.
    pub(crate) boards: u64,
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Positions of the finished tables.
    pub(crate) positions: u64,
    /// Bytes of the finished tables.
    pub(crate) bytes: u64,
    /// Solving the finished tables.
    pub(crate) solve_seconds: f64,
    /// Writing the finished tables.
    pub(crate) write_seconds: f64,
    /// Wall time of the run. Absent if the tables do not come from one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elapsed_seconds: Option<f64>,
}

impl Totals {
    fn of(entries: &[TableEntry]) -> Totals {
        let mut totals = Totals { boards: entries.len() as u64, ..Totals::default() };
        for entry in entries {
            totals.counts.add(entry.status);
            if entry.status.is_finished() {
                totals.positions = totals.positions.saturating_add(entry.positions.unwrap_or(0));
                totals.bytes = totals.bytes.saturating_add(entry.bytes.unwrap_or(0));
                totals.solve_seconds += entry.solve_seconds.unwrap_or(0.0);
                totals.write_seconds += entry.write_seconds.unwrap_or(0.0);
            }
        }
        totals
    }

    /// Returns the seconds of all work on the finished tables.
    pub(super) fn seconds(&self) -> f64 {
        self.solve_seconds + self.write_seconds
    }
}

/// The outcome of a run, or of tables that were given, as it is listed and written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RunReport {
    /// Title of the page.
    pub(crate) title: String,
    /// When the report was made, in the form of RFC 3339.
    pub(crate) created_at: String,
    /// Version of the program.
    pub(crate) version: String,
    /// Machine on which the report was made.
    pub(crate) machine: Machine,
    /// Sums over the tables.
    pub(crate) totals: Totals,
    /// Runs in the output folder so far, the first one first. Absent if the tables do not come from runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) runs: Vec<RunSummary>,
    /// The tables.
    pub(crate) entries: Vec<TableEntry>,
    /// Tables in the folder that earlier runs have made and the manifest does not name any more. Absent if
    /// there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_named: Vec<String>,
}

impl RunReport {
    /// Returns the report of these entries, in their order.
    pub(crate) fn new(title: impl Into<String>, entries: Vec<TableEntry>) -> RunReport {
        RunReport {
            title: title.into(),
            created_at: now(),
            version: version::SHORT.to_owned(),
            machine: Machine::here(),
            totals: Totals::of(&entries),
            runs: Vec::new(),
            entries,
            not_named: Vec::new(),
        }
    }

    /// Returns the report with what is known of its run and of the runs before it, and with the tables that
    /// these have made and that are not named any more.
    pub(crate) fn of_run(mut self, run: &RunSummary, history: History, not_named: Vec<String>) -> RunReport {
        self.totals.elapsed_seconds = run.seconds;
        for entry in &mut self.entries {
            entry.history = history.of(&entry.name);
        }
        RunReport { runs: history.runs, not_named, ..self }
    }

    /// Returns the report as JSON.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
