//! The HTTP server: values, moves, lines and pictures of tables as JSON, the tables themselves in pieces, and
//! the application that shows them.

mod problem;
mod question;
mod metrics;
mod limits;
mod library;
mod conditional;
mod client;
mod solve;
mod settings;
mod state;
mod access;
mod request_body;
mod batch;
mod described;
mod files;
mod tables;
mod positions;
mod pages;
mod routes;
mod server_signals;
mod connections;

pub(crate) use library::Library;
pub(crate) use limits::RequestLimits;
pub(crate) use settings::{HangUp, Settings};
pub(crate) use solve::Solving;

use crate::failure::Failure;
use axum::Router;
use limits::IN_FLIGHT_GRACE;
use server_signals::ServerSignals;
use state::State;
use std::{
    net::{SocketAddr, TcpListener},
    sync::Arc,
};
use tokio::runtime::Runtime;

/// A server that has its address, hears signals, and answers nobody yet.
pub(crate) struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: Arc<State>,
    runtime: Runtime,
    signals: ServerSignals,
}

impl Server {
    /// Takes the address and returns a server of the tables in `library`. Port 0 takes any free port. Signals
    /// are heard from then on: whoever knows the address may send one at once.
    ///
    /// # Errors
    /// When the address cannot be taken, or the system refuses threads or signals.
    pub(crate) fn new(address: SocketAddr, library: Library, settings: Settings) -> Result<Server, Failure> {
        let cannot = |error| Failure::from(error).about(format!("cannot listen on {address}"));
        let listener = TcpListener::bind(address).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let signals = {
            let _inside = runtime.enter();
            ServerSignals::new(settings.hang_up)?
        };
        let state = Arc::new(State::new(library, settings, address));
        Ok(Server { listener, address, state, runtime, signals })
    }

    /// Returns the address at which the server answers.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the first SIGINT or SIGTERM, or the end of the terminal, then finishes the requests that
    /// have begun, for at most [`IN_FLIGHT_GRACE`].
    ///
    /// # Errors
    /// When the system refuses threads or the socket.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let router: Router = routes::router(&self.state)?;
        let served = connections::serve(self.listener, router, self.state, self.signals);
        let finished = self.runtime.block_on(served);
        self.runtime.shutdown_timeout(IN_FLIGHT_GRACE);
        finished
    }
}
