//! One program of all tests of the C interface.

#![allow(clippy::unwrap_used)]

mod support;
#[cfg(target_os = "linux")]
mod consumers;
#[cfg(unix)]
mod cpp;
mod header;
#[cfg(target_os = "linux")]
mod install;
#[cfg(unix)]
mod programs;
