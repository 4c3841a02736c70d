//! The game: the board as text, moves as lines.

use super::{game::Game, opponent::Opponent, words};
use crate::{
    failure::Failure,
    output::{draw, human},
};
use dragnet_formats::{cell::Cell, pieces::Pieces, plain_text::PlainText};
use dragnet_probe::opponent::EscapeCone;
use std::io::{self, BufRead, Read, Write};

const HELP: &str = "\
A move is a cell as ROW,COL, a direction (n s w e nw ne sw se, or up down left right), or stay. With several
officers it has a word for each of them, in reading order. Other lines:
  moves  what every move is worth   hints  the same before each of your moves
  board  the board                  undo   take back
  escape from which cells the thief still gets away: + does, = draws, - loses
  help   this text                  q      quit";

/// The longest line that is read.
const LONGEST: u64 = 4096;

/// Moves that are listed at once.
const LISTED: usize = 30;

/// Plays until the game ends, the human quits or there are no more lines.
pub(super) fn play(opponent: &mut Opponent, game: &mut Game, mut hints: bool) -> Result<(), Failure> {
    let mut input = io::BufReader::new(PlainText::new(io::stdin().lock()));
    // Each line appears before the next one is read.
    let mut output = io::stdout().lock();
    writeln!(output, "{}", words::opening(game, &opponent.name()))?;
    show(game, &mut output)?;
    loop {
        while game.is_opponents_turn() {
            opponent.reply(game)?;
            writeln!(output, "{}", words::last_ply(game))?;
            show(game, &mut output)?;
        }
        if game.end().is_some() {
            for line in words::review(game)? {
                writeln!(output, "{line}")?;
            }
            writeln!(output, "{}; {}", words::ending(game), words::par(game))?;
            return Ok(());
        }
        if hints {
            list(game, &mut output)?;
        }
        writeln!(
            output,
            "your move from {} (help lists the words):",
            human::pieces(game.table.board(), &game.position().mover())
        )?;
        output.flush()?;
        loop {
            let Some(line) = read(&mut input)? else { return Ok(()) };
            match line.as_str() {
                "" => {}
                "q" | "quit" | "exit" => return Ok(()),
                "help" | "?" => writeln!(output, "{HELP}")?,
                "moves" => list(game, &mut output)?,
                "board" => show(game, &mut output)?,
                "escape" => show_cone(game, &mut output)?,
                "hints" => {
                    hints = !hints;
                    writeln!(output, "hints {}", if hints { "on" } else { "off" })?;
                    if hints {
                        list(game, &mut output)?;
                    }
                }
                "undo" | "u" => {
                    if game.undo()? {
                        opponent.forget();
                        writeln!(output, "taken back")?;
                        show(game, &mut output)?;
                        break;
                    }
                    writeln!(output, "you have made no move yet")?;
                }
                line => {
                    if make(line, hints, game, &mut output)? {
                        break;
                    }
                }
            }
            output.flush()?;
        }
    }
}

/// Reads a line without the spaces around it, and of one that is too long the beginning; `None` at the end of
/// the input.
fn read(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let read = |input: &mut dyn BufRead, line: &mut Vec<u8>| -> io::Result<()> {
        input.take(LONGEST).read_until(b'\n', line)?;
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        Ok(())
    };
    let mut line = Vec::new();
    read(input, &mut line).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Failure::input(format!("standard input: {error}")),
        _ => Failure::from(error),
    })?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

fn show(game: &Game, output: &mut impl Write) -> Result<(), Failure> {
    let (board, position) = (game.table.board(), game.position());
    let drawn = draw::board(board, &position.police, Some(position.thief));
    write!(output, "\n{drawn}\n{}\n", human::position(board, &position))?;
    Ok(())
}

/// Draws the cells around the thief from which he still gets away.
fn show_cone(game: &Game, output: &mut impl Write) -> Result<(), Failure> {
    let (board, position) = (game.table.board(), game.position());
    let cone = game.escape_cone()?;
    let drawn = draw::board(board, &position.police, Some(position.thief));
    for (line, row) in drawn.lines().zip(0..) {
        let signs =
            line.chars().zip(0..).map(|(sign, col)| match (sign, cone.outcome(Cell::new(row, col))) {
                ('.', Some(outcome)) => EscapeCone::sign(outcome),
                _ => sign,
            });
        writeln!(output, "{}", signs.collect::<String>())?;
    }
    writeln!(output, "{}", words::cone(&cone))?;
    Ok(())
}

/// Lists the best moves and what they are worth.
fn list(game: &Game, output: &mut impl Write) -> Result<(), Failure> {
    for choice in game.choices().iter().take(LISTED) {
        writeln!(output, "  {} {}", choice.to, words::worth(choice))?;
    }
    let more = game.choices().len().saturating_sub(LISTED);
    if more > 0 {
        writeln!(output, "  and {more} others, no better")?;
    }
    Ok(())
}

/// Makes the move that a line says. Returns whether it was one.
fn make(line: &str, hints: bool, game: &mut Game, output: &mut impl Write) -> Result<bool, Failure> {
    let pieces = game.position().mover();
    let (board, wrap) = (game.table.board(), human::wrap(game.table));
    let listed: Vec<&str> = line.split([' ', '\t', '+']).filter(|word| !word.is_empty()).collect();
    if listed.len() != pieces.len() {
        let words = human::counted(pieces.len() as u64, "word", "words");
        writeln!(
            output,
            "expected a move of {words}, found {:?}; help lists the words",
            human::shortened(line, 40)
        )?;
        return Ok(false);
    }
    let mut targets: Vec<Cell> = Vec::new();
    for (word, &from) in listed.iter().zip(pieces.cells()) {
        let Some(target) = words::target(word, from, board, wrap) else {
            writeln!(
                output,
                "expected a cell of the board, a direction or stay, found {:?}; help lists the words",
                human::shortened(word, 40)
            )?;
            return Ok(false);
        };
        targets.push(target);
    }
    let Ok(to) = Pieces::new(&targets) else { return Ok(false) };
    let best = game.value();
    let Some(made) = game.play(to)? else {
        writeln!(output, "no legal move: from {pieces} to {to}; moves lists all")?;
        return Ok(false);
    };
    if let Some(verdict) = words::verdict(best, made).filter(|_| hints) {
        writeln!(output, "{verdict}")?;
    }
    if game.end().is_some() {
        show(game, output)?;
    }
    Ok(true)
}
