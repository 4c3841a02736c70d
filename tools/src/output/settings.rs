//! The settings of a table in words: its exits and its rules.

use crate::output::human;
use dragnet_formats::{
    board::Board,
    doors::{Door, Doors, Opening},
    header::{Header, Kind},
    rules::{MoveSet, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
};

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
        Opening::Key { cell, open } => {
            format!("{} by the key {cell}, {} first", door.cell, if *open { "open" } else { "closed" })
        }
        Opening::Schedule(schedule) => format!("{} by {schedule}", door.cell),
    }
}

/// Returns the state of the doors in a world: `door 1,2 is open, door 3,4 is closed`; nothing without doors.
pub(crate) fn doors_in(doors: &Doors, world: u32) -> Option<String> {
    let state = |(number, door): (usize, &Door)| {
        format!("door {} is {}", door.cell, if doors.is_open(number, world) { "open" } else { "closed" })
    };
    let states: Vec<String> = doors.list().iter().enumerate().map(state).collect();
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
    if rules.officers > 1 {
        text += &format!(
            "{} officers, {}, ",
            rules.officers,
            match rules.team {
                Team::All => "who move together",
                Team::One => "one of whom moves",
            }
        );
    }
    text += &format!("police {}, thief {}", rules.police, rules.thief);
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
        text += &format!(", officers capture at a step of {}", capture.by);
    }
    text += match rules.undecided {
        Undecided::Draw => "",
        Undecided::Police => ", what nobody can force is won by the police",
        Undecided::Thief => ", what nobody can force is won by the thief",
    };
    text
}
