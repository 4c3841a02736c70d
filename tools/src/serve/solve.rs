//! Solving of boards that clients send, within bounds: in cells, in time, and in number at once.

use super::{
    client::{WaitingClient, Wanted},
    problem::Problem,
};
use crate::{
    failure::Failure,
    input::{boards, toml_text::toml_message},
};
use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use dragnet_formats::{rules::Rules, setting::Setting};
use dragnet_generator::{GenerateError, Generator, Observer, Plan, encode::Encoding};
use serde::Deserialize;
use std::{
    io::Cursor,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Seconds after which memory may be free again.
const BUSY_SECONDS: u32 = 60;

/// The bounds of solving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solving {
    /// The most open cells of a board.
    pub(crate) cells: usize,
    /// The longest time that solving a board may take.
    pub(crate) time: Duration,
    /// The most boards that are solved at once.
    pub(crate) at_once: usize,
    /// The most bytes of memory for one board.
    pub(crate) memory: u64,
}

/// A board to be solved.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveRequest {
    /// The board in any of the forms of a board file.
    board: String,
    /// The name of a preset, or the text of a rules file; "classic" if absent.
    rules: Option<String>,
    /// The number of officers; if absent, those of the rules, or as many as the board marks with P.
    officers: Option<u8>,
}

/// Solves boards.
pub(super) struct Solver {
    bounds: Solving,
    free: Arc<Semaphore>,
}

/// Stops a solve when its time is over, or nobody waits for it.
struct Clock {
    end: Instant,
    wanted: Wanted,
}

impl Observer for Clock {
    fn stop(&self) -> bool {
        self.wanted.is_given_up() || Instant::now() >= self.end
    }
}

impl Solver {
    pub(super) fn new(bounds: Solving) -> Solver {
        Solver { bounds, free: Arc::new(Semaphore::new(bounds.at_once)) }
    }

    /// Returns the table of a board.
    pub(super) async fn solve(&self, request: SolveRequest) -> Result<Response, Problem> {
        let bounds = self.bounds;
        let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() else {
            let seconds = u32::try_from(bounds.time.as_secs()).unwrap_or(u32::MAX).max(1);
            return Err(Problem::busy(
                format!("{} boards are being solved already", bounds.at_once),
                seconds,
            ));
        };
        let client = WaitingClient::default();
        let clock = Clock { end: Instant::now() + bounds.time, wanted: client.wanted() };
        let solved = spawn_blocking(move || {
            let _permit = permit;
            table_of(request, bounds, &clock)
        });
        let bytes = solved.await.unwrap_or_else(|_| Err(Problem::internal()))?;
        let mut response = Response::new(Body::from(bytes));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}

fn table_of(request: SolveRequest, bounds: Solving, clock: &Clock) -> Result<Bytes, Problem> {
    let asked_wrongly =
        |failure: &Failure, what: &str| Problem::bad_request(format!("{what}: {}", failure.text()));
    let scenario =
        boards::parse(request.board.as_bytes()).map_err(|failure| asked_wrongly(&failure, "board"))?;
    let cells = scenario.board.open_count();
    if cells > bounds.cells {
        let detail = format!("board: expected at most {} open cells, found {cells}", bounds.cells);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    let rules = match request.rules.as_deref() {
        None => Rules::default(),
        Some(text) => match Rules::preset(text) {
            Some(rules) => rules,
            None => toml::from_str(text)
                .map_err(|error| Problem::bad_request(format!("rules: {}", toml_message(text, &error))))?,
        },
    };
    let rules = rules.for_officers(request.officers, scenario.police.len());
    let rules = rules.and_then(|rules| rules.check().map(|()| rules));
    let rules = rules.map_err(|error| Problem::bad_request(format!("rules: {error}")))?;
    let plan = Plan::of_setting(Setting::new(scenario, rules), Encoding::default())
        .map_err(|error| Problem::bad_request(format!("board: {error}")))?;
    let memory = plan.needs(1).likely;
    if memory > bounds.memory {
        let detail = format!("the game needs {memory} bytes of memory; expected at most {}", bounds.memory);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    let generator = Generator::new(1).map_err(|_| Problem::internal())?;
    let mut file = Cursor::new(Vec::new());
    let written = generator.solve(&plan, clock).and_then(|solution| {
        let (header, blocks) = generator.encode(&*solution, &plan, clock)?;
        Ok(blocks.write(&header, &mut file)?)
    });
    match written {
        Ok(_) => Ok(Bytes::from(file.into_inner())),
        Err(GenerateError::Stopped) => {
            let detail = format!("the board could not be solved within {} s", bounds.time.as_secs());
            Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail))
        }
        Err(error) => Err(match Failure::from(error) {
            // The memory that the board needs is free no longer.
            failure @ Failure::Trouble(_) => Problem::busy(failure.text(), BUSY_SECONDS),
            failure => Problem::bad_request(failure.text()),
        }),
    }
}
