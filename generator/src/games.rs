//! Pursuit games, games on graphs, and how a graph is read or explored.

pub mod team;

pub(crate) mod size;

pub mod pursuit;

pub(crate) mod one_officer;

pub(crate) mod graph;

pub(crate) mod edge_list;

pub(crate) mod edge_blocks;

pub(crate) mod labels;

pub(crate) mod explore;

pub mod solo;
