//! The limits of the server. The help text and the chapter about serving name them.

use std::time::Duration;

/// The bounds of what clients may ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLimits {
    /// The most connections at once; further ones wait to be accepted.
    pub(crate) connections: usize,
    /// The most positions in a batch.
    pub(crate) batch: usize,
    /// The most bytes of a request's body.
    pub(crate) body: usize,
    /// The longest time that an answer may take.
    pub(crate) request: Duration,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits { connections: 1024, batch: 100_000, body: 4 << 20, request: Duration::from_secs(30) }
    }
}

/// The time in which a client must have sent the head of a request. It also ends idle connections.
pub(super) const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time for which a connection on which the client reads nothing stays open.
pub(super) const WRITE_TIME: Duration = Duration::from_secs(30);

/// The time that requests which have begun get to end when the server stops.
pub(super) const IN_FLIGHT_GRACE: Duration = Duration::from_secs(5);

/// The most bytes of a request's head.
pub(super) const HEADER_BYTES: usize = 16 << 10;
