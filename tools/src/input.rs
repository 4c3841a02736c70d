//! Input of the program: boards and graphs, arguments that several commands share, manifests.

pub(crate) mod mapped;
pub(crate) mod text;
pub(crate) mod tables;
pub(crate) mod nearest;
pub(crate) mod toml_text;
pub(crate) mod map_options;
pub(crate) mod size;
pub(crate) mod boards;
pub(crate) mod board_files;
pub(crate) mod arguments;
pub(crate) mod limits;
pub(crate) mod shard;
pub(crate) mod graphs;
pub(crate) mod parts;
pub(crate) mod table_list;
pub(crate) mod manifest;
pub(crate) mod table_arguments;
