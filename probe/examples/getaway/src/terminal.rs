//! The loop that reads events from the terminal and draws. The terminal is restored at the end, whatever
//! happens.

use crate::{
    app::App,
    keys::command,
    screen::{self, View, board_area},
};
use anyhow::{Context, ensure};
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
use std::{
    io::{self, IsTerminal},
    panic, thread,
    time::{Duration, Instant},
};

/// How long the opponent seems to think: long enough to see whose move it was.
const PAUSE: Duration = Duration::from_millis(250);

/// Restores the terminal when it is dropped.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        // In a panic the hook has restored the terminal before the message; a second time would hide the
        // message.
        if !thread::panicking() {
            // A failure cannot be shown anywhere.
            let _ = execute!(io::stdout(), DisableMouseCapture);
            ratatui::restore();
        }
    }
}

/// Plays on the terminal until the human quits.
///
/// # Errors
/// Returns an error if there is no terminal, or it cannot be read or written.
pub(crate) fn play(app: &mut App) -> anyhow::Result<()> {
    ensure!(
        io::stdin().is_terminal() && io::stdout().is_terminal(),
        "the game needs a terminal; --auto 10 plays without one"
    );
    let mut terminal = ratatui::try_init().context("cannot set up the terminal")?;
    let _restored = Restored;
    // The hook of ratatui does not release the mouse.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        hook(info);
    }));
    execute!(io::stdout(), EnableMouseCapture).context("cannot set up the mouse")?;
    show(&mut terminal, app)
}

fn show(terminal: &mut DefaultTerminal, app: &mut App) -> anyhow::Result<()> {
    let mut due: Option<Instant> = None;
    while !app.quit {
        terminal.draw(|frame| screen::draw(frame, app)).context("cannot draw")?;
        due = app.opponent_is_to_move().then(|| due.unwrap_or_else(|| Instant::now() + PAUSE));
        let now = Instant::now();
        let happened = match due {
            Some(due) => {
                event::poll(due.saturating_duration_since(now)).context("cannot read the terminal")?
            }
            None => true,
        };
        if happened {
            let event = event::read().context("cannot read the terminal")?;
            obey(app, &event, terminal.size().context("cannot ask for the terminal's size")?)?;
        } else {
            app.opponent_moves()?;
            due = None;
        }
    }
    Ok(())
}

fn obey(app: &mut App, event: &Event, size: Size) -> anyhow::Result<()> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            command(*key).map_or(Ok(()), |command| app.obey(command))
        }
        Event::Mouse(MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column, row, .. }) => {
            let view = View::new(board_area(size), app.game.arena.table.board());
            view.cell_at(Place::new(*column, *row)).map_or(Ok(()), |cell| app.point_at(cell))
        }
        _ => Ok(()),
    }
}
