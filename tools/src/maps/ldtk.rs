//! Levels of LDtk projects (`.ldtk`), with levels in files of their own (`.ldtkl`).

mod project;
mod level;

use super::{
    beside::ReadBeside,
    json_text,
    markup::{quoted, shortened},
    model::Map,
};
use crate::failure::Failure;
use project::{LdtkLevel, Project};

/// The most levels whose names a message lists.
const SHOWN: usize = 20;

/// Returns the names of all levels. If two worlds of a project have levels of one name, the names of worlds
/// stand before them.
///
/// # Errors
/// When the bytes are not a project, or it has no level.
pub(super) fn level_names(bytes: &[u8]) -> Result<Vec<String>, Failure> {
    let project: Project = json_text::parse(bytes)?;
    let names: Vec<String> = project.levels().into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        Err(Failure::input("expected a project with a level, found none"))
    } else {
        Ok(names)
    }
}

/// Reads the level called `name`, or the only one.
///
/// # Errors
/// When the bytes are not a project, there is no such level or several, or a file of a level cannot be read.
pub(super) fn read(bytes: &[u8], name: Option<&str>, beside: &ReadBeside) -> Result<Map, Failure> {
    let project: Project = json_text::parse(bytes)?;
    let levels = project.levels();
    let (known, level) = match (name, &levels[..]) {
        (None, [only]) => only,
        (None, []) => return Err(Failure::input("expected a project with a level, found none")),
        (None, _) => {
            let message = format!("expected one level, found {}: {}", levels.len(), listed(&levels));
            return Err(Failure::input(message).with_hint("--map-level NAME reads one of them"));
        }
        (Some(name), _) => levels.iter().find(|(known, _)| known == name).ok_or_else(|| {
            Failure::input(format!("map level: expected one of {}; found {}", listed(&levels), quoted(name)))
        })?,
    };
    let about = |failure: Failure| failure.about(format!("level {}", quoted(known)));
    let Some(file) = level.file() else { return level::map(level, &project).map_err(about) };
    let about_file = |failure: Failure| about(failure.about(quoted(file)));
    let level: LdtkLevel = json_text::parse(&beside(file).map_err(about)?).map_err(about_file)?;
    level::map(&level, &project).map_err(about_file)
}

fn listed(levels: &[(String, &LdtkLevel)]) -> String {
    let mut names: Vec<String> = levels.iter().take(SHOWN).map(|(name, _)| shortened(name)).collect();
    if levels.len() > SHOWN {
        names.push(format!("{} more", levels.len() - SHOWN));
    }
    names.join(", ")
}
