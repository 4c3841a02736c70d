//! Tables under rules and with values that nobody would make, with right checksums.

use crate::{
    bytes::{Choices, random},
    games::{Size, compile, rules, wild, with_doors},
};
use dragnet_formats::{
    board::{Board, Scenario, Square},
    codec::{Encoded, Encoder, Favour, RawBlock, packed},
    container::Writer,
    doors::{Doors, Schedule},
    game::{MoveRows, OfficerKind, Places, PursuitGame, Stuck, Team, terminal::TerminalRule},
    graph::GraphBuilder,
    header::{GameHeader, GameNumbering, GameSummary, tile_sizes},
    numbering::TileSize,
    rules::{MoveSet, Movement, Rules},
    setting::Setting,
    stored::{PackedGame, StoredGame},
    value::Value,
};
use std::{io::Cursor, sync::LazyLock};

/// The most blocks of a table that is forged.
const MOST_BLOCKS: u64 = 2_000;
/// The most squares, in all worlds together, of a board with doors.
const MOST_SQUARES: usize = 1 << 13;
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

/// Returns the tables that are the dearest to open and to ask: of a complete graph, of teams that go
/// anywhere, of boards as large as there are, and of pieces that go from their first place to any other, or
/// to any world.
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
    let mut tables: Vec<Vec<u8>> = [(complete, Rules::cops()), (open(4, 4), six), (walls, Rules::classic())]
        .map(|(board, rules)| of_patterns(&board, &rules, Favour::Size, 9))
        .into();
    tables.push(far(1, 1, (1024, 1024), (1, 1), ""));
    tables.push(far(2, 1, (480, 240), (1, 1), ""));
    // A turn to 512 worlds, with a reply to 512 in each of them.
    tables.push(far(1, 512, (1, 1), (1, 1), ""));
    tables.push(far(2, 16, (16, 8), (4, 4), ""));
    tables
}

/// Returns the tables that ask for more than a question may take: for many moves of the thief, for replies
/// that all end the game, of a large team too, and for long sources.
pub(crate) fn too_dear() -> Vec<Vec<u8>> {
    let longest = 1 << 22;
    vec![
        far(1, 1, (64, 64), (64, 64), ""),
        far(1, 1, (1, 1), (1023, 1024), ""),
        far(1, 1024, (1, 1), (1, 1), ""),
        far(2, 16, (64, 64), (1, 1), ""),
        far(6, 1, (4, 4), (16, 16), ""),
        far(1, 1, (1, 1), (1, 1), &" ".repeat(longest)),
        far(
            1,
            1,
            (1, 1),
            (1, 1),
            &format!("graph = '''\n\n'''\nexits = [{}]", "0,".repeat(longest / 2 - 20)),
        ),
    ]
}

/// Returns the table of a game on grids of the same board, on whose first rows and columns officers and thief
/// have their places. A piece goes from the first of them, in any world, to any of any world, and cannot move
/// elsewhere. The thief has escaped on any place but the first.
fn far(officers: u8, worlds: u32, police: (u16, u16), thief: (u16, u16), source: &str) -> Vec<u8> {
    let board = (police.0.max(thief.0), police.1.max(thief.1));
    let places = |(rows, columns): (u16, u16)| {
        let squares =
            (0..board.0).flat_map(|row| (0..board.1).map(move |column| row < rows && column < columns));
        Places::new(board.0, board.1, squares.collect())
    };
    let [police, thief] = [police, thief].map(places);
    let moves = |places: &Places| {
        let (count, all) = (places.count() as u32, worlds * places.count() as u32);
        let mut rows = MoveRows::new(all as usize, u32::MAX);
        for place in 0..all {
            rows.push(0..if place % count == 0 { all } else { 0 }).expect("one long row");
        }
        rows.finish()
    };
    let origins = worlds as usize * police.count();
    let mut captures = MoveRows::new(origins, 0);
    (0..origins).for_each(|_| captures.push([]).expect("no captures"));
    let escapes: Vec<bool> = (0..thief.count()).map(|place| place > 0).collect();
    let ends = TerminalRule::new(escapes.repeat(worlds as usize), Vec::new()).with_worlds(worlds);
    let game = PursuitGame {
        kinds: vec![OfficerKind { pieces: officers, rows: board.0 }],
        team: if worlds > 1 { Team::One } else { Team::All },
        stuck: Stuck::Loses,
        worlds,
        moves: [moves(&police), moves(&thief)],
        ends: ends.with_captures(captures.finish()),
        places: [police, thief],
    };
    let stored = StoredGame { source: source.to_owned(), ..StoredGame::new(game) };
    let sizes = match officers {
        1 => [(16, 16), (16, 16)],
        2 => [(16, 15), (1, 1)],
        _ => [(1, 1), (16, 16)],
    };
    let sizes = sizes.map(|(rows, columns)| TileSize::new(rows, columns).expect("a tile size"));
    let packed = stored.pack(sizes).expect("a game of few lists");
    let mut writer = Writer::new(Cursor::new(Vec::new()), &packed.header).expect("a writer");
    let entry = writer.push(&Encoded::Constant(Value::Draw.code())).expect("room");
    for _ in 1..packed.header.numbering().positions().block_count() {
        writer.push_entry(entry);
    }
    let mut encoder = Encoder::new(Favour::Size, 3);
    for block in packed.blocks() {
        writer.push(&encoder.encode(&block)).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

fn open(rows: usize, cols: usize) -> Board {
    Board::new(rows, cols, vec![Square::Open; rows * cols]).expect("a board")
}

/// Returns the table of a board whose values repeat `values` codes, differently in each block.
fn of_patterns(board: &Board, rules: &Rules, favour: Favour, values: u32) -> Vec<u8> {
    let setting = Setting::new(Scenario::from_board(board.clone()), rules.clone());
    patterned(&compile(&setting), favour, values)
}

/// Returns the table of a game whose values repeat `values` codes, differently in each block.
fn patterned(stored: &StoredGame, favour: Favour, values: u32) -> Vec<u8> {
    let packed = pack(stored, favour).expect("a game that a table holds");
    let numbering = packed.header.numbering();
    let mut encoder = Encoder::new(favour, 3);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &packed.header).expect("a writer");
    for block in 0..numbering.positions().block_count() {
        let code = |slot: u32| 1 + (slot / 3 + slot % 7 * (block as u32 + 1)) % values;
        let codes: Vec<u32> = (0..numbering.slots(block)).map(code).collect();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).expect("room");
    }
    for block in packed.blocks() {
        writer.push(&encoder.encode(&block)).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// Returns a game as its table stores it; `None` if no table can.
fn pack(stored: &StoredGame, favour: Favour) -> Option<PackedGame> {
    let height = stored.game.places[0].height().max(stored.game.places[1].height());
    stored.pack(tile_sizes(height, stored.game.officers(), favour)).ok()
}

/// Returns a game table of so many positions, in blocks of `slots`.
fn game(positions: u64, slots: u32) -> Vec<u8> {
    let numbering = GameNumbering::new(positions, slots).expect("a numbering");
    let mut summary = GameSummary::default();
    let codes: Vec<u32> = (0..positions as u32).map(|position| 1 + position % 23).collect();
    for (position, &code) in (0..).zip(&codes) {
        let value = Value::from_code(code).expect("a value");
        summary.add(position, value);
    }
    let header = GameHeader { name: "forged".to_owned(), key: 0, numbering, summary };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).expect("a writer");
    for (number, codes) in codes.chunks(slots as usize).enumerate() {
        let favour = if number % 2 == 0 { Favour::Speed } else { Favour::Size };
        writer.push(&Encoder::new(favour, 3).encode(&RawBlock::new(codes))).expect("room");
    }
    writer.finish().expect("every block").0.into_inner()
}

/// Returns a table of a small board under rules that `choices` make, with or without doors, whose blocks have
/// one value each or any values; `None` if there is no such table of few blocks.
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
    let plain = Setting::new(Scenario::from_board(board), rules);
    let mut setting = plain.clone();
    if choices.byte() % 4 == 1 {
        setting = with_doors(setting, Doors::MAX_DOORS, Schedule::MAX_PERIOD, choices);
    }
    if setting.doors.worlds() as usize * setting.board.squares().len() > MOST_SQUARES {
        setting = plain;
    }
    let game = compile(&setting);
    with_any_values(pack(&game, favour)?, favour, choices)
}

/// Returns a table of a game of places, moves and ends that `choices` make, whose blocks have one value each
/// or any values; `None` if there is no such table of few blocks.
pub(crate) fn forge_wild(choices: &mut Choices) -> Option<Vec<u8>> {
    let moves = [3, 12, 300][choices.below(3)];
    let size = Size { sides: (24, 24), officers: 6, positions: 1 << 18, moves };
    let favour = if choices.byte().is_multiple_of(2) { Favour::Speed } else { Favour::Size };
    let game = wild(choices, &size);
    with_any_values(pack(&game, favour)?, favour, choices)
}

/// Returns the table of a game whose blocks have one value each or any values; `None` if it has many blocks.
fn with_any_values(mut packed: PackedGame, favour: Favour, choices: &mut Choices) -> Option<Vec<u8>> {
    let header = &mut packed.header;
    if choices.byte().is_multiple_of(4) {
        header.thief.tile = TileSize::new(1, 1).ok()?;
    }
    let numbering = header.numbering();
    if numbering.block_count() > MOST_BLOCKS {
        return None;
    }
    let count = numbering.positions().block_count();
    let code = u32::from(choices.byte() % 7);
    let many = 1 + u32::from(choices.byte()) * 3;
    let wild = choices.below(count as usize) as u64;
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).ok()?;
    for block in 0..count {
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
    let mut encoder = Encoder::new(favour, 1);
    for block in packed.blocks() {
        writer.push(&encoder.encode(&block)).ok()?;
    }
    Some(writer.finish().ok()?.0.into_inner())
}
