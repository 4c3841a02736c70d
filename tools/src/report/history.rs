//! The history of an output folder: its runs, and what became of each table in each of them.

use crate::{
    failure::Failure,
    line_file::{self, LineFile},
    machine::Machine,
    output::human,
    report::status::Status,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

/// The most bytes of a history. The older half of a longer one is forgotten.
const MOST_BYTES: usize = 64 << 20;

/// Returns the present time in the form of RFC 3339, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A run in an output folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RunSummary {
    /// Number of the run: its first millisecond, counted from 1970.
    pub(crate) run: u64,
    /// Number of the run among those that worked in the folder then. No other that began in the same
    /// millisecond has it.
    pub(crate) worker: u32,
    /// When it began, in the form of RFC 3339.
    pub(crate) began: String,
    /// Version of the program.
    pub(crate) version: String,
    /// Machine of the run.
    pub(crate) machine: Machine,
    /// Threads.
    pub(crate) threads: usize,
    /// Tables of its list.
    pub(crate) tables: u64,
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Wall time. Absent if the process was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// Exit status. Absent if the process was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u8>,
    /// Most memory of the process. Absent if it was killed, and where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process_peak_memory_bytes: Option<u64>,
}

/// How many tables of a run have each status.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct StatusCounts {
    /// Tables that were made.
    pub(crate) made: u64,
    /// Tables that were there already.
    pub(crate) kept: u64,
    /// Tables that were left out.
    pub(crate) skipped: u64,
    /// Tables that were not finished.
    pub(crate) interrupted: u64,
    /// Tables that could not be made.
    pub(crate) failed: u64,
}

impl StatusCounts {
    /// Returns the tables of every status.
    pub(crate) fn sum(&self) -> u64 {
        self.made + self.kept + self.skipped + self.interrupted + self.failed
    }

    /// Counts a table with this status.
    pub(crate) fn add(&mut self, status: Status) {
        *match status {
            Status::Made => &mut self.made,
            Status::Kept => &mut self.kept,
            Status::Skipped => &mut self.skipped,
            Status::Interrupted => &mut self.interrupted,
            Status::Failed => &mut self.failed,
        } += 1;
    }

    /// Returns the number of tables with this status.
    pub(crate) fn of(&self, status: Status) -> u64 {
        match status {
            Status::Made => self.made,
            Status::Kept => self.kept,
            Status::Skipped => self.skipped,
            Status::Interrupted => self.interrupted,
            Status::Failed => self.failed,
        }
    }

    /// Returns the tables that are finished, made now or before.
    pub(crate) fn finished(&self) -> u64 {
        self.made + self.kept
    }

    /// Returns the tables that could not be made or were left out.
    pub(crate) fn not_made(&self) -> u64 {
        self.failed + self.skipped
    }

    /// Returns the counts in words, `3 made, 1 failed`; empty if there are none.
    pub(crate) fn words(&self) -> String {
        let counts = Status::ALL.into_iter().map(|status| (self.of(status), status));
        let words: Vec<String> = counts
            .filter(|&(count, _)| count > 0)
            .map(|(count, status)| format!("{} {status}", human::count(count)))
            .collect();
        words.join(", ")
    }
}

/// The outcome of a table in one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct TableEvent {
    /// Number of the run.
    pub(crate) run: u64,
    /// Worker number of that run.
    pub(crate) worker: u32,
    /// When the outcome was known, in the form of RFC 3339.
    pub(crate) at: String,
    /// Outcome of the table in that run.
    pub(crate) status: Status,
    /// Solving and writing. Absent unless the table was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// Remark about the table. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A run that begins or has ended; a later line of the same run replaces an earlier one.
    Run(RunSummary),
    Table {
        name: String,
        #[serde(flatten)]
        event: TableEvent,
    },
}

/// All that is known of the runs in an output folder.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// The runs, the first one first.
    pub(crate) runs: Vec<RunSummary>,
    /// The outcomes of each table, by its name.
    tables: HashMap<String, Vec<TableEvent>>,
}

impl History {
    /// Returns the history in these bytes. Ignores lines that cannot be read, like one that was cut short
    /// when a process was killed.
    fn parse(bytes: &[u8]) -> History {
        let mut history = History::default();
        let mut runs: BTreeMap<(u64, u32), RunSummary> = BTreeMap::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Run(run)) => {
                    runs.insert((run.run, run.worker), run);
                }
                Ok(Line::Table { name, event }) => {
                    // A run that was killed has not counted its tables itself.
                    let run = runs.get_mut(&(event.run, event.worker));
                    if let Some(run) = run.filter(|run| run.status.is_none()) {
                        run.counts.add(event.status);
                    }
                    history.tables.entry(name).or_default().push(event);
                }
                Err(_) => {}
            }
        }
        history.runs = runs.into_values().collect();
        history
    }

    /// Returns the outcomes of the table called `name`, the first one first.
    pub(crate) fn of(&self, name: &str) -> Vec<TableEvent> {
        self.tables.get(name).cloned().unwrap_or_default()
    }
}

/// The file that holds the history of an output folder, to which several runs may add lines at a time.
#[derive(Debug)]
pub(crate) struct HistoryFile {
    path: PathBuf,
    lines: LineFile,
}

impl HistoryFile {
    /// Opens the history in the file `path`, whose folder exists.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn open(path: PathBuf) -> Result<HistoryFile, Failure> {
        Ok(HistoryFile { lines: LineFile::open(path.clone())?, path })
    }

    /// Adds a run that begins or has ended.
    pub(crate) fn add_run(&self, run: &RunSummary) -> Result<(), Failure> {
        self.lines.add(&Line::Run(run.clone())).map(drop)
    }

    /// Adds the outcome of the table called `name`.
    pub(crate) fn add_table(&self, name: &str, event: TableEvent) -> Result<(), Failure> {
        self.lines.add(&Line::Table { name: name.to_owned(), event }).map(drop)
    }

    /// Returns all that the file holds.
    pub(crate) fn read(&self) -> Result<History, Failure> {
        line_file::read(&self.path).map(|bytes| History::parse(&bytes))
    }
}

/// Forgets the older half of the history in the file `path`, if it is very long. The caller is alone with it.
///
/// # Errors
/// When the file cannot be read or written.
pub(crate) fn shorten(path: &Path) -> Result<(), Failure> {
    let bytes = line_file::read(path)?;
    if bytes.len() <= MOST_BYTES {
        return Ok(());
    }
    let newer = &bytes[bytes.len() / 2..];
    let rest = newer.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &newer[end + 1..]);
    line_file::replace(path, rest, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: u64) -> RunSummary {
        RunSummary {
            run: number,
            worker: 1,
            began: now(),
            version: crate::version::SHORT.to_owned(),
            machine: Machine::here(),
            threads: 2,
            tables: 3,
            counts: StatusCounts::default(),
            seconds: None,
            status: None,
            process_peak_memory_bytes: None,
        }
    }

    fn event(run: u64, status: Status) -> TableEvent {
        TableEvent { run, worker: 1, at: now(), status, seconds: None, message: None }
    }

    #[test]
    fn runs_that_ended_and_runs_that_were_killed_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let file = HistoryFile::open(path.clone()).unwrap();
        file.add_run(&run(1)).unwrap();
        file.add_table("a", event(1, Status::Failed)).unwrap();
        let mut cut = std::fs::read(&path).unwrap();
        cut.extend(b"{\"table\":{\"na");
        std::fs::write(&path, cut).unwrap();
        // Another worker has begun in the same millisecond.
        file.add_run(&RunSummary { worker: 2, ..run(1) }).unwrap();
        file.add_run(&run(2)).unwrap();
        file.add_table("a", event(2, Status::Made)).unwrap();
        let ended =
            RunSummary { status: Some(0), counts: StatusCounts { made: 1, ..Default::default() }, ..run(2) };
        file.add_run(&ended).unwrap();
        let history = file.read().unwrap();
        let counted: Vec<_> =
            history.runs.iter().map(|run| (run.run, run.worker, run.status, run.counts.failed)).collect();
        assert_eq!(counted, [(1, 1, None, 1), (1, 2, None, 0), (2, 1, Some(0), 0)]);
        assert_eq!(history.runs[2], ended);
        let statuses: Vec<Status> = history.of("a").iter().map(|event| event.status).collect();
        assert_eq!(statuses, [Status::Failed, Status::Made]);
        assert!(history.of("b").is_empty());
    }
}
