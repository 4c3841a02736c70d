//! `dragnet info`: the header, sizes and blocks of a table.

mod parts;

pub(crate) mod game_table;

use super::{open, output, print_json, show_each};
use crate::{
    failure::Failure,
    input::tables::TablePaths,
    output::{
        draw, human,
        json::{Hex, JsonCell},
        settings,
    },
};
use clap::Args;
use dragnet_formats::{container::layout::VERSION, setting::Setting};
use dragnet_probe::{AnyTable, BlockStatistics, Board, Door, Header, Keep, Kind, Opening, ProbeError};
use parts::{BoardInfo, FileInfo, bits_per_position, sizes};
use schemars::JsonSchema;
use serde::Serialize;
use std::{io::Write, path::Path};

/// Show the header, the sizes and the blocks of tables
///
/// Reads and checks the whole files.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dragnet info tables/open-08x08.dtb --board\n  dragnet info tables --json"
)]
pub(crate) struct Info {
    #[command(flatten)]
    tables: TablePaths,
    /// Also draw the board
    #[arg(long)]
    board: bool,
    /// Print a JSON object per table instead of text
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(self) -> Result<(), Failure> {
        show_each(&self.tables, self.json, |path| self.show(path))
    }

    fn show(&self, path: &Path) -> Result<(), Failure> {
        let in_file = |error: ProbeError| Failure::from(error).in_file(path);
        match open(path)? {
            AnyTable::Pursuit(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                self.pursuit(&PursuitFacts {
                    path,
                    header: table.header(),
                    board: table.board(),
                    setting: table.setting(),
                    keep: None,
                    lengths: [table.file_len(), table.index_len()],
                    blocks: &blocks,
                })
            }
            AnyTable::Partial(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                self.pursuit(&PursuitFacts {
                    path,
                    header: &table.header().game,
                    board: table.board(),
                    setting: table.setting(),
                    keep: Some(table.keep()),
                    lengths: [table.file_len(), table.index_len()],
                    blocks: &blocks,
                })
            }
            AnyTable::Game(_) if self.board => {
                let failure =
                    Failure::input("--board: the positions of this table are numbers, not cells of a board");
                Err(failure.in_file(path))
            }
            AnyTable::Game(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&game_table::GameInfo::new(path, &table, &blocks))
                } else {
                    game_table::print(&table, &blocks)
                }
            }
        }
    }
}

/// The facts of a pursuit table or a partial table.
struct PursuitFacts<'a> {
    path: &'a Path,
    header: &'a Header,
    board: &'a Board,
    /// Board and rules, unless a program gave the game.
    setting: Option<&'a Setting>,
    /// The part of the values that the table keeps, if it is not all of them.
    keep: Option<Keep>,
    /// Bytes of the file and of its index.
    lengths: [u64; 2],
    blocks: &'a BlockStatistics,
}

impl PursuitFacts<'_> {
    fn doors(&self) -> &[Door] {
        self.setting.map_or(&[], |setting| setting.doors.list())
    }
}

impl Info {
    fn pursuit(&self, facts: &PursuitFacts) -> Result<(), Failure> {
        if self.json {
            return print_json(&PursuitInfo::new(facts));
        }
        print(facts, self.board)
    }
}

/// A pursuit table or a partial table.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PursuitInfo<'a> {
    /// Path of the table.
    table: &'a Path,
    /// Part of the values that the table keeps: a partial table keeps one.
    #[schemars(extend("enum" = ["all values", "who wins", "the moves of the police", "the moves of the thief"]))]
    keeps: String,
    /// Version of the file format.
    format_version: u16,
    #[serde(flatten)]
    board: BoardInfo,
    /// Doors of the board, as its source lists them. Absent if it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doors: Vec<DoorInfo>,
    /// Worlds of the game: states of the doors, or of what else changes about the whole board.
    worlds: u32,
    /// Positions, both sides to move.
    positions: u64,
    /// The kinds of officers.
    officers: Vec<KindInfo<'a>>,
    /// The thief.
    thief: KindInfo<'a>,
    #[serde(flatten)]
    file: FileInfo,
}

impl<'a> PursuitInfo<'a> {
    fn new(facts: &PursuitFacts<'a>) -> PursuitInfo<'a> {
        let &PursuitFacts { path, header, keep, lengths: [bytes, index_bytes], .. } = facts;
        PursuitInfo {
            table: path,
            keeps: keep.map_or_else(|| "all values".to_owned(), |keep| keep.to_string()),
            format_version: VERSION,
            board: BoardInfo::new(facts.board, facts.setting.map(|setting| &setting.rules)),
            doors: facts.doors().iter().map(DoorInfo::from).collect(),
            worlds: header.worlds,
            officers: header.kinds.iter().map(KindInfo::new).collect(),
            thief: KindInfo::new(&header.thief),
            positions: header.positions(),
            file: FileInfo {
                bytes,
                index_bytes,
                bits_per_position: bits_per_position(bytes, header.positions()),
                blocks: facts.blocks.into(),
                digest: Hex(header.summary.digest),
            },
        }
    }
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
    /// Whether only the first step on the key counts. Absent if each does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    once: bool,
    /// Schedule of the door, a character per ply: `.` open, `#` closed. Absent of a door with a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
}

impl From<&Door> for DoorInfo {
    fn from(door: &Door) -> DoorInfo {
        let (key, open, once, schedule) = match &door.opening {
            Opening::Key { cell, open, once } => (Some((*cell).into()), Some(*open), *once, None),
            Opening::Schedule(schedule) => (None, None, false, Some(schedule.to_string())),
        };
        DoorInfo { cell: door.cell.into(), key, open, once, schedule }
    }
}

/// The pieces of one kind.
#[derive(Serialize, JsonSchema)]
struct KindInfo<'a> {
    /// Name of the kind.
    name: &'a str,
    /// How many there are.
    pieces: u8,
    /// Names of the layers, boards that stand one below the other on the grid of the kind; one without a name
    /// if the grid is the board.
    layers: &'a [String],
    /// Places of the kind, in all layers.
    places: usize,
    /// Tile of the kind.
    #[schemars(title = "`[rows, columns]`")]
    tile: [u8; 2],
}

impl<'a> KindInfo<'a> {
    fn new(kind: &'a Kind) -> KindInfo<'a> {
        let Kind { name, pieces, layers, places, tile, .. } = kind;
        let tile = [tile.rows(), tile.cols()];
        KindInfo { name, pieces: *pieces, layers, places: places.count(), tile }
    }
}

fn print(facts: &PursuitFacts, board: bool) -> Result<(), Failure> {
    let &PursuitFacts { header, keep, lengths: [bytes, index_bytes], .. } = facts;
    let mut output = output();
    let mut field = |name: &str, text: String| writeln!(output, "{name:<12} {text}");
    field("format", format!("version {VERSION}"))?;
    if let Some(keep) = keep {
        field("keeps", format!("{keep}, and no other part of the values"))?;
    }
    field("board", settings::board(facts.board))?;
    field("rules", settings::rules_or_kinds(facts.setting.map(|setting| &setting.rules), header))?;
    if !facts.doors().is_empty() {
        let doors: Vec<String> = facts.doors().iter().map(settings::door).collect();
        field("doors", doors.join("; "))?;
    }
    if header.worlds > 1 {
        field("worlds", human::count(header.worlds.into()))?;
    }
    field("positions", format!("{}, both sides to move", human::count(header.positions())))?;
    let [file, index, blocks] = sizes(bytes, index_bytes, header.positions(), facts.blocks);
    field(file.0, file.1)?;
    field(index.0, index.1)?;
    let tile = |kind: &Kind| format!("{} {}x{}", kind.name, kind.tile.rows(), kind.tile.cols());
    field("tiles", header.all_kinds().map(tile).collect::<Vec<_>>().join(", "))?;
    field(blocks.0, blocks.1)?;
    field("digest", format!("{:016x}", header.summary.digest))?;
    if board {
        write!(output, "\n{}", draw::board(facts.board, &[], None))?;
    }
    Ok(output.flush()?)
}
