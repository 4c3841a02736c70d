//! The strength of an opponent on the command line.

use crate::input::nearest::suggestion;
use dragnet_probe::opponent::Strength;

/// Reads a strength: the name of a preset, or a level from 0 to 1000.
pub(super) fn strength(text: &str) -> Result<Strength, String> {
    let level = || text.parse().ok().and_then(|level| Strength::level(level).ok());
    Strength::preset(text).or_else(level).ok_or_else(|| {
        let names = Strength::PRESETS.map(|(name, _)| name);
        let (listed, near) = (names.join(", "), suggestion(text, names));
        format!("expected {listed} or a level from 0 to {}{near}", Strength::LEVELS)
    })
}
