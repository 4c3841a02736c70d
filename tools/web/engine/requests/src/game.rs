//! The pursuit game of a request: board, rules and officers.

use crate::{
    failure::Failure,
    ground::{Ground, GroundText},
    limit::Limit,
};
use dragnet_formats::{
    board::Board,
    codec::{Encoder, Favour},
    guards::Guard,
    rules::Rules,
    setting::Setting,
};
use dragnet_generator::{Plan, PursuitError, encode::Encoding};
use serde::Deserialize;
use serde_json::Value;

/// The quality for which a table is optimised, in a request.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FavourName {
    /// Blocks that are read in place.
    Speed,
    /// The smallest file.
    #[default]
    Size,
}

impl FavourName {
    /// Returns the encoding of a table, with the level of zstd that the program takes if none is asked for.
    /// The build leaves out the code of higher levels.
    pub(crate) fn encoding(self) -> Encoding {
        let favour = match self {
            FavourName::Speed => Favour::Speed,
            FavourName::Size => Favour::Size,
        };
        Encoding { favour, level: Encoder::DEFAULT_LEVEL }
    }
}

/// A request about a pursuit game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRequest {
    ground: GroundText,
    /// The name of a preset, or an object with the differences from classic.
    rules: Option<Value>,
    officers: Option<u8>,
    /// The guards, with the keys of a file of guards.
    #[serde(default)]
    guards: Vec<Guard>,
    #[serde(default)]
    favour: FavourName,
    /// The most bytes of memory to take.
    memory: Option<u64>,
}

/// Returns the rules of a request for a game on `board`.
pub(crate) fn read_rules(rules: Option<&Value>, board: &Board) -> Result<Rules, Failure> {
    let rules = match rules {
        None | Some(Value::Null) => return Ok(Rules::default_on(board)),
        Some(Value::String(name)) => Rules::preset(name).ok_or_else(|| {
            let presets = Rules::PRESETS.join(" or ");
            Failure::input(format!("rules: expected {presets}, or an object of rules; found {name:?}"))
        })?,
        Some(rules) => Rules::deserialize(rules).map_err(|error| Failure::input(error).about("rules"))?,
    };
    rules.check().map_err(|error| Failure::from(error).about("rules"))?;
    Ok(rules)
}

/// A pursuit game that can be planned.
pub(crate) struct Game {
    pub(crate) plan: Plan,
    pub(crate) limit: Limit,
}

/// Bytes that a stored value takes at most in blocks, encoded and written, by what was measured on random
/// boards.
const STORED: u64 = 4;

impl GameRequest {
    /// Reads the board, the rules and the guards.
    pub(crate) fn read_setting(&self) -> Result<Setting, Failure> {
        let Ground { scenario, .. } = self.ground.read(Limit::new(self.memory))?;
        let rules = read_rules(self.rules.as_ref(), &scenario.board)?;
        let rules = rules.for_officers(self.officers, scenario.police.len())?;
        if scenario.board.open_count() == 0 {
            return Err(PursuitError::NoOpenCell.into());
        }
        rules.check_on(&scenario.board)?;
        Ok(Setting::new(scenario, rules).with_guards(self.guards.clone())?)
    }

    /// Reads the game and plans its table.
    pub(crate) fn read(&self) -> Result<Game, Failure> {
        let plan = Plan::of_setting(self.read_setting()?, self.favour.encoding())?;
        Ok(Game { plan, limit: Limit::new(self.memory) })
    }
}

impl Game {
    /// Returns the bytes of memory that the solve and the finished table likely take.
    pub(crate) fn memory_needed(&self) -> u64 {
        // The table has the values with the police to move.
        let table = (self.plan.positions() / 2).saturating_mul(STORED);
        self.plan.needs(1).likely.saturating_add(table)
    }

    /// Returns why the game is too large for the request, if it is.
    pub(crate) fn refusal(&self) -> Option<Failure> {
        let cells = self.plan.header().thief.places.count();
        let officers = match self.plan.header().officers() {
            1 => "1 officer".to_owned(),
            several => format!("{several} officers"),
        };
        self.limit.refusal(&format!("a game of {cells} cells with {officers}"), self.memory_needed())
    }
}
