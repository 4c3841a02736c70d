//! Readers, writers and makers of boards.

use dragnet_formats::{
    board::{
        Board, BoardError, ParseBoardError, Scenario, Square, WriteBoardError, contest, make, movingai, text,
    },
    cell::Cell,
    plain_text::decode,
};
use proptest::prelude::*;
use std::{borrow::Cow, collections::HashSet, fs, io::Write as _, path::Path};

type Parser = fn(&[u8]) -> Result<Scenario, ParseBoardError>;
const PARSERS: [Parser; 4] = [text::parse, contest::parse, movingai::parse, Scenario::parse];

// ---- Readers

#[test]
fn text_form_is_read() {
    let scenario = text::parse(b"*#. \nEPTP\n").unwrap();
    use Square::{Exit, Open, Wall};
    let squares = vec![Wall, Wall, Open, Open, Exit, Open, Open, Open];
    assert_eq!(scenario.board, Board::new(2, 4, squares).unwrap());
    assert_eq!(scenario.police, [Cell::new(1, 1), Cell::new(1, 3)]);
    assert_eq!(scenario.thief, Some(Cell::new(1, 2)));
    // Line ends, a byte order mark and empty lines at the end make no difference.
    for same in
        ["*#. \nEPTP", "*#. \r\nEPTP\r\n", "*#. \nEPTP\r", "\u{feff}*#. \nEPTP\n\n\r\n\n", "*#. \rEPTP\r"]
    {
        assert_eq!(text::parse(same.as_bytes()).as_ref(), Ok(&scenario), "{same:?}");
    }
    for same in ["2 4\n*#. \nEPTP\n", "\u{feff} 2\t 04 \r\n*#. \r\nEPTP\n\n\r\n"] {
        assert_eq!(contest::parse(same.as_bytes()).as_ref(), Ok(&scenario), "{same:?}");
        assert_eq!(Scenario::parse(same.as_bytes()).as_ref(), Ok(&scenario), "{same:?}");
    }
}

#[test]
fn movingai_maps_are_read() {
    let board = text::parse(b"...\n###\n#..\n").unwrap();
    for same in [
        "type octile\nheight 3\nwidth 3\nmap\n.GS\n@OT\nW..\n",
        "\u{feff}type  tile \r\nwidth 3\r\nheight 3\r\nmap\r\n.GS\r\n@OT\r\nW..\r\n\r\n\n",
    ] {
        assert_eq!(movingai::parse(same.as_bytes()).as_ref(), Ok(&board), "{same:?}");
        assert_eq!(Scenario::parse(same.as_bytes()).as_ref(), Ok(&board), "{same:?}");
    }
}

/// Checks pairs of an input and the whole message about it, with line and column.
#[track_caller]
fn refuses(parse: Parser, cases: &[(&[u8], &str)]) {
    for &(input, message) in cases {
        match parse(input) {
            Ok(scenario) => panic!("{:?} was read as {scenario:?}", String::from_utf8_lossy(input)),
            Err(error) => assert_eq!(error.to_string(), message, "{:?}", String::from_utf8_lossy(input)),
        }
    }
}

const SQUARES: &str = "expected one of '*' or '#' (wall), '.' or ' ' (open), 'E' (exit), '>', '<', '^' or 'v' (one-way), 'P' or 'T' \
     (start cells), or another letter, which the rules explain";

#[test]
fn malformed_texts_are_refused_at_the_place() {
    refuses(
        text::parse,
        &[
            (b"", "line 1, column 1: expected a row of squares, found an empty file"),
            (b"\xEF\xBB\xBF", "line 1, column 1: expected a row of squares, found an empty file"),
            (b"\n", "line 1, column 1: expected a row of squares, found an empty line"),
            (b"\r", "line 1, column 1: expected a row of squares, found an empty line"),
            (
                b"\xFF\xFE.",
                "line 1, column 1: expected a character of a text in UTF-8, found UTF-16 with a part of a character",
            ),
            (b"\r\n..\n", "line 1, column 1: expected a row of squares, found an empty line"),
            (b"..\n\n..\n", "line 2, column 1: expected 2 squares as in line 1, found an empty line"),
            (b"..\n\r\n\n.\n", "line 2, column 1: expected 2 squares as in line 1, found an empty line"),
            (b"........\n......\n", "line 2, column 7: expected 8 squares as in line 1, found 6"),
            (b"..\n..\n....\n", "line 3, column 3: expected 2 squares as in line 1, found 4"),
            (b".\n..\n", "line 2, column 2: expected 1 square as in line 1, found 2"),
            (b"..\n. x\n", "line 2, column 3: expected 2 squares as in line 1, found 3"),
            (
                b"T.\n.T\n",
                "line 2, column 2: expected one 'T' only, the one at line 1, column 1, found a second 'T'",
            ),
            (
                b"..\n\xFF.\n",
                "line 2, column 1: expected a character of a text in UTF-8, found the byte 0xFF",
            ),
            // Columns count characters, not bytes.
            ("é€\n".as_bytes(), &format!("line 1, column 1: {SQUARES}, found 'é'")),
            (
                b"\xC3\xA9.\xE2\x82\n",
                "line 1, column 3: expected a character of a text in UTF-8, found the byte 0xE2",
            ),
            (b".\t.\n", &format!("line 1, column 2: {SQUARES}, found '\\t'")),
            (b"..\r.\r.\r", "line 2, column 2: expected 2 squares as in line 1, found 1"),
            (b"..\n.?", &format!("line 2, column 2: {SQUARES}, found '?'")),
            (b".\0", "line 1, column 2: expected a character of a text in UTF-8, found the byte 0x00"),
            ("..\n\u{feff}..\n".as_bytes(), &format!("line 2, column 1: {SQUARES}, found '\\u{{feff}}'")),
        ],
    );
}

#[test]
fn malformed_contest_texts_are_refused_at_the_place() {
    refuses(
        contest::parse,
        &[
            (
                b"",
                "line 1, column 1: expected the numbers of rows and columns, for example '8 10', found an empty file",
            ),
            (
                b"\n",
                "line 1, column 1: expected the number of rows, a number from 1 to 65535, found an empty line",
            ),
            (
                b"  \n",
                "line 1, column 3: expected the number of rows, a number from 1 to 65535, found the end of the line",
            ),
            (
                b"2\n",
                "line 1, column 2: expected the number of columns, a number from 1 to 65535, found the end of the line",
            ),
            (
                b"0 2\n",
                "line 1, column 1: expected the number of rows, a number from 1 to 65535, found \"0\"",
            ),
            (
                b"2 -1\n",
                "line 1, column 3: expected the number of columns, a number from 1 to 65535, found \"-1\"",
            ),
            (
                b"+2 2\n",
                "line 1, column 1: expected the number of rows, a number from 1 to 65535, found \"+2\"",
            ),
            (
                b"2x2\n",
                "line 1, column 1: expected the number of rows, a number from 1 to 65535, found \"2x2\"",
            ),
            (
                b"1  65536\n",
                "line 1, column 4: expected the number of columns, a number from 1 to 65535, found \"65536\"",
            ),
            (
                b"99999999999999999999999999999999999 1\n",
                "line 1, column 1: expected the number of rows, a number from 1 to 65535, found \"99999999999999999999999999999999\" and more",
            ),
            (b"1 1 1\n.\n", "line 1, column 5: expected the end of the line, found \"1\""),
            (
                b"65535 65535\n",
                "line 1, column 7: expected a board of at most 1048576 squares with no side over 65535, found 65535x65535",
            ),
            (
                b"1024 1024\n",
                "line 2, column 1: expected row 1 of the 1024 that line 1 announces, found the end of the file",
            ),
            (
                b"2 3",
                "line 1, column 4: expected row 1 of the 2 that line 1 announces, found the end of the file",
            ),
            (
                b"2 3\n...\n",
                "line 3, column 1: expected row 2 of the 2 that line 1 announces, found the end of the file",
            ),
            (
                b"2 3\n...",
                "line 2, column 4: expected row 2 of the 2 that line 1 announces, found the end of the file",
            ),
            (
                b"2 3\n\n...\n...\n",
                "line 2, column 1: expected row 1 of the 2 that line 1 announces, found an empty line",
            ),
            (
                b"2 3\n...\n...\n...\n",
                "line 4, column 1: expected the end of the file after the 2 rows that line 1 announces, found one more line, \"...\"",
            ),
            (
                b"1 3\n...\n\n \n",
                "line 4, column 1: expected the end of the file after the 1 row that line 1 announces, found one more line, \" \"",
            ),
            (b"2 3\n..\n...\n", "line 2, column 3: expected 3 squares as line 1 announces, found 2"),
            (b"2 3\n...\n.....\n", "line 3, column 4: expected 3 squares as line 1 announces, found 5"),
            (
                b"2 3\nT..\n..T\n",
                "line 3, column 3: expected one 'T' only, the one at line 2, column 1, found a second 'T'",
            ),
            (b"1 3\n.@.\n", &format!("line 2, column 2: {SQUARES}, found '@'")),
            (b"1 \xFF3\n", "line 1, column 3: expected a character of a text in UTF-8, found the byte 0xFF"),
            (
                b"1 1\n.\n\xFF",
                "line 3, column 1: expected a character of a text in UTF-8, found the byte 0xFF",
            ),
        ],
    );
}

#[test]
fn malformed_maps_are_refused_at_the_place() {
    refuses(
        movingai::parse,
        &[
            (b"", "line 1, column 1: expected 'type octile', found an empty file"),
            (b"\n", "line 1, column 1: expected 'type octile', found an empty line"),
            (b"tipe octile\n", "line 1, column 1: expected 'type octile', found \"tipe\""),
            (
                b"type\n",
                "line 1, column 5: expected a word after 'type', for example 'octile', found the end of the line",
            ),
            (b"type a b\n", "line 1, column 8: expected the end of the line, found \"b\""),
            (
                b"type octile\n",
                "line 2, column 1: expected 'height' or 'width' and a number, found the end of the file",
            ),
            (
                b"type octile\nmap\n",
                "line 2, column 1: expected 'height' or 'width' and a number, found \"map\"",
            ),
            (
                b"type octile\nheight 1\nheight 1\n",
                "line 3, column 1: expected 'width' and a number, found \"height\"",
            ),
            (
                b"type octile\nwidth 1\nwidth 1\n",
                "line 3, column 1: expected 'height' and a number, found \"width\"",
            ),
            (
                b"type octile\nheight\n",
                "line 2, column 7: expected the number of rows, a number from 1 to 65535, found the end of the line",
            ),
            (
                b"type octile\nwidth 0\n",
                "line 2, column 7: expected the number of columns, a number from 1 to 65535, found \"0\"",
            ),
            (b"type octile\nheight 1 1\n", "line 2, column 10: expected the end of the line, found \"1\""),
            (b"type octile\nheight 1\nwidth 1\n.\n", "line 4, column 1: expected 'map', found \".\""),
            (
                b"type octile\nheight 1\nwidth 1\nmap x\n.\n",
                "line 4, column 5: expected the end of the line, found \"x\"",
            ),
            (
                b"type octile\nwidth 60000\nheight 60000\nmap\n",
                "line 3, column 8: expected a board of at most 1048576 squares with no side over 65535, found 60000x60000",
            ),
            (
                b"type octile\nwidth 2\nheight 2\nmap\n..\n",
                "line 6, column 1: expected row 2 of the 2 that line 3 announces, found the end of the file",
            ),
            (
                b"type octile\nwidth 2\nheight 1\nmap\n.\n",
                "line 5, column 2: expected 2 squares as line 2 announces, found 1",
            ),
            (
                b"type octile\nheight 1\nwidth 2\nmap\n..\n..\n",
                "line 6, column 1: expected the end of the file after the 1 row that line 2 announces, found one more line, \"..\"",
            ),
            (
                b"type octile\nheight 1\nwidth 2\nmap\n.E\n",
                "line 5, column 2: expected one of '.', 'G' or 'S' (open), '@', 'O', 'T' or 'W' (wall), found 'E'",
            ),
        ],
    );
}

#[test]
fn texts_of_too_large_boards_are_refused() {
    let refused = |input: String, place: (usize, usize), found: &str| {
        let error = text::parse(input.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column, error.found.as_str()), (place.0, place.1, found));
        assert_eq!(error.expected, "a board of at most 1048576 squares with no side over 65535");
    };
    refused(".".repeat(65_536), (1, 65_536), "1x65536");
    refused(".\n".repeat(65_536), (65_536, 1), "65536x1");
    refused((".".repeat(1024) + "\n").repeat(1026), (1025, 1), "1025x1024");
    // The largest ones.
    for (height, width) in [(1, 65_535), (65_535, 1), (1024, 1024)] {
        let input = (".".repeat(width) + "\n").repeat(height);
        assert_eq!(text::parse(input.as_bytes()).unwrap().board, make::open(height, width).unwrap());
        let input = format!("{height} {width}\n{input}");
        assert_eq!(contest::parse(input.as_bytes()).unwrap().board, make::open(height, width).unwrap());
    }
}

// ---- Writers

#[test]
fn writers_write_the_three_forms() {
    let scenario = text::parse(b"* E\nPTP\n").unwrap();
    assert_eq!(text::write(&scenario).unwrap(), "#.E\nPTP\n");
    assert_eq!(contest::write(&scenario).unwrap(), "2 3\n#.E\nPTP\n");
    assert_eq!(movingai::write(&scenario.board), "type octile\nheight 2\nwidth 3\nmap\n@..\n...\n");
}

#[test]
fn arrows_are_written_as_they_are_read() {
    let picture = "P><\n^.v\n";
    let scenario = text::parse(picture.as_bytes()).unwrap();
    assert_eq!(text::write(&scenario).unwrap(), picture);
    assert_eq!(contest::parse(contest::write(&scenario).unwrap().as_bytes()), Ok(scenario.clone()));
    assert!(scenario.board.squares().iter().all(|&square| square == Square::Open));
    assert_ne!(scenario.board, text::parse(b"P<>\n^.v\n").unwrap().board);
    let cell = Cell::new(0, 1);
    let refused = scenario.board.with_exits(&[cell]).unwrap_err();
    assert_eq!(refused, BoardError::Letter { cell, letter: '>' });
    assert_eq!(refused.to_string(), "cell 0,1 has the letter '>'; expected another cell for an exit");
    let on_arrow = Scenario { thief: Some(cell), ..scenario };
    assert_eq!(text::write(&on_arrow), Err(WriteBoardError::StartOnLetter { cell, letter: '>' }));
}

#[test]
fn scenarios_that_a_text_would_change_are_not_written() {
    let board = text::parse(b"#.E\n").unwrap().board;
    let (wall, open, exit, off) = (Cell::new(0, 0), Cell::new(0, 1), Cell::new(0, 2), Cell::new(1, 0));
    let refused = |police: &[Cell], thief, error: WriteBoardError| {
        let scenario = Scenario { board: board.clone(), police: police.to_vec(), thief };
        assert_eq!(text::write(&scenario).as_ref(), Err(&error));
        assert_eq!(contest::write(&scenario), Err(error));
    };
    refused(&[exit], None, WriteBoardError::StartOnLetter { cell: exit, letter: 'E' });
    refused(&[], Some(exit), WriteBoardError::StartOnLetter { cell: exit, letter: 'E' });
    refused(&[wall], None, WriteBoardError::Start(BoardError::OnWall { cell: wall }));
    refused(&[], Some(off), WriteBoardError::Start(BoardError::OffBoard { cell: off, height: 1, width: 3 }));
    refused(&[open], Some(open), WriteBoardError::SharedStart { cell: open });
    refused(&[open, open], None, WriteBoardError::SharedStart { cell: open });
}

// ---- Makers

/// The boards in `golden/` were made once, looked at, and stay: a seed means the same board for ever.
#[test]
fn makers_return_the_golden_boards() {
    let golden = [
        ("open-1x1", make::open(1, 1)),
        ("open-3x5", make::open(3, 5)),
        ("random-8x12-d0.3-s1", make::random(8, 12, 0.3, 1)),
        ("random-9x9-d0.5-s18446744073709551615", make::random(9, 9, 0.5, u64::MAX)),
        ("maze-9x15-e0-s1", make::maze(9, 15, 0, 1)),
        ("maze-9x15-e0-s2", make::maze(9, 15, 0, 2)),
        ("maze-11x11-e5-s3", make::maze(11, 11, 5, 3)),
        ("maze-6x8-e1000-s4", make::maze(6, 8, 1000, 4)),
        ("rooms-7x7-s1", make::rooms(7, 7, 1)),
        ("rooms-16x24-s1", make::rooms(16, 24, 1)),
        ("rooms-24x40-s2", make::rooms(24, 40, 2)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    // Golden tables stand there too, each with its dump, and the program that dumps them.
    let is_board =
        |path: &Path| path.extension().is_some_and(|e| e == "txt") && !path.with_extension("dtb").exists();
    let boards = fs::read_dir(&folder).unwrap().filter(|entry| is_board(&entry.as_ref().unwrap().path()));
    assert_eq!(boards.count(), golden.len(), "each file has its case");
    for (name, made) in golden {
        let expected = fs::read(folder.join(name).with_added_extension("txt")).unwrap();
        assert_eq!(made.unwrap(), text::parse(&expected).unwrap().board, "{name}");
    }
}

#[test]
fn makers_refuse_impossible_sizes_and_densities() {
    type Maker = fn(usize, usize) -> Result<Board, BoardError>;
    let makers: [Maker; 4] = [
        make::open,
        |h, w| make::random(h, w, 0.5, 1),
        |h, w| make::maze(h, w, 1, 1),
        |h, w| make::rooms(h, w, 1),
    ];
    for make in makers {
        for (height, width) in [(0, 0), (0, 5), (5, 0)] {
            assert_eq!(make(height, width), Err(BoardError::Empty { height, width }));
        }
        for (height, width) in [(65_536, 1), (1, 65_536), (1025, 1024), (usize::MAX, usize::MAX)] {
            assert_eq!(make(height, width), Err(BoardError::TooLarge { height, width }));
        }
        for (height, width) in [(1, 65_535), (65_535, 1), (1024, 1024)] {
            assert!(make(height, width).is_ok());
        }
    }
    for (density, found) in
        [(-0.1, "-0.1"), (1.5, "1.5"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")]
    {
        let error = make::random(3, 3, density, 1).unwrap_err();
        assert_eq!(error, BoardError::Density { found: found.to_owned() });
        assert_eq!(error.to_string(), format!("expected a share of walls from 0 to 1, found {found}"));
    }
}

#[test]
fn density_is_the_share_of_walls() {
    let share = |density| {
        let board = make::random(200, 200, density, 5).unwrap();
        1.0 - board.open_count() as f64 / 40_000.0
    };
    assert_eq!(share(0.0), 0.0);
    assert_eq!(share(-0.0), 0.0);
    assert_eq!(share(1.0), 1.0);
    for density in [0.1, 0.35, 0.5, 0.9] {
        assert!((share(density) - density).abs() < 0.015, "{density}: {}", share(density));
    }
}

#[test]
fn different_seeds_return_different_boards() {
    assert_ne!(make::random(16, 16, 0.5, 1), make::random(16, 16, 0.5, 2));
    assert_ne!(make::maze(17, 17, 0, 1), make::maze(17, 17, 0, 2));
    assert_ne!(make::rooms(32, 32, 1), make::rooms(32, 32, 2));
}

/// Returns the number of open cells that can be reached from the first, and of neighbouring pairs of open
/// cells.
fn reach(board: &Board) -> (usize, usize) {
    let neighbours = |cell: Cell| {
        [
            cell.row.checked_sub(1).map(|row| Cell::new(row, cell.col)),
            cell.col.checked_sub(1).map(|col| Cell::new(cell.row, col)),
            Some(Cell::new(cell.row + 1, cell.col)),
            Some(Cell::new(cell.row, cell.col + 1)),
        ]
        .into_iter()
        .flatten()
        .filter(|&next| board.is_open(next))
        .collect::<Vec<_>>()
    };
    let mut seen = HashSet::new();
    let mut todo: Vec<Cell> = board.open_cells().take(1).collect();
    while let Some(cell) = todo.pop() {
        if seen.insert(cell) {
            todo.extend(neighbours(cell));
        }
    }
    let ends: usize = board.open_cells().map(|cell| neighbours(cell).len()).sum();
    (seen.len(), ends / 2)
}

proptest! {
    #[test]
    fn mazes_are_trees_plus_extra_passages(h in 1usize..40, w in 1usize..40, extra in 0usize..60, seed: u64) {
        let maze = make::maze(h, w, 0, seed).unwrap();
        let (rows, cols) = (h.div_ceil(2), w.div_ceil(2));
        let count = maze.open_count();
        prop_assert_eq!(count, 2 * rows * cols - 1);
        prop_assert_eq!(reach(&maze), (count, count - 1));

        let looped = make::maze(h, w, extra, seed).unwrap();
        let walls = (rows - 1) * (cols - 1);
        let opened = extra.min(walls);
        prop_assert_eq!(reach(&looped), (count + opened, count - 1 + 2 * opened));
        for cell in maze.open_cells() {
            prop_assert!(looped.is_open(cell));
        }
        for (cell, square) in looped.cells() {
            let (row, col) = (usize::from(cell.row), usize::from(cell.col));
            if row % 2 == 0 && col % 2 == 0 {
                prop_assert_eq!(square, Square::Open);
            } else if row >= 2 * rows - 1 || col >= 2 * cols - 1 || (row % 2 == 1 && col % 2 == 1) {
                prop_assert_eq!(square, Square::Wall);
            }
        }
    }

    #[test]
    fn rooms_are_connected(h in 1usize..60, w in 1usize..60, seed: u64) {
        let board = make::rooms(h, w, seed).unwrap();
        prop_assert_eq!(reach(&board).0, board.open_count());
        prop_assert_eq!(board.open_count() < h * w, h.max(w) > 7 && h.min(w) > 1, "walls on larger boards only");
        // The whole board is divided: in odd columns, which have no doors, no open run is longer than a room.
        if h > 7 && w > 7 {
            for cell in board.open_cells() {
                let run = (0..).take_while(|&i| board.is_open(Cell::new(cell.row + i, cell.col))).count();
                let doors_here = cell.col % 2 == 0;
                prop_assert!(run <= 7 || doors_here);
            }
        }
    }

    #[test]
    fn makers_are_deterministic(h in 1usize..30, w in 1usize..30, density in 0.0f64..=1.0, seed: u64) {
        prop_assert_eq!(make::random(h, w, density, seed), make::random(h, w, density, seed));
        prop_assert_eq!(make::maze(h, w, 3, seed), make::maze(h, w, 3, seed));
        prop_assert_eq!(make::rooms(h, w, seed), make::rooms(h, w, seed));
    }
}

// ---- Round trips and hostile bytes

/// Random boards with exits, walls, and starts on open cells.
fn scenarios() -> impl Strategy<Value = Scenario> {
    (1usize..12, 1usize..12)
        .prop_flat_map(|(h, w)| {
            let square = prop_oneof![3 => Just('.'), 2 => Just('#'), 1 => Just('E'), 1 => Just('P')];
            (Just((h, w)), proptest::collection::vec(square, h * w), proptest::option::of(0..h * w))
        })
        .prop_map(|((h, w), mut marks, thief)| {
            if let Some(thief) = thief {
                marks[thief] = 'T';
            }
            let cell = |i: usize| Cell::new((i / w) as u16, (i % w) as u16);
            let squares = marks.iter().map(|mark| match mark {
                '#' => Square::Wall,
                'E' => Square::Exit,
                _ => Square::Open,
            });
            Scenario {
                board: Board::new(h, w, squares.collect()).expect("a small board"),
                police: (0..h * w).filter(|&i| marks[i] == 'P').map(cell).collect(),
                thief: thief.map(cell),
            }
        })
}

fn reads_as(parse: Parser, text: &str, scenario: &Scenario) -> Result<(), TestCaseError> {
    let read = parse(text.as_bytes());
    prop_assert_eq!(read.as_ref(), Ok(scenario));
    Ok(())
}

proptest! {
    #[test]
    fn written_scenarios_are_read_back(scenario in scenarios()) {
        let plain = text::write(&scenario).unwrap();
        reads_as(text::parse, &plain, &scenario)?;
        reads_as(Scenario::parse, &plain, &scenario)?;
        reads_as(text::parse, &plain.replace('\n', "\r\n"), &scenario)?;

        let sized = contest::write(&scenario).unwrap();
        reads_as(contest::parse, &sized, &scenario)?;
        reads_as(Scenario::parse, &sized, &scenario)?;

        let exits: Vec<Cell> = scenario.board.exits().collect();
        let map = movingai::write(&scenario.board);
        let read = movingai::parse(map.as_bytes()).unwrap();
        reads_as(Scenario::parse, &map, &read)?;
        prop_assert_eq!(&read, &Scenario::from_board(scenario.board.with_exits(&[]).unwrap()));
        prop_assert_eq!(read.board.with_exits(&exits).unwrap(), scenario.board);
    }

    #[test]
    fn no_bytes_make_a_parser_panic(bytes: Vec<u8>) {
        for parse in PARSERS {
            check(parse(&bytes), &bytes)?;
        }
    }

    /// Text of parts that parsers know, so that it gets further into them.
    #[test]
    fn no_likely_bytes_make_a_parser_panic(text in "(\u{feff})?(type o\n)?(height [0-9]{1,2}\nwidth [0-9]\nmap|[0-9]{1,5} [0-9])?[\r\n.#*EPT@WGS \t0-9é]{0,60}") {
        for parse in PARSERS {
            check(parse(text.as_bytes()), text.as_bytes())?;
        }
    }

    #[test]
    fn no_mutated_board_makes_a_parser_panic(
        scenario in scenarios(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..6),
    ) {
        let texts =
            [text::write(&scenario).unwrap(), contest::write(&scenario).unwrap(), movingai::write(&scenario.board)];
        for text in texts {
            let mut bytes = text.into_bytes();
            for (at, byte, kind) in &edits {
                let i = at.index(bytes.len().max(1));
                match kind {
                    _ if bytes.is_empty() => bytes.push(*byte),
                    0 => bytes[i] = *byte,
                    1 => bytes.insert(i, *byte),
                    2 => drop(bytes.remove(i)),
                    _ => bytes.truncate(i),
                }
            }
            for parse in PARSERS {
                check(parse(&bytes), &bytes)?;
            }
        }
    }
}

/// Checks that a board that was read is consistent, or that an error points into the text or just behind it
/// and has words for both sides.
fn check(result: Result<Scenario, ParseBoardError>, bytes: &[u8]) -> Result<(), TestCaseError> {
    match result {
        Ok(scenario) => {
            let Scenario { board, police, thief } = &scenario;
            prop_assert!(board.squares().len() <= bytes.len());
            prop_assert!(police.iter().chain(thief).all(|&cell| board.square(cell) == Some(Square::Open)));
            reads_as(text::parse, &text::write(&scenario).expect("starts are on open cells"), &scenario)?;
        }
        Err(error) => {
            let lossy = || String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
            let text = decode(bytes).map_or_else(|_| lossy(), Cow::into_owned);
            let lines: Vec<&str> = text.split('\n').collect();
            prop_assert!((1..=lines.len()).contains(&error.line), "{error}");
            prop_assert!((1..=lines[error.line - 1].len() + 1).contains(&error.column), "{error}");
            prop_assert!(!error.expected.is_empty() && !error.found.is_empty());
        }
    }
    Ok(())
}

// ---- Maps of the benchmarks

/// The maps are large and under a licence of their own, so they lie beside the workspace, if at all.
#[test]
fn shared_maps_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/maps");
    if !folder.is_dir() {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no folder {}", folder.display()).unwrap();
        return;
    }
    let mut read = 0;
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if kind != "map" && kind != "txt" {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let content = String::from_utf8_lossy(&bytes);
            let (size, scenario) = if kind == "map" {
                let side = |name| content.lines().take(4).find_map(|line| line.strip_prefix(name)).unwrap();
                let size = (side("height ").trim().parse().unwrap(), side("width ").trim().parse().unwrap());
                (size, movingai::parse(&bytes))
            } else {
                ((content.lines().count(), content.lines().next().unwrap().len()), text::parse(&bytes))
            };
            let scenario = scenario.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let board = &scenario.board;
            assert_eq!((usize::from(board.height()), usize::from(board.width())), size, "{}", path.display());
            assert_eq!(Scenario::parse(&bytes).as_ref(), Ok(&scenario), "{}", path.display());
            assert!(board.open_count() > 0, "{}", path.display());
            read += 1;
        }
    }
    assert!(read > 0, "no map in the folder");
    eprintln!("{read} maps read");
}
