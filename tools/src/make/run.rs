//! The one way in which tables are made: all of a list, as many side by side as the limits allow, and nothing
//! twice. Several runs may make the tables of one folder together.

pub(crate) use crate::make::run_state::{Ranks, RunOptions, RunOutcome};
use crate::{
    failure::Failure,
    input::table_list::TableList,
    leftovers,
    machine::{self, Machine},
    make::{
        folder::{self, FolderLock, Worker},
        journal::{self, Journal},
        planned_table::plan,
        progress::RunProgress,
        run_state::{RunState, run_number},
        status::{RunStatus, StatusFile},
        table_maker::TableMaker,
    },
    messages::Kind,
    output::progress,
    report::{
        self,
        entry::TableEntry,
        history::{self, HistoryFile, RunSummary, StatusCounts, now},
    },
    signals, version,
};
use dragnet_generator::{prepare_scratch, remove_leftovers, remove_scratch_leftovers, schedule::Order};
use parking_lot::Mutex;
use std::{collections::HashSet, fs, path::Path, time::Instant};
use tracing::info;

/// The end of a run.
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
    /// Whether no other run works in the folder. If so, none can begin until `lock` is dropped.
    pub(crate) is_last: bool,
    pub(crate) lock: FolderLock,
    /// The run as `batch status` shows it, to be ended with the exit status.
    pub(crate) status: StatusFile,
}

/// Makes the tables of `list`, and hands the entry of each with its number to `done` as soon as the table is
/// done, one at a time. Other runs may make tables of the same folder meanwhile: each takes what none of them
/// has claimed, and waits for the others at the end unless told otherwise.
pub(crate) fn run(
    list: &TableList,
    options: &RunOptions,
    done: &(dyn Fn(usize, TableEntry) + Sync),
) -> Result<RunEnd, Failure> {
    let begin = Instant::now();
    signals::watch(progress::say, "a long solve writes a checkpoint first")?;
    let threads = list.limits.threads(options.threads);
    let memory = list.limits.memory();
    if let Some(text) = list.announcement() {
        progress::say(Kind::Note, &text);
    }
    // Nothing is written before the first lot has proved usable.
    let mut planned_first = list.lots().next().map(|tables| plan(tables, threads)).transpose()?;
    let scratch = list.limits.scratch.as_deref();
    if let Some(scratch) = scratch {
        prepare_scratch(scratch)
            .map_err(|error| Failure::cannot("write to the scratch folder", scratch, error))?;
    }
    let out = list.out.as_path();
    fs::create_dir_all(out).map_err(|error| Failure::cannot("make the folder", out, error))?;
    let progress = RunProgress::new(options.announce);
    let begin_alone = |out: &Path| {
        folder::remove_workers(out)?;
        sweep(out, scratch)
    };
    let folder = FolderLock::join(list, begin_alone, |reason| {
        if !options.wait {
            return Err(Failure::Trouble(anyhow::anyhow!("{reason}, and this run is not to wait")));
        }
        progress::say(Kind::Note, &format!("{reason}; waiting until it is free"));
        Ok(())
    })?;
    let worker = Worker::begin(out)?;
    // The first run makes small tables first. Those that join it begin at the other end.
    let order = match list.order {
        Order::Auto if worker.has_others(out) => Order::LargestFirst,
        order => order,
    };
    let journal = Journal::open(out)?;
    let history = HistoryFile::open(folder::history_path(out))?;
    let manifest = list.manifest.as_ref().map(|path| path.display().to_string());
    let (number, tables) = (run_number(), list.tables.len());
    let worker_number = worker.number;
    info!(
        event = "begin",
        run = number,
        worker = worker_number,
        manifest,
        tables,
        threads,
        memory = memory.limit()
    );
    let mut summary = RunSummary {
        run: number,
        worker: worker_number,
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
        order,
        journal,
        number,
        folder,
        worker,
        deadline: list.limits.time.and_then(|time| begin.checked_add(time)),
        progress,
        status: StatusFile::begin(out, RunStatus::new(number, worker_number, manifest, tables)),
        history,
        history_failed: false.into(),
        done,
        outcome: Mutex::default(),
    };
    run.with_history(|history| history.add_run(&summary));
    let (mut first, mut is_last) = (0, None);
    for tables in list.lots() {
        let planned = match planned_first.take() {
            Some(planned) => planned,
            None if run.is_stopped() => {
                run.count_interrupted(first);
                break;
            }
            None => plan(tables, threads)?,
        };
        let maker = TableMaker::new(&run, first, tables, planned);
        maker.make(threads)?;
        first += tables.len();
        if first == list.tables.len() {
            if maker.pending().is_empty() {
                // Before the last run writes the report.
                remember_end(&run, begin, &mut summary);
            }
            is_last = Some(run.folder.leave()?);
            if is_last == Some(true) {
                // The others may have left some.
                maker.make_pending(threads)?;
            }
        }
        maker.end_pending();
    }
    let is_last = is_last.map_or_else(|| run.folder.leave(), Ok)?;
    run.progress.finish();
    if summary.status.is_none() {
        remember_end(&run, begin, &mut summary);
    }
    let status = run.exit_status();
    let outcome = RunOutcome { status, ..std::mem::take(&mut *run.outcome.lock()) };
    info!(event = "end", run = number, seconds = summary.seconds, status);
    let not_named = match &list.manifest {
        Some(manifest) if is_last && !list.is_part => {
            let not_named = not_named(list, &run.journal);
            if !not_named.is_empty() {
                progress::say(Kind::Note, &report::not_named(&not_named, manifest));
            }
            not_named
        }
        _ => Vec::new(),
    };
    let journal = if is_last { end_alone(out, scratch, options.sync) } else { Ok(()) };
    let RunState { history, folder: lock, status, .. } = run;
    Ok(RunEnd { outcome, summary, history, not_named, journal, is_last, lock, status })
}

/// Completes the summary of a run, and adds it to the history.
fn remember_end(run: &RunState, begin: Instant, summary: &mut RunSummary) {
    summary.counts = run.status.now().counts;
    summary.seconds = Some(begin.elapsed().as_secs_f64());
    summary.status = Some(run.exit_status());
    summary.process_peak_memory_bytes = machine::peak_memory();
    run.with_history(|history| history.add_run(summary));
}

/// Removes what processes that were killed have left in the output folder `out`, with which the caller is
/// alone, and in the scratch folder.
fn sweep(out: &Path, scratch: Option<&Path>) -> Result<(), Failure> {
    let cannot_look =
        |folder| move |error| Failure::Trouble(anyhow::anyhow!(leftovers::cannot_look(folder, &error)));
    leftovers::tell(remove_leftovers(out, |_| true).map_err(cannot_look(out))?);
    report::remove_leftovers(out);
    if let Some(scratch) = scratch {
        leftovers::tell(remove_scratch_leftovers(out, scratch, |_| true).map_err(cannot_look(scratch))?);
    }
    folder::tidy(out);
    Ok(())
}

/// Tidies the output folder `out` after the last of the runs in it, which is alone with it.
fn end_alone(out: &Path, scratch: Option<&Path>, sync: bool) -> Result<(), Failure> {
    sweep(out, scratch)?;
    history::shorten(&folder::history_path(out))?;
    journal::tidy(out, sync)
}

/// Returns the tables of the journal that are in the output folder, and that the list does not name.
fn not_named(list: &TableList, journal: &Journal) -> Vec<String> {
    let named: HashSet<&str> = list.tables.iter().map(|table| table.name.as_str()).collect();
    let is_left = |name: &String| !named.contains(name.as_str()) && list.path(name).is_file();
    journal.names().into_iter().filter(is_left).collect()
}
