//! `dragnet info` of a game table.

use super::{bits_per_position, blocks_json, sizes};
use crate::{
    failure::Failure,
    output::{console::output, human},
};
use dragnet_formats::container::layout::VERSION;
use dragnet_probe::{BlockStatistics, GameTable};
use std::{io::Write, path::Path};

pub(super) fn json(path: &Path, table: &GameTable, blocks: &BlockStatistics) -> serde_json::Value {
    let header = table.header();
    serde_json::json!({
        "table": path,
        "format_version": VERSION,
        "game": header.name,
        "key": format!("{:016x}", header.key),
        "positions": header.positions(),
        "slots_per_block": header.numbering.slots_per_block(),
        "bytes": table.file_len(),
        "index_bytes": table.index_len(),
        "bits_per_position": bits_per_position(table.file_len(), header.positions()),
        "blocks": blocks_json(blocks),
        "digest": format!("{:016x}", header.summary.digest),
    })
}

pub(super) fn print(table: &GameTable, blocks: &BlockStatistics) -> Result<(), Failure> {
    let header = table.header();
    let [file, index, blocks] = sizes(table.file_len(), table.index_len(), header.positions(), blocks);
    let slots = format!("{} to a block", human::count(header.numbering.slots_per_block().into()));
    let mut output = output();
    for (name, text) in [
        ("format", format!("version {VERSION}")),
        ("game", format!("{:?}, key {:016x}", header.name, header.key)),
        ("positions", format!("{}, {slots}", human::count(header.positions()))),
        file,
        index,
        blocks,
        ("digest", format!("{:016x}", header.summary.digest)),
    ] {
        writeln!(output, "{name:<12} {text}")?;
    }
    Ok(output.flush()?)
}
