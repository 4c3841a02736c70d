//! Scenes of Godot 4 (`.tscn`) with tile maps, and their tile sets (`.tres`).

mod section;
mod syntax;
mod tile_set;
mod tile_data;
mod place;
mod node;
mod scene;

pub(super) use scene::read;
