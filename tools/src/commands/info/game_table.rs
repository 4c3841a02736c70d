//! `dragnet info` of a game table.

use super::{bits_per_position, blocks_json, sizes};
use crate::{
    failure::Failure,
    output::{console::output, draw, human, settings},
};
use dragnet_formats::{cell::Cell, container::layout::VERSION};
use dragnet_probe::{BlockStatistics, Door, GameTable, Opening};
use std::{io::Write, path::Path};

pub(super) fn json(path: &Path, table: &GameTable, blocks: &BlockStatistics) -> serde_json::Value {
    let header = table.header();
    let mut info = serde_json::json!({
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
    });
    if let Some(game) = &header.doors {
        let pair = |cell: Cell| [cell.row, cell.col];
        let exits: Vec<_> = game.board().exits().map(pair).collect();
        info["height"] = game.board().height().into();
        info["width"] = game.board().width().into();
        info["cells"] = game.board().open_count().into();
        info["exits"] = exits.into();
        info["rules"] = serde_json::json!(game.rules());
        info["preset"] = game.rules().preset_name().into();
        info["doors"] = game.doors().iter().map(door_json).collect();
    }
    info
}

fn door_json(door: &Door) -> serde_json::Value {
    let cell = [door.cell.row, door.cell.col];
    match &door.opening {
        Opening::Key { cell: key, open } => {
            serde_json::json!({ "cell": cell, "key": [key.row, key.col], "open": open })
        }
        Opening::Schedule(schedule) => serde_json::json!({ "cell": cell, "schedule": schedule.to_string() }),
    }
}

/// Describes a door: `3,4 by the key 0,1, closed first`, `3,4 by ..##`.
fn door_text(door: &Door) -> String {
    match &door.opening {
        Opening::Key { cell, open } => {
            format!("{} by the key {cell}, {} first", door.cell, if *open { "open" } else { "closed" })
        }
        Opening::Schedule(schedule) => format!("{} by {schedule}", door.cell),
    }
}

pub(super) fn print(table: &GameTable, blocks: &BlockStatistics, board: bool) -> Result<(), Failure> {
    let header = table.header();
    let [file, index, blocks] = sizes(table.file_len(), table.index_len(), header.positions(), blocks);
    let slots = format!("{} to a block", human::count(header.numbering.slots_per_block().into()));
    let mut output = output();
    let mut fields = vec![
        ("format", format!("version {VERSION}")),
        ("game", format!("{:?}, key {:016x}", header.name, header.key)),
        ("positions", format!("{}, {slots}", human::count(header.positions()))),
        file,
        index,
        blocks,
        ("digest", format!("{:016x}", header.summary.digest)),
    ];
    if let Some(game) = &header.doors {
        let doors: Vec<String> = game.doors().iter().map(door_text).collect();
        let setting = [
            ("board", settings::board(game.board())),
            ("rules", settings::rules(game.rules())),
            ("doors", doors.join("; ")),
        ];
        fields.splice(2..2, setting);
    }
    for (name, text) in fields {
        writeln!(output, "{name:<12} {text}")?;
    }
    if let Some(game) = header.doors.as_ref().filter(|_| board) {
        write!(output, "\n{}", draw::board(game.board(), &[], None))?;
    }
    Ok(output.flush()?)
}
