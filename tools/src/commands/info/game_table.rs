//! `dragnet info` of a game table.

use super::parts::{BoardInfo, FileInfo, bits_per_position, sizes};
use crate::{
    failure::Failure,
    output::{
        console::output,
        draw, human,
        json::{Hex, JsonCell},
        settings,
    },
};
use dragnet_formats::container::layout::GAME_VERSION;
use dragnet_probe::{BlockStatistics, Door, GameTable, Opening};
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
    #[serde(flatten)]
    doors: Option<DoorsInfo>,
}

/// The game on a board with doors.
#[derive(Serialize, JsonSchema)]
struct DoorsInfo {
    #[serde(flatten)]
    board: BoardInfo,
    /// The doors, in reading order.
    doors: Vec<DoorInfo>,
}

/// A door.
#[derive(Serialize, JsonSchema)]
struct DoorInfo {
    /// Where the door is.
    cell: JsonCell,
    /// Where its key is. Absent of a door with a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<JsonCell>,
    /// Whether the door is open before its key has turned. Absent of a door with a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<bool>,
    /// Schedule of the door, a character per ply: `.` open, `#` closed. Absent of a door with a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
}

impl<'a> GameInfo<'a> {
    pub(super) fn new(path: &'a Path, table: &GameTable, blocks: &BlockStatistics) -> GameInfo<'a> {
        let header = table.header();
        GameInfo {
            table: path,
            format_version: GAME_VERSION,
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
            doors: header.doors.as_ref().map(|game| DoorsInfo {
                board: BoardInfo::new(game.board(), Some(game.rules())),
                doors: game.doors().iter().map(DoorInfo::from).collect(),
            }),
        }
    }
}

impl From<&Door> for DoorInfo {
    fn from(door: &Door) -> DoorInfo {
        let (key, open, schedule) = match &door.opening {
            Opening::Key { cell, open } => (Some((*cell).into()), Some(*open), None),
            Opening::Schedule(schedule) => (None, None, Some(schedule.to_string())),
        };
        DoorInfo { cell: door.cell.into(), key, open, schedule }
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
        ("format", format!("version {GAME_VERSION}")),
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
