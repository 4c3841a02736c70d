//! The game on a terminal. The terminal is restored at the end, whatever happens.

mod keys;
mod table_view;
mod state;
mod draw;
#[cfg(test)]
mod tests;

use super::{game::Game, opponent::Opponent};
use crate::{failure::Failure, signals};
use keys::command;
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{
            self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEvent,
            MouseEventKind,
        },
        execute,
    },
    layout::{Position as Place, Size},
};
use state::Screen;
use std::{
    io, thread,
    time::{Duration, Instant},
};
use table_view::TableView;

/// How long the opponent seems to think: long enough to see whose move it was.
const PAUSE: Duration = Duration::from_millis(250);
/// Time between two looks for a signal.
const LOOK: Duration = Duration::from_millis(200);

/// Restores the terminal when it is dropped.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        // A failure cannot be shown anywhere.
        let _ = execute!(io::stdout(), DisableMouseCapture);
        // In a panic the hook of ratatui has restored the rest before the message.
        if !thread::panicking() {
            let _ = ratatui::try_restore();
        }
    }
}

/// Plays on the terminal until the human quits.
pub(super) fn play(opponent: &mut Opponent, game: &mut Game, hints: bool) -> Result<(), Failure> {
    signals::watch(|_, _| {}, "the game ends")?;
    #[cfg(unix)]
    let input = signals::Terminal::of_input();
    #[cfg(unix)]
    input.map_or(Ok(()), signals::Terminal::end_with_it)?;
    let mut screen = Screen::new(opponent, game, hints);
    let status = {
        let mut terminal =
            ratatui::try_init().map_err(|error| Failure::from(error).about("cannot set up the terminal"))?;
        let _restored = Restored;
        let captured = execute!(io::stdout(), EnableMouseCapture);
        let played = captured.map_err(Failure::from).and_then(|()| run(&mut screen, &mut terminal));
        // The library says on the terminal that it cannot restore it, and panics if there is none.
        #[cfg(unix)]
        if input.is_some_and(|input| input.is_closed()) {
            signals::hang_up();
        }
        played?
    };
    if status == 0 { Ok(()) } else { Err(Failure::Silent(status)) }
}

/// Draws and obeys until the human quits or a signal comes. Returns the exit status.
fn run(screen: &mut Screen, terminal: &mut DefaultTerminal) -> Result<u8, Failure> {
    let mut due: Option<Instant> = None;
    loop {
        if signals::received() {
            return Ok(signals::status());
        }
        if let Some(status) = screen.quit {
            return Ok(status);
        }
        terminal.draw(|frame| draw::draw(frame, screen))?;
        due = screen.game.is_opponents_turn().then(|| due.unwrap_or_else(|| Instant::now() + PAUSE));
        let wait = due.map_or(LOOK, |due| due.saturating_duration_since(Instant::now()).min(LOOK));
        if event::poll(wait)? {
            let event = event::read()?;
            let size = terminal.size()?;
            obey(screen, &event, size)?;
        } else if due.is_some_and(|due| Instant::now() >= due) {
            screen.reply()?;
            due = None;
        }
    }
}

fn obey(screen: &mut Screen, event: &Event, size: Size) -> Result<(), Failure> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            command(*key).map_or(Ok(()), |command| screen.obey(command))
        }
        Event::Mouse(MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column, row, .. }) => {
            let view = TableView::new(draw::board_area(size), screen.game.table.board(), screen.focus());
            view.cell_at(Place::new(*column, *row)).map_or(Ok(()), |cell| screen.choose(cell))
        }
        _ => Ok(()),
    }
}
