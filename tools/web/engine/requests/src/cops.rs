//! Cop numbers, capture times and best placements.

use crate::{
    answer::Answer,
    failure::Failure,
    game::read_rules,
    ground::{Ground, GroundText},
    limit::Limit,
};
use dragnet_formats::{cell::Cell, rules::Rules};
use dragnet_generator::Generator;
use dragnet_policy::cops::{MOST_OFFICERS, capture, memory_needed};
use serde::Deserialize;
use serde_json::{Value, json};

/// A request for the cop number of a board or graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopsRequest {
    ground: GroundText,
    rules: Option<Value>,
    /// The most officers to search with.
    #[serde(default = "bound")]
    bound: u8,
    /// How many officers more than are needed to find capture times for.
    #[serde(default)]
    more: u8,
    memory: Option<u64>,
}

/// The most officers to search with unless a request says otherwise.
fn bound() -> u8 {
    4
}

fn counted(officers: u8) -> String {
    if officers == 1 { "1 officer".to_owned() } else { format!("{officers} officers") }
}

/// Finds how many officers catch the thief wherever he begins, how soon, and from where. The exits of a board
/// are open cells.
pub(crate) fn cops(generator: &Generator, request: &CopsRequest) -> Result<Answer, Failure> {
    let limit = Limit::new(request.memory);
    let Ground { scenario, names } = request.ground.read(limit)?;
    let board = scenario.board.with_exits(&[])?;
    let rules = read_rules(request.rules.as_ref(), &board)?;
    if request.bound == 0 {
        return Err(Failure::input(format!("expected a bound from 1 to {MOST_OFFICERS}, found 0")));
    }
    let place = |cells: &[Cell]| -> Vec<String> {
        let name = |cell: &Cell| match board.graph() {
            Some(_) => names.of(cell.col.into()),
            None => cell.to_string(),
        };
        cells.iter().map(name).collect()
    };
    let mut captures: Vec<Value> = Vec::new();
    for officers in 1..=MOST_OFFICERS {
        // The bound is about the search; more officers begin where it has ended.
        if captures.is_empty() && officers > request.bound {
            break;
        }
        let rules = Rules { officers, ..rules.clone() };
        let few = match officers - 1 {
            few if few > 0 && captures.is_empty() => format!("it takes more than {}, and ", counted(few)),
            _ => String::new(),
        };
        let what = format!("{few}the search with {}", counted(officers));
        limit.require(&what, memory_needed(&board, &rules))?;
        let found = generator.install(|| capture(&board, &rules, &()))?;
        captures.extend(found.map(|found| {
            json!({
                "cops": officers,
                "moves": found.moves,
                "placement": place(&found.placement),
                "placements": found.placements,
            })
        }));
        if captures.len() > usize::from(request.more) {
            break;
        }
    }
    Answer::of(&json!({
        "vertices": board.open_count(),
        "edges": board.streets(),
        "cop_number": captures.first().map(|first| first["cops"].clone()),
        "bound": request.bound,
        "captures": captures,
    }))
}
