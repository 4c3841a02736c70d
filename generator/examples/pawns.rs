//! A king and a pawn against a king, on a small board, solved in stages: first the endgame after the pawn has
//! become a queen, then that with the pawn, in which a promotion leads to positions whose values the first
//! stage knows.
//!
//! ```sh
//! cargo run --release -p dragnet-generator --example pawns [FOLDER]
//! ```
//!
//! It shows all that a game may say: positions that are not legal, stalemate, values from another stage, and
//! symmetry. It is solved, verified against the rules and asked for optimal play. The tables of both stages
//! are written into the folder (without one, into a folder that vanishes); `GameTable` of `dragnet-probe`
//! opens and asks them.

use dragnet_formats::value::Value;
use dragnet_generator::{Game, GameSolution, Generator, Start, encode::Encoding};
use std::{error::Error, path::Path};

/// Squares of a rank, and ranks.
const SIDE: u64 = 6;
const SQUARES: u64 = SIDE * SIDE;

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    White,
    Black,
}

/// White has a king and one more piece, Black a king. A square is SIDE · rank + file, White plays to higher
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    turn: Turn,
    king: u64,
    piece: u64,
    /// Black's king.
    lone: u64,
}

impl Position {
    fn number(self) -> u64 {
        (((self.turn as u64) * SQUARES + self.king) * SQUARES + self.piece) * SQUARES + self.lone
    }

    fn from_number(number: u64) -> Position {
        let turn = if number < SQUARES.pow(3) { Turn::White } else { Turn::Black };
        let [king, piece, lone] = [SQUARES * SQUARES, SQUARES, 1].map(|unit| number / unit % SQUARES);
        Position { turn, king, piece, lone }
    }

    /// Returns the position with left and right exchanged.
    fn mirrored(self) -> Position {
        let mirror = |square: u64| square / SIDE * SIDE + (SIDE - 1 - square % SIDE);
        Position { king: mirror(self.king), piece: mirror(self.piece), lone: mirror(self.lone), ..self }
    }
}

/// Returns the squares in a straight line from `from`, without it, `ranks` and `files` at a time.
fn ray(from: u64, ranks: i64, files: i64) -> impl Iterator<Item = u64> {
    (1..).map_while(move |steps| {
        let rank = (from / SIDE).checked_add_signed(steps * ranks).filter(|&rank| rank < SIDE)?;
        let file = (from % SIDE).checked_add_signed(steps * files).filter(|&file| file < SIDE)?;
        Some(rank * SIDE + file)
    })
}

const AROUND: [(i64, i64); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

fn king_steps(from: u64) -> impl Iterator<Item = u64> {
    AROUND.into_iter().filter_map(move |(ranks, files)| ray(from, ranks, files).next())
}

/// Returns the squares that the queen attacks; White's king blocks her lines.
fn queen_steps(at: Position) -> impl Iterator<Item = u64> {
    AROUND.into_iter().flat_map(move |(ranks, files)| {
        let mut free = true;
        ray(at.piece, ranks, files).take_while(move |&square| {
            let here = free && square != at.king;
            free &= square != at.lone;
            here
        })
    })
}

/// White's piece is a queen.
struct Queen;

/// White's piece is a pawn. Promotions are looked up in the solution of the endgame with a queen.
struct Pawn<'a> {
    queen: &'a GameSolution<Queen>,
}

/// The parts of the game that both stages share.
trait Stage: Sync {
    /// Returns the squares that White's piece attacks.
    fn attacks(&self, at: Position) -> impl Iterator<Item = u64>;

    /// Returns the squares to which the piece may go.
    fn steps(&self, at: Position) -> impl Iterator<Item = u64>;

    /// Returns the start of a position as far as White's piece decides it, before the kings are looked at.
    fn of_piece(&self, at: Position) -> Start;

    fn check(&self, at: Position) -> bool {
        self.attacks(at).any(|square| square == at.lone)
    }

    fn start_of(&self, at: Position) -> Start {
        let kings_touch = king_steps(at.king).any(|square| square == at.lone);
        // Black has taken the piece, and stands on its square: nobody can win any more.
        let taken = at.turn == Turn::White && at.piece == at.lone;
        if at.king == at.lone || at.king == at.piece || kings_touch {
            Start::Illegal
        } else if taken {
            Start::Known(Value::Draw)
        } else if at.piece == at.lone || (at.turn == Turn::White && self.check(at)) {
            Start::Illegal
        } else {
            self.of_piece(at)
        }
    }

    fn for_each_move(&self, at: Position, mut each: impl FnMut(Position)) {
        match at.turn {
            // What is not legal after the move is no move, so that nothing needs to be said here of kings
            // that walk into check.
            Turn::Black => {
                king_steps(at.lone).for_each(|lone| each(Position { turn: Turn::White, lone, ..at }));
            }
            Turn::White => {
                let after = Position { turn: Turn::Black, ..at };
                king_steps(at.king).for_each(|king| each(Position { king, ..after }));
                self.steps(at).for_each(|piece| each(Position { piece, ..after }));
            }
        }
    }

    /// Returns the value of mate or stalemate.
    fn without_move(&self, at: Position) -> Value {
        let mate = at.turn == Turn::Black && self.check(at);
        if mate { Value::Loss(0) } else { Value::Draw }
    }
}

impl Stage for Queen {
    fn attacks(&self, at: Position) -> impl Iterator<Item = u64> {
        queen_steps(at)
    }

    fn steps(&self, at: Position) -> impl Iterator<Item = u64> {
        queen_steps(at)
    }

    fn of_piece(&self, _: Position) -> Start {
        Start::Open
    }
}

impl Stage for Pawn<'_> {
    fn attacks(&self, at: Position) -> impl Iterator<Item = u64> {
        [-1, 1].into_iter().filter_map(move |file| ray(at.piece, 1, file).next())
    }

    fn steps(&self, at: Position) -> impl Iterator<Item = u64> {
        ray(at.piece, 1, 0).take(1).filter(move |&square| square != at.king && square != at.lone)
    }

    fn of_piece(&self, at: Position) -> Start {
        match (at.piece / SIDE, at.turn) {
            // It has just become a queen.
            (rank, Turn::Black) if rank == SIDE - 1 => {
                self.queen.value(at.number()).map_or(Start::Illegal, Start::Known)
            }
            (rank, _) if rank == 0 || rank == SIDE - 1 => Start::Illegal,
            _ => Start::Open,
        }
    }
}

/// Implements [`Game`], which the solver asks, for a stage.
macro_rules! game {
    ($stage:ty) => {
        impl Game for $stage {
            fn positions(&self) -> u64 {
                2 * SQUARES.pow(3)
            }

            fn start(&self, position: u64) -> Start {
                self.start_of(Position::from_number(position))
            }

            fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
                self.for_each_move(Position::from_number(position), |after| each(after.number()));
            }

            fn stuck(&self, position: u64) -> Value {
                self.without_move(Position::from_number(position))
            }

            fn canonical(&self, position: u64) -> u64 {
                position.min(Position::from_number(position).mirrored().number())
            }
        }
    };
}
game!(Queen);
game!(Pawn<'_>);

/// Solves a game, derives every value again from its moves, and writes the table.
fn make<G: Game + Send>(
    generator: &Generator,
    game: G,
    path: &Path,
) -> Result<GameSolution<G>, Box<dyn Error>> {
    let solution = generator.solve_game(game, &())?;
    solution.verify()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    generator.write_game(&solution, &name, Encoding::default(), path, &())?;
    Ok(solution)
}

/// Returns a line of optimal play.
fn line<G: Game>(solution: &GameSolution<G>, from: Position) -> Vec<Position> {
    let mut line = vec![from];
    let mut here = from.number();
    while let Some(best) = solution.best(here) {
        here = best;
        let at = Position::from_number(here);
        if line.contains(&at) {
            break;
        }
        line.push(at);
    }
    line
}

/// Prints the sums of a stage, and the bytes of its table.
fn print<G: Game + Send>(
    generator: &Generator,
    solution: &GameSolution<G>,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let (summary, illegal) = (generator.install(|| solution.summary()), solution.illegal());
    println!(
        "{}: {} won, {} lost, {} drawn, {illegal} not legal; the longest win takes {} plies; {} bytes",
        path.display(),
        summary.won,
        summary.lost,
        // What is not legal counts as drawn.
        summary.drawn - illegal,
        summary.longest_win,
        path.metadata()?.len(),
    );
    Ok(())
}

fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let generator = Generator::new(0)?;
    let [queen_path, pawn_path] = ["queen.dtb", "pawn.dtb"].map(|name| folder.join(name));
    let queen = make(&generator, Queen, &queen_path)?;
    print(&generator, &queen, &queen_path)?;
    let pawn = make(&generator, Pawn { queen: &queen }, &pawn_path)?;
    print(&generator, &pawn, &pawn_path)?;
    // The pawn on the third rank behind its king, Black's king in its way: who must move gives way.
    let square = |file: u64, rank: u64| rank * SIDE + file;
    for turn in [Turn::White, Turn::Black] {
        let at = Position { turn, king: square(2, 3), piece: square(2, 2), lone: square(2, 5) };
        println!(
            "{turn:?} to move: {:?}; {} plies",
            pawn.value_or_draw(at.number()),
            line(&pawn, at).len() - 1
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args_os().nth(1) {
        Some(folder) => run(folder.as_ref()),
        None => run(tempfile::tempdir()?.path()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use dragnet_generator::naive;

    /// Every position of both stages has the value that the oracle finds, which knows nothing of symmetry.
    #[test]
    fn both_stages_agree_with_naive() {
        fn check<G: Game + Send>(game: G, folder: &Path) -> GameSolution<G> {
            let generator = Generator::new(2).unwrap();
            let solution = make(&generator, game, &folder.join("stage.dtb")).unwrap();
            for (position, value) in (0..).zip(naive::solve(solution.game())) {
                let legal = solution.game().start(position) != Start::Illegal;
                let at = Position::from_number(position);
                assert_eq!(solution.value(position), legal.then_some(value), "{at:?}");
            }
            solution
        }
        let folder = tempfile::tempdir().unwrap();
        let queen = check(Queen, folder.path());
        let pawn = check(Pawn { queen: &queen }, folder.path());
        assert!(pawn.summary().longest() > queen.summary().longest());
        for position in 0..pawn.game().positions() {
            let at = Position::from_number(position);
            let (Some(value), true) = (pawn.value(position), position.is_multiple_of(97)) else { continue };
            // It ends with the game or where the other stage goes on.
            let line = line(&pawn, at);
            let rest = pawn.value(line.last().unwrap().number()).unwrap();
            match value.dtw() {
                Some(dtw) => assert_eq!(line.len() as u32 - 1 + rest.dtw().unwrap(), dtw, "{at:?}"),
                None => assert_eq!(rest, Value::Draw, "{at:?}"),
            }
        }
    }

    #[test]
    fn the_program_runs() {
        run(tempfile::tempdir().unwrap().path()).unwrap();
    }
}
