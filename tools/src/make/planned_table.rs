//! Tables whose boards have been read and proved usable.

use crate::{
    failure::Failure,
    input::table_list::ListedTable,
    make::rough_cost::{effort, rough_bytes},
    messages::Kind,
    output::progress,
};
use dragnet_generator::{Plan, schedule::Task};
use rayon::{ThreadPoolBuilder, prelude::*};

/// A table that can be made: its plan, which holds the board, and what follows from it.
pub(crate) struct PlannedTable {
    pub(crate) plan: Plan,
    /// Positions and memory, for the scheduler.
    pub(crate) task: Task,
    /// The time that the table takes, by its kind and size: see [`effort`].
    pub(crate) effort: u64,
    /// The bytes that the table will have, by its kind and size: see [`rough_bytes`].
    pub(crate) rough_bytes: u64,
    /// A hash of board, rules, doors and encoding: equal for tables of equal bytes.
    pub(crate) key: String,
    /// A probable mistake about the board.
    pub(crate) warning: Option<String>,
    /// A note about the officers.
    note: Option<String>,
}

impl PlannedTable {
    /// Reads or makes the board of the table, and plans it for a run with `threads` threads.
    fn new(listed: &ListedTable, threads: usize) -> Result<PlannedTable, Failure> {
        let plan = listed.plan()?;
        Ok(PlannedTable {
            task: Task::new(&plan, threads),
            effort: effort(&plan),
            rough_bytes: rough_bytes(&plan),
            key: format!("{:032x}", plan.key()),
            warning: listed.doubt(&plan),
            note: listed.officers_note(&plan),
            plan,
        })
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

/// Plans tables, as many at a time as there are threads, and says what is probably a mistake. Reports all
/// boards that cannot be used, not only the first.
///
/// # Errors
/// The failure of the last unusable board; those before it have been printed.
pub(crate) fn plan(tables: &[ListedTable], threads: usize) -> Result<Vec<PlannedTable>, Failure> {
    let plan_one = |table: &ListedTable| PlannedTable::new(table, threads);
    let results: Vec<Result<PlannedTable, Failure>> = if threads == 1 || tables.len() == 1 {
        tables.iter().map(plan_one).collect()
    } else {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::of_threads)?;
        pool.install(|| tables.par_iter().map(plan_one).collect())
    };
    let mut planned = Vec::with_capacity(results.len());
    let mut bad: Option<Failure> = None;
    for (table, result) in tables.iter().zip(results) {
        match result {
            Ok(found) => planned.push(found),
            Err(failure) => {
                if let Some(failure) = bad.replace(failure.about(&table.name)) {
                    let _ = failure.report();
                }
            }
        }
    }
    if let Some(failure) = bad {
        return Err(failure);
    }
    tables.iter().zip(&planned).for_each(|(table, planned)| planned.say(&table.name));
    Ok(planned)
}
