//! What all requests share.

use super::{
    client::{WaitingClient, Wanted},
    conditional::Tag,
    library::Library,
    limits::RequestLimits,
    metrics::Metrics,
    problem::Problem,
    question::Question,
    settings::Settings,
    solve::Solver,
};
use crate::catalogue::{self, Facts, Item};
use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use dragnet_probe::{AnyTable, ProbeError};
use parking_lot::Mutex;
use std::{collections::HashMap, fs::File, net::SocketAddr, path::PathBuf, sync::Arc};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// The most requests at once whose work takes longer than a probe: lines, turns of batches, and the positions
/// of large tables and of many officers. Further ones wait.
const LONG_WORK: usize = 16;

/// The most requests at once that read a whole table: statistics and pictures. Each of them uses all
/// processors. Further ones wait.
const WHOLE_TABLES: usize = 1;

/// The most statistics that are kept.
const KEPT: usize = 256;

/// The largest file whose single positions are looked up without a thread of their own: one that the system
/// has in memory after the first questions.
const QUICK_BYTES: u64 = 16 << 20;

/// The most officers whose moves are so few that they are looked up without a thread of their own.
const QUICK_OFFICERS: u8 = 2;

/// The state of the server.
pub(super) struct State {
    pub(super) library: Library,
    pub(super) limits: RequestLimits,
    pub(super) metrics: Metrics,
    pub(super) solver: Option<Solver>,
    pub(super) access_log: Option<Mutex<File>>,
    pub(super) address: SocketAddr,
    /// The origins whose pages may ask: none, all (`*`), or those in the list.
    pub(super) origins: Vec<String>,
    /// The names by which the server is asked, beside `localhost` and loopback addresses.
    pub(super) hosts: Vec<String>,
    long_work: Arc<Semaphore>,
    whole_tables: Arc<Semaphore>,
    /// The most bytes of memory that statistics and pictures may take.
    pub(super) memory: u64,
    /// Statistics by the name and the digest of their table.
    kept: Mutex<HashMap<(String, u64), Bytes>>,
}

impl State {
    pub(super) fn new(
        library: Library,
        Settings { limits, origins, hosts, access_log, solving, memory, hang_up: _ }: Settings,
        address: SocketAddr,
    ) -> State {
        State {
            library,
            limits,
            metrics: Metrics::default(),
            solver: solving.map(Solver::new),
            access_log: access_log.map(Mutex::new),
            address,
            origins,
            hosts,
            long_work: Arc::new(Semaphore::new(LONG_WORK)),
            whole_tables: Arc::new(Semaphore::new(WHOLE_TABLES)),
            memory,
            kept: Mutex::default(),
        }
    }

    /// Calls `ask` with a table. If the file was changed while it was open, the table is opened again once.
    pub(super) fn with_table<T>(
        &self,
        name: &str,
        ask: impl Fn(&AnyTable) -> Result<T, Answerless>,
    ) -> Result<T, Problem> {
        let mut again = true;
        loop {
            let table = self.table(name)?;
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

    /// Returns the table called `name`.
    pub(super) fn table(&self, name: &str) -> Result<Arc<AnyTable>, Problem> {
        let opened = self.library.table(name, &self.path(name)?);
        opened.map_err(|error| Problem::of_probe(&error, name))
    }

    /// Answers a question about a table, which `ask` is not asked if the client has the answer already. The
    /// answer gets a tag, and how long it may be kept; otherwise as [`State::with_table`].
    pub(super) fn answer<A: IntoResponse>(
        &self,
        question: &Question,
        ask: impl Fn(&AnyTable) -> Result<A, Answerless>,
    ) -> Result<Response, Problem> {
        self.with_table(&question.name, |table| {
            let tag = Tag::new(table, question.asked.digest.as_deref())?;
            match tag.not_modified(&question.headers) {
                Some(known) => Ok(known),
                None => Ok(tag.on(ask(table)?)),
            }
        })
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

    /// Returns whether a position of the table called `name` takes microseconds to look up.
    pub(super) fn is_quick(&self, name: &str) -> bool {
        let items = self.library.items();
        match items.get(&catalogue::url_of_table(name)).map(|found| &found.item) {
            Some(Item::Table { facts: Facts::Pursuit { officers, bytes, .. }, .. }) => {
                *officers <= QUICK_OFFICERS && *bytes <= QUICK_BYTES
            }
            Some(Item::Table { facts: Facts::Graph { bytes, .. }, .. }) => *bytes <= QUICK_BYTES,
            _ => false,
        }
    }

    /// Returns the statistics of the table called `name`, which are worked out once.
    pub(super) fn kept_or(
        &self,
        name: &str,
        digest: u64,
        work: impl FnOnce() -> Result<Bytes, Answerless>,
    ) -> Result<Bytes, Answerless> {
        let key = (name.to_owned(), digest);
        if let Some(known) = self.kept.lock().get(&key) {
            return Ok(known.clone());
        }
        let statistics = work()?;
        let mut kept = self.kept.lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, statistics.clone());
        Ok(statistics)
    }

    /// Does work that takes longer than a probe, beside the requests that do not.
    pub(super) async fn long_work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State, &Wanted) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.limited(&self.long_work, work).await
    }

    /// Does work that reads a whole table.
    pub(super) async fn whole_table<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State, &Wanted) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.limited(&self.whole_tables, work).await
    }

    /// Does work on a thread of its own once `limit` has room. Work that has begun keeps its room until it
    /// ends, and can ask whether its client still waits.
    async fn limited<T: Send + 'static>(
        self: &Arc<Self>,
        limit: &Arc<Semaphore>,
        work: impl FnOnce(&State, &Wanted) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let client = WaitingClient::default();
        let wanted = client.wanted();
        let permit = Arc::clone(limit).acquire_owned().await.expect("the semaphore is never closed");
        let state = Arc::clone(self);
        let done = spawn_blocking(move || {
            let _permit = permit;
            work(&state, &wanted)
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
