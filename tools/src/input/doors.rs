//! Doors of boards, from doors files.

use crate::{
    failure::Failure,
    input::{text, toml_text::toml_message},
};
use dragnet_formats::doors::{Door, DoorError, DoorsText};
use dragnet_generator::save::require_file;
use std::path::Path;

/// Reads the doors in a doors file.
pub(crate) fn read(path: &Path) -> Result<Vec<Door>, Failure> {
    let in_file = |failure: Failure| failure.in_file(path);
    require_file(path)
        .map_err(|_| in_file(Failure::input("expected a file with doors, found something else")))?;
    let text = text::read(path, "a file with doors")?;
    let DoorsText { doors } =
        toml::from_str(&text).map_err(|error| in_file(Failure::input(toml_message(&text, &error))))?;
    if doors.is_empty() {
        return Err(in_file(Failure::Input(DoorError::Count { found: 0 }.into())));
    }
    Ok(doors)
}
