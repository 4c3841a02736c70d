//! The games that the crate knows, and how games are stated and read.

pub mod team;

pub mod pursuit;

pub(crate) mod graph;

pub(crate) mod edge_list;

pub(crate) mod explore;

pub mod solo;
