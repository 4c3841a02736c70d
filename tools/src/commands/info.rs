//! `dragnet info`: the header, sizes and blocks of a table.

mod game_table;

use super::{open_any, output, print_json, show_each};
use crate::{
    failure::Failure,
    input::tables::TablePaths,
    output::{draw, human, settings},
};
use clap::Args;
use dragnet_probe::{AnyTable, BlockStatistics, Options, ProbeError, Table};
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
        match open_any(path, Options::default())? {
            AnyTable::Pursuit(table) => {
                let blocks = table.verify_checksums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&json(path, &table, &blocks))
                } else {
                    print(&table, &blocks, self.board)
                }
            }
            AnyTable::Game(_) if self.board => {
                let failure =
                    Failure::input("--board: the positions of this table are numbers, not cells of a board");
                Err(failure.in_file(path))
            }
            AnyTable::Game(table) => {
                let blocks = table.verify_checksums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&game_table::json(path, &table, &blocks))
                } else {
                    game_table::print(&table, &blocks)
                }
            }
        }
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

fn json(path: &Path, table: &Table, blocks: &BlockStatistics) -> serde_json::Value {
    let header = table.header();
    let exits: Vec<_> = header.board.exits().map(|cell| [cell.row, cell.col]).collect();
    serde_json::json!({
        "table": path,
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
        "bytes": table.file_len(),
        "index_bytes": table.index_len(),
        "bits_per_position": bits_per_position(table.file_len(), header.positions()),
        "blocks": blocks_json(blocks),
        "digest": format!("{:016x}", header.summary.digest),
    })
}

fn print(table: &Table, blocks: &BlockStatistics, board: bool) -> Result<(), Failure> {
    let header = table.header();
    let mut output = output();
    let mut field = |name: &str, text: String| writeln!(output, "{name:<12} {text}");
    field("format", format!("version {}", dragnet_formats::container::layout::VERSION))?;
    field(
        "board",
        format!(
            "{}x{}, {} open cells, {}",
            header.board.height(),
            header.board.width(),
            human::count(header.board.open_count() as u64),
            settings::exits(&header.board)
        ),
    )?;
    field("rules", settings::rules(&header.rules))?;
    field("positions", format!("{}, both sides to move", human::count(header.positions())))?;
    let [file, index, blocks] = sizes(table.file_len(), table.index_len(), header.positions(), blocks);
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
