//! The tasks into which the tables of a manifest are divided for a cluster.

use crate::{input::shard::MemoryClass, make::checked::CheckedTable};
use std::time::Duration;

/// The upper ends of the classes of memory, in bytes, each four times the one before. Nodes of clusters
/// differ by such factors; smaller steps would make more arrays and save little.
const CLASSES: [u64; 5] = [2 << 30, 8 << 30, 32 << 30, 128 << 30, 512 << 30];
/// The share of the processors of a task that is at work, in percent: the last tables of a task leave some of
/// them idle.
const AT_WORK: u64 = 75;
const GIB: u64 = 1 << 30;

/// The size of a farm, as a user asks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarmSize {
    /// Processors, and threads, of a task: at least one.
    pub(crate) cores: usize,
    /// The time that a task is to take.
    pub(crate) task_time: Duration,
    /// The number of tasks of each class, in place of what the time says.
    pub(crate) tasks: Option<u32>,
    /// The most tasks of an array.
    pub(crate) most_tasks: u32,
}

/// The tasks of a class of tables: one array of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TaskArray {
    /// The class; `None` if there is only one.
    pub(crate) class: Option<MemoryClass>,
    pub(crate) tables: u64,
    pub(crate) tasks: u32,
    /// Memory of a task, in GiB.
    pub(crate) memory: u64,
    /// The estimated time of a task.
    pub(crate) time: Duration,
}

impl TaskArray {
    /// Returns the time at which a scheduler may take a task for lost, in minutes: several times what was
    /// estimated for another machine. A task that is stopped goes on from its checkpoints.
    pub(crate) fn limit_minutes(&self) -> u64 {
        (self.time.as_secs() * 3 / 60).max(30)
    }
}

/// Returns the arrays of tasks for tables that have been checked for `size.cores` threads, the class of the
/// least memory first.
pub(crate) fn arrays(tables: &[CheckedTable], size: &FarmSize) -> Vec<TaskArray> {
    let need = |table: &CheckedTable| table.task.needs.memory;
    let largest = tables.iter().map(need).max().unwrap_or(0);
    let mut ends: Vec<u64> = CLASSES.into_iter().filter(|&end| end < largest).collect();
    ends.push(largest.div_ceil(GIB).max(1).saturating_mul(GIB));
    let mut found: Vec<(MemoryClass, Vec<&CheckedTable>)> = Vec::new();
    let mut above = 0;
    for end in ends {
        let class = MemoryClass { above, most: end };
        let members: Vec<&CheckedTable> = tables.iter().filter(|table| class.has(need(table))).collect();
        // A class without tables is a part of the next one.
        if !members.is_empty() {
            above = end;
            found.push((class, members));
        }
    }
    let only = found.len() == 1;
    found.into_iter().map(|(class, members)| array((!only).then_some(class), &members, size)).collect()
}

fn array(class: Option<MemoryClass>, tables: &[&CheckedTable], size: &FarmSize) -> TaskArray {
    let cores = size.cores as u64;
    let effort: u128 = tables.iter().map(|table| u128::from(table.effort)).sum();
    let of_task = |effort: u128| effort * 100 / u128::from(cores * AT_WORK);
    let time = size.task_time.as_nanos().max(1);
    let by_time = u32::try_from(of_task(effort).div_ceil(time)).unwrap_or(u32::MAX);
    let most = u32::try_from(tables.len()).unwrap_or(u32::MAX);
    let tasks = size.tasks.unwrap_or_else(|| by_time.min(size.most_tasks)).clamp(1, most.max(1));
    // Small tables are made side by side.
    let mut small: Vec<u64> = tables
        .iter()
        .filter(|table| !table.task.is_large())
        .map(|table| table.task.given_memory(u64::MAX))
        .collect();
    small.sort_unstable_by(|one, other| other.cmp(one));
    let beside: u64 = small.iter().take(size.cores).fold(0, |sum, need| sum.saturating_add(*need));
    let largest = tables.iter().map(|table| table.task.needs.memory).max().unwrap_or(0);
    let mean = of_task(effort / u128::from(tasks));
    let longest = tables.iter().map(|table| of_task(table.effort.into())).max().unwrap_or(0);
    TaskArray {
        class,
        tables: tables.len() as u64,
        tasks,
        memory: largest.max(beside).div_ceil(GIB).max(1),
        time: Duration::from_nanos(u64::try_from(mean.max(longest)).unwrap_or(u64::MAX)),
    }
}
