//! A king and a pawn against a king, on a small board, solved in stages: first the endgame after the pawn has
//! become a queen, then that with the pawn, in which a promotion leads to positions whose values the first
//! stage knows.
//!
//! ```sh
//! cargo run --release -p dragnet-probe --example pawns [FOLDER]
//! ```
//!
//! It shows all that a game may say: positions that are not legal, stalemate, values from another stage, and
//! symmetry; and the whole way of a game of your own: it is solved and verified, the tables of both stages
//! are written into the folder (without one, into a folder that vanishes), opened again, verified against the
//! rules, and asked for statistics and optimal play.

use dragnet_generator::{
    Game, GameSolution, Generator, Start, encode::Encoding, game_table::key, verify::first_wrong,
};
use dragnet_probe::{GameTable, Value};
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

/// Solves a game, writes its table and opens that again.
fn make<G: Game + Send>(
    generator: &Generator,
    game: G,
    path: &Path,
) -> Result<(GameSolution<G>, GameTable), Box<dyn Error>> {
    let solution = generator.solve_game(game, &())?;
    solution.verify()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    generator.write_game(&solution, &name, Encoding::default(), path, &())?;
    Ok((solution, GameTable::open(path)?))
}

/// Checks every byte of a table, and derives every value of it again.
fn verify(game: &impl Game, table: &GameTable) -> Result<(), Box<dyn Error>> {
    table.verify_checksums(|_| {})?;
    if table.header().key != key(game) {
        return Err("the table is of another game".into());
    }
    first_wrong(game, |position| table.value(position))?.map_or(Ok(()), |wrong| Err(wrong.into()))
}

/// Returns a line of optimal play: the table knows the values, the game the moves.
fn line(game: &impl Game, table: &GameTable, from: Position) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut line = vec![from];
    let mut here = from.number();
    while game.start(here) == Start::Open {
        let mut moves = Vec::new();
        game.for_each_successor(here, |to| moves.push(to));
        moves.retain(|&to| game.start(to) != Start::Illegal);
        let Some(best) = table.best(moves)? else { break };
        here = best.position;
        let at = Position::from_number(here);
        if line.contains(&at) {
            break;
        }
        line.push(at);
    }
    Ok(line)
}

fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let generator = Generator::new(0)?;
    let (queen, queen_table) = make(&generator, Queen, &folder.join("queen.dtb"))?;
    verify(queen.game(), &queen_table)?;
    let (pawn, pawn_table) = make(&generator, Pawn { queen: &queen }, &folder.join("pawn.dtb"))?;
    verify(pawn.game(), &pawn_table)?;
    for (table, illegal) in [(&queen_table, queen.illegal()), (&pawn_table, pawn.illegal())] {
        // What is not legal counts as drawn.
        let summary = table.summary();
        println!(
            "{}: {} won, {} lost, {} drawn, {illegal} not legal; the longest win takes {} plies; {} bytes",
            table.header().name,
            summary.won,
            summary.lost,
            summary.drawn - illegal,
            summary.longest_win,
            table.file_len(),
        );
    }
    // The pawn on the third rank behind its king, Black's king in its way: who must move gives way.
    let square = |file: u64, rank: u64| rank * SIDE + file;
    for turn in [Turn::White, Turn::Black] {
        let at = Position { turn, king: square(2, 3), piece: square(2, 2), lone: square(2, 5) };
        let line = line(pawn.game(), &pawn_table, at)?;
        println!("{turn:?} to move: {:?}; {} plies", pawn_table.value(at.number())?, line.len() - 1);
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

    /// Every position of both stages has the value that the oracle finds, which knows nothing of symmetry; in
    /// the solution and in the table.
    #[test]
    fn both_stages_agree_with_naive() {
        fn check<G: Game + Send>(game: G, folder: &Path) -> (GameSolution<G>, GameTable) {
            let generator = Generator::new(2).unwrap();
            let (solution, table) = make(&generator, game, &folder.join("stage.dtb")).unwrap();
            verify(solution.game(), &table).unwrap();
            for (position, value) in (0..).zip(naive::solve(solution.game())) {
                let legal = solution.game().start(position) != Start::Illegal;
                let at = Position::from_number(position);
                assert_eq!(solution.value(position), legal.then_some(value), "{at:?}");
                assert_eq!(table.value(position).unwrap(), value, "{at:?}");
            }
            assert_eq!(*table.summary(), generator.install(|| solution.summary()));
            (solution, table)
        }
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let (queen, queen_table) = check(Queen, folders[0].path());
        let (pawn, pawn_table) = check(Pawn { queen: &queen }, folders[1].path());
        assert!(verify(queen.game(), &pawn_table).is_err());
        assert!(pawn_table.summary().longest() > queen_table.summary().longest());
        for position in 0..pawn.game().positions() {
            let at = Position::from_number(position);
            let (Some(value), true) = (pawn.value(position), position.is_multiple_of(97)) else { continue };
            // It ends with the game or where the other stage goes on.
            let line = line(pawn.game(), &pawn_table, at).unwrap();
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
