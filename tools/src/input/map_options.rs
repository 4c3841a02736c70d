//! Options that name the walls, exits and start cells of a map of an editor.

use clap::Args;
use dragnet_maps::{MapSelectors, Selector};
use serde::{Deserialize, Deserializer, de};

/// Options about the walls and exits of a map, and its level.
#[derive(Args, Clone, Debug)]
pub(crate) struct GroundOptions {
    /// Walls of a map of an editor: layer:NAME, property:NAME, tile:1-40, value:NAME,
    /// colour:#rrggbb, object:NAME or none; may be repeated. See 'dragnet help boards' [default: as the map's
    /// own conventions say]
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    walls: Vec<Selector>,
    /// Exits of a map, as --walls has it; --exit ROW,COL replaces it
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    exits: Vec<Selector>,
    /// The level of a map with several
    #[arg(long, value_name = "NAME", help_heading = MAPS)]
    map_level: Option<String>,
}

/// All options about a map.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapOptions {
    #[command(flatten)]
    ground: GroundOptions,
    /// Where officers start in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    police: Vec<Selector>,
    /// Where the thief starts in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    thief: Vec<Selector>,
}

/// The heading of the options about maps.
const MAPS: &str = "Maps of editors";

impl GroundOptions {
    /// Returns the selectors of a map whose start cells follow its conventions.
    pub(crate) fn selectors(&self) -> MapSelectors {
        let GroundOptions { walls, exits, map_level } = self.clone();
        MapSelectors { walls, exits, level: map_level, ..MapSelectors::default() }
    }

    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.selectors().first_given()
    }
}

impl MapOptions {
    /// Returns the selectors of a map.
    pub(crate) fn selectors(&self) -> MapSelectors {
        let MapOptions { ground, police, thief } = self.clone();
        MapSelectors { police, thief, ..ground.selectors() }
    }

    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.selectors().first_given()
    }
}

/// Reads the selectors that a key of a manifest has: one, or a list of them.
pub(crate) fn listed<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Vec<Selector>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a selector such as \"layer:Walls\", or a list of them")]
    enum Several {
        One(String),
        Many(Vec<String>),
    }
    let texts = match Several::deserialize(text)? {
        Several::One(text) => vec![text],
        Several::Many(texts) => texts,
    };
    let selector =
        |text: &String| text.parse().map_err(|error| de::Error::custom(format!("{error}; found {text:?}")));
    texts.iter().map(selector).collect::<Result<_, _>>().map(Some)
}
