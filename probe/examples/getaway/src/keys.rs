//! The commands that keys stand for.
//!
//! Small letters step, as `hjklyubn` do in older games. Capital letters command: `u` is a step and `U` takes
//! back.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command of the human. An open popup gives steps and [`Command::Confirm`] a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// A step by rows down and columns right.
    Step(i32, i32),
    /// Stay, or accept the choice of a popup.
    Confirm,
    /// Close the popup.
    Close,
    /// Take back the last move.
    Undo,
    /// Make again a move that was taken back.
    Redo,
    /// Open the menu of a new game.
    New,
    /// Switch hints on or off.
    Hints,
    /// Show or hide where the thief still gets away.
    Escape,
    /// Choose the next officer.
    Officer,
    /// Open the help.
    Help,
    /// Leave the game.
    Quit,
}

/// Returns the command of `key`, if it has one.
#[must_use]
pub(crate) fn command(key: KeyEvent) -> Option<Command> {
    use Command::{Close, Confirm, Escape, Help, Hints, New, Officer, Quit, Redo, Step, Undo};
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Quit),
            KeyCode::Char('r') => Some(Redo),
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
        KeyCode::Esc => Close,
        KeyCode::Backspace | KeyCode::Char('U') => Undo,
        KeyCode::Char('R') => Redo,
        KeyCode::Char('N') => New,
        KeyCode::Tab | KeyCode::Char('H') => Hints,
        KeyCode::Char('E') => Escape,
        KeyCode::Char('O') => Officer,
        KeyCode::Char('?') | KeyCode::F(1) => Help,
        KeyCode::Char('q' | 'Q') => Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_small_and_commands_capital() {
        let of = |c| command(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
        let steps = "hjklyubn".chars().map(|c| of(c).unwrap());
        let numbers = "42867913".chars().map(|c| of(c).unwrap());
        assert!(steps.eq(numbers));
        assert_eq!(
            "UNHREO".chars().filter_map(of).collect::<Vec<_>>(),
            [Command::Undo, Command::New, Command::Hints, Command::Redo, Command::Escape, Command::Officer]
        );
        assert_eq!(
            command(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)),
            Some(Command::Quit),
            "Ctrl-C is a key while the program has the terminal"
        );
        assert_eq!(of('x'), None);
    }
}
