//! Boards and histograms for people to look at.

use dragnet_formats::{
    board::{Board, Square},
    cell::Cell,
};
use std::fmt::Write;

/// Returns a drawing of the board with row and column numbers, and the pieces on it: `P` police, `T` thief,
/// `X` both on one cell. `police` must be in reading order.
pub(crate) fn board(board: &Board, police: &[Cell], thief: Option<Cell>) -> String {
    board_in_sight(board, police, thief, &[])
}

/// Returns the drawing of [`board`] with `░` for open squares that are among `seen`, which is in reading
/// order.
pub(crate) fn board_in_sight(board: &Board, police: &[Cell], thief: Option<Cell>, seen: &[Cell]) -> String {
    let margin = (board.height() - 1).to_string().len();
    let mut text = String::new();
    // The digits of a column number stand below each other: tens above ones.
    let digits = (board.width() - 1).to_string().len();
    for place in (0..digits as u32).rev() {
        let _ = write!(text, "{:margin$} ", "");
        for col in 0..board.width() {
            let power = 10u32.pow(place);
            let digit = u32::from(col) / power % 10;
            let shown = place == 0 || u32::from(col) >= power && u32::from(col).is_multiple_of(10);
            text.push(if shown { char::from_digit(digit, 10).unwrap_or(' ') } else { ' ' });
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    for (cell, square) in board.cells() {
        if cell.col == 0 {
            let _ = write!(text, "{:margin$} ", cell.row);
        }
        let (p, t) = (police.binary_search(&cell).is_ok(), thief == Some(cell));
        text.push(match square {
            _ if p && t => 'X',
            _ if p => 'P',
            _ if t => 'T',
            Square::Wall => '█',
            _ => match board.character(cell).filter(|&letter| letter != Square::Open.letter()) {
                Some(letter) => letter,
                None if seen.binary_search(&cell).is_ok() => '░',
                None => '·',
            },
        });
        if cell.col + 1 == board.width() {
            text.push('\n');
        }
    }
    text
}

/// Returns a bar for the share of `part` in `whole`, which is `width` columns long. A share above 0 is always
/// visible.
pub(crate) fn bar(part: u64, whole: u64, width: usize) -> String {
    const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if part == 0 || whole == 0 {
        return String::new();
    }
    let eighths = ((part as f64 / whole as f64 * width as f64 * 8.0).round() as usize).max(1);
    let mut text = "█".repeat(eighths / 8);
    text.extend(EIGHTHS.get((eighths % 8).wrapping_sub(1)));
    text
}
