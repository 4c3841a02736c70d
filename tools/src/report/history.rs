//! The history of an output folder: its runs, and what became of each table in each of them.

use crate::{failure::Failure, machine::Machine, report::status::Status};
use dragnet_generator::save::{require_file, save};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The most bytes of a history. The older half of a longer one is forgotten.
const MOST_BYTES: usize = 64 << 20;

/// The version of the program, as histories and reports name it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the present time in the form of RFC 3339, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A run in an output folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct RunSummary {
    /// The number of the run: its first millisecond, counted from 1970.
    pub(crate) run: u64,
    /// When it began.
    pub(crate) began: String,
    pub(crate) version: String,
    pub(crate) machine: Machine,
    pub(crate) threads: usize,
    /// The tables of its list.
    pub(crate) tables: u64,
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Wall time; missing if the process was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// The exit status; missing if the process was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u8>,
    /// The most bytes of memory that the process took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) process_peak_memory_bytes: Option<u64>,
}

/// How many tables of a run have each status.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StatusCounts {
    pub(crate) made: u64,
    pub(crate) kept: u64,
    pub(crate) skipped: u64,
    pub(crate) interrupted: u64,
    pub(crate) failed: u64,
}

impl StatusCounts {
    /// Returns the tables of every status.
    pub(crate) fn sum(&self) -> u64 {
        self.made + self.kept + self.skipped + self.interrupted + self.failed
    }

    /// Returns the count of a status.
    pub(crate) fn of(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Made => &mut self.made,
            Status::Kept => &mut self.kept,
            Status::Skipped => &mut self.skipped,
            Status::Interrupted => &mut self.interrupted,
            Status::Failed => &mut self.failed,
        }
    }
}

/// The outcome of a table in one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TableEvent {
    /// The number of the run.
    pub(crate) run: u64,
    /// When the outcome was known.
    pub(crate) at: String,
    pub(crate) status: Status,
    /// Seconds of solving and writing, of a table that was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
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
        let mut runs: BTreeMap<u64, RunSummary> = BTreeMap::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Run(run)) => {
                    runs.insert(run.run, run);
                }
                Ok(Line::Table { name, event }) => {
                    // A run that was killed has not counted its tables itself.
                    if let Some(run) = runs.get_mut(&event.run).filter(|run| run.status.is_none()) {
                        *run.counts.of(event.status) += 1;
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

/// The file that holds the history of an output folder.
#[derive(Debug)]
pub(crate) struct HistoryFile {
    path: PathBuf,
    file: File,
}

impl HistoryFile {
    /// Opens the history in `folder`, which exists. The caller is its only writer.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn open(folder: &Path) -> Result<HistoryFile, Failure> {
        let path = folder.join("history.jsonl");
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
        require_file(&path).map_err(about)?;
        let mut bytes = read(&path).map_err(about)?;
        if bytes.len() > MOST_BYTES {
            let half = bytes.len() / 2;
            let end =
                bytes[half..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| half + at + 1);
            bytes.drain(..end);
            save(&path, true, |mut file| -> Result<_, std::io::Error> {
                file.write_all(&bytes)?;
                Ok((file, ()))
            })
            .map_err(about)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(about)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(about)?;
        }
        Ok(HistoryFile { path, file })
    }

    /// Adds a run that begins or has ended.
    pub(crate) fn add_run(&mut self, run: &RunSummary) -> Result<(), Failure> {
        self.add(&Line::Run(run.clone()))
    }

    /// Adds the outcome of the table called `name`.
    pub(crate) fn add_table(&mut self, name: &str, event: TableEvent) -> Result<(), Failure> {
        self.add(&Line::Table { name: name.to_owned(), event })
    }

    fn add(&mut self, line: &Line) -> Result<(), Failure> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        // One write: a crash can cut only the end of the line.
        self.file.write_all(&text).map_err(|error| self.about(error))
    }

    /// Returns all that the file holds.
    pub(crate) fn read(&self) -> Result<History, Failure> {
        read(&self.path).map(|bytes| History::parse(&bytes)).map_err(|error| self.about(error))
    }

    fn about(&self, error: std::io::Error) -> Failure {
        Failure::from(error).about(format!("cannot write {}", self.path.display()))
    }
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: u64) -> RunSummary {
        RunSummary {
            run: number,
            began: now(),
            version: VERSION.to_owned(),
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
        TableEvent { run, at: now(), status, seconds: None, message: None }
    }

    #[test]
    fn runs_that_ended_and_runs_that_were_killed_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = HistoryFile::open(folder.path()).unwrap();
        file.add_run(&run(1)).unwrap();
        file.add_table("a", event(1, Status::Failed)).unwrap();
        fs::write(folder.path().join("cut"), b"").unwrap();
        file.file.write_all(b"{\"table\":{\"na").unwrap();
        drop(file);
        let mut file = HistoryFile::open(folder.path()).unwrap();
        file.add_run(&run(2)).unwrap();
        file.add_table("a", event(2, Status::Made)).unwrap();
        let ended =
            RunSummary { status: Some(0), counts: StatusCounts { made: 1, ..Default::default() }, ..run(2) };
        file.add_run(&ended).unwrap();
        let history = file.read().unwrap();
        assert_eq!(history.runs.len(), 2);
        assert_eq!((history.runs[0].status, history.runs[0].counts.failed), (None, 1));
        assert_eq!(history.runs[1], ended);
        let statuses: Vec<Status> = history.of("a").iter().map(|event| event.status).collect();
        assert_eq!(statuses, [Status::Failed, Status::Made]);
        assert!(history.of("b").is_empty());
    }
}
