//! The harness of board files.

use dragnet_formats::{
    board::{Board, ParseBoardError, Scenario, WriteBoardError, contest, movingai, text},
    plain_text::decode,
};
use std::borrow::Cow;

/// The most bytes of an error message, whatever the file.
const LONGEST_MESSAGE: usize = 600;

type Reader = fn(&[u8]) -> Result<Scenario, ParseBoardError>;

/// Checks that every reader of boards returns a board, or a short error whose place lies in the file.
///
/// A board that was read is written in each form and read again, and must be the same board. The text and the
/// contest form keep all start cells, and the contest form refuses floors and thin walls; a MovingAI map
/// loses the exits, which are set again.
///
/// # Panics
/// Panics if a promise is broken.
pub fn board(bytes: &[u8]) {
    let readers: [Reader; 4] = [Scenario::parse, text::parse, contest::parse, movingai::parse];
    for read in readers {
        match read(bytes) {
            Ok(scenario) => round_trip(&scenario),
            Err(error) => in_file(&error, bytes),
        }
    }
}

fn in_file(error: &ParseBoardError, bytes: &[u8]) {
    let message = error.to_string();
    assert!(message.len() <= LONGEST_MESSAGE, "{message}");
    assert!(!message.contains('\n'), "{message}");
    let lossy = || String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let text = decode(bytes).map_or_else(|_| lossy(), Cow::into_owned);
    let lines: Vec<&str> = text.split('\n').collect();
    let line = error.line.checked_sub(1).and_then(|line| lines.get(line));
    let line = line.unwrap_or_else(|| panic!("no such line: {message}"));
    assert!((1..=line.len() + 1).contains(&error.column), "no such column: {message}");
}

fn round_trip(scenario: &Scenario) {
    let board = &scenario.board;
    assert_eq!(board.squares().len(), usize::from(board.height()) * usize::from(board.width()));
    assert!(scenario.police.is_sorted_by(|a, b| a < b), "police not in reading order");
    for &start in scenario.police.iter().chain(&scenario.thief) {
        assert_eq!(board.require_open(start), Ok(start));
    }
    let written = text::write(scenario).expect("a board that was read can be written");
    assert_eq!(text::parse(written.as_bytes()).as_ref(), Ok(scenario));
    assert_eq!(Scenario::parse(written.as_bytes()).as_ref(), Ok(scenario));
    let text_only = board.floors() > 1 || !board.thin_walls().is_empty();
    match contest::write(scenario) {
        Err(WriteBoardError::TextOnly) if text_only => {}
        written => {
            let written = written.expect("a board that was read can be written");
            assert_eq!(contest::parse(written.as_bytes()).as_ref(), Ok(scenario));
            assert_eq!(Scenario::parse(written.as_bytes()).as_ref(), Ok(scenario));
        }
    }
    let written = movingai::write(board);
    let exits: Vec<_> = board.exits().collect();
    let again = Scenario::parse(written.as_bytes()).expect("a map that was written can be read").board;
    assert_eq!(again.exits().count(), 0);
    // The form has neither one-way squares nor letters, floors and thin walls.
    let (height, width) = (board.height().into(), board.width().into());
    let without_arrows = Board::new(height, width, board.squares().to_vec());
    assert_eq!(again.with_exits(&exits), without_arrows);
}
