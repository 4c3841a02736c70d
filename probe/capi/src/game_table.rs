//! Game tables.

use crate::{
    border::{Handle, In, Out},
    convert::copy_text,
    failure::guard,
    opening::game,
    types::{GameInfo, GameValue, Status},
};
use dragnet_probe::{AnyTable, ProbeError};
use std::ffi::c_char;

/// Writes counts, longest distances, key and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_info(table: Handle<AnyTable>, info: Out<GameInfo>) -> Status {
    guard(|| {
        let (table, info) = (game(&table)?, info.single("info")?);
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
    table: Handle<AnyTable>,
    name: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| copy_text(game(&table)?.header().name.as_bytes(), name, capacity, length, "name"))
}

/// Writes the value of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_value(
    table: Handle<AnyTable>,
    position: u64,
    value: Out<GameValue>,
) -> Status {
    guard(|| {
        let (table, value) = (game(&table)?, value.single("value")?);
        value.write(table.value(position)?.into());
        Ok(())
    })
}

/// Writes the values of many positions.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_game_table_values(
    table: Handle<AnyTable>,
    positions: In<u64>,
    count: usize,
    values: Out<GameValue>,
    failed: Out<usize>,
) -> Status {
    guard(|| {
        let (table, failed) = (game(&table)?, failed.optional("failed")?);
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
    table: Handle<AnyTable>,
    successors: In<u64>,
    count: usize,
    best: Out<usize>,
) -> Status {
    guard(|| {
        let (table, best) = (game(&table)?, best.single("best")?);
        let successors = successors.slice(count, "successors")?;
        let choice = table.best(successors.iter().copied())?;
        best.write(choice.map_or(count, |choice| {
            let is_best = |&to: &u64| to == choice.position;
            successors.iter().position(is_best).expect("the best successor is one of those given")
        }));
        Ok(())
    })
}
