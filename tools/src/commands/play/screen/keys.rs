//! The commands that keys stand for: small letters step, capital letters command.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command of the human.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A step by rows down and columns right.
    Step(i32, i32),
    /// Stay, or go to the cursor.
    Confirm,
    /// Take back the last move.
    Undo,
    /// Switch hints on or off.
    Hints,
    /// Show or hide where the thief still gets away.
    Escape,
    /// Switch the cursor on or off.
    Cursor,
    /// Show the keys.
    Help,
    /// Leave the game.
    Quit,
    /// Leave the game as Ctrl-C ends any other command.
    Interrupt,
}

/// Returns the command of `key`, if it has one.
pub(super) fn command(key: KeyEvent) -> Option<Command> {
    use Command::{Confirm, Cursor, Escape, Help, Hints, Interrupt, Quit, Step, Undo};
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Interrupt),
            KeyCode::Char('d') => Some(Quit),
            KeyCode::Char('z') => Some(Undo),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('k' | '8') => Step(-1, 0),
        KeyCode::Down | KeyCode::Char('j' | '2') => Step(1, 0),
        KeyCode::Left | KeyCode::Char('h' | '4') => Step(0, -1),
        KeyCode::Right | KeyCode::Char('l' | '6') => Step(0, 1),
        KeyCode::Home | KeyCode::Char('y' | '7') => Step(-1, -1),
        KeyCode::PageUp | KeyCode::Char('u' | '9') => Step(-1, 1),
        KeyCode::End | KeyCode::Char('b' | '1') => Step(1, -1),
        KeyCode::PageDown | KeyCode::Char('n' | '3') => Step(1, 1),
        KeyCode::Enter | KeyCode::KeypadBegin | KeyCode::Char(' ' | '.' | '5') => Confirm,
        KeyCode::Backspace | KeyCode::Char('U') => Undo,
        KeyCode::Tab | KeyCode::Char('H') => Hints,
        KeyCode::Char('C') => Cursor,
        KeyCode::Char('E') => Escape,
        KeyCode::Char('?') | KeyCode::F(1) => Help,
        KeyCode::Char('q' | 'Q') => Quit,
        _ => return None,
    })
}

/// The keys, for the help.
pub(super) const KEYS: [(&str, &str); 8] = [
    ("arrows, hjkl", "step"),
    ("yubn", "diagonal step"),
    ("space, Enter", "stay, or to cursor"),
    ("C, mouse", "cursor, or to cell"),
    ("Tab, H", "what moves are worth"),
    ("E", "thief escapes: + = -"),
    ("U, Backspace", "take back"),
    ("q, Ctrl-C", "quit"),
];
