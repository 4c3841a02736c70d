//! Planned tables whose boards have been read and proved usable.

use crate::{
    failure::Failure,
    input::{any_plan::AnyPlan, arguments::EngineName, boards::StartCells, planned::PlannedTable},
    messages::Kind,
    output::progress,
};
use dragnet_generator::schedule::Task;

/// The facts that the board of a planned table determines. The board itself is dropped: a run can have more
/// boards than memory.
pub(crate) struct CheckedTable {
    /// Positions and memory, for the scheduler.
    pub(crate) task: Task,
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
            key: plan.key(),
            height: board.height(),
            width: board.width(),
            cells: board.open_count() as u64,
            engine: plan.engine(),
            warning: planned.doubt(plan, start.police.len()),
            start,
        }
    }
}

/// Reads or makes the board of each table, and hands each plan to `also`. Prints a warning for what is
/// probably a mistake, and reports all boards that cannot be used, not only the first.
///
/// # Errors
/// The failure of the last unusable board; those before it have been printed.
pub(crate) fn check(
    tables: &[PlannedTable],
    threads: usize,
    mut also: impl FnMut(&AnyPlan) -> Result<(), Failure>,
) -> Result<Vec<CheckedTable>, Failure> {
    let mut checked = Vec::with_capacity(tables.len());
    let mut bad: Option<Failure> = None;
    for table in tables {
        let plan = table.scenario().and_then(|scenario| {
            let start = StartCells::of(&scenario);
            Ok((start, table.plan(scenario)?))
        });
        match plan.and_then(|(start, plan)| also(&plan).map(|()| (start, plan))) {
            Ok((start, plan)) => {
                let found = CheckedTable::new(table, start, &plan, threads);
                if let Some(note) = table.officers_note(&plan) {
                    progress::say(Kind::Note, &format!("{}: {note}", table.name));
                }
                if let Some(warning) = &found.warning {
                    progress::say(Kind::Warning, &format!("{}: {warning}", table.name));
                }
                checked.push(found);
            }
            Err(failure) => {
                if let Some(failure) = bad.replace(failure.about(&table.name)) {
                    let _ = failure.report();
                }
            }
        }
    }
    bad.map_or(Ok(checked), Err)
}
