//! `dragnet info`: the header, sizes and blocks of a table.

mod game_table;

use super::{open_with, output, print_json, show_each};
use crate::{
    failure::Failure,
    input::tables::TablePaths,
    output::{draw, human, settings},
};
use clap::Args;
use dragnet_probe::{AnyTable, BlockStatistics, Header, Keep, Options, ProbeError};
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
                    print_json(&game_table::json(path, &table, &blocks))
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
            return print_json(&json(path, header, keep, lengths, blocks));
        }
        print(header, keep, lengths, blocks, self.board)
    }
}

fn bits_per_position(bytes: u64, positions: u64) -> f64 {
    bytes as f64 * 8.0 / positions as f64
}

/// Returns three fields: the length of the file, the length of the index, and the kinds of blocks.
fn sizes(bytes: u64, index: u64, positions: u64, blocks: &BlockStatistics) -> [(&'static str, String); 3] {
    let bits = bits_per_position(bytes, positions);
    [
        ("file", format!("{}, {bits:.3} bits per position", human::bytes(bytes))),
        ("index", human::bytes(index)),
        (
            "blocks",
            format!(
                "{}: {} of one value, {} copies, {} packed ({}), {} zstd ({})",
                human::count(blocks.blocks),
                human::count(blocks.constant),
                human::count(blocks.shared),
                human::count(blocks.packed),
                human::bytes(blocks.packed_bytes),
                human::count(blocks.zstd),
                human::bytes(blocks.zstd_bytes),
            ),
        ),
    ]
}

/// Returns the kinds of blocks as JSON.
fn blocks_json(blocks: &BlockStatistics) -> serde_json::Value {
    serde_json::json!({
        "total": blocks.blocks,
        "constant": blocks.constant,
        "shared": blocks.shared,
        "packed": { "extents": blocks.packed, "bytes": blocks.packed_bytes },
        "zstd": { "extents": blocks.zstd, "bytes": blocks.zstd_bytes },
    })
}

fn json(
    path: &Path,
    header: &Header,
    keep: Option<Keep>,
    [bytes, index_bytes]: [u64; 2],
    blocks: &BlockStatistics,
) -> serde_json::Value {
    let exits: Vec<_> = header.board.exits().map(|cell| [cell.row, cell.col]).collect();
    serde_json::json!({
        "table": path,
        "keeps": keep.map_or_else(|| "all values".to_owned(), |keep| keep.to_string()),
        "format_version": dragnet_formats::container::layout::VERSION,
        "height": header.board.height(),
        "width": header.board.width(),
        "cells": header.board.open_count(),
        "exits": exits,
        "rules": header.rules,
        "preset": header.rules.preset_name(),
        "positions": header.positions(),
        "police_tile": [header.police_tile.rows(), header.police_tile.cols()],
        "thief_tile": [header.thief_tile.rows(), header.thief_tile.cols()],
        "bytes": bytes,
        "index_bytes": index_bytes,
        "bits_per_position": bits_per_position(bytes, header.positions()),
        "blocks": blocks_json(blocks),
        "digest": format!("{:016x}", header.summary.digest),
    })
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
    field("format", format!("version {}", dragnet_formats::container::layout::VERSION))?;
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
