//! What the program reads: sizes, boards and graphs, arguments that several commands share, manifests.

pub(crate) mod size;
pub(crate) mod boards;
pub(crate) mod graphs;
pub(crate) mod arguments;
pub(crate) mod manifest;
