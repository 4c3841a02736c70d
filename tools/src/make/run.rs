//! The one way in which tables are made: all of a list, as many side by side as the limits allow, and nothing
//! twice.

pub(crate) use crate::make::state::{Ranks, RunOptions, RunOutcome};
use crate::{
    failure::Failure,
    input::{planned::TableList, shard::Shard},
    leftovers,
    lock::lock,
    machine::{self, Machine},
    make::{
        checked::check,
        folder::{self, FolderLock, RunFile},
        journal::Journal,
        lot::Lot,
        part::ShardPart,
        progress::RunProgress,
        state::{RunState, run_number},
        status::{self, RunStatus, StatusFile},
    },
    messages::Kind,
    output::progress,
    report::{
        self,
        entry::TableEntry,
        history::{HistoryFile, RunSummary, StatusCounts, now},
    },
    signals, version,
};
use dragnet_generator::{prepare_scratch, remove_leftovers, remove_scratch_leftovers};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tracing::info;

/// The end of a run. The output folder stays locked until this is dropped.
pub(crate) struct RunEnd {
    pub(crate) outcome: RunOutcome,
    /// The facts about this run, as the history has them.
    pub(crate) summary: RunSummary,
    /// All runs in the output folder so far.
    pub(crate) history: HistoryFile,
    /// The names of the tables that earlier runs have made in the folder and that are there, but that the
    /// manifest does not name any more.
    pub(crate) not_named: Vec<String>,
    /// The failure of writing the journal anew, which must not hide what has been done.
    pub(crate) journal: Result<(), Failure>,
    _lock: FolderLock,
}

/// Makes the tables of `list`, and hands the entry of each with its number to `done` as soon as the table is
/// done, one at a time. Waits for another run in the same folder unless told otherwise. `part` has what is
/// known of the list if it is that of a shard.
pub(crate) fn run(
    list: &TableList,
    part: Option<ShardPart>,
    options: &RunOptions,
    done: &(dyn Fn(usize, TableEntry) + Sync),
) -> Result<RunEnd, Failure> {
    let begin = Instant::now();
    signals::watch(progress::say, "a long solve writes a checkpoint first")?;
    let threads = list.limits.threads(options.threads);
    let memory = list.limits.memory();
    let shard = part.as_ref().map(|part| part.shard);
    let shard = shard.as_ref();
    let whole = part.as_ref().map(|part| part.whole);
    if let Some(text) = list.announcement() {
        progress::say(Kind::Note, &text);
    }
    // Nothing is written before the first lot has proved usable.
    let mut checked_first = match part {
        Some(part) => Some(part.checked),
        None => list.lots().next().map(|tables| check(tables, threads)).transpose()?,
    };
    let scratch = list.limits.scratch.as_deref();
    if let Some(scratch) = scratch {
        let cannot = format!("cannot write to the scratch folder {}", scratch.display());
        prepare_scratch(scratch).map_err(|error| Failure::from(error).about(cannot))?;
    }
    let out = list.out.as_path();
    fs::create_dir_all(out)
        .map_err(|error| Failure::from(error).about(format!("cannot make the folder {}", out.display())))?;
    let progress = RunProgress::new(options.announce);
    let folder_lock = FolderLock::take(out, shard, options.wait, || {
        let text = format!("another run is working in {}; waiting for it to end", out.display());
        progress::say(Kind::Note, &text);
    })?;
    // Other shards may be at work on other tables.
    let own: HashSet<PathBuf> = match shard {
        Some(_) => list.tables.iter().map(|table| list.path(&table.name)).collect(),
        None => HashSet::new(),
    };
    let is_own = |table: &Path| shard.is_none() || own.contains(table);
    let cannot_look =
        |folder| move |error| Failure::Trouble(anyhow::anyhow!(leftovers::cannot_look(folder, &error)));
    leftovers::tell(remove_leftovers(out, is_own).map_err(cannot_look(out))?);
    report::remove_leftovers(out);
    if let Some(scratch) = scratch {
        leftovers::tell(remove_scratch_leftovers(out, scratch, is_own).map_err(cannot_look(scratch))?);
    }
    let journal = Journal::open(out, shard)?;
    let mut history = HistoryFile::open(RunFile::History.path(out, shard))?;
    match shard {
        Some(shard) => status::remove_rivals(out, shard)?,
        None => take_in_shards(out, &mut history)?,
    }
    let manifest = list.manifest.as_ref().map(|path| path.display().to_string());
    let (number, tables) = (run_number(), list.tables.len());
    let mark = shard.map(Shard::mark);
    info!(event = "begin", run = number, shard = mark, manifest, tables, threads, memory = memory.limit());
    let mut summary = RunSummary {
        run: number,
        shard: shard.copied(),
        began: now(),
        version: version::SHORT.to_owned(),
        machine: Machine::here(),
        threads,
        tables: tables as u64,
        counts: StatusCounts::default(),
        seconds: None,
        status: None,
        process_peak_memory_bytes: None,
    };
    let run = RunState {
        list,
        options,
        journal,
        number,
        shard: shard.copied(),
        deadline: list.limits.time.and_then(|time| begin.checked_add(time)),
        progress,
        status: StatusFile::begin(out, RunStatus::new(number, manifest, tables, shard.copied().zip(whole))),
        history: Mutex::new(history),
        history_failed: false.into(),
        done,
        outcome: Mutex::default(),
    };
    run.with_history(|history| history.add_run(&summary));
    let mut first = 0;
    for tables in list.lots() {
        let checked = match checked_first.take() {
            Some(checked) => checked,
            None if run.is_stopped() => {
                run.count_interrupted(first);
                break;
            }
            None => check(tables, threads)?,
        };
        Lot { run: &run, first, tables, checked, levels: Mutex::default() }.make(threads)?;
        first += tables.len();
    }
    run.progress.finish();
    let mut outcome = std::mem::take(&mut *lock(&run.outcome));
    if outcome.interrupted.is_some() && signals::received() {
        outcome.status = signals::status();
    }
    let seconds = begin.elapsed().as_secs_f64();
    info!(event = "end", run = number, seconds, status = outcome.status);
    summary.counts = run.status.now().counts;
    summary.seconds = Some(seconds);
    summary.status = Some(outcome.status);
    summary.process_peak_memory_bytes = machine::peak_memory();
    run.with_history(|history| history.add_run(&summary));
    run.status.end(outcome.status);
    let not_named = match (&list.manifest, shard) {
        (Some(manifest), None) => {
            let not_named = not_named(list, &run.journal);
            if !not_named.is_empty() {
                progress::say(Kind::Note, &report::not_named(&not_named, manifest));
            }
            not_named
        }
        _ => Vec::new(),
    };
    let history = run.history.into_inner().unwrap_or_else(PoisonError::into_inner);
    let journal = Journal::tidy(out, shard, options.sync);
    Ok(RunEnd { outcome, summary, history, not_named, journal, _lock: folder_lock })
}

/// Returns the tables of the journal that are in the output folder, and that the list does not name.
fn not_named(list: &TableList, journal: &Journal) -> Vec<String> {
    let named: HashSet<&str> = list.tables.iter().map(|table| table.name.as_str()).collect();
    let is_left = |name: &&str| !named.contains(name) && list.path(name).is_file();
    journal.names().into_iter().filter(is_left).map(str::to_owned).collect()
}

/// Takes in the histories of the shards that have worked in the output folder `out`, and removes their locks
/// and statuses: none of them is at work while the caller holds the lock of the folder. Their journals are
/// taken in when the run ends.
fn take_in_shards(out: &Path, history: &mut HistoryFile) -> Result<(), Failure> {
    let paths = |file: RunFile| -> Result<Vec<PathBuf>, Failure> {
        Ok(file.of_shards(out)?.into_iter().map(|(_, path)| path).collect())
    };
    folder::remove_leftovers(out);
    history.take_in(&paths(RunFile::History)?)?;
    for path in paths(RunFile::Status)?.into_iter().chain(paths(RunFile::Lock)?) {
        fs::remove_file(&path)
            .map_err(|error| Failure::from(error).about(format!("cannot remove {}", path.display())))?;
    }
    Ok(())
}
