//! The history of an output folder: its runs, and what became of each table in each of them.

use crate::{failure::Failure, input::shard::Shard, machine::Machine, output::human, report::status::Status};
use dragnet_generator::save::{require_file, save};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    ops::AddAssign,
    path::{Path, PathBuf},
};

/// The most bytes of a history. The older half of a longer one is forgotten.
const MOST_BYTES: u64 = 64 << 20;

/// Returns the present time in the form of RFC 3339, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A run in an output folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct RunSummary {
    /// The number of the run: its first millisecond, counted from 1970.
    pub(crate) run: u64,
    /// The shard, of a run that made the tables of one. Shards that begin together have the same number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<Shard>,
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

impl AddAssign for StatusCounts {
    fn add_assign(&mut self, other: StatusCounts) {
        self.made += other.made;
        self.kept += other.kept;
        self.skipped += other.skipped;
        self.interrupted += other.interrupted;
        self.failed += other.failed;
    }
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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TableEvent {
    /// The number of the run.
    pub(crate) run: u64,
    /// The shard of the run, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<Shard>,
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
        let mut runs: BTreeMap<(u64, Option<String>), RunSummary> = BTreeMap::new();
        let key = |run: u64, shard: &Option<Shard>| (run, shard.as_ref().map(Shard::mark));
        for line in bytes.split(|&byte| byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Run(run)) => {
                    runs.insert(key(run.run, &run.shard), run);
                }
                Ok(Line::Table { name, event }) => {
                    // A run that was killed has not counted its tables itself.
                    if let Some(run) =
                        runs.get_mut(&key(event.run, &event.shard)).filter(|run| run.status.is_none())
                    {
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

/// The file that holds the history of an output folder.
#[derive(Debug)]
pub(crate) struct HistoryFile {
    path: PathBuf,
    file: File,
}

impl HistoryFile {
    /// Opens the history in the file `path`, whose folder exists. The caller is its only writer.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(crate) fn open(path: PathBuf) -> Result<HistoryFile, Failure> {
        let about = |error: io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
        require_file(&path).map_err(about)?;
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(&path).map_err(about)?;
        if file.metadata().map_err(about)?.len() > MOST_BYTES {
            forget_half(&path).map_err(about)?;
            file = OpenOptions::new().append(true).read(true).open(&path).map_err(about)?;
        }
        if !ends_with_a_line(&mut file).map_err(about)? {
            file.write_all(b"\n").map_err(about)?;
        }
        Ok(HistoryFile { path, file })
    }

    /// Adds what other files have that no process writes, and removes these files. Done again after a crash
    /// it adds nothing twice.
    pub(crate) fn take_in(&mut self, others: &[PathBuf]) -> Result<(), Failure> {
        if others.is_empty() {
            return Ok(());
        }
        let known = fs::read(&self.path).map_err(|error| self.about(error))?;
        let mut known: HashSet<Vec<u8>> = known.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        for other in others {
            let about =
                |error: io::Error| Failure::from(error).about(format!("cannot take in {}", other.display()));
            let mut added = Vec::new();
            for line in fs::read(other).map_err(about)?.split(|&byte| byte == b'\n') {
                if known.insert(line.to_vec()) {
                    added.extend_from_slice(line);
                    added.push(b'\n');
                }
            }
            self.file.write_all(&added).map_err(about)?;
            fs::remove_file(other).map_err(about)?;
        }
        Ok(())
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
        fs::read(&self.path).map(|bytes| History::parse(&bytes)).map_err(|error| self.about(error))
    }

    fn about(&self, error: io::Error) -> Failure {
        Failure::from(error).about(format!("cannot write {}", self.path.display()))
    }
}

/// Returns whether the file is empty or ends with a whole line.
fn ends_with_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Removes the older half of the lines of a file.
fn forget_half(path: &Path) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let newer = &bytes[bytes.len() / 2..];
    let rest = newer.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &newer[end + 1..]);
    save(path, true, |mut file| -> io::Result<_> {
        file.write_all(rest)?;
        Ok((file, ()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: u64) -> RunSummary {
        RunSummary {
            run: number,
            shard: None,
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
        TableEvent { run, shard: None, at: now(), status, seconds: None, message: None }
    }

    #[test]
    fn runs_that_ended_and_runs_that_were_killed_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = HistoryFile::open(folder.path().join("history")).unwrap();
        file.add_run(&run(1)).unwrap();
        file.add_table("a", event(1, Status::Failed)).unwrap();
        fs::write(folder.path().join("cut"), b"").unwrap();
        file.file.write_all(b"{\"table\":{\"na").unwrap();
        drop(file);
        let mut file = HistoryFile::open(folder.path().join("history")).unwrap();
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

    #[test]
    fn histories_of_shards_are_taken_in_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let shards = [1, 2].map(|number| Shard { number, of: 2, class: None });
        let others = shards.map(|shard| path(&shard.mark()));
        // Both have begun in one millisecond; the second one was killed.
        for (shard, other) in shards.into_iter().zip(&others) {
            let mut file = HistoryFile::open(other.clone()).unwrap();
            let begun = RunSummary { shard: Some(shard), ..run(7) };
            file.add_run(&begun).unwrap();
            let name = format!("table-{}", shard.number);
            file.add_table(&name, TableEvent { shard: Some(shard), ..event(7, Status::Made) }).unwrap();
            if shard.number == 1 {
                let counts = StatusCounts { made: 1, ..Default::default() };
                file.add_run(&RunSummary { status: Some(0), counts, ..begun }).unwrap();
            }
        }
        let kept = others.each_ref().map(|other| fs::read(other).unwrap());
        let mut file = HistoryFile::open(path("history")).unwrap();
        for _ in 0..2 {
            file.take_in(&others).unwrap();
            let history = file.read().unwrap();
            let ends: Vec<_> =
                history.runs.iter().map(|run| (run.shard, run.status, run.counts.made)).collect();
            assert_eq!(ends, [(Some(shards[0]), Some(0), 1), (Some(shards[1]), None, 1)]);
            assert_eq!((history.of("table-1").len(), history.of("table-2").len()), (1, 1));
            assert!(others.iter().all(|other| !other.exists()));
            // A crash before a file was removed.
            for (other, bytes) in others.iter().zip(&kept) {
                fs::write(other, bytes).unwrap();
            }
        }
    }
}
