//! The moving parts of boards, doors and guards, from files of their own.

use crate::{
    failure::Failure,
    input::{text, toml_text::toml_message},
};
use dragnet_formats::{
    doors::{Door, DoorError, DoorsText},
    guards::{Guard, GuardsText},
};
use dragnet_generator::save::require_file;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads the doors in a doors file.
pub(crate) fn doors(path: &Path) -> Result<Vec<Door>, Failure> {
    let DoorsText { doors } = read(path, "doors")?;
    match doors.is_empty() {
        true => Err(Failure::Input(DoorError::Count { found: 0 }.into()).in_file(path)),
        false => Ok(doors),
    }
}

/// Reads the guards in a file of guards.
pub(crate) fn guards(path: &Path) -> Result<Vec<Guard>, Failure> {
    let GuardsText { guards } = read(path, "guards")?;
    match guards.is_empty() {
        true => {
            Err(Failure::input("expected at least one guard, [[guards]] with a round; found none")
                .in_file(path))
        }
        false => Ok(guards),
    }
}

fn read<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, Failure> {
    let in_file = |failure: Failure| failure.in_file(path);
    require_file(path)
        .map_err(|_| in_file(Failure::input(format!("expected a file with {what}, found something else"))))?;
    let text = text::read(path, &format!("a file with {what}"))?;
    toml::from_str(&text).map_err(|error| in_file(Failure::input(toml_message(&text, &error))))
}
