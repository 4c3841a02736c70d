//! Pursuit tables: opening, closing, and properties.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::{copy_text, stuck_number, team_number, undecided_number},
    failure::guard,
    opening::{check_sums, from_bytes, from_source, open},
    types::{Info, Options, Progress, Source, Status},
};
use dragnet_probe::{Side, Table};
use std::ffi::c_char;

/// Opens a file.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    open(path, options, table)
}

/// Opens a table in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    from_bytes(bytes, length, options, table)
}

/// Opens a table in a source of the caller's own.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_source(
    source: In<Source>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    from_source(source, options, table)
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_close(table: Owned<Table>) -> Status {
    guard(|| table.close())
}

/// Writes sizes, how a turn goes, counts, longest wins and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_info(table: Handle<Table>, info: Out<Info>) -> Status {
    guard(|| {
        let (table, info) = (table.get("table")?, info.single("info")?);
        let (board, header) = (table.board(), table.header());
        info.write(Info {
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
        });
        Ok(())
    })
}

/// Writes the squares of the board.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_squares(
    table: Handle<Table>,
    squares: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (table.get("table")?, count.single("count")?);
        let found = table.board().squares();
        squares.buffer(capacity, "squares")?.fill(found.iter().map(|square| square.byte()));
        count.write(found.len());
        Ok(())
    })
}

/// Writes the text from which the game was made.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_source(
    table: Handle<Table>,
    source: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| copy_text(table.get("table")?.source().as_bytes(), source, capacity, length, "source"))
}

/// Checks every checksum and the structure of every block.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_check_sums(table: Handle<Table>, progress: In<Progress>) -> Status {
    guard(|| check_sums(table.get("table")?, progress))
}
