//! The kinds of pieces of a setting with their layers and places, known before any move is found.

use crate::{
    board::{Board, Square},
    cell::{Cell, Side},
    game::{OfficerKind, Places},
    look::Direction,
    rules::{Ground, Movement, Rules},
    setting::Setting,
};

/// The kinds of officers of a setting, and the thief.
#[derive(Clone, Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) officers: Vec<StageKind<'a>>,
    pub(crate) thief: StageKind<'a>,
}

/// A kind of pieces.
#[derive(Clone, Debug)]
pub(crate) struct StageKind<'a> {
    pub(crate) name: String,
    pub(crate) pieces: u8,
    /// How the pieces move; `None` for the clock of a game without officers.
    pub(crate) movement: Option<&'a Movement>,
    pub(crate) layers: Layers,
    /// The places on the grid, whose layers stand one below the other.
    pub(crate) places: Places,
}

/// The layers of a kind: for each of its states, one for each number of turns that a piece still waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layers {
    /// Directions of an officer, or numbers of what a thief has of the loot.
    pub(crate) states: u16,
    /// The most turns that a piece waits, and 1.
    pub(crate) waits: u16,
}

impl Layers {
    pub(crate) fn count(self) -> u16 {
        self.states * self.waits
    }

    /// Returns the layer of a state in which a piece waits for so many turns.
    pub(crate) fn layer(self, state: u16, wait: u16) -> u16 {
        state * self.waits + wait
    }

    /// Returns state and turns to wait of a layer.
    pub(crate) fn of(self, layer: u16) -> (u16, u16) {
        (layer / self.waits, layer % self.waits)
    }
}

impl<'a> Stage<'a> {
    pub(crate) fn new(setting: &'a Setting) -> Stage<'a> {
        let Setting { board, rules, .. } = setting;
        let none = rules.all_officers() == 0;
        let officers = match none {
            true => vec![clock(setting)],
            false => rules
                .kinds()
                .map(|(pieces, kind)| stage_kind(board, rules, Side::Police, pieces, kind))
                .collect(),
        };
        Stage { officers, thief: stage_kind(board, rules, Side::Thief, 1, &rules.thief) }
    }

    /// Returns the grid of all officers.
    pub(crate) fn officer_places(&self) -> Places {
        Places::stacked(self.thief.places.width(), self.officers.iter().map(|kind| &kind.places))
    }

    /// Returns the kinds of officers as a game has them.
    pub(crate) fn officer_kinds(&self) -> Vec<OfficerKind> {
        let kind = |kind: &StageKind| OfficerKind { pieces: kind.pieces, rows: kind.places.height() };
        self.officers.iter().map(kind).collect()
    }
}

impl StageKind<'_> {
    /// Returns the names of the layers.
    pub(crate) fn layer_names(&self, side: Side, rules: &Rules) -> Vec<String> {
        let name = |layer| {
            let (state, wait) = self.layers.of(layer);
            let state = match side {
                _ if self.layers.states == 1 => None,
                Side::Police => {
                    let direction = usize::from(state * (8 / self.layers.states));
                    Some(format!("looking {}", Direction::ALL[direction]))
                }
                Side::Thief => loot_name(rules, state),
            };
            let wait = (wait > 0).then(|| format!("waiting {wait}"));
            state.into_iter().chain(wait).collect::<Vec<_>>().join(", ")
        };
        (0..self.layers.count()).map(name).collect()
    }
}

/// Returns what a thief has of the loot, if anything, in words.
fn loot_name(rules: &Rules, state: u16) -> Option<String> {
    let loot = rules.loot.as_ref().filter(|_| state > 0)?;
    Some(match loot.in_order {
        true => format!("with {}", loot.squares.iter().take(state.into()).collect::<String>()),
        false => {
            let numbers = (0..16).filter(|bit| state >> bit & 1 == 1).map(|bit| (bit + 1).to_string());
            format!("with {}", numbers.collect::<Vec<_>>().join("+"))
        }
    })
}

fn stage_kind<'a>(
    board: &Board,
    rules: &Rules,
    side: Side,
    pieces: u8,
    movement: &'a Movement,
) -> StageKind<'a> {
    let states = rules.states_on(board, side, movement);
    let layers = Layers { states, waits: rules.most_turns(movement).into() };
    let usual = if side == Side::Police { "officer" } else { "thief" };
    let stands = |cell: Cell, square: Square, wait: u16| {
        square != Square::Wall
            && match rules.ground_of(movement, board.letter(cell)) {
                Ground::Barred => false,
                Ground::Turns(turns) => u16::from(turns) > wait,
            }
    };
    let mut squares = Vec::with_capacity(board.squares().len() * usize::from(layers.count()));
    for layer in 0..layers.count() {
        let (_, wait) = layers.of(layer);
        squares.extend(board.cells().map(|(cell, square)| stands(cell, square, wait)));
    }
    StageKind {
        name: movement.name.clone().unwrap_or_else(|| usual.to_owned()),
        pieces,
        movement: Some(movement),
        layers,
        places: Places::new(board.height() * layers.count(), board.width(), squares),
    }
}

/// Returns the kind that stands for all clocks of a game without officers: one piece on one place.
fn clock(setting: &Setting) -> StageKind<'_> {
    let board = &setting.board;
    let post = setting.guards.at(0).next().map(|(_, post)| post.cell).or_else(|| board.open_cells().next());
    let square = post.and_then(|cell| board.index(cell));
    let squares = (0..board.squares().len()).map(|index| Some(index) == square).collect();
    StageKind {
        name: if setting.guards.list().is_empty() { "clock" } else { "guards" }.to_owned(),
        pieces: 1,
        movement: None,
        layers: Layers { states: 1, waits: 1 },
        places: Places::new(board.height(), board.width(), squares),
    }
}

/// Stands for the number of a place where there is none.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// Returns the number of the place on each square of a grid.
pub(super) fn numbers(places: &Places) -> Vec<u32> {
    let mut next = 0;
    let number = |&is_place: &bool| {
        next += u32::from(is_place);
        if is_place { next - 1 } else { NO_PLACE }
    };
    places.squares().iter().map(number).collect()
}
