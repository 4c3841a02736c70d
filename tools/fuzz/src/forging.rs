//! Tables under rules and with values that nobody would make, with right checksums.

use crate::bytes::{Choices, random};
use dragnet_formats::{
    board::{Board, Square},
    cell::Cell,
    codec::{Encoded, Encoder, Favour, RawBlock, packed},
    container::Writer,
    doors::{Door, DoorBoard, Opening, Schedule},
    graph::GraphBuilder,
    header::{Counts, GameHeader, GameNumbering, GameSummary, Header, Summary, tile_sizes},
    numbering::TileSize,
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Wrap},
};
use std::{
    io::Cursor,
    sync::{Arc, LazyLock},
};

/// The most blocks of a table that is forged.
const MOST_BLOCKS: u64 = 2_000;
/// The most slots of a forged block that is not constant.
const MOST_SLOTS: u32 = 1 << 12;

/// Well-formed tables of many kinds: large and small blocks, packed and compressed, of few and of many
/// values, teams, pieces that go far, graphs, and a game table.
pub(crate) static WELL_FORMED: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let far = |steps, reach| Movement { steps, reach, ..Movement::new(MoveSet::King) };
    let officers = |officers| Rules { officers, ..Rules::classic() };
    let both = |movement: Movement, officers| Rules {
        officers,
        police: movement.clone(),
        thief: movement,
        ..Rules::classic()
    };
    let mut tables = Vec::new();
    for favour in [Favour::Speed, Favour::Size] {
        for (size, rules, values) in [
            (6, officers(1), 5),
            (20, officers(1), 40),
            // Blocks of 65,536 slots.
            (33, officers(1), 3),
            (5, officers(2), 20),
            (4, officers(4), 2),
            (9, both(far(3, 2), 1), 9),
            (12, both(far(255, 255), 1), 4),
            (5, both(far(2, 4), 3), 7),
        ] {
            tables.push(of_patterns(&open(size, size), &rules, favour, values));
        }
        // Values of two bytes.
        tables.push(of_patterns(&open(20, 20), &officers(1), favour, 700));
    }
    let mut graph = GraphBuilder::new();
    for vertex in 0..40 {
        for by in [1, 7, 12] {
            graph.add(vertex, (vertex + by) % 40).expect("an edge");
        }
    }
    let ring = Board::of_graph(&graph.build()).expect("a board");
    tables.push(of_patterns(&ring, &Rules { officers: 2, ..Rules::cops() }, Favour::Size, 12));
    tables.push(game(5_000, 1_000));
    tables
});

/// Returns the tables that are the dearest to open and to ask.
pub(crate) fn dearest() -> Vec<Vec<u8>> {
    let mut complete = GraphBuilder::new();
    for vertex in 0..700 {
        for other in (0..700).filter(|&other| other != vertex) {
            complete.add(vertex, other).expect("an edge");
        }
    }
    let complete = Board::of_graph(&complete.build()).expect("a board");
    let two_steps = Movement { steps: 2, ..Movement::new(MoveSet::King) };
    let six = Rules { officers: 6, police: two_steps.clone(), thief: two_steps, ..Rules::classic() };
    let mut walls = vec![Square::Wall; 1024 * 1024];
    walls[..64].fill(Square::Open);
    let walls = Board::new(1024, 1024, walls).expect("a board");
    [(complete, Rules::cops()), (open(4, 4), six), (walls, Rules::classic())]
        .map(|(board, rules)| of_patterns(&board, &rules, Favour::Size, 9))
        .into()
}

fn open(rows: usize, cols: usize) -> Board {
    Board::new(rows, cols, vec![Square::Open; rows * cols]).expect("a board")
}

/// Returns the header of a table of which nothing is known but its board and rules.
fn header(board: Board, rules: Rules, favour: Favour) -> Header {
    let (police_tile, thief_tile) = tile_sizes(&board, rules.officers, favour);
    let mut header = Header { board, rules, police_tile, thief_tile, summary: Summary::default() };
    let positions = header.numbering().police().count() * header.board.open_count() as u64;
    header.summary.police_to_move = Counts { police: positions, ..Counts::default() };
    header.summary.thief_to_move = header.summary.police_to_move;
    header
}

/// Returns the table of a board whose values repeat `values` codes, differently in each block.
fn of_patterns(board: &Board, rules: &Rules, favour: Favour, values: u32) -> Vec<u8> {
    let header = header(board.clone(), rules.clone(), favour);
    let numbering = header.numbering();
    let mut encoder = Encoder::new(favour, 3);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).expect("a writer");
    for block in 0..numbering.block_count() {
        let code = |slot: u32| 1 + (slot / 3 + slot % 7 * (block as u32 + 1)) % values;
        let codes: Vec<u32> = (0..numbering.slots(block)).map(code).collect();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// Returns a game table of so many positions, in blocks of `slots`.
fn game(positions: u64, slots: u32) -> Vec<u8> {
    let numbering = GameNumbering::new(positions, slots).expect("a numbering");
    let mut summary = GameSummary::default();
    let codes: Vec<u32> = (0..positions as u32).map(|position| 1 + position % 23).collect();
    for (position, &code) in (0..).zip(&codes) {
        let value = dragnet_formats::value::Value::from_code(code).expect("a value");
        summary.add(position, value);
    }
    let header = GameHeader { name: "forged".to_owned(), key: 0, numbering, summary, doors: None };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).expect("a writer");
    for (number, codes) in codes.chunks(slots as usize).enumerate() {
        let favour = if number % 2 == 0 { Favour::Speed } else { Favour::Size };
        writer.push(&Encoder::new(favour, 3).encode(&RawBlock::new(codes))).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// Returns a table of a small board under rules that `choices` make, whose blocks have one value each or any
/// values; `None` if there is no such table of few blocks.
pub(crate) fn forge(choices: &mut Choices) -> Option<Vec<u8>> {
    let rules = rules(choices);
    let most = [1, 24, 7, 6, 6, 5, 4, 4, 4][usize::from(rules.officers)];
    let (rows, cols) = (1 + choices.below(most), 1 + choices.below(most));
    let squares = |_| match choices.byte() % 12 {
        0 => Square::Wall,
        1 => Square::Exit,
        _ => Square::Open,
    };
    let mut squares: Vec<Square> = (0..rows * cols).map(squares).collect();
    // Where the choices have come to an end, all squares are open.
    squares[0] = Square::Open;
    for square in squares.iter_mut().filter(|_| choices.is_empty()) {
        *square = Square::Open;
    }
    let board = Board::new(rows, cols, squares).ok()?;
    rules.check_on(&board).ok()?;
    let favour = if choices.byte().is_multiple_of(2) { Favour::Speed } else { Favour::Size };
    let mut header = header(board, rules, favour);
    if choices.byte().is_multiple_of(4) {
        header.thief_tile = TileSize::new(1, 1).ok()?;
    }
    let numbering = header.numbering();
    if numbering.block_count() > MOST_BLOCKS {
        return None;
    }
    let code = u32::from(choices.byte() % 7);
    let many = 1 + u32::from(choices.byte()) * 3;
    let wild = choices.below(numbering.block_count() as usize) as u64;
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).ok()?;
    for block in 0..numbering.block_count() {
        let slots = numbering.slots(block);
        let encoded = if block.abs_diff(wild) < 3 && slots <= MOST_SLOTS {
            let seed = u64::from(choices.byte());
            let codes: Vec<u32> =
                random(seed, slots as usize).into_iter().map(|byte| u32::from(byte) % many).collect();
            let raw = RawBlock::new(&codes);
            match raw.palette() {
                [code] => Encoded::Constant(*code),
                _ if favour == Favour::Speed => Encoded::Packed(packed::encode(&raw)),
                _ => Encoder::new(favour, 1).encode(&raw),
            }
        } else {
            Encoded::Constant(code)
        };
        writer.push(&encoded).ok()?;
    }
    Some(writer.finish().ok()?.0.into_inner())
}

/// Returns a table of a small board with doors under rules that `choices` make, whose blocks have one value
/// each; `None` if there is no such table of few blocks.
pub(crate) fn forge_doors(choices: &mut Choices) -> Option<Vec<u8>> {
    let (rows, cols) = (2 + choices.below(40), 2 + choices.below(40));
    let board = open(rows, cols);
    let rules = Rules { officers: 1, ..rules(choices) };
    let cells: Vec<Cell> = board.open_cells().collect();
    let door = |choices: &mut Choices| {
        let cell = open_cell(&cells, choices.word() as usize);
        let opening = if choices.byte().is_multiple_of(2) {
            Opening::Key { cell: open_cell(&cells, choices.word() as usize), open: false }
        } else {
            Opening::Schedule(Schedule::new("..##.#").expect("a schedule"))
        };
        Door { cell, opening }
    };
    let doors = (0..1 + choices.below(4)).map(|_| door(choices)).collect();
    let game = DoorBoard::new(board, rules, doors).ok()?;
    let numbering = GameNumbering::new(game.positions(), 1 << 16).ok()?;
    if numbering.block_count() > MOST_BLOCKS {
        return None;
    }
    let summary = GameSummary { drawn: game.positions(), ..GameSummary::default() };
    let doors = Some(Arc::new(game));
    let header = GameHeader { name: GameHeader::DOORS.to_owned(), key: 0, numbering, summary, doors };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).ok()?;
    for _ in 0..numbering.block_count() {
        writer.push(&Encoded::Constant(u32::from(choices.byte() % 7))).ok()?;
    }
    Some(writer.finish().ok()?.0.into_inner())
}

fn rules(choices: &mut Choices) -> Rules {
    Rules {
        officers: [1, 1, 1, 2, 2, 3, 4, 6, 8][choices.below(9)],
        police: movement(choices),
        thief: movement(choices),
        corner_cutting: choices.byte().is_multiple_of(2),
        wrap: [Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both][choices.below(4)],
        stuck: [Stuck::Loses, Stuck::Wins][choices.below(2)],
        team: [Team::All, Team::All, Team::One][choices.below(3)],
        police_on_exit: [PoliceOnExit::Allowed, PoliceOnExit::Barred, PoliceOnExit::Wins][choices.below(3)],
        ..Rules::classic()
    }
}

fn movement(choices: &mut Choices) -> Movement {
    let few = |byte: u8| i16::from(byte % 7) - 3;
    let moves = match choices.byte() % 6 {
        0 => MoveSet::Orthogonal,
        1 => MoveSet::Diagonal,
        2 => MoveSet::Knight,
        3 => {
            let count = 1 + choices.below(12);
            let mut offsets: Vec<_> =
                (0..count).map(|_| (few(choices.byte()), few(choices.byte()))).collect();
            offsets.sort_unstable();
            offsets.dedup();
            MoveSet::Offsets(offsets)
        }
        _ => MoveSet::King,
    };
    let far = |choices: &mut Choices| match choices.byte() {
        byte @ 0..80 => 1 + byte % 4,
        byte @ 80..100 => byte,
        100..110 => 255,
        _ => 1,
    };
    Movement { moves, may_pass: !choices.byte().is_multiple_of(4), steps: far(choices), reach: far(choices) }
}

/// Returns the cell that is number `choice` of the open cells, counted again from the first beyond the last.
pub(crate) fn open_cell(cells: &[Cell], choice: usize) -> Cell {
    cells[choice % cells.len()]
}
