//! One program of all tests that run the real binary: each would be linked with the whole library again.

#![allow(clippy::unwrap_used)]

mod support;
mod batch;
mod cli;
#[cfg(unix)]
mod docs;
mod in_the_way;
mod leftovers;
mod night;
mod pack;
mod page;
mod policy;
mod report;
#[cfg(feature = "serve")]
mod serve;
#[cfg(unix)]
mod workers;
mod site;
mod survival;
#[cfg(target_os = "linux")]
mod terminal;
mod truth;
mod verify;
#[cfg(all(unix, feature = "serve"))]
mod view;
