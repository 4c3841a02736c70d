//! Tables of positions by number.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::copy_text,
    failure::guard,
    table::{copied, from_bytes, hand_out, open},
    types::{GameInfo, GameValue, Options, Status},
};
use dragnet_probe::{GameTable, ProbeError};
use std::ffi::c_char;

/// Opens a file as a memory map.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| GameTable::open_with(path, options)))
}

/// Reads a file into memory.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_read(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| GameTable::read_with(path, options)))
}

/// The table in bytes that are copied.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(copied(bytes, length)?.into(), options, GameTable::from_bytes_with)
    })
}

/// The table in bytes that the caller keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_from_kept_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(bytes.kept(length, "bytes")?.into(), options, GameTable::from_bytes_with)
    })
}

/// Another handle for the same table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_clone(table: Handle<GameTable>, clone: Out<Owned<GameTable>>) -> Status {
    hand_out(clone, "clone", || table.share("table"))
}

/// Gives a handle back.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_close(table: Owned<GameTable>) -> Status {
    guard(|| table.close())
}

/// Counts, longest distances, key and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_info(table: Handle<GameTable>, info: Out<GameInfo>) -> Status {
    guard(|| {
        let (table, info) = (table.get("table")?, info.place("info")?);
        let (header, summary) = (table.header(), table.summary());
        info.put(GameInfo {
            positions: header.positions(),
            won: summary.won,
            lost: summary.lost,
            drawn: summary.drawn,
            longest_win: summary.longest_win,
            longest_loss: summary.longest_loss,
            key: header.key,
            digest: summary.digest,
            file_length: table.file_len(),
            memory: table.memory(),
        });
        Ok(())
    })
}

/// The name of the game.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_name(
    table: Handle<GameTable>,
    name: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| copy_text(table.get("table")?.header().name.as_bytes(), name, capacity, length, "name"))
}

/// Checks every checksum.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_verify(table: Handle<GameTable>) -> Status {
    guard(|| {
        table.get("table")?.verify_checksums(|_| {})?;
        Ok(())
    })
}

/// The value of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_value(
    table: Handle<GameTable>,
    position: u64,
    value: Out<GameValue>,
) -> Status {
    guard(|| {
        let (table, value) = (table.get("table")?, value.place("value")?);
        value.put(table.value(position)?.into());
        Ok(())
    })
}

/// The values of many positions.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_values(
    table: Handle<GameTable>,
    positions: In<u64>,
    count: usize,
    values: Out<GameValue>,
    failed: Out<usize>,
) -> Status {
    guard(|| {
        let (table, failed) = (table.get("table")?, failed.optional("failed")?);
        let tell = |index| failed.iter().for_each(|failed| failed.put(index));
        // As long as no position is to blame.
        tell(count);
        let asked = positions.slice(count, "positions")?;
        let values = values.buffer(count, "values")?;
        let found = table.values(asked).inspect_err(|error| {
            if let ProbeError::InBatch { index, .. } = error {
                tell(*index);
            }
        })?;
        values.fill(found.into_iter().map(GameValue::from));
        Ok(())
    })
}

/// The best of the positions that a player's moves lead to.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_best(
    table: Handle<GameTable>,
    successors: In<u64>,
    count: usize,
    best: Out<usize>,
) -> Status {
    guard(|| {
        let (table, best) = (table.get("table")?, best.place("best")?);
        let successors = successors.slice(count, "successors")?;
        let choice = table.best(successors.iter().copied())?;
        let index = choice.and_then(|choice| successors.iter().position(|&to| to == choice.position));
        best.put(index.unwrap_or(count));
        Ok(())
    })
}
