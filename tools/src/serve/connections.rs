//! Connections: accepted up to a number, cut when they are slow, and ended when the server stops.
//!
//! `axum::serve` sets no timer, so that a client that never finishes the head of a request would hold its
//! connection for ever.

use super::{
    limits::{HEADER_BYTES, HEADER_TIME, IN_FLIGHT_GRACE, WRITE_TIME},
    server_signals::ServerSignals,
    state::State,
};
use crate::{
    failure::Failure,
    messages::{self, Kind},
};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{
    net::TcpListener,
    pin::Pin,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};
use tokio::{
    net::TcpStream,
    signal::ctrl_c,
    sync::Semaphore,
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;

/// The pause after a connection could not be accepted, as when no file handle is left.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until a signal asks to stop, and then those that have begun.
///
/// # Errors
/// When the system refuses the socket.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    state: Arc<State>,
    mut signals: ServerSignals,
) -> Result<(), Failure> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let free = Arc::new(Semaphore::new(state.limits.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(signals.stop(&state));
    loop {
        let accepted = async {
            let permit = Arc::clone(&free).acquire_owned().await.expect("the semaphore is never closed");
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            () = &mut stop => break,
            accepted = accepted => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection = graceful.watch(connection(stream, &router));
                let state = Arc::clone(&state);
                state.metrics.connections.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    // A client that breaks the protocol or goes away is no trouble of the server.
                    let _ = connection.await;
                    state.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                    drop(permit);
                });
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
    messages::say(Kind::Note, "stopping; requests that have begun are answered; another Ctrl-C ends at once");
    drop(listener);
    tokio::spawn(async move {
        if ctrl_c().await.is_ok() {
            std::process::exit(crate::signals::INTERRUPTED.into());
        }
    });
    // Those that do not end in time are cut.
    let _ = timeout(IN_FLIGHT_GRACE, graceful.shutdown()).await;
    Ok(())
}

/// A connection on which writing fails once nothing could be written for [`WRITE_TIME`].
type TimedStream = TokioIo<Pin<Box<TimeoutStream<TcpStream>>>>;

fn connection(
    stream: TcpStream,
    router: &Router,
) -> http1::Connection<TimedStream, TowerToHyperService<Router>> {
    // Answers are written whole; waiting for more to send would only delay them.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // A client that asks for a large table and never reads it would hold its connection for ever.
    stream.set_write_timeout(Some(WRITE_TIME));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router.clone()))
}
