//! The settings of a table in words: its exits and its rules.

use crate::output::human;
use dragnet_formats::{
    board::Board,
    doors::{Door, Opening},
    guards::{Guard, Post},
    header::{Header, Kind},
    rules::{Cover, Ground, Letter, MoveSet, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
    setting::Setting,
    worlds::World,
};
use std::collections::BTreeMap;

/// The most exits that are all named.
const FEW_EXITS: usize = 8;

/// Returns the exits of the board in a phrase: `no exit`, `exit 0,9`, `exits 0,9 7,10`.
pub(crate) fn exits(board: &Board) -> String {
    let exits: Vec<_> = board.exits().map(|cell| cell.to_string()).collect();
    match exits.len() {
        0 => "no exit".to_owned(),
        1 => format!("exit {}", exits[0]),
        2..=FEW_EXITS => format!("exits {}", exits.join(" ")),
        several => format!("{several} exits, the first {}", exits[0]),
    }
}

/// Returns the size, the open cells and the exits of the board: `8x9, 61 open cells, exit 0,3`.
pub(crate) fn board(board: &Board) -> String {
    let (height, width) = (board.height(), board.width());
    let cells = human::count(board.open_count() as u64);
    format!("{height}x{width}, {cells} open cells, {}", exits(board))
}

/// Describes a door: `3,4 by the key 0,1, closed first`, `3,4 by ..##`.
pub(crate) fn door(door: &Door) -> String {
    match &door.opening {
        Opening::Key { cell, open, once } => {
            let (first, once) = (if *open { "open" } else { "closed" }, if *once { ", once" } else { "" });
            format!("{} by the key {cell}, {first} first{once}", door.cell)
        }
        Opening::Schedule(schedule) => format!("{} by {schedule}", door.cell),
    }
}

/// Returns the state of doors, guards and limit in a world: `door 1,2 is open, guard 1 is on 3,4 and looks
/// east, ply 5 of 60`; nothing without any.
pub(crate) fn in_world(setting: &Setting, world: u32) -> Option<String> {
    let World { doors, tick, ply } = setting.worlds().get(world);
    let door = |(number, door): (usize, &Door)| {
        let state = if setting.doors.is_open(number, doors) { "open" } else { "closed" };
        format!("door {} is {state}", door.cell)
    };
    let guard = |(number, (_, post)): (usize, (&Guard, Post))| {
        let looks = post.look.map(|look| format!(" and looks {look}")).unwrap_or_default();
        format!("guard {number} is on {}{looks}", post.cell)
    };
    let limit = setting.rules.limit.map(|limit| format!("ply {ply} of {}", limit.plies));
    let states: Vec<String> = (setting.doors.list().iter().enumerate().map(door))
        .chain((1..).zip(setting.guards.at(tick)).map(guard))
        .chain(limit)
        .collect();
    (!states.is_empty()).then(|| states.join(", "))
}

/// Returns the rules in a sentence, or, of a game that a program gave, its kinds of pieces.
pub(crate) fn rules_or_kinds(of_board: Option<&Rules>, header: &Header) -> String {
    if let Some(of_board) = of_board {
        return rules(of_board);
    }
    let kind = |kind: &Kind| {
        let places = human::counted(kind.places.count() as u64, "place", "places");
        let layers = match kind.layers.len() {
            1 => String::new(),
            layers => format!(" in {layers} layers ({})", human::shortened(&kind.layers.join(", "), 60)),
        };
        format!("{} {} on {places}{layers}", kind.pieces, kind.name)
    };
    let kinds: Vec<String> = header.all_kinds().map(kind).collect();
    format!("those of a program: {}", kinds.join(", "))
}

/// Returns the rules in a sentence.
pub(crate) fn rules(rules: &Rules) -> String {
    let mut text = rules.preset_name().map(|name| format!("{name}: ")).unwrap_or_default();
    let officers = rules.all_officers();
    if officers > 1 {
        text += &format!(
            "{officers} officers, {}, ",
            match rules.team {
                Team::All => "who move together",
                Team::One => "one of whom moves",
            }
        );
    }
    let kinds: Vec<String> = (rules.kinds().enumerate())
        .map(|(number, (count, kind))| match (&kind.name, rules.others.is_empty()) {
            (Some(name), _) => format!("{count} {name} {kind}"),
            (None, true) => kind.to_string(),
            (None, false) => format!("{count} of kind {} {kind}", number + 1),
        })
        .collect();
    text += &match officers {
        0 => format!("nobody plays the police, thief {}", rules.thief),
        _ => format!("police {}, thief {}", kinds.join(" and "), rules.thief),
    };
    if rules.police.moves != MoveSet::Edges {
        text += if rules.corner_cutting { ", corners may be cut" } else { ", no corner cutting" };
    }
    text += match rules.wrap {
        Wrap::None => "",
        Wrap::Horizontal => ", left and right edge joined",
        Wrap::Vertical => ", top and bottom edge joined",
        Wrap::Both => ", opposite edges joined",
    };
    text += match rules.stuck {
        Stuck::Loses => "",
        Stuck::Wins => ", a side without a move wins",
    };
    text += match rules.police_on_exit {
        PoliceOnExit::Allowed => "",
        PoliceOnExit::Barred => ", exits are barred to the police",
        PoliceOnExit::Wins => ", the police wins on an exit",
    };
    if let Some(capture) = &rules.capture {
        text += &format!(", officers capture {capture}");
    }
    for (number, (_, kind)) in rules.kinds().enumerate() {
        if let Some(capture) = &kind.capture {
            let name = kind.name.clone().unwrap_or_else(|| format!("kind {}", number + 1));
            text += &format!(", {name} captures {capture}");
        }
    }
    text += &terrain(rules);
    text += match rules.undecided {
        Undecided::Draw => "",
        Undecided::Police => ", what nobody can force is won by the police",
        Undecided::Thief => ", what nobody can force is won by the thief",
    };
    text
}

/// Returns what letters mean, and how the game ends beside captures and exits; empty of rules without any.
fn terrain(rules: &Rules) -> String {
    let ground = |letters: &BTreeMap<Letter, Ground>| {
        let costs = letters.iter().map(|(letter, ground)| match ground {
            Ground::Turns(turns) => {
                format!("{} takes {}", letter.0, human::counted((*turns).into(), "turn", "turns"))
            }
            Ground::Barred => format!("{} is barred", letter.0),
        });
        costs.collect::<Vec<_>>().join(", ")
    };
    let mut parts = vec![ground(&rules.ground)];
    for (of, letters) in [("police", &rules.police.ground), ("thief", &rules.thief.ground)] {
        if !letters.is_empty() {
            parts.push(format!("for the {of} {}", ground(letters)));
        }
    }
    parts.extend(rules.ways.iter().map(|way| match way.from == way.to {
        true => format!("a way joins squares {}", way.from),
        false => format!("a way leads from {} to {}", way.from, way.to),
    }));
    parts.extend(rules.cover.iter().map(|(letter, cover)| match cover {
        Cover::Full => format!("{} hides the thief", letter.0),
        Cover::Beside => format!("{} hides the thief from all but who is beside him", letter.0),
    }));
    parts.extend(rules.opaque.iter().map(|letter| format!("{letter} bars sight")));
    parts.extend(rules.loot.as_ref().map(|loot| {
        let need = loot.need.map_or("all".to_owned(), |need| need.to_string());
        let order = if loot.in_order { " in this order" } else { "" };
        format!("an exit counts with {need} of the loot {}{order}", loot.squares.iter().collect::<String>())
    }));
    parts.extend(rules.limit.map(|limit| format!("the {} wins after {} plies", limit.winner, limit.plies)));
    parts.iter().filter(|part| !part.is_empty()).map(|part| format!(", {part}")).collect()
}
