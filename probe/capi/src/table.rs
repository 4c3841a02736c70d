//! Properties of tables of pursuit games, whole or partial.

use crate::{
    border::{Handle, Out},
    convert::{copy_text, stuck_number, team_number, undecided_number},
    failure::guard,
    opening::pursuit,
    types::{Info, Status},
};
use dragnet_probe::{AnyTable, PursuitHeader, PursuitTable, Side};
use std::ffi::c_char;

/// Returns what `$of` is for a table of a pursuit game, which it calls `$table`; else the failure of the call
/// that asks.
macro_rules! of_board {
    ($any:expr, $table:ident => $of:expr) => {
        match $any.get("table")? {
            AnyTable::Partial($table) => $of,
            _ => {
                let $table = pursuit(&$any)?;
                $of
            }
        }
    };
}

/// Writes sizes, how a turn goes, counts, longest wins and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_info(table: Handle<AnyTable>, info: Out<Info>) -> Status {
    guard(|| {
        let out = info.single("info")?;
        out.write(of_board!(table, table => info_of(table)));
        Ok(())
    })
}

fn info_of<H: PursuitHeader>(table: &PursuitTable<H>) -> Info {
    let (board, header) = (table.board(), table.header().game());
    Info {
        height: board.height().into(),
        width: board.width().into(),
        officer_layers: header.layers(Side::Police).count() as u32,
        thief_layers: header.layers(Side::Thief).count() as u32,
        officers: table.officers().into(),
        team: team_number(header.team),
        stuck: stuck_number(header.stuck),
        undecided: undecided_number(header.undecided),
        worlds: header.worlds.into(),
        open_cells: board.open_count() as u64,
        positions: header.positions(),
        police_to_move: header.summary.police_to_move.into(),
        thief_to_move: header.summary.thief_to_move.into(),
        longest_police: header.summary.longest.police,
        longest_thief: header.summary.longest.thief,
        digest: header.summary.digest,
        file_length: table.file_len(),
        memory: table.memory(),
    }
}

/// Writes the squares of the board.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_squares(
    table: Handle<AnyTable>,
    squares: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let count = count.single("count")?;
        let found = of_board!(table, table => table.board().squares());
        squares.buffer(capacity, "squares")?.fill(found.iter().map(|square| square.byte()));
        count.write(found.len());
        Ok(())
    })
}

/// Writes the text from which the game was made.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_source(
    table: Handle<AnyTable>,
    source: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| {
        let found = of_board!(table, table => table.source());
        copy_text(found.as_bytes(), source, capacity, length, "source")
    })
}
