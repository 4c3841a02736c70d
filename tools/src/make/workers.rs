//! How far the runs in an output folder have come together.

use crate::{
    failure::Failure,
    make::status::{RunPhase, RunStatus, TENTH, TROUBLES, Trouble, look},
    report::history::StatusCounts,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{path::Path, time::Duration};

/// How far the runs have come that have left their statuses in an output folder: what `batch status` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FolderStatus {
    /// The manifest. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manifest: Option<String>,
    /// When the newest status was written.
    pub(crate) updated: String,
    /// Tables of the list.
    pub(crate) tables: u64,
    /// The outcomes of these tables, made by any of the runs.
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Positions of all these tables.
    pub(crate) positions: u64,
    /// Positions of the tables that are made or kept.
    pub(crate) positions_done: u64,
    /// Estimate of the time until the end with the runs that are at work now. Absent while it cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left: Option<f64>,
    /// Runs, in the order of their numbers.
    pub(crate) workers: Vec<WorkerStatus>,
    /// Some tables that could not be made.
    pub(crate) troubles: Vec<Trouble>,
}

/// How far a run has come: what the run `N` writes to `.dragnet/worker-N.json` each second, and its state.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkerStatus {
    #[serde(flatten)]
    pub(crate) status: RunStatus,
    /// Whether the run is at work, by its lock and whether it goes on writing. Not in the file.
    pub(crate) state: RunPhase,
}

impl FolderStatus {
    /// Returns the status of the runs in the output folder `out`; `None` if there are none. See [`look`] for
    /// `patience`.
    ///
    /// # Errors
    /// When a status cannot be read.
    pub(crate) fn read(out: &Path, patience: Duration) -> Result<Option<FolderStatus>, Failure> {
        Ok(FolderStatus::of(look(out, patience)?))
    }

    fn of(found: Vec<(RunStatus, RunPhase)>) -> Option<FolderStatus> {
        // Each run knows what the others have made, some a little later than they themselves.
        let (best, _) = found.iter().max_by_key(|(status, _)| (status.counts.finished(), &status.updated))?;
        let finished = best.counts.finished();
        let of_list = || found.iter().filter(|(status, _)| status.tables == best.tables);
        let made = of_list().map(|(status, _)| status.counts.made).sum::<u64>().min(finished);
        let running = of_list().filter(|(status, phase)| *phase == RunPhase::Running && status.seconds > 0.0);
        let pace: f64 = running.map(|(status, _)| status.effort_made as f64 / status.seconds).sum();
        let can_be_said = pace > 0.0 && best.effort_done >= best.effort / TENTH;
        let left = best.effort.saturating_sub(best.effort_done) as f64;
        let mut troubles: Vec<Trouble> = Vec::new();
        for trouble in found.iter().flat_map(|(status, _)| &status.troubles) {
            if troubles.len() < TROUBLES && !troubles.contains(trouble) {
                troubles.push(trouble.clone());
            }
        }
        Some(FolderStatus {
            manifest: best.manifest.clone(),
            updated: found.iter().map(|(status, _)| status.updated.clone()).max()?,
            tables: best.tables,
            counts: StatusCounts { made, kept: finished - made, ..best.counts },
            positions: best.positions,
            positions_done: best.positions_done,
            seconds_left: can_be_said.then(|| (left / pace).min(1e9)),
            troubles,
            workers: found.into_iter().map(|(status, state)| WorkerStatus { status, state }).collect(),
        })
    }

    /// Returns the number of the runs in this state.
    pub(crate) fn count(&self, state: RunPhase) -> u64 {
        self.workers.iter().filter(|worker| worker.state == state).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(worker: u32, made: u64, kept: u64, phase: RunPhase) -> (RunStatus, RunPhase) {
        let run = RunStatus {
            counts: StatusCounts { made, kept, ..StatusCounts::default() },
            seconds: 10.0,
            positions: 300,
            positions_done: 10 * (made + kept),
            effort: 3000,
            effort_done: 100 * (made + kept),
            effort_made: 100 * made,
            ..RunStatus::new(1, worker, None, 30)
        };
        (run, phase)
    }

    #[test]
    fn tables_of_several_runs_are_counted_once() {
        let sum = FolderStatus::of(vec![
            status(1, 5, 7, RunPhase::Running),
            status(2, 6, 8, RunPhase::Running),
            status(3, 2, 9, RunPhase::Killed),
        ])
        .unwrap();
        let StatusCounts { made, kept, .. } = sum.counts;
        assert_eq!((sum.tables, made, kept, sum.positions, sum.positions_done), (30, 13, 1, 300, 140));
        // 1,600 are left, and the two that run do 110 a second.
        assert_eq!(sum.seconds_left, Some(1600.0 / 110.0));
        assert_eq!([RunPhase::Running, RunPhase::Killed].map(|state| sum.count(state)), [2, 1]);
        assert!(FolderStatus::of(Vec::new()).is_none());
    }
}
