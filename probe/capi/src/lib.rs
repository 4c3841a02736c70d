//! The C interface of Dragnet, which `include/dragnet.h` declares and describes.
//!
//! Each function takes its pointers as types of [`border`], which check what can be checked of a pointer, and
//! runs inside
//! `guard` of [`failure`], which turns errors and panics into a status and a message.
//!
//! Each module uses only modules that are declared above it.
#![deny(unsafe_code)]

pub mod types;

pub mod opponent_types;

pub mod failure;

#[allow(unsafe_code)]
pub mod border;

mod convert;

// The modules with the functions of the interface allow unsafe code for the attribute `#[unsafe(no_mangle)]`
// alone;
// `.ci/run` checks that they have no other.
#[allow(unsafe_code)]
pub mod library;

#[allow(unsafe_code)]
pub mod cache;

#[allow(unsafe_code)]
pub mod opening;

#[allow(unsafe_code)]
pub mod table;

#[allow(unsafe_code)]
pub mod probing;

#[allow(unsafe_code)]
pub mod opponent;

#[allow(unsafe_code)]
pub mod review;

#[allow(unsafe_code)]
pub mod tablebase;

#[allow(unsafe_code)]
pub mod game_table;

#[allow(unsafe_code)]
pub mod partial_table;
