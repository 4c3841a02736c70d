//! One program of all tests of policies and captures.

#![allow(clippy::unwrap_used)]

mod cops;
mod policy;
#[path = "../../../tests/all/support/random.rs"]
mod random;
mod stopping;
mod variants;
