//! Small whole tables to be damaged, with the value of every position.

use dragnet_formats::{
    codec::{ANY_CODE, Encoded, RawBlock, packed},
    container::Writer,
    graph::GraphBuilder,
    header::{Header, Summary},
    numbering::TileSize,
    pieces::teams,
};
use dragnet_generator::{Pursuit, naive};
use dragnet_probe::{Board, Cell, MoveSet, Movement, Position, Rules, Side, Stuck, Table, Value, Wrap};
use std::{io::Cursor, sync::LazyLock};

/// A whole table and the value of each of its positions.
#[derive(Debug)]
pub struct Whole {
    /// The bytes of the file.
    pub file: Vec<u8>,
    /// Every position with its value.
    pub values: Vec<(Position, Value)>,
}

/// The tables that [`table_differential`](crate::table_differential) damages.
pub static WHOLES: LazyLock<[Whole; 6]> = LazyLock::new(|| {
    let leaper = Movement::new(MoveSet::Offsets(vec![(1, 2), (0, -1)])).without_pass();
    let odd = Rules { thief: leaper, wrap: Wrap::Both, stuck: Stuck::Wins, ..Rules::classic() };
    [
        Whole::new("..E\n.#.\n...\n", Rules::classic(), (2, 2), (3, 3)),
        Whole::new("...#\n.#..\n", Rules::chase(), (1, 4), (2, 1)),
        Whole::new(".#.\nE..\n", odd, (2, 3), (2, 3)),
        // Tiles of one square: more than one page of index.
        Whole::new("...\n.#.\nE..\n", Rules::classic(), (1, 1), (1, 1)),
        Whole::new(".E.\n#..\n", Rules { officers: 2, ..Rules::classic() }, (1, 2), (2, 2)),
        Whole::on_graph(&[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)], Rules { officers: 2, ..Rules::cops() }),
    ]
});

impl Whole {
    fn new(rows: &str, rules: Rules, police: (u8, u8), thief: (u8, u8)) -> Whole {
        let board = dragnet_formats::board::text::parse(rows.as_bytes()).expect("a board").board;
        Whole::on(board, rules, police, thief)
    }

    fn on_graph(edges: &[(u64, u64)], rules: Rules) -> Whole {
        let mut graph = GraphBuilder::new();
        for &(a, b) in edges {
            graph.add(a, b).and_then(|()| graph.add(b, a)).expect("an edge");
        }
        Whole::on(Board::of_graph(&graph.build()).expect("a board"), rules, (1, 2), (1, 4))
    }

    fn on(board: Board, rules: Rules, police: (u8, u8), thief: (u8, u8)) -> Whole {
        let tile = |(rows, cols)| TileSize::new(rows, cols).expect("a tile size");
        let (police, thief) = (tile(police), tile(thief));
        let game = Pursuit::compile(&board, &rules, police, thief, &()).expect("a game");
        let solved = naive::solve(&game);
        let value = |at: Position| {
            let number = game.position(&at.police, at.thief, at.turn).expect("a position");
            game.in_plies(solved[number as usize])
        };
        let values: Vec<_> = positions(&board, &rules).into_iter().map(|at| (at, value(at))).collect();
        let header =
            Header { board, rules, police_tile: police, thief_tile: thief, summary: summary(&values) };
        let file = write(&header, &values);
        let table = Table::from_bytes(file.clone()).expect("a table");
        table.check_sums(|_| {}).expect("a whole table");
        for &(at, value) in &values {
            assert_eq!(table.value(at).expect("an answer"), value, "{at}");
        }
        Whole { file, values }
    }
}

/// Returns every position on the board.
fn positions(board: &Board, rules: &Rules) -> Vec<Position> {
    let cells: Vec<Cell> = board.open_cells().collect();
    let pairs =
        teams(&cells, rules.officers).flat_map(|police| cells.iter().map(move |&thief| (police, thief)));
    let both = |(police, thief)| Side::BOTH.map(|turn| Position::new(police, thief, turn));
    pairs.flat_map(both).collect()
}

fn summary(values: &[(Position, Value)]) -> Summary {
    let mut summary = Summary::default();
    let mut number = 0;
    for (at, value) in values {
        match at.turn {
            Side::Police => {
                summary.add_police_to_move(number, *value);
                number += 1;
            }
            Side::Thief => summary.add_thief_to_move(*value),
        }
    }
    summary
}

/// Writes the table with its blocks packed and compressed by turns. The encoder would not compress blocks
/// this small.
fn write(header: &Header, values: &[(Position, Value)]) -> Vec<u8> {
    let numbering = header.numbering();
    let mut codes: Vec<Vec<u32>> =
        (0..numbering.block_count()).map(|block| vec![ANY_CODE; numbering.slots(block) as usize]).collect();
    let over = |at: &Position| header.rules.winner(&header.board, &at.police, at.thief).is_some();
    for (at, value) in values.iter().filter(|(at, _)| at.turn == Side::Police && !over(at)) {
        let place = numbering.locate(at.police, at.thief).expect("open cells");
        codes[place.block as usize][place.slot as usize] = value.code();
    }
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).expect("a writer");
    for (number, codes) in codes.iter().enumerate() {
        let block = RawBlock::new(codes);
        let encoded = match (block.palette(), number % 2) {
            ([code], _) => Encoded::Constant(*code),
            (_, 0) => Encoded::Zstd(compressed(&block)),
            _ => Encoded::Packed(packed::encode(&block)),
        };
        writer.push(&encoded).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// Returns the zstd body of a block of few and small codes.
fn compressed(block: &RawBlock) -> Vec<u8> {
    let mut plain = vec![block.palette().len() as u8];
    let mut last = 0;
    for &code in block.palette() {
        assert!(code - last < 0x80, "a number of one byte");
        plain.push((code - last) as u8);
        last = code;
    }
    plain.extend(block.low());
    zstd::bulk::compress(&plain, 3).expect("zstd")
}
