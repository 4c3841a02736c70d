//! Opponents: moves chosen at a strength and in a style, and the strength that wins a share of games.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::target,
    failure::{Failure, guard},
    opening::{hand_out, pursuit},
    opponent_types::{Calibration, Strength, Style, Target},
    types::{Move, Position, Status},
};
use dragnet_probe::{AnyTable, opponent};
use std::{
    ffi::c_char,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An opponent that several threads may ask, one after the other.
#[derive(Debug)]
pub struct Opponent(Mutex<opponent::Opponent>);

impl Opponent {
    fn new(opponent: opponent::Opponent) -> Arc<Opponent> {
        Arc::new(Opponent(Mutex::new(opponent)))
    }

    /// Returns the opponent for one call. A panic leaves an opponent that can go on.
    fn lock(&self) -> MutexGuard<'_, opponent::Opponent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the strength of a preset.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_strength_preset(name: In<c_char>, strength: Out<Strength>) -> Status {
    guard(|| {
        let strength = strength.single("strength")?;
        let name = name.text("name")?.to_string_lossy();
        let preset = opponent::Strength::preset(&name).ok_or_else(|| {
            let known = opponent::Strength::PRESETS.map(|(name, _)| name).join(" or ");
            Failure::argument(format_args!("expected the name of a strength, {known}, found {name:?}"))
        })?;
        strength.write(preset.into());
        Ok(())
    })
}

/// Writes the strength at a level of the dial.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_strength_level(level: u32, strength: Out<Strength>) -> Status {
    guard(|| {
        let strength = strength.single("strength")?;
        let most = opponent::Strength::LEVELS;
        let level = u16::try_from(level).map_err(|_| {
            Failure::argument(format_args!("expected the level from 0 to {most}, found {level}"))
        })?;
        strength.write(opponent::Strength::level(level)?.into());
        Ok(())
    })
}

/// Creates an opponent.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_create(
    strength: In<Strength>,
    style: In<Style>,
    seed: u64,
    opponent: Out<Owned<Opponent>>,
) -> Status {
    hand_out(opponent, "opponent", || {
        let strength = strength.get("strength")?.try_into()?;
        let style = match style.optional("style")? {
            Some(style) => style.try_into()?,
            None => opponent::Style::Longest,
        };
        Ok(Opponent::new(opponent::Opponent::new(strength, style, seed)?))
    })
}

/// Creates an opponent that goes on as another one would.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_copy(opponent: Handle<Opponent>, copy: Out<Owned<Opponent>>) -> Status {
    hand_out(copy, "copy", || Ok(Opponent::new(opponent.get("opponent")?.lock().clone())))
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_close(opponent: Owned<Opponent>) -> Status {
    guard(|| opponent.close())
}

/// Chooses a move for the side to move.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_choose(
    opponent: Owned<Opponent>,
    table: Handle<AnyTable>,
    position: In<Position>,
    chosen: Out<Move>,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (opponent, table) = (opponent.get("opponent")?, pursuit(&table)?);
        let position = position.get("position")?.try_into()?;
        let (chosen, count) = (chosen.single("chosen")?, count.single("count")?);
        let choice = opponent.lock().choose(table, position)?;
        count.write(usize::from(choice.is_some()));
        if let Some(choice) = choice {
            chosen.write(Move::from(&choice));
        }
        Ok(())
    })
}

/// Writes the number that continues the lots as a seed.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_state(opponent: Handle<Opponent>, state: Out<u64>) -> Status {
    guard(|| {
        let (opponent, state) = (opponent.get("opponent")?, state.single("state")?);
        state.write(opponent.lock().state());
        Ok(())
    })
}

/// Begins a new game with lots from a seed.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_opponent_restart(opponent: Owned<Opponent>, seed: u64) -> Status {
    guard(|| {
        opponent.get("opponent")?.lock().restart(seed);
        Ok(())
    })
}

/// Finds the level of the dial that wins a share of games.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_calibrate(
    table: Handle<AnyTable>,
    starts: In<Position>,
    count: usize,
    wanted: In<Target>,
    against: Handle<Opponent>,
    calibration: Out<Calibration>,
) -> Status {
    guard(|| {
        let (table, calibration) = (pursuit(&table)?, calibration.single("calibration")?);
        let against = match against.optional("against")? {
            Some(against) => against.lock().clone(),
            None => opponent::Opponent::perfect(0),
        };
        let wanted = target(wanted.get("wanted")?, against)?;
        let starts = positions(starts.slice(count, "starts")?, "start")?;
        calibration.write(opponent::Opponent::calibrate(table, &starts, &wanted)?.into());
        Ok(())
    })
}

/// Converts positions, which errors call by `name`.
pub(crate) fn positions(found: &[Position], name: &str) -> Result<Vec<dragnet_probe::Position>, Failure> {
    let mut positions = Vec::new();
    positions.try_reserve_exact(found.len())?;
    for (index, &position) in found.iter().enumerate() {
        let converted = dragnet_probe::Position::try_from(position);
        positions.push(converted.map_err(|failure| failure.about(format_args!("{name} {index} (from 0)")))?);
    }
    Ok(positions)
}
