//! Small games solved by the oracle, and their tables in memory.

#[path = "../../../generator/tests/all/support/random.rs"]
mod random;

use dragnet_formats::{
    board::Scenario,
    codec::{ANY_CODE, Encoder, Favour, RawBlock},
    container::Writer,
    header::{Header, Summary},
    moves::Steps,
    numbering::TileSize,
    setting::Setting,
    stop::StopCheck,
    stored::{PackedGame, StoredGame},
    team_numbers::TeamNumbers,
};
use dragnet_generator::{Pursuit, naive};
use dragnet_probe::{Board, Cell, Choice, Pieces, Position, ProbeError, Rules, Side, Table, Value};
use proptest::prelude::*;
use random::{captured, winner};
pub(crate) use random::{pursuit, rules};
use std::io::Cursor;

/// A game with the value of every position.
pub(crate) struct Solved {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    pub(crate) game: Pursuit,
    pub(crate) values: Vec<Value>,
    pub(crate) tiles: (TileSize, TileSize),
}

impl Solved {
    pub(crate) fn new(board: Board, rules: Rules, police: (u8, u8), thief: (u8, u8)) -> Solved {
        let tiles = (TileSize::new(police.0, police.1).unwrap(), TileSize::new(thief.0, thief.1).unwrap());
        let game = Pursuit::compile(&board, &rules, tiles.0, tiles.1, &()).unwrap();
        let values = naive::solve(&game);
        Solved { board, rules, game, values, tiles }
    }

    pub(crate) fn value(&self, at: Position) -> Value {
        let number = self.game.position(at.world, &at.police, at.thief, at.turn).unwrap();
        self.game.in_plies(self.values[number as usize])
    }

    /// Every position of the game.
    pub(crate) fn positions(&self) -> Vec<Position> {
        positions(&self.board, self.rules.officers)
    }

    pub(crate) fn terminal(&self, at: Position) -> Option<Side> {
        winner(&self.board, &self.rules, &at.police, at.thief)
    }

    pub(crate) fn captured(&self, at: Position) -> bool {
        captured(&self.board, &self.rules, &at.police, at.thief)
    }

    /// All moves, best first, by the oracle.
    pub(crate) fn choices(&self, at: Position) -> Vec<Choice> {
        if self.terminal(at).is_some() {
            return Vec::new();
        }
        let (board, rules) = (&self.board, &self.rules);
        let steps = Steps::new(rules, at.turn);
        let moves: Vec<Pieces> = match at.turn {
            Side::Police => {
                steps.team_moves(rules.team, board, &at.police, &mut { u64::MAX }).unwrap().collect()
            }
            Side::Thief => steps.moves_from(board, at.thief).into_iter().map(Pieces::from).collect(),
        };
        let mut choices: Vec<Choice> = moves
            .into_iter()
            .map(|to| Choice { to, position: at.after(to), value: self.value(at.after(to)) })
            .collect();
        // A loss of the opponent is good, the quicker the better; a win of the opponent is bad, the slower
        // the better.
        choices.sort_by_key(|choice| match choice.value {
            Value::Loss(dtw) => (0, i64::from(dtw), choice.to),
            Value::Draw => (1, 0, choice.to),
            Value::Win(dtw) => (2, -i64::from(dtw), choice.to),
        });
        choices
    }

    pub(crate) fn header(&self) -> Header {
        let mut summary = Summary::default();
        let mut number = 0;
        for at in self.positions() {
            let value = self.value(at);
            match at.turn {
                Side::Police => {
                    summary.add_police_to_move(number, value);
                    number += 1;
                }
                Side::Thief => summary.add_thief_to_move(value),
            }
        }
        Header { summary, ..self.packed().header }
    }

    pub(crate) fn packed(&self) -> PackedGame {
        packed(self.board.clone(), self.rules.clone(), [self.tiles.0, self.tiles.1])
    }

    /// The table, written without the generator's help.
    pub(crate) fn table(&self, favour: Favour) -> Vec<u8> {
        let header = self.header();
        let numbering = header.numbering();
        let numbering = numbering.positions();
        let mut codes: Vec<Vec<u32>> = (0..numbering.block_count())
            .map(|block| vec![ANY_CODE; numbering.slots(block) as usize])
            .collect();
        for at in self.positions() {
            if at.turn == Side::Police && self.terminal(at).is_none() {
                let place = numbering.locate(at.world, at.police, at.thief).unwrap();
                codes[place.block as usize][place.slot as usize] = self.value(at).code();
            }
        }
        let mut encoder = Encoder::new(favour, 3);
        let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
        for codes in codes {
            writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
        }
        for section in self.packed().blocks() {
            writer.push(&encoder.encode(&section)).unwrap();
        }
        writer.finish().unwrap().0.into_inner()
    }
}

/// Returns the game of a board as a table stores it.
pub(crate) fn packed(board: Board, rules: Rules, tiles: [TileSize; 2]) -> PackedGame {
    let setting = Setting::new(Scenario::from_board(board), rules);
    StoredGame::of_setting(&setting, &mut StopCheck::never()).unwrap().pack(tiles).unwrap()
}

/// Every position on the board: police by police, thief by thief, all with the police to move first.
pub(crate) fn positions(board: &Board, officers: u8) -> Vec<Position> {
    let cells: Vec<Cell> = board.open_cells().collect();
    let mut all = Vec::new();
    for turn in Side::BOTH {
        for police in TeamNumbers::new([(cells.len() as u32, officers)]).teams(&cells) {
            all.extend(cells.iter().map(|&thief| Position::new(police, thief, turn)));
        }
    }
    all
}

pub(crate) fn board(lines: &str) -> Board {
    dragnet_formats::board::text::parse(lines.as_bytes()).unwrap().board
}

/// The value and the moves of a position, as a table states them.
pub(crate) type Answer = Result<(Value, Vec<Choice>), ProbeError>;

pub(crate) fn ask(table: &Table, at: Position) -> Answer {
    Ok((table.value(at)?, table.best_moves(at)?))
}

pub(crate) fn solved() -> impl Strategy<Value = (Board, Rules, (u8, u8), (u8, u8), Favour)> {
    let tile = || (1u8..6, 1u8..6);
    let favour = prop::sample::select(vec![Favour::Speed, Favour::Size]);
    (pursuit(), tile(), tile(), favour).prop_map(|((board, rules), police, thief, favour)| {
        // Blocks have at most 65,536 slots.
        let police = if rules.officers > 1 { (police.0.min(2), police.1.min(3)) } else { police };
        (board, rules, police, thief, favour)
    })
}
