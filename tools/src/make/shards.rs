//! How far the shards of an output folder have come together.

use crate::{
    failure::Failure,
    input::shard::{MemoryClass, Shard},
    make::{
        folder::RunFile,
        status::{RunStatus, TENTH, TROUBLES, TaskState, Trouble, look},
    },
    report::history::StatusCounts,
};
use serde::Serialize;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
    time::Duration,
};

/// How far the shards have come that have left their statuses in an output folder: what `batch status` prints
/// of them.
#[derive(Debug, Serialize)]
pub(crate) struct ShardsStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manifest: Option<String>,
    /// When the newest status was written.
    pub(crate) updated: String,
    /// All tables that the shards share, be they begun or not.
    pub(crate) tables: u64,
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Positions of all these tables.
    pub(crate) positions: u64,
    /// Positions of the tables that are done in any way, interrupted ones excepted.
    pub(crate) positions_done: u64,
    /// Estimated seconds until the end with the tasks that run now, if that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left: Option<f64>,
    /// All shards, and how many have not begun, are at work, have ended, or were killed.
    pub(crate) shards: u64,
    pub(crate) not_begun: u64,
    pub(crate) running: u64,
    pub(crate) ended: u64,
    pub(crate) killed: u64,
    /// Shards of an earlier division of the same tables, which are not counted.
    pub(crate) of_other_divisions: u64,
    /// The shards that have begun.
    pub(crate) parts: Vec<PartStatus>,
    /// Some tables that could not be made.
    pub(crate) troubles: Vec<Trouble>,
}

/// How far a shard has come.
#[derive(Debug, Serialize)]
pub(crate) struct PartStatus {
    pub(crate) shard: Shard,
    pub(crate) state: TaskState,
    /// Seconds since its newest task began.
    pub(crate) seconds: f64,
    /// The tables of the shard.
    pub(crate) tables: u64,
    /// The finished ones of its tables, made now or before.
    pub(crate) finished: u64,
    /// The names of the tables at which it works.
    pub(crate) working: Vec<String>,
    /// The exit status of a task that has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u8>,
}

impl ShardsStatus {
    /// Returns the sum of the statuses of shards in the output folder `out`; `None` if there are none. See
    /// [`look`] for `patience`.
    ///
    /// # Errors
    /// When a status cannot be read.
    pub(crate) fn read(out: &Path, patience: Duration) -> Result<Option<ShardsStatus>, Failure> {
        let files = RunFile::Status.of_shards(out).map_err(|error| {
            Failure::from(error).about(format!("cannot look for shards in {}", out.display()))
        })?;
        let mut found = Vec::new();
        for (status, state) in look(out, files.into_iter().map(|(shard, _)| Some(shard)), patience)? {
            let Some(shard) = status.shard.filter(|_| status.whole.is_some()) else {
                let message = "expected the statuses of shards, found that of a run of all tables";
                return Err(Failure::input(message).in_file(out));
            };
            found.push((shard, status, state));
        }
        found.sort_by_key(|(shard, ..)| (shard.class.map(|class| class.above), shard.number));
        Ok((!found.is_empty()).then(|| ShardsStatus::sum(&found)))
    }

    /// Returns the sum of at least one status, each with what the shards share.
    fn sum(found: &[(Shard, RunStatus, TaskState)]) -> ShardsStatus {
        let newest = found.iter().map(|(_, status, _)| status).max_by_key(|status| &status.updated);
        let newest = newest.expect("a shard has begun");
        let mut sum = ShardsStatus {
            manifest: newest.manifest.clone(),
            updated: newest.updated.clone(),
            tables: 0,
            counts: StatusCounts::default(),
            positions: 0,
            positions_done: 0,
            seconds_left: None,
            shards: 0,
            not_begun: 0,
            running: 0,
            ended: 0,
            killed: 0,
            of_other_divisions: 0,
            parts: Vec::new(),
            troubles: Vec::new(),
        };
        // Of divisions that share tables the one that began last is counted.
        let mut divisions: HashMap<(u32, Option<MemoryClass>), (Shard, &str)> = HashMap::new();
        for (shard, status, _) in found {
            let (_, began) = divisions.entry((shard.of, shard.class)).or_insert((*shard, &status.began));
            *began = (*began).max(&status.began);
        }
        let is_replaced = |shard: &Shard| {
            let (_, began) = divisions[&(shard.of, shard.class)];
            let mut rivals = divisions.values().filter(|(other, _)| shard.is_of_rival_division(other));
            rivals.any(|&(other, newer)| (newer, other.of) > (began, shard.of))
        };
        let mut counted: HashSet<Option<MemoryClass>> = HashSet::new();
        // The effort of all these tables, and what is done of it; and that a second of all tasks at work.
        let (mut effort, mut effort_done, mut pace) = (0_u64, 0_u64, 0.0);
        for (shard, status, state) in found {
            let state = *state;
            if is_replaced(shard) {
                sum.of_other_divisions += 1;
                continue;
            }
            if counted.insert(shard.class) {
                let whole = status.whole.expect("statuses of shards were read with it");
                sum.tables = sum.tables.saturating_add(whole.tables);
                sum.positions = sum.positions.saturating_add(whole.positions);
                effort = effort.saturating_add(whole.effort);
                sum.shards += u64::from(shard.of);
            }
            *match state {
                TaskState::Running => &mut sum.running,
                TaskState::Ended => &mut sum.ended,
                TaskState::Killed => &mut sum.killed,
            } += 1;
            if state == TaskState::Running && status.seconds > 0.0 {
                pace += status.effort_made as f64 / status.seconds;
            }
            effort_done = effort_done.saturating_add(status.effort_done);
            sum.counts += status.counts;
            sum.positions_done = sum.positions_done.saturating_add(status.positions_done);
            let working = match state {
                TaskState::Running => status.working.iter().map(|table| table.name.clone()).collect(),
                _ => Vec::new(),
            };
            sum.parts.push(PartStatus {
                shard: *shard,
                state,
                seconds: status.seconds,
                tables: status.tables,
                finished: status.counts.finished(),
                working,
                status: status.status,
            });
            let room = TROUBLES.saturating_sub(sum.troubles.len());
            sum.troubles.extend(status.troubles.iter().take(room).cloned());
        }
        sum.not_begun = sum.shards.saturating_sub(sum.parts.len() as u64);
        if pace > 0.0 && effort_done >= effort / TENTH {
            let left = effort.saturating_sub(effort_done) as f64;
            sum.seconds_left = Some((left / pace).min(1e9));
        }
        sum
    }

    /// Returns whether no task is at work and none is waited for.
    pub(crate) fn is_over(&self) -> bool {
        self.running + self.not_begun == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::status::Whole;

    fn status(shard: Shard, made: u64, status: Option<u8>) -> (Shard, RunStatus, TaskState) {
        let whole = Whole { tables: 30, positions: 300, effort: 3000 };
        let begun = RunStatus::new(1, None, 10, Some((shard, whole)));
        let counts = StatusCounts { made, ..StatusCounts::default() };
        let run = RunStatus {
            counts,
            seconds: 10.0,
            positions_made: 20 * made,
            positions_done: 20 * made,
            effort_made: 200 * made,
            effort_done: 200 * made,
            status,
            ..begun
        };
        let state = if status.is_some() { TaskState::Ended } else { TaskState::Running };
        (shard, run, state)
    }

    #[test]
    fn shards_are_added_up_and_those_that_have_not_begun_are_counted() {
        let shard = |number| Shard { number, of: 3, class: None };
        let found = [status(shard(1), 5, Some(0)), status(shard(3), 2, None)];
        let sum = ShardsStatus::sum(&found);
        assert_eq!((sum.tables, sum.counts.made, sum.positions, sum.positions_done), (30, 7, 300, 140));
        assert_eq!((sum.shards, sum.not_begun, sum.running, sum.ended, sum.killed), (3, 1, 1, 1, 0));
        // The task that runs does work of 40 a second.
        assert_eq!(sum.seconds_left, Some(40.0));
        assert!(!sum.is_over());
        let killed = (TaskState::Killed, status(shard(2), 0, None));
        let sum = ShardsStatus::sum(&[(killed.1.0, killed.1.1, killed.0)]);
        assert_eq!((sum.killed, sum.not_begun, sum.seconds_left), (1, 2, None));
    }

    #[test]
    fn of_several_divisions_of_the_same_tables_the_newest_is_counted() {
        let shard = |number, of| Shard { number, of, class: None };
        // The older one is still at work.
        let mut older = status(shard(1, 8), 9, None);
        older.1.began = "2020-01-01T00:00:00Z".to_owned();
        let small = Shard { class: Some("0..1GiB".parse().unwrap()), ..shard(2, 3) };
        for newer in [shard(2, 3), small] {
            let sum = ShardsStatus::sum(&[older.clone(), status(newer, 10, Some(0))]);
            assert_eq!((sum.tables, sum.counts.made, sum.positions_done), (30, 10, 200));
            assert_eq!((sum.shards, sum.ended, sum.not_begun, sum.of_other_divisions), (3, 1, 2, 1));
            assert_eq!(sum.parts.len(), 1);
        }
    }

    #[test]
    fn the_shards_of_each_class_have_tables_of_their_own() {
        let class = |text: &str| Some(text.parse().unwrap());
        let found = [
            status(Shard { number: 1, of: 2, class: class("0..1GiB") }, 1, Some(0)),
            status(Shard { number: 2, of: 2, class: class("0..1GiB") }, 1, Some(0)),
            status(Shard { number: 1, of: 1, class: class("1GiB..2GiB") }, 1, Some(3)),
        ];
        let sum = ShardsStatus::sum(&found);
        assert_eq!((sum.tables, sum.shards, sum.ended, sum.counts.made), (60, 3, 3, 3));
        assert!(sum.is_over());
    }
}
