//! What all requests share.

use super::{
    library::Library,
    limits::RequestLimits,
    metrics::Metrics,
    problem::Problem,
    solve::{Solver, Solving},
};
use crate::catalogue;
use dragnet_probe::{AnyTable, ProbeError};
use std::{
    fs::File,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// The most requests at once whose work takes longer than a probe: lines, statistics, pictures, batches.
const LONG_WORK: usize = 16;

/// The state of the server.
pub(super) struct State {
    pub(super) library: Library,
    pub(super) limits: RequestLimits,
    pub(super) metrics: Metrics,
    pub(super) solver: Option<Solver>,
    pub(super) access_log: Option<Mutex<File>>,
    pub(super) address: SocketAddr,
    long_work: Arc<Semaphore>,
}

impl State {
    pub(super) fn new(
        library: Library,
        limits: RequestLimits,
        solving: Option<Solving>,
        access_log: Option<Mutex<File>>,
        address: SocketAddr,
    ) -> State {
        State {
            library,
            limits,
            metrics: Metrics::default(),
            solver: solving.map(Solver::new),
            access_log,
            address,
            long_work: Arc::new(Semaphore::new(LONG_WORK)),
        }
    }

    /// Calls `ask` with a table. If the file was changed while it was open, the table is opened again once.
    pub(super) fn with_table<T>(
        &self,
        name: &str,
        ask: impl Fn(&AnyTable) -> Result<T, Answerless>,
    ) -> Result<T, Problem> {
        let path = self.path(name)?;
        let mut again = true;
        loop {
            let opened = self.library.table(name, &path);
            let table = opened.map_err(|error| Problem::of_probe(&error, name))?;
            match ask(&table) {
                Err(Answerless::Probe(ProbeError::Changed { .. })) if again => {
                    again = false;
                    self.library.close(name);
                }
                Err(Answerless::Probe(error)) => return Err(Problem::of_probe(&error, name)),
                Err(Answerless::Problem(problem)) => return Err(problem),
                Ok(answer) => return Ok(answer),
            }
        }
    }

    /// Returns the file of the table called `name`.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, Problem> {
        match self.library.items().get(&catalogue::url_of_table(name)) {
            Some(found) => Ok(found.path.clone()),
            None => {
                Err(Problem::not_found(format!("no table here is called {name:?}; /v1/tables lists all")))
            }
        }
    }

    /// Does work that takes longer than a probe, beside the requests that do not.
    pub(super) async fn long_work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(permit) = Arc::clone(&self.long_work).try_acquire_owned() else {
            return Err(Problem::busy(format!("{LONG_WORK} longer requests are being answered already"), 1));
        };
        let state = Arc::clone(self);
        let done = spawn_blocking(move || {
            let _permit = permit;
            work(&state)
        });
        done.await.unwrap_or_else(|_| Err(Problem::internal()))
    }
}

/// The reason why a table does not answer.
pub(super) enum Answerless {
    Probe(ProbeError),
    Problem(Problem),
}

impl From<ProbeError> for Answerless {
    fn from(error: ProbeError) -> Answerless {
        Answerless::Probe(error)
    }
}

impl From<Problem> for Answerless {
    fn from(problem: Problem) -> Answerless {
        Answerless::Problem(problem)
    }
}
