//! Tables that are well-formed, and ask for more work than a program could wait for.

use dragnet_formats::{
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::Writer,
    game::{MoveRows, OfficerKind, PursuitGame, Stuck, Team, terminal::TerminalRule},
    header::{Counts, Header, Section, tile_sizes},
    numbering::TileSize,
    rules::{MoveSet, Movement},
    stored::{PackedGame, StoredGame},
};
use dragnet_probe::{
    Board, Cell, LineEnd, Open, Pieces, Position, ProbeError, Rules, Scan, Side, Square, Table, Work,
    opponent::ValuedGame,
};
use std::{io::Cursor, sync::Arc};

/// Returns the header of a table of `game` in which the police wins everywhere.
fn forge_header(game: &PackedGame) -> Header {
    let mut header = game.header.clone();
    let positions = header.side_positions().unwrap();
    header.summary.police_to_move = Counts { police: positions, ..Counts::default() };
    header.summary.thief_to_move = header.summary.police_to_move;
    header
}

/// Writes the table of a game, all of whose blocks of positions are `block`.
fn forge(game: &PackedGame, block: &Encoded) -> Vec<u8> {
    let header = forge_header(game);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for _ in 0..header.numbering().positions().block_count() {
        writer.push(block).unwrap();
    }
    for section in game.blocks() {
        writer.push(&Encoder::for_speed().encode(&section)).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
}

/// Returns the game of a board.
fn game(board: Board, rules: Rules) -> PackedGame {
    let tiles = tile_sizes(board.height(), rules.officers, Favour::Speed);
    crate::support::packed(board, rules, tiles)
}

/// Returns the game of an open board on which the officer on cell 0,0 and the thief on cell 4,4 may go
/// anywhere, and pieces on all other cells stay.
fn far(size: usize) -> PackedGame {
    let places = open(size).places();
    let count = places.count();
    let moves = |far: usize| {
        let mut rows = MoveRows::new(count, u32::MAX);
        for place in 0..count {
            let stays = place as u32..place as u32 + 1;
            rows.push(if place == far { 0..count as u32 } else { stays }).unwrap();
        }
        rows.finish()
    };
    let game = PursuitGame {
        worlds: 1,
        kinds: vec![OfficerKind { pieces: 1, rows: size as u16 }],
        team: Team::All,
        stuck: Stuck::Loses,
        moves: [moves(0), moves(4 * size + 4)],
        places: [places.clone(), places],
        ends: TerminalRule::new(vec![false; count], Vec::new()),
    };
    StoredGame::new(game).pack(tile_sizes(size as u16, 1, Favour::Speed)).unwrap()
}

fn open(size: usize) -> Board {
    Board::new(size, size, vec![Square::Open; size * size]).unwrap()
}

fn with_steps(steps: u8, reach: u8) -> Movement {
    Movement { steps, reach, may_pass: true, ..Movement::new(MoveSet::King) }
}

/// Asks everything that a program asks of a position, and returns the kinds of work that were too much.
fn ask(table: &Table, position: Position) -> Vec<Work> {
    let mut refused = Vec::new();
    let mut note = |answer: Result<(), ProbeError>| match answer {
        Ok(()) | Err(ProbeError::Contradiction { .. }) => {}
        Err(ProbeError::TooMuchWork { work }) => refused.push(work),
        Err(error) => panic!("{error}"),
    };
    note(table.value(position).map(drop));
    note(table.best_move(position).map(drop));
    note(table.best_moves(position).map(drop));
    note(table.line(position).map(drop));
    // One move at a time, each a question of its own.
    note(table.moves(position).and_then(|moves| moves.take(1000).try_for_each(|choice| choice.map(drop))));
    refused
}

fn position(officers: u8, turn: Side) -> Position {
    let team: Vec<Cell> = (0..officers).map(|i| Cell::new(0, u16::from(i) % 3)).collect();
    Position::new(Pieces::new(&team).unwrap(), Cell::new(4, 4), turn)
}

/// Returns the game with other bytes in the section of the moves of officers, or of their captures.
fn with_lists(game: &PackedGame, section: Section, bytes: &[u8]) -> PackedGame {
    let mut header = game.header.clone();
    let lens = &mut header.kinds[0].lens;
    *(if section == Section::Captures(0) { &mut lens.captures } else { &mut lens.moves }) =
        bytes.len() as u32;
    let header = header.to_bytes().unwrap();
    let part = |other| if other == section { bytes } else { game.section(other) };
    let sections: Vec<&[u8]> = game.header.sections().map(part).collect();
    let len = (header.len() as u32).to_le_bytes();
    PackedGame::from_bytes(&[&len[..], &header, &sections.concat()].concat()).unwrap()
}

/// Returns the section with two lists for so many places: the first half of the places leads to `half` places
/// from its own on, and the second half to as many up to its own.
fn halves(half: u32, places: usize) -> Vec<u8> {
    // Numbers below 2^21.
    let leb128 = |number: u32| [number as u8 | 0x80, (number >> 7) as u8 | 0x80, (number >> 14) as u8];
    let mut bytes = vec![2];
    for first in [0, 2 * (half - 1) - 1] {
        bytes.extend(leb128(half));
        bytes.extend(leb128(first));
        bytes.resize(bytes.len() + half as usize - 1, 0);
    }
    bytes.extend((0..places).map(|place| u8::from(place >= places / 2)));
    bytes
}

/// Returns the game of an open board in so many worlds, on which every piece stays and captures on its own
/// cell.
fn still(size: usize, worlds: u32) -> PackedGame {
    let places = open(size).places();
    let count = worlds as usize * places.count();
    let own = |worlds: u32| {
        let (mut rows, here) = (MoveRows::new(count, u32::MAX), count as u32 / worlds);
        (0..count as u32).for_each(|place| rows.push([place % here]).unwrap());
        rows.finish()
    };
    let game = PursuitGame {
        worlds,
        kinds: vec![OfficerKind { pieces: 1, rows: size as u16 }],
        team: Team::All,
        stuck: Stuck::Loses,
        moves: [own(1), own(1)],
        places: [places.clone(), places],
        ends: TerminalRule::new(vec![false; count], Vec::new())
            .with_worlds(worlds)
            .with_captures(own(worlds)),
    };
    StoredGame::new(game).pack(tile_sizes(size as u16, 1, Favour::Speed)).unwrap()
}

#[test]
fn captures_that_would_take_gigabytes_are_refused_when_a_table_is_read_whole() {
    let scanned = |half: u32| {
        let game = with_lists(&still(128, 1), Section::Captures(0), &halves(half, 128 * 128));
        let table = Open::bytes(forge(&game, &Encoded::Constant(0))).pursuit().unwrap();
        // A question needs no table of captures.
        assert_eq!(table.winner(position(1, Side::Police)).unwrap(), Some(Side::Police));
        Scan::new(&table).map(drop).map_err(|error| error.to_string())
    };
    scanned(600).unwrap();
    assert!(scanned(8192).unwrap_err().contains("at most 67108864 moves of all cells together"));
}

#[test]
fn moves_that_take_long_to_join_over_all_worlds_give_opponents_no_steps() {
    // Each of 4 million places has a million moves, over a quarter of the worlds.
    let many = with_lists(&still(32, 4096), Section::OfficerMoves(0), &halves(1 << 20, 1 << 22));
    let table = Open::bytes(forge(&many, &Encoded::Constant(0))).pursuit().unwrap();
    assert!(ValuedGame::moves(&table, Side::Police, 1 << 22).is_none());
    // A piece stays in each of the worlds.
    let moves = ValuedGame::moves(&table, Side::Thief, 1 << 22).unwrap();
    assert!((0..1024).all(|place| moves.of(place).is_empty()));
}

#[test]
fn a_line_tells_a_capture_from_afar_from_an_arrival() {
    let places = Board::new(1, 5, vec![Square::Open; 5]).unwrap().places();
    let rows = |row: &dyn Fn(u32) -> Vec<u32>| {
        let mut rows = MoveRows::new(5, u32::MAX);
        (0..5).for_each(|place| rows.push(row(place)).unwrap());
        rows.finish()
    };
    let only = |cell: usize| (0..5).map(|place| place == cell).collect();
    // An officer sees the cell at the right, arrives on the last one, and the thief escapes on cell 3.
    let game = PursuitGame {
        worlds: 1,
        kinds: vec![OfficerKind { pieces: 1, rows: 1 }],
        team: Team::All,
        stuck: Stuck::Wins,
        moves: [rows(&|place| vec![place]), rows(&|_| Vec::new())],
        places: [places.clone(), places],
        ends: TerminalRule::new(only(3), only(4))
            .with_captures(rows(&|place| (place..5.min(place + 2)).collect())),
    };
    let game = StoredGame::new(game).pack(tile_sizes(1, 1, Favour::Speed)).unwrap();
    let table = Open::bytes(forge(&game, &Encoded::Constant(0))).pursuit().unwrap();
    let end = |police, thief, turn| {
        let position = Position::new(Cell::new(0, police), Cell::new(0, thief), turn);
        table.line(position).unwrap().end
    };
    for (police, thief, expected) in [
        (0, 0, LineEnd::Caught),
        (0, 1, LineEnd::Caught),
        (2, 3, LineEnd::Caught),
        (4, 4, LineEnd::Caught),
        (4, 0, LineEnd::Arrived),
        (0, 3, LineEnd::Escaped),
        (4, 3, LineEnd::Escaped),
    ] {
        assert_eq!(end(police, thief, Side::Police), expected, "{police} {thief}");
        assert_eq!(end(police, thief, Side::Thief), expected, "{police} {thief}");
    }
    assert_eq!(end(0, 2, Side::Thief), LineEnd::Stuck(Side::Thief));
}

#[test]
fn teams_with_millions_of_moves_are_refused() {
    for (size, steps) in [(6, 6), (7, 7)] {
        let rules = Rules { officers: 6, police: with_steps(steps, 1), ..Rules::classic() };
        let bytes = forge(&game(open(size), rules), &Encoded::Constant(0));
        let table = Open::bytes(bytes).pursuit().unwrap();
        assert_eq!(ask(&table, position(6, Side::Police)), [Work::Moves; 3]);
        // The line comes to a turn of the police.
        assert_eq!(ask(&table, position(6, Side::Thief)), [Work::Moves]);
    }
}

#[test]
fn pieces_that_go_anywhere_are_refused_where_it_takes_too_long() {
    let table = Open::bytes(forge(&far(128), &Encoded::Constant(3))).pursuit().unwrap();
    assert_eq!(ask(&table, position(1, Side::Police)), [Work::Values; 3]);
    assert_eq!(ask(&table, position(1, Side::Thief)), []);
    let table = Open::bytes(forge(&far(1000), &Encoded::Constant(3))).pursuit().unwrap();
    assert_eq!(ask(&table, position(1, Side::Police)), [Work::Moves; 4]);
    assert_eq!(ask(&table, position(1, Side::Thief)), [Work::Moves; 5]);
}

#[test]
fn frame_of_a_million_blocks_is_refused() {
    // A Zstandard frame whose content is that of a block, and a great many blocks of no bytes.
    let content = [[2, 1, 1].as_slice(), &[0, 1].repeat(32)].concat();
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x20, content.len() as u8];
    frame.extend([0, 0, 0].repeat(1_000_000));
    frame.extend(((content.len() as u32) << 3 | 1).to_le_bytes()[..3].iter());
    frame.extend(content);
    let tile = TileSize::new(8, 8).unwrap();
    let one = TileSize::new(1, 1).unwrap();
    let game = crate::support::packed(open(8), Rules::classic(), [one, tile]);
    let bytes = forge(&game, &Encoded::Zstd(frame));
    let table = Open::bytes(bytes).pursuit().unwrap();
    assert_eq!(ask(&table, position(1, Side::Police)), [Work::Bytes; 5]);
    assert_eq!(table.check_sums(|_| ()).unwrap().zstd, 64, "the table is whole");
}

#[test]
fn extent_that_is_claimed_for_blocks_of_different_sizes_is_refused() {
    // One extent holds the 256 slots of the first block, and is claimed for the others, which have fewer.
    let board = open(6);
    let codes: Vec<u32> = (0..16).map(|slot| 1 + slot % 3).collect();
    let tiles = TileSize::new(4, 4).unwrap();
    let game = crate::support::packed(board, Rules::classic(), [tiles, tiles]);
    let header = forge_header(&game);
    let (block, slots) = (RawBlock::new(&codes.repeat(16)), header.numbering().slots(0));
    assert_eq!(slots, 256);
    for encoded in [Encoder::for_speed().encode(&block), Encoder::new(Favour::Size, 9).encode(&block)] {
        let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
        let entry = writer.push(&encoded).unwrap();
        for _ in 1..header.numbering().positions().block_count() {
            writer.push_entry(entry);
        }
        for section in game.blocks() {
            writer.push(&Encoder::for_speed().encode(&section)).unwrap();
        }
        let bytes = writer.finish().unwrap().0.into_inner();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("forged.dtb");
        std::fs::write(&path, &bytes).unwrap();
        for table in [Open::path(&path).pursuit().unwrap(), Open::bytes(bytes).pursuit().unwrap()] {
            let at = |row, col| Position::new(Cell::new(0, 0), Cell::new(row, col), Side::Police);
            let whole = table.value(at(1, 1)).unwrap();
            assert!(matches!(table.value(at(1, 5)), Err(ProbeError::Table(_))), "{encoded:?}");
            assert!(matches!(table.value(at(5, 5)), Err(ProbeError::Table(_))), "{encoded:?}");
            assert_eq!(table.value(at(1, 1)).unwrap(), whole);
        }
    }
}

#[test]
fn usual_teams_are_within_the_limits() {
    let rules = Rules { officers: 4, ..Rules::classic() };
    let table = Open::bytes(forge(&game(open(9), rules), &Encoded::Constant(0))).pursuit().unwrap();
    let team = [(1, 1), (1, 7), (7, 1), (7, 7)].map(|(row, col)| Cell::new(row, col));
    let apart = Position::new(Pieces::new(&team).unwrap(), Cell::new(4, 4), Side::Police);
    assert_eq!(table.best_moves(apart).unwrap().len(), 9 * 9 * 9 * 9);
}

#[test]
fn table_is_asked_from_many_threads_while_it_is_refused() {
    let rules = Rules { officers: 6, police: with_steps(6, 1), ..Rules::classic() };
    let table = Arc::new(Open::bytes(forge(&game(open(6), rules), &Encoded::Constant(0))).pursuit().unwrap());
    let threads = [Side::Police, Side::Thief, Side::Police].map(|turn| {
        let table = Arc::clone(&table);
        std::thread::spawn(move || ask(&table, position(6, turn)).len())
    });
    assert_eq!(threads.map(|thread| thread.join().unwrap()), [3, 1, 3]);
}
