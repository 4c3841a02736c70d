//! `dragnet info`: the header, sizes and blocks of a table.

mod game_table;

use super::{open_any, output, print_json};
use crate::{
    failure::Failure,
    output::{draw, human},
};
use clap::Args;
use dragnet_formats::rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap};
use dragnet_probe::{AnyTable, BlockStatistics, Options, ProbeError, Table};
use std::{io::Write, path::PathBuf};

/// Show a table's header, sizes and blocks
///
/// Reads and checks the whole file.
#[derive(Args)]
#[command(after_help = "Example:\n  dragnet info tables/open-08x08.dtb --board")]
pub(crate) struct Info {
    /// The table
    table: PathBuf,
    /// Also draw the board
    #[arg(long)]
    board: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let in_file = |error: ProbeError| Failure::from(error).in_file(&self.table);
        match open_any(&self.table, Options::default())? {
            AnyTable::Pursuit(table) => {
                let blocks = table.verify_checksums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&json(&table, &blocks))
                } else {
                    print(&table, &blocks, self.board)
                }
            }
            AnyTable::Game(_) if self.board => {
                let failure =
                    Failure::input("--board: the positions of this table are numbers, not cells of a board");
                Err(failure.in_file(&self.table))
            }
            AnyTable::Game(table) => {
                let blocks = table.verify_checksums(|_| ()).map_err(in_file)?;
                if self.json {
                    print_json(&game_table::json(&table, &blocks))
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

fn json(table: &Table, blocks: &BlockStatistics) -> serde_json::Value {
    let header = table.header();
    let exits: Vec<_> = header.board.exits().map(|cell| [cell.row, cell.col]).collect();
    serde_json::json!({
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
    let exits: Vec<_> = header.board.exits().map(|cell| cell.to_string()).collect();
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
            match exits.len() {
                0 => "no exit".to_owned(),
                1 => format!("exit {}", exits[0]),
                n if n <= 8 => format!("exits {}", exits.join(" ")),
                n => format!("{n} exits, the first {}", exits[0]),
            }
        ),
    )?;
    field("rules", rules(&header.rules))?;
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

fn rules(rules: &Rules) -> String {
    let movement = |movement: &Movement| {
        let moves = match &movement.moves {
            MoveSet::King => "king".to_owned(),
            MoveSet::Orthogonal => "orthogonal".to_owned(),
            MoveSet::Diagonal => "diagonal".to_owned(),
            MoveSet::Knight => "knight".to_owned(),
            MoveSet::Offsets(list) => {
                let list: Vec<_> = list.iter().map(|(down, right)| format!("[{down}, {right}]")).collect();
                format!("offsets {}", list.join(" "))
            }
            MoveSet::Edges => "along edges".to_owned(),
        };
        let mut text = moves;
        if movement.reach > 1 {
            text += &format!(" up to {} times in a direction", movement.reach);
        }
        if movement.steps > 1 {
            text += &format!(", up to {} steps", movement.steps);
        }
        text + if movement.may_pass { " or pass" } else { "" }
    };
    let mut text = rules.preset_name().map(|name| format!("{name}: ")).unwrap_or_default();
    if rules.officers > 1 {
        text += &format!(
            "{} officers, {}, ",
            rules.officers,
            match rules.team {
                Team::All => "who move together",
                Team::One => "one of whom moves",
            }
        );
    }
    text += &format!("police {}, thief {}", movement(&rules.police), movement(&rules.thief));
    if rules.police.moves != MoveSet::Edges {
        text += if rules.corner_cutting { ", corners may be cut" } else { ", no corner cutting" };
    }
    text += match rules.wrap {
        Wrap::None => "",
        Wrap::Horizontal => ", left and right edge joined",
        Wrap::Vertical => ", top and bottom edge joined",
        Wrap::Both => ", opposite edges joined",
    };
    text += match rules.stuck {
        Stuck::Loses => "",
        Stuck::Wins => ", a side without a move wins",
    };
    text += match rules.police_on_exit {
        PoliceOnExit::Allowed => "",
        PoliceOnExit::Barred => ", exits are barred to the police",
        PoliceOnExit::Wins => ", the police wins on an exit",
    };
    text += match rules.undecided {
        Undecided::Draw => "",
        Undecided::Police => ", what nobody can force is won by the police",
        Undecided::Thief => ", what nobody can force is won by the thief",
    };
    text
}
