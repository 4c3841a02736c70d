//! The parts of a table's picture: its answers, counts and distances, its slots, and how its board is drawn.

pub(crate) mod answers;
pub(crate) mod partial;
pub(crate) mod statistics;
pub(crate) mod places;
pub(crate) mod portrait;
pub(crate) mod heat_map;
pub(crate) mod picture;
pub(crate) mod world;
pub(crate) mod repacked;
