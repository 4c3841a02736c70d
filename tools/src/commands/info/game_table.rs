//! `dragnet info` of a game table.

use super::parts::{FileInfo, bits_per_position, sizes};
use crate::{
    failure::Failure,
    output::{console::output, human, json::Hex},
};
use dragnet_formats::container::layout::VERSION;
use dragnet_probe::{BlockStatistics, GameTable};
use schemars::JsonSchema;
use serde::Serialize;
use std::{io::Write, path::Path};

/// A game table.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameInfo<'a> {
    /// Path of the table.
    table: &'a Path,
    /// Version of the file format.
    format_version: u16,
    /// Name of the game; "graph" for a graph.
    game: String,
    /// Key of the game: a hash of the graph.
    key: Hex,
    /// Positions.
    positions: u64,
    /// Positions per block.
    slots_per_block: u32,
    #[serde(flatten)]
    file: FileInfo,
}

impl<'a> GameInfo<'a> {
    pub(super) fn new(path: &'a Path, table: &GameTable, blocks: &BlockStatistics) -> GameInfo<'a> {
        let header = table.header();
        GameInfo {
            table: path,
            format_version: VERSION,
            game: header.name.clone(),
            key: Hex(header.key),
            positions: header.positions(),
            slots_per_block: header.numbering.slots_per_block(),
            file: FileInfo {
                bytes: table.file_len(),
                index_bytes: table.index_len(),
                bits_per_position: bits_per_position(table.file_len(), header.positions()),
                blocks: blocks.into(),
                digest: Hex(header.summary.digest),
            },
        }
    }
}

pub(super) fn print(table: &GameTable, blocks: &BlockStatistics) -> Result<(), Failure> {
    let header = table.header();
    let [file, index, blocks] = sizes(table.file_len(), table.index_len(), header.positions(), blocks);
    let slots = format!("{} to a block", human::count(header.numbering.slots_per_block().into()));
    let mut output = output();
    let fields = [
        ("format", format!("version {VERSION}")),
        ("game", format!("{:?}, key {:016x}", header.name, header.key)),
        ("positions", format!("{}, {slots}", human::count(header.positions()))),
        file,
        index,
        blocks,
        ("digest", format!("{:016x}", header.summary.digest)),
    ];
    for (name, text) in fields {
        writeln!(output, "{name:<12} {text}")?;
    }
    Ok(output.flush()?)
}
