//! The state of the program: the game, the popup over it, and the commands that change them.

#[cfg(test)]
mod tests;

use crate::{
    difficulty::Difficulty,
    game::{End, Game},
    keys::Command,
    maps::Arena,
    start::Start,
    words,
};
use anyhow::Context;
use dragnet_probe::{
    Cell, Position, Side,
    opponent::{EscapeCone, Lots, Opponent, Review},
};

/// The choices of which a new game is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The index of the map in [`MAPS`](crate::maps::MAPS).
    pub(crate) map: usize,
    /// The human's side.
    pub(crate) side: Side,
    /// How well the opponent plays.
    pub(crate) difficulty: Difficulty,
    /// Where the game begins.
    pub(crate) start: Start,
}

impl Settings {
    /// The number of lines of the menu.
    pub(crate) const ROWS: usize = 4;

    /// Chooses the next or the previous value in line `row` of the menu.
    fn change(&mut self, row: usize, forward: bool, maps: usize) {
        let turn = |at: usize, count: usize| (at + if forward { 1 } else { count - 1 }) % count;
        let place = |found: Option<usize>| found.unwrap_or(0);
        match row {
            0 => self.map = turn(self.map, maps),
            1 => self.side = self.side.other(),
            2 => {
                let at = place(Difficulty::ALL.iter().position(|&one| one == self.difficulty));
                self.difficulty = Difficulty::ALL[turn(at, Difficulty::ALL.len())];
            }
            _ => {
                let at = place(Start::ALL.iter().position(|&one| one == self.start));
                self.start = Start::ALL[turn(at, Start::ALL.len())];
            }
        }
    }
}

/// A window that covers a part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Popup {
    /// The menu of a new game.
    Menu {
        /// The line that the arrow keys change.
        row: usize,
        /// The choices so far.
        settings: Settings,
    },
    /// Rules and keys.
    Help,
    /// The result of the game.
    Over,
}

/// The state of the program.
#[derive(Debug)]
pub(crate) struct App<'a> {
    /// Every map.
    pub(crate) arenas: &'a [Arena],
    /// The choices of which the game on the board was made.
    pub(crate) settings: Settings,
    /// The game on the board.
    pub(crate) game: Game<'a>,
    /// The open popup.
    pub(crate) popup: Option<Popup>,
    /// The last event, in words.
    pub(crate) message: String,
    /// Whether hints are shown.
    pub(crate) hints: bool,
    /// Whether the cells are coloured from which the thief still gets away.
    pub(crate) escape: bool,
    /// Whether the human has moved with hints or these colours in this game.
    pub(crate) hinted: bool,
    /// Whether the human wants to leave.
    pub(crate) quit: bool,
    /// The rating of the human's moves, once the game has ended.
    pub(crate) review: Option<Review>,
    /// The name of the game in the title, if it is not of the human's choice.
    pub(crate) of_the_day: Option<String>,
    opponent: Opponent,
    /// The cell of the officer that the keys move.
    officer: Option<Cell>,
    under_help: Option<Popup>,
    lots: Lots,
}

impl<'a> App<'a> {
    /// Begins a first game as `settings` say. All lots are drawn from `lots`.
    ///
    /// # Errors
    /// Returns an error if there is no such map, or its table is damaged.
    pub(crate) fn new(arenas: &'a [Arena], settings: Settings, mut lots: Lots) -> anyhow::Result<App<'a>> {
        let game = new_game(arenas, settings, &mut lots)?;
        let message = words::opening(&game);
        let opponent = opponent(&game, settings, lots.draw())?;
        Ok(App {
            arenas,
            settings,
            game,
            popup: None,
            message,
            hints: false,
            escape: false,
            hinted: false,
            quit: false,
            review: None,
            of_the_day: None,
            opponent,
            officer: None,
            under_help: None,
            lots,
        })
    }

    /// Opens the menu of a new game.
    pub(crate) fn open_menu(&mut self) {
        self.popup = Some(Popup::Menu { row: 0, settings: self.settings });
    }

    /// Returns whether the opponent may make its move now: it is to move, and no popup is open.
    #[must_use]
    pub(crate) fn opponent_is_to_move(&self) -> bool {
        self.popup.is_none() && self.game.end().is_none() && self.game.position().turn != self.game.human
    }

    /// Returns whether the human is to move.
    #[must_use]
    pub(crate) fn human_is_to_move(&self) -> bool {
        self.game.end().is_none() && self.game.position().turn == self.game.human
    }

    /// Makes the opponent's move, if it may move now.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn opponent_moves(&mut self) -> anyhow::Result<()> {
        if !self.opponent_is_to_move() {
            return Ok(());
        }
        if let Some(choice) = self.opponent.choose(&self.game.arena.table, self.game.position())? {
            self.game.play(choice.to)?;
            self.message = words::reply(&self.game);
        }
        self.look_for_the_end()
    }

    /// Executes a command.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match (self.popup, command) {
            (_, Command::Quit) => self.quit = true,
            (Some(Popup::Help), _) => self.popup = self.under_help.take(),
            (_, Command::Help) => self.under_help = self.popup.replace(Popup::Help),
            (_, Command::New) => self.open_menu(),
            (_, Command::Close) => self.popup = None,
            (Some(Popup::Menu { row, settings }), command) => self.obey_in_menu(row, settings, command)?,
            (_, Command::Hints) => self.hints = !self.hints,
            (_, Command::Escape) => self.escape = !self.escape,
            (_, Command::Officer) => self.next_officer(),
            (Some(Popup::Over), Command::Confirm) => self.begin(self.settings, Some(self.game.start()))?,
            (_, Command::Undo) => {
                self.popup = None;
                self.opponent.forget();
                self.message =
                    if self.game.undo()? { words::TAKEN_BACK } else { words::NOTHING_TO_TAKE_BACK }.into();
            }
            (_, Command::Redo) => {
                self.opponent.forget();
                self.message =
                    if self.game.redo()? { words::MADE_AGAIN } else { words::NOTHING_TO_MAKE_AGAIN }.into();
                self.look_for_the_end()?;
            }
            (None, Command::Confirm) => self.step(0, 0)?,
            (None, Command::Step(down, right)) => self.step(down, right)?,
            (Some(Popup::Over), Command::Step(..)) => {}
        }
        Ok(())
    }

    fn obey_in_menu(&mut self, row: usize, mut settings: Settings, command: Command) -> anyhow::Result<()> {
        let row = match command {
            Command::Step(-1, 0) => (row + Settings::ROWS - 1) % Settings::ROWS,
            Command::Step(1, 0) | Command::Hints => (row + 1) % Settings::ROWS,
            Command::Step(0, right) => {
                settings.change(row, right > 0, self.arenas.len());
                row
            }
            Command::Confirm => {
                self.of_the_day = None;
                return self.begin(settings, None);
            }
            _ => row,
        };
        self.popup = Some(Popup::Menu { row, settings });
        Ok(())
    }

    /// Begins a game from `start`, or from a position drawn as `settings` say.
    fn begin(&mut self, settings: Settings, start: Option<Position>) -> anyhow::Result<()> {
        self.game = match start {
            Some(start) => Game::new(self.game.arena, settings.side, start)?,
            None => new_game(self.arenas, settings, &mut self.lots)?,
        };
        self.opponent = opponent(&self.game, settings, self.lots.draw())?;
        self.officer = None;
        self.settings = settings;
        self.message = words::opening(&self.game);
        self.popup = None;
        self.hinted = false;
        Ok(())
    }

    /// Moves the human's piece to the cell `to`, on which the mouse was clicked.
    ///
    /// # Errors
    /// Returns an error if the table is damaged.
    pub(crate) fn point_at(&mut self, to: Cell) -> anyhow::Result<()> {
        if self.popup.is_some() {
            return Ok(());
        }
        self.opponent_moves()?;
        self.move_to(to)
    }

    /// Moves the human's piece by some rows down and columns right. If the opponent is still to move, it
    /// moves first.
    fn step(&mut self, down: i32, right: i32) -> anyhow::Result<()> {
        self.opponent_moves()?;
        if !self.human_is_to_move() {
            return Ok(());
        }
        let board = self.game.arena.table.board();
        let from = self.piece();
        let along = |at: u16, by: i32, length: u16| {
            let to = i32::from(at) + by;
            // A step past a joined edge comes in at the other side. If edges are not joined, no legal move
            // goes there.
            u16::try_from(to.rem_euclid(i32::from(length))).unwrap_or(at)
        };
        self.move_to(Cell::new(along(from.row, down, board.height()), along(from.col, right, board.width())))
    }

    fn move_to(&mut self, to: Cell) -> anyhow::Result<()> {
        if !self.human_is_to_move() {
            return Ok(());
        }
        let best = self.game.value();
        let mover = self.game.position().mover();
        let from = self.piece();
        // The officer of the keys goes first, then any other whose move it can be.
        let officers = [from].into_iter().chain(mover.iter().copied());
        let teams: Vec<_> = officers
            .filter_map(|officer| mover.iter().position(|&cell| cell == officer))
            .map(|officer| mover.with(officer, to))
            .collect();
        let choices = self.game.choices();
        let found = teams.iter().find_map(|&team| choices.iter().find(|choice| choice.to == team));
        let Some(choice) = found.copied() else {
            self.message = words::illegal(&self.game, from, to);
            return Ok(());
        };
        self.hinted |= self.hints || self.escape;
        self.game.play(choice.to)?;
        self.officer = Some(to);
        self.message = if self.hints { words::verdict(best, choice.worth()) } else { "" }.into();
        self.look_for_the_end()
    }

    /// Returns the cell of the human's piece that the keys move.
    #[must_use]
    pub(crate) fn piece(&self) -> Cell {
        let position = self.game.position();
        match self.game.human {
            Side::Thief => position.thief,
            Side::Police => self
                .officer
                .filter(|officer| position.police.contains(officer))
                .unwrap_or(position.police.cell()),
        }
    }

    /// Lets the keys move the next officer.
    fn next_officer(&mut self) {
        let (police, piece) = (self.game.position().police, self.piece());
        self.officer = police.iter().find(|&&cell| cell > piece).or(police.first()).copied();
    }

    /// Returns for every cell whether the thief would still get away from there, if that is to be shown.
    #[must_use]
    pub(crate) fn cone(&self) -> Option<EscapeCone> {
        // No probe can fail on a table of an arena, and without an answer nothing is coloured.
        self.escape.then(|| self.game.escape_cone().ok()).flatten()
    }

    /// Rates the game if it has ended, and says so.
    fn look_for_the_end(&mut self) -> anyhow::Result<()> {
        if self.game.end().is_some() {
            self.review = Some(self.game.review()?);
            self.popup = Some(Popup::Over);
        }
        Ok(())
    }

    /// Returns whether the human has won; `None` if the game goes on or is a draw.
    #[must_use]
    pub(crate) fn won(&self) -> Option<bool> {
        match self.game.end() {
            Some(End::Won(winner)) => Some(winner == self.game.human),
            _ => None,
        }
    }
}

fn new_game<'a>(arenas: &'a [Arena], settings: Settings, lots: &mut Lots) -> anyhow::Result<Game<'a>> {
    let arena = arenas.get(settings.map).context("there is no such map")?;
    let start = settings.start.draw(arena, settings.side, lots)?;
    Ok(Game::new(arena, settings.side, start)?)
}

/// Creates the opponent of a game.
fn opponent(game: &Game, settings: Settings, seed: u64) -> anyhow::Result<Opponent> {
    Ok(settings.difficulty.opponent(game.arena.map, settings.side.other(), seed)?)
}
