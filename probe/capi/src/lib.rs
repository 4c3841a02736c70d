//! The C interface of Dragnet, as `include/dragnet.h` declares and describes it.
//!
//! A function takes its arguments through the types of [`border`], which check all that can be checked of a pointer, and
//! does its work under `guard` of [`failure`], which turns errors and panics into a status and a message.
//!
//! The modules in the order in which they build on each other:
#![deny(unsafe_code)]

pub mod types;

pub mod failure;

#[allow(unsafe_code)]
pub mod border;

mod convert;

// The functions. `#[unsafe(no_mangle)]`, which gives a function its name in C, counts as unsafe code; `.ci/run` sees to it
// that there is no other in these modules.
#[allow(unsafe_code)]
pub mod library;

#[allow(unsafe_code)]
pub mod settings;

#[allow(unsafe_code)]
pub mod table;

#[allow(unsafe_code)]
pub mod probing;

#[allow(unsafe_code)]
pub mod tablebase;

#[allow(unsafe_code)]
pub mod game_table;
