//! `dragnet info`: the header, sizes and blocks of a table.

mod parts;

pub(crate) mod game_table;

use super::{open_with, output, print_json, show_each};
use crate::{
    failure::Failure,
    input::tables::TablePaths,
    output::{draw, human, json::Hex, settings},
};
use clap::Args;
use dragnet_formats::container::layout::VERSION;
use dragnet_probe::{AnyTable, BlockStatistics, Header, Keep, Options, ProbeError};
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
        match open_with(path, Options::default())? {
            AnyTable::Pursuit(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                self.pursuit(path, table.header(), None, [table.file_len(), table.index_len()], &blocks)
            }
            AnyTable::Partial(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                let (header, keep) = (&table.header().game, table.keep());
                self.pursuit(path, header, Some(keep), [table.file_len(), table.index_len()], &blocks)
            }
            AnyTable::Game(table) if self.board && table.header().doors.is_none() => {
                let failure =
                    Failure::input("--board: the positions of this table are numbers, not cells of a board");
                Err(failure.in_file(path))
            }
            AnyTable::Game(table) => {
                let blocks = table.check_sums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&game_table::GameInfo::new(path, &table, &blocks))
                } else {
                    game_table::print(&table, &blocks, self.board)
                }
            }
        }
    }
}

impl Info {
    /// Shows a table of a pursuit game. `lengths` are those of its file and of its index, in bytes.
    fn pursuit(
        &self,
        path: &Path,
        header: &Header,
        keep: Option<Keep>,
        lengths: [u64; 2],
        blocks: &BlockStatistics,
    ) -> Result<(), Failure> {
        if self.json {
            return print_json(&PursuitInfo::new(path, header, keep, lengths, blocks));
        }
        print(header, keep, lengths, blocks, self.board)
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
    /// Positions, both sides to move.
    positions: u64,
    /// Tile of the police.
    #[schemars(title = "`[rows, columns]`")]
    police_tile: [u8; 2],
    /// Tile of the thief.
    #[schemars(title = "`[rows, columns]`")]
    thief_tile: [u8; 2],
    #[serde(flatten)]
    file: FileInfo,
}

impl<'a> PursuitInfo<'a> {
    fn new(
        table: &'a Path,
        header: &Header,
        keep: Option<Keep>,
        [bytes, index_bytes]: [u64; 2],
        blocks: &BlockStatistics,
    ) -> PursuitInfo<'a> {
        PursuitInfo {
            table,
            keeps: keep.map_or_else(|| "all values".to_owned(), |keep| keep.to_string()),
            format_version: VERSION,
            board: BoardInfo::new(&header.board, &header.rules),
            positions: header.positions(),
            police_tile: [header.police_tile.rows(), header.police_tile.cols()],
            thief_tile: [header.thief_tile.rows(), header.thief_tile.cols()],
            file: FileInfo {
                bytes,
                index_bytes,
                bits_per_position: bits_per_position(bytes, header.positions()),
                blocks: blocks.into(),
                digest: Hex(header.summary.digest),
            },
        }
    }
}

fn print(
    header: &Header,
    keep: Option<Keep>,
    [bytes, index_bytes]: [u64; 2],
    blocks: &BlockStatistics,
    board: bool,
) -> Result<(), Failure> {
    let mut output = output();
    let mut field = |name: &str, text: String| writeln!(output, "{name:<12} {text}");
    field("format", format!("version {VERSION}"))?;
    if let Some(keep) = keep {
        field("keeps", format!("{keep}, and no other part of the values"))?;
    }
    field("board", settings::board(&header.board))?;
    field("rules", settings::rules(&header.rules))?;
    field("positions", format!("{}, both sides to move", human::count(header.positions())))?;
    let [file, index, blocks] = sizes(bytes, index_bytes, header.positions(), blocks);
    field(file.0, file.1)?;
    field(index.0, index.1)?;
    field(
        "tiles",
        format!(
            "police {}x{}, thief {}x{}",
            header.police_tile.rows(),
            header.police_tile.cols(),
            header.thief_tile.rows(),
            header.thief_tile.cols()
        ),
    )?;
    field(blocks.0, blocks.1)?;
    field("digest", format!("{:016x}", header.summary.digest))?;
    if board {
        write!(output, "\n{}", draw::board(&header.board, &[], None))?;
    }
    Ok(output.flush()?)
}
