//! Small games solved by the oracle, and their tables in memory.

#![allow(dead_code)]

use dragnet_formats::{
    codec::{ANY_CODE, Encoder, Favour, RawBlock},
    container::Writer,
    digest::digest_term,
    header::{Header, Summary},
    moves::Steps,
    numbering::TileSize,
    rules::{MoveSet, Movement, Stuck, Wrap},
};
use dragnet_generator::{Pursuit, naive};
use dragnet_probe::{Board, Cell, Choice, Position, ProbeError, Rules, Side, Square, Table, Value};
use proptest::prelude::*;
use std::io::Cursor;

/// A game with the value of every position.
pub(crate) struct Solved {
    pub(crate) game: Pursuit,
    pub(crate) values: Vec<Value>,
    pub(crate) tiles: (TileSize, TileSize),
}

impl Solved {
    pub(crate) fn new(board: Board, rules: Rules, police: (u8, u8), thief: (u8, u8)) -> Solved {
        let tiles = (TileSize::new(police.0, police.1).unwrap(), TileSize::new(thief.0, thief.1).unwrap());
        let game = Pursuit::new(board, rules, tiles.0, tiles.1).unwrap();
        let values = naive::solve(&game);
        Solved { game, values, tiles }
    }

    pub(crate) fn value(&self, at: Position) -> Value {
        self.values[self.game.position(at.police, at.thief, at.turn).unwrap() as usize]
    }

    /// Every position of the game.
    pub(crate) fn positions(&self) -> Vec<Position> {
        positions(self.game.board())
    }

    pub(crate) fn terminal(&self, at: Position) -> Option<Side> {
        if at.police == at.thief {
            Some(Side::Police)
        } else {
            (self.game.board().square(at.thief) == Some(Square::Exit)).then_some(Side::Thief)
        }
    }

    /// All moves, best first, by the oracle.
    pub(crate) fn choices(&self, at: Position) -> Vec<Choice> {
        if self.terminal(at).is_some() {
            return Vec::new();
        }
        let moves = Steps::new(self.game.rules(), at.turn).moves_from(self.game.board(), at.mover());
        let mut choices: Vec<Choice> = moves
            .into_iter()
            .map(|to| Choice { to, position: at.after(to), value: self.value(at.after(to)) })
            .collect();
        // A loss of the opponent is good, the quicker the better; a win of the opponent is bad, the slower the better.
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
            let outcome = value.outcome(at.turn);
            summary.longest.add(outcome, value.dtw().unwrap_or(0));
            match at.turn {
                Side::Police => {
                    summary.police_to_move.add(outcome, 1);
                    summary.digest = summary.digest.wrapping_add(digest_term(number, value.code()));
                    number += 1;
                }
                Side::Thief => summary.thief_to_move.add(outcome, 1),
            }
        }
        Header {
            board: self.game.board().clone(),
            rules: self.game.rules().clone(),
            police_tile: self.tiles.0,
            thief_tile: self.tiles.1,
            summary,
        }
    }

    /// The table, written without the generator's help.
    pub(crate) fn table(&self, favour: Favour) -> Vec<u8> {
        let header = self.header();
        let numbering = header.numbering();
        let mut codes: Vec<Vec<u32>> = (0..numbering.block_count())
            .map(|block| vec![ANY_CODE; numbering.slots(block) as usize])
            .collect();
        for at in self.positions() {
            if at.turn == Side::Police && self.terminal(at).is_none() {
                let place = numbering.locate(at.police, at.thief).unwrap();
                codes[place.block as usize][place.slot as usize] = self.value(at).code();
            }
        }
        let mut encoder = Encoder::new(favour, 3);
        let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
        for codes in codes {
            writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
        }
        writer.finish().unwrap().0.into_inner()
    }
}

/// Every position on the board: police by police, thief by thief, all with the police to move first.
pub(crate) fn positions(board: &Board) -> Vec<Position> {
    let cells: Vec<Cell> = board.open_cells().collect();
    let mut all = Vec::new();
    for turn in Side::BOTH {
        for &police in &cells {
            all.extend(cells.iter().map(|&thief| Position { police, thief, turn }));
        }
    }
    all
}

pub(crate) fn board(lines: &str) -> Board {
    dragnet_formats::board::text::parse(lines.as_bytes()).unwrap().board
}

/// What a table says of a position.
pub(crate) type Answer = Result<(Value, Vec<Choice>), ProbeError>;

pub(crate) fn ask(table: &Table, at: Position) -> Answer {
    Ok((table.value(at)?, table.best_moves(at)?))
}

fn movement() -> impl Strategy<Value = Movement> {
    let list = prop::collection::btree_set((-2i16..=2, -2i16..=2), 0..6)
        .prop_map(|list| MoveSet::Offsets(list.into_iter().filter(|&offset| offset != (0, 0)).collect()));
    let named = vec![MoveSet::King, MoveSet::Orthogonal, MoveSet::Diagonal, MoveSet::Knight];
    (prop_oneof![4 => prop::sample::select(named), 1 => list], any::<bool>())
        .prop_map(|(moves, may_pass)| Movement { moves, may_pass })
}

pub(crate) fn rules() -> impl Strategy<Value = Rules> {
    let wrap = prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both]);
    let stuck = prop::sample::select(vec![Stuck::Loses, Stuck::Wins]);
    (movement(), movement(), any::<bool>(), wrap, stuck).prop_map(
        |(police, thief, corner_cutting, wrap, stuck)| Rules {
            police,
            thief,
            corner_cutting,
            wrap,
            stuck,
            ..Rules::classic()
        },
    )
}

pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    (1usize..6, 1usize..7).prop_flat_map(|(height, width)| {
        let square = prop_oneof![6 => Just(Square::Open), 2 => Just(Square::Wall), 1 => Just(Square::Exit)];
        prop::collection::vec(square, height * width).prop_map(move |mut squares| {
            squares[0] = Square::Open;
            Board::new(height, width, squares).unwrap()
        })
    })
}

pub(crate) fn solved() -> impl Strategy<Value = (Board, Rules, (u8, u8), (u8, u8), Favour)> {
    let tile = || (1u8..6, 1u8..6);
    let favour = prop::sample::select(vec![Favour::Speed, Favour::Size]);
    (any_board(), rules(), tile(), tile(), favour)
}
