//! Planned tables whose boards have been read and proved usable.

use crate::{
    failure::Failure,
    input::{any_plan::AnyPlan, arguments::EngineName, boards::StartCells, planned::PlannedTable},
    make::rough_cost::{effort, rough_bytes},
    messages::Kind,
    output::progress,
};
use dragnet_generator::schedule::Task;
use rayon::{ThreadPoolBuilder, prelude::*};

/// The facts that the board of a planned table determines. The board itself is dropped: a run can have more
/// boards than memory.
pub(crate) struct CheckedTable {
    /// Positions and memory, for the scheduler.
    pub(crate) task: Task,
    /// The time that the table takes, by its kind and size: see [`effort`].
    pub(crate) effort: u64,
    /// The bytes that the table will have, by its kind and size: see [`rough_bytes`].
    pub(crate) rough_bytes: u64,
    /// A hash of board, rules, doors and encoding: equal for tables of equal bytes.
    pub(crate) key: String,
    pub(crate) height: u16,
    pub(crate) width: u16,
    /// Open cells.
    pub(crate) cells: u64,
    /// The engine that will solve.
    pub(crate) engine: EngineName,
    /// A probable mistake about the board.
    pub(crate) warning: Option<String>,
    /// A note about the officers.
    note: Option<String>,
    /// The cells that the board file marks.
    pub(crate) start: StartCells,
}

impl CheckedTable {
    /// Returns what is known of the table of `plan`, whose board file marks `start`, if a run has `threads`
    /// threads.
    fn new(planned: &PlannedTable, start: StartCells, plan: &AnyPlan, threads: usize) -> CheckedTable {
        let board = plan.board();
        CheckedTable {
            task: plan.task(threads),
            effort: effort(plan),
            rough_bytes: rough_bytes(plan),
            key: plan.key(),
            height: board.height(),
            width: board.width(),
            cells: board.open_count() as u64,
            engine: plan.engine(),
            warning: planned.doubt(plan, start.police.len()),
            note: planned.officers_note(plan),
            start,
        }
    }

    /// Says what is to be said of the table called `name`.
    fn say(&self, name: &str) {
        for (kind, text) in [(Kind::Note, &self.note), (Kind::Warning, &self.warning)] {
            if let Some(text) = text {
                progress::say(kind, &format!("{name}: {text}"));
            }
        }
    }
}

/// Reads or makes the board of each table, and says what is probably a mistake. Reports all boards that
/// cannot be used, not only the first.
///
/// # Errors
/// The failure of the last unusable board; those before it have been printed.
pub(crate) fn check(tables: &[PlannedTable], threads: usize) -> Result<Vec<CheckedTable>, Failure> {
    let checked = check_silently(tables, threads)?;
    say_all(tables, &checked);
    Ok(checked)
}

/// Reads or makes the board of each table, as many at a time as there are threads. Reports all boards that
/// cannot be used, and says nothing of the others.
///
/// # Errors
/// The failure of the last unusable board; those before it have been printed.
pub(super) fn check_silently(tables: &[PlannedTable], threads: usize) -> Result<Vec<CheckedTable>, Failure> {
    let check_one = |table: &PlannedTable| {
        let (start, plan) = plan_of(table)?;
        Ok(CheckedTable::new(table, start, &plan, threads))
    };
    if threads == 1 || tables.len() == 1 {
        return all_or_last(tables, tables.iter().map(check_one).collect());
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(Failure::of_threads)?;
    all_or_last(tables, pool.install(|| tables.par_iter().map(check_one).collect()))
}

/// Reads or makes the board of each table, one after another, and hands each plan to `also`. Says what is
/// probably a mistake, and reports all boards that cannot be used, not only the first.
///
/// # Errors
/// The failure of the last unusable board; those before it have been printed.
pub(crate) fn check_each(
    tables: &[PlannedTable],
    threads: usize,
    mut also: impl FnMut(&AnyPlan) -> Result<(), Failure>,
) -> Result<Vec<CheckedTable>, Failure> {
    let check_one = |table: &PlannedTable| {
        let (start, plan) = plan_of(table)?;
        also(&plan)?;
        Ok(CheckedTable::new(table, start, &plan, threads))
    };
    let checked = all_or_last(tables, tables.iter().map(check_one).collect())?;
    say_all(tables, &checked);
    Ok(checked)
}

/// Returns the plan of a table, with the cells that its board file marks.
fn plan_of(table: &PlannedTable) -> Result<(StartCells, AnyPlan), Failure> {
    let scenario = table.scenario()?;
    let start = StartCells::of(&scenario);
    Ok((start, table.plan(scenario)?))
}

/// Returns all tables if all could be checked. Else reports the failures but the last one, which it returns.
fn all_or_last(
    tables: &[PlannedTable],
    results: Vec<Result<CheckedTable, Failure>>,
) -> Result<Vec<CheckedTable>, Failure> {
    let mut checked = Vec::with_capacity(results.len());
    let mut bad: Option<Failure> = None;
    for (table, result) in tables.iter().zip(results) {
        match result {
            Ok(found) => checked.push(found),
            Err(failure) => {
                if let Some(failure) = bad.replace(failure.about(&table.name)) {
                    let _ = failure.report();
                }
            }
        }
    }
    bad.map_or(Ok(checked), Err)
}

/// Says what is to be said of tables that have been checked.
pub(super) fn say_all(tables: &[PlannedTable], checked: &[CheckedTable]) {
    tables.iter().zip(checked).for_each(|(table, checked)| checked.say(&table.name));
}
