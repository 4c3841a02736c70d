//! Games without a human or a screen, for tests and for measuring how strong a difficulty is.

use crate::{
    app::Settings,
    game::{End, Game},
    maps::Arena,
    words,
};
use dragnet_probe::opponent::{Lots, Opponent};
use std::io::{self, Write};

/// Plays `games` games, the human's side perfectly and the other as `settings` say. Writes a line for each
/// game to `out`, then the numbers of wins, losses and draws.
///
/// # Errors
/// Returns an error if the table is damaged or `out` cannot be written. A closed pipe is no error: the games
/// end.
pub(crate) fn play(
    arena: &Arena,
    settings: Settings,
    games: u32,
    lots: &mut Lots,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let (mut won, mut lost) = (0, 0);
    for number in 1..=games {
        let start = settings.start.draw(arena, settings.side, lots)?;
        let mut game = Game::new(arena, settings.side, start)?;
        let mut perfect = Opponent::perfect(lots.draw());
        let mut other = settings.difficulty.opponent(arena.map, settings.side.other(), lots.draw())?;
        while game.end().is_none() {
            let player = if game.position().turn == settings.side { &mut perfect } else { &mut other };
            let Some(choice) = player.choose(&arena.table, game.position())? else { break };
            game.play(choice.to)?;
        }
        let how = match game.end() {
            Some(End::Won(winner)) if winner == settings.side => {
                won += 1;
                format!("{} wins", words::side(winner))
            }
            Some(End::Won(winner)) => {
                lost += 1;
                format!("{} wins", words::side(winner))
            }
            _ => "a draw".to_owned(),
        };
        let line = format!("{number}. {how} after {}. {}", words::plies(game.plies()), words::par(&game));
        if !written(writeln!(out, "{line}"))? {
            return Ok(());
        }
    }
    let draws = games - won - lost;
    let side = words::capital(words::side(settings.side));
    written(writeln!(out, "{side}, playing perfectly, won {won}, lost {lost}, drew {draws}."))?;
    Ok(())
}

/// Returns whether the line was written; `false` if the reader has closed the pipe.
fn written(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
