//! The state of the screen, and the commands that change it.

use super::keys::Command;
use crate::{
    commands::play::{game::Game, opponent::Opponent, words},
    failure::Failure,
    output::human,
};
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use dragnet_probe::opponent::EscapeCone;

/// The exit status after Ctrl-C, which is a key while the game has the terminal.
const INTERRUPTED: u8 = 130;

/// The state of the screen.
pub(super) struct Screen<'a, 'b> {
    pub(super) opponent: &'a mut Opponent,
    pub(super) game: &'a mut Game<'b>,
    /// Whether hints are shown.
    pub(super) hints: bool,
    /// The cells from which the thief still gets away, if they are shown.
    pub(super) cone: Option<EscapeCone>,
    /// The cells chosen for the first of the human's pieces; a move is made when all have theirs.
    pub(super) chosen: Vec<Cell>,
    /// The cell that the arrow keys move and Enter chooses, if a key does not step at once.
    pub(super) cursor: Option<Cell>,
    /// The review of the human's moves, line by line, once the game has ended.
    pub(super) review: Vec<String>,
    /// The last event, in words.
    pub(super) message: String,
    /// Whether the keys are listed.
    pub(super) help: bool,
    /// Whether the human wants to leave, and with which exit status.
    pub(super) quit: Option<u8>,
}

impl<'a, 'b> Screen<'a, 'b> {
    /// Creates the screen of a game that begins.
    pub(super) fn new(opponent: &'a mut Opponent, game: &'a mut Game<'b>, hints: bool) -> Screen<'a, 'b> {
        let message = words::opening(game, &opponent.name());
        let chosen = Vec::new();
        let mut screen = Screen {
            opponent,
            game,
            hints,
            cone: None,
            review: Vec::new(),
            chosen,
            cursor: None,
            message,
            help: false,
            quit: None,
        };
        screen.look_for_the_end();
        screen.place_cursor();
        screen
    }

    pub(super) fn obey(&mut self, command: Command) -> Result<(), Failure> {
        if self.help && !matches!(command, Command::Quit | Command::Interrupt) {
            self.help = false;
            return Ok(());
        }
        match command {
            Command::Quit => self.quit = Some(0),
            Command::Interrupt => self.quit = Some(INTERRUPTED),
            Command::Help => self.help = true,
            Command::Hints => self.hints = !self.hints,
            Command::Undo if self.chosen.pop().is_some() => self.place_cursor(),
            Command::Escape => {
                self.cone = if self.cone.is_some() { None } else { Some(self.game.escape_cone()?) };
            }
            Command::Undo => {
                self.opponent.forget();
                self.review.clear();
                self.message =
                    if self.game.undo()? { "taken back" } else { "you have made no move yet" }.to_owned();
                self.look_again()?;
                self.place_cursor();
            }
            Command::Cursor => {
                self.cursor = if self.cursor.is_some() { None } else { self.piece() };
            }
            Command::Step(down, right) => {
                let (board, rules) = (self.game.table.board(), self.game.table.rules());
                match (self.cursor, self.piece()) {
                    (Some(at), _) => self.cursor = words::step(at, (down, right), board, rules).or(Some(at)),
                    (None, Some(from)) => match words::step(from, (down, right), board, rules) {
                        Some(to) => self.choose(to)?,
                        None => self.message = "there the board ends".to_owned(),
                    },
                    (None, None) => {}
                }
            }
            Command::Confirm => {
                if let Some(to) = self.cursor.or(self.piece()) {
                    self.choose(to)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the cell of the human's piece that moves next, if the human is to move.
    pub(super) fn piece(&self) -> Option<Cell> {
        let pieces = self.game.is_humans_turn().then(|| self.game.position().mover())?;
        pieces.cells().get(self.chosen.len()).copied()
    }

    /// Returns the cell that must be in sight.
    pub(super) fn focus(&self) -> Cell {
        let position = self.game.position();
        let own = if self.game.human == Side::Police { position.police.cell() } else { position.thief };
        self.cursor.or(self.piece()).unwrap_or(own)
    }

    /// Puts the cursor on the next piece, if the moves of the human's side are no single steps.
    fn place_cursor(&mut self) {
        let movement = self.game.table.rules().movement(self.game.human);
        let near = |&(down, right): &(i16, i16)| down.abs().max(right.abs()) == 1;
        let steps = movement.steps == 1 && movement.reach == 1 && movement.moves.offsets().iter().all(near);
        self.cursor = if steps { None } else { self.piece() };
    }

    /// Chooses the cell of the human's next piece. If the opponent is still to move, it moves first.
    pub(super) fn choose(&mut self, to: Cell) -> Result<(), Failure> {
        self.reply()?;
        let Some(from) = self.piece() else { return Ok(()) };
        self.chosen.push(to);
        if !self.game.is_possible(&self.chosen) {
            self.chosen.pop();
            self.message = format!("no legal move leads from {from} to {to}");
            return Ok(());
        }
        let pieces = self.game.position().mover();
        if self.chosen.len() == pieces.len() {
            let targets = std::mem::take(&mut self.chosen);
            let Ok(team) = Pieces::new(&targets) else { return Ok(()) };
            let best = self.game.value();
            self.message = match self.game.play(team)? {
                Some(made) if self.hints => words::verdict(best, made).unwrap_or_default().to_owned(),
                Some(_) => String::new(),
                None => format!("no legal move leads to {team}"),
            };
            self.look_for_the_end();
            self.look_again()?;
        }
        self.place_cursor();
        Ok(())
    }

    /// Makes the opponent's move, if it is to move.
    pub(super) fn reply(&mut self) -> Result<(), Failure> {
        if self.game.is_opponents_turn() {
            self.opponent.reply(self.game)?;
            self.message = words::last_ply(self.game);
            self.look_for_the_end();
            self.look_again()?;
            self.place_cursor();
        }
        Ok(())
    }

    /// Asks anew for what is shown of the position, and rates the game if it has ended.
    fn look_again(&mut self) -> Result<(), Failure> {
        if self.cone.is_some() {
            self.cone = Some(self.game.escape_cone()?);
        }
        self.review = if self.game.end().is_some() { words::review(self.game)? } else { Vec::new() };
        Ok(())
    }

    fn look_for_the_end(&mut self) {
        if self.game.end().is_some() {
            self.message = words::ending(self.game);
        }
    }

    /// Returns what is to be done, in words.
    pub(super) fn turn(&self) -> String {
        let board = self.game.table.board();
        if self.game.end().is_some() {
            return format!("{}; U takes back, q quits", words::par(self.game));
        }
        let Some(piece) = self.piece() else {
            return format!("the {} is to move", self.game.position().turn);
        };
        let officers = self.game.position().mover().len();
        let which = match officers {
            1 => format!("your move from {}", human::pieces(board, &piece.into())),
            _ => format!("officer {} of {officers}, on {piece}", self.chosen.len() + 1),
        };
        match self.cursor {
            Some(cursor) => format!("{which}: to {cursor} (arrows choose, Enter goes)"),
            None => which,
        }
    }
}
