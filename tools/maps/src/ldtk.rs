//! Levels of LDtk projects (`.ldtk`), with levels in files of their own (`.ldtkl`).

mod project;
mod level;

use super::{
    json_text,
    model::Map,
    named_files::{self, ReadFile},
};
use crate::error::{MapError, quoted, shortened};
use project::{Definitions, LdtkLevel, Project};
use std::collections::HashMap;

/// The most levels whose names a message lists.
const SHOWN: usize = 20;

/// A project that has been read, with its levels by their names.
pub(super) struct Levels {
    definitions: Definitions,
    levels: Vec<(String, LdtkLevel)>,
    by_name: HashMap<String, usize>,
}

impl Levels {
    /// Reads a project. If two of its worlds have levels of one name, the names of worlds stand before them.
    ///
    /// # Errors
    /// When the text is not a project, or it has no level.
    pub(super) fn read(text: &str) -> Result<Levels, MapError> {
        let project: Project = json_text::parse(text)?;
        let (definitions, levels) = project.into_levels();
        if levels.is_empty() {
            return Err(MapError::unusable("expected a project with a level, found none"));
        }
        let mut by_name = HashMap::new();
        for (place, (name, _)) in levels.iter().enumerate() {
            by_name.entry(name.clone()).or_insert(place);
        }
        Ok(Levels { definitions, levels, by_name })
    }

    /// Returns the names of all levels.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.levels.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the level called `name`, or the only one.
    ///
    /// # Errors
    /// When there is no such level or several, or the file of the level cannot be read.
    pub(super) fn map(&self, name: Option<&str>, read_file: &ReadFile) -> Result<Map, MapError> {
        let (known, level) = match (name, &self.levels[..]) {
            (None, [only]) => only,
            (None, levels) => {
                let message = format!("expected one level, found {}: {}", levels.len(), self.listed());
                return Err(MapError::unusable(message).with_hint("--map-level NAME reads one of them"));
            }
            (Some(name), levels) => {
                &levels[*self.by_name.get(name).ok_or_else(|| {
                    let found = quoted(name);
                    MapError::unusable(format!("map level: expected one of {}; found {found}", self.listed()))
                })?]
            }
        };
        let about = |error: MapError| error.about(format!("level {}", quoted(known)));
        let Some(file) = level.file() else { return level::map(level, &self.definitions).map_err(about) };
        let about_file = |error: MapError| about(error.about(quoted(file)));
        let text = named_files::text(read_file, file, "a level of LDtk", &["\"layerInstances\""])
            .map_err(about_file)?;
        let level: LdtkLevel = json_text::parse(&text).map_err(about_file)?;
        level::map(&level, &self.definitions).map_err(about_file)
    }

    fn listed(&self) -> String {
        let mut names: Vec<String> = self.names().take(SHOWN).map(shortened).collect();
        if self.levels.len() > SHOWN {
            names.push(format!("{} more", self.levels.len() - SHOWN));
        }
        names.join(", ")
    }
}
