//! The settings of a server.

use super::{limits::RequestLimits, solve::Solving};
use std::fs::File;

/// The request that SIGHUP stands for, unless it comes because the terminal is closed, which ends the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HangUp {
    /// To look into the folders again, as daemons do.
    LooksAgain,
    /// To end.
    Ends,
}

/// The settings of a server.
pub(crate) struct Settings {
    pub(crate) limits: RequestLimits,
    /// The origins whose pages may ask: none, all (`*`), or those in the list.
    pub(crate) origins: Vec<String>,
    /// The names by which the server is asked, beside `localhost` and loopback addresses.
    pub(crate) hosts: Vec<String>,
    /// Where a line for each request goes.
    pub(crate) access_log: Option<File>,
    /// The request that SIGHUP stands for.
    pub(crate) hang_up: HangUp,
    /// The bounds of solving, if it is on.
    pub(crate) solving: Option<Solving>,
    /// The most bytes of memory that statistics and pictures may take, of which one is made at a time.
    pub(crate) memory: u64,
}
