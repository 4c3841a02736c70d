//! The version of the program, with the commit and the day from which it is built as far as the build knows
//! them.

/// The version alone, as in `0.1.0`.
pub(crate) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The version with commit and date, as in `0.1.0 (abcdef123 2026-11-22)`.
pub(crate) const LONG: &str = concat!(env!("CARGO_PKG_VERSION"), env!("DRAGNET_BUILD"));

/// The date of the commit, as in `2026-11-22`; empty if the build does not know it.
pub(crate) const DATE: &str = env!("DRAGNET_BUILD_DATE");
