//! Game tables.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::copy_text,
    failure::guard,
    opening::{check_sums, from_bytes, from_source, open},
    types::{GameInfo, GameValue, Options, Progress, Source, Status},
};
use dragnet_probe::{GameTable, ProbeError};
use std::ffi::c_char;

/// Opens a file.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    open(path, options, table)
}

/// Opens a table in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    from_bytes(bytes, length, options, table)
}

/// Opens a table in a source of the caller's own.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_from_source(
    source: In<Source>,
    options: In<Options>,
    table: Out<Owned<GameTable>>,
) -> Status {
    from_source(source, options, table)
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_close(table: Owned<GameTable>) -> Status {
    guard(|| table.close())
}

/// Writes counts, longest distances, key and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_info(table: Handle<GameTable>, info: Out<GameInfo>) -> Status {
    guard(|| {
        let (table, info) = (table.get("table")?, info.single("info")?);
        let (header, summary) = (table.header(), table.summary());
        info.write(GameInfo {
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

/// Writes the name of the game.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_name(
    table: Handle<GameTable>,
    name: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| copy_text(table.get("table")?.header().name.as_bytes(), name, capacity, length, "name"))
}

/// Checks every checksum and the structure of every block.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_check_sums(table: Handle<GameTable>, progress: In<Progress>) -> Status {
    guard(|| check_sums(table.get("table")?, progress))
}

/// Writes the value of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_value(
    table: Handle<GameTable>,
    position: u64,
    value: Out<GameValue>,
) -> Status {
    guard(|| {
        let (table, value) = (table.get("table")?, value.single("value")?);
        value.write(table.value(position)?.into());
        Ok(())
    })
}

/// Writes the values of many positions.
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
        let report = |index| failed.iter().for_each(|failed| failed.write(index));
        // `count` says that no position is to blame.
        report(count);
        let asked = positions.slice(count, "positions")?;
        let values = values.buffer(count, "values")?;
        let found = table.values(asked).inspect_err(|error| {
            if let ProbeError::InBatch { index, .. } = error {
                report(*index);
            }
        })?;
        values.fill(found.into_iter().map(GameValue::from));
        Ok(())
    })
}

/// Writes the index of the successor that is best for the player who moves.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_best(
    table: Handle<GameTable>,
    successors: In<u64>,
    count: usize,
    best: Out<usize>,
) -> Status {
    guard(|| {
        let (table, best) = (table.get("table")?, best.single("best")?);
        let successors = successors.slice(count, "successors")?;
        let choice = table.best(successors.iter().copied())?;
        best.write(choice.map_or(count, |choice| {
            let is_best = |&to: &u64| to == choice.position;
            successors.iter().position(is_best).expect("the best successor is one of those given")
        }));
        Ok(())
    })
}
