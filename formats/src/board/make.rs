//! Makers of boards: open boards, random boards, mazes, rooms.
//!
//! A maker returns the same board for the same arguments on every machine, in every version. The random
//! numbers come from a generator that is part of this module, and a change in the order of draws would change
//! boards that people have named by their seed. No maker places exits: see [`Board::with_exits`].

use super::{Board, BoardError, Square};
use crate::digest::{GOLDEN_GAMMA, splitmix64};

/// SplitMix64 (Steele, Lea and Flood, 2014): small, well mixed, and fixed for ever by its definition.
struct Random {
    state: u64,
}

impl Random {
    fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    fn draw(&mut self) -> u64 {
        let number = splitmix64(self.state);
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        number
    }

    /// Returns a number from 0 to `bound - 1`, each equally likely (Lemire's multiplication, with rejection).
    /// Uses at least one draw. A bound of 0 counts as 1.
    fn below(&mut self, bound: usize) -> usize {
        let bound = (bound as u64).max(1);
        // 2^64 mod bound: so many low halves would be one too many for some results.
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.draw()) * u128::from(bound);
            if product as u64 >= surplus {
                return (product >> 64) as usize;
            }
        }
    }
}

/// Returns a board without a wall.
///
/// # Errors
/// When no board has that size; see [`Board::check_size`].
///
/// ```
/// let board = dragnet_formats::board::make::open(3, 4)?;
/// assert_eq!(board.open_count(), 12);
/// # Ok::<(), dragnet_formats::board::BoardError>(())
/// ```
pub fn open(height: usize, width: usize) -> Result<Board, BoardError> {
    Board::new(height, width, filled(height, width, Square::Open)?)
}

/// Returns a board on which each square is a wall with probability `density`, independently of all others.
/// The open squares need not be connected, and with a high density there may be none.
///
/// # Errors
/// When no board has that size, or with [`BoardError::Density`] when `density` is not a number from 0 to 1.
pub fn random(height: usize, width: usize, density: f64, seed: u64) -> Result<Board, BoardError> {
    if !(0.0..=1.0).contains(&density) {
        return Err(BoardError::Density { found: density.to_string() });
    }
    // A product with a power of two is exact, so this integer is the same everywhere.
    let threshold = (density * (1u64 << 53) as f64) as u64;
    let mut random = Random::new(seed);
    let mut squares = filled(height, width, Square::Open)?;
    for square in &mut squares {
        if random.draw() >> 11 < threshold {
            *square = Square::Wall;
        }
    }
    Board::new(height, width, squares)
}

/// Returns a maze. Its rooms are the squares with even row and even column (both from 0). Passages one square
/// long join them, carved by a depth-first search from the top left corner. Then `extra` more passages are
/// opened between neighbouring rooms, or as many as there are walls left. All open squares are connected;
/// without extra passages they form a tree, so that one way leads from each to each. A last row or column
/// with an odd number is all wall.
///
/// # Errors
/// When no board has that size; see [`Board::check_size`].
pub fn maze(height: usize, width: usize, extra: usize, seed: u64) -> Result<Board, BoardError> {
    let mut squares = filled(height, width, Square::Wall)?;
    let mut random = Random::new(seed);

    // Rooms by the index of their square; a room is visited when its square is open.
    let mut path = vec![0];
    squares[0] = Square::Open;
    while let Some(&room) = path.last() {
        let (row, col) = (room / width, room % width);
        // Each way as the square of the passage and the square of the room behind it, in reading order.
        let ways = [
            (row >= 2).then(|| (room - width, room - 2 * width)),
            (col >= 2).then(|| (room - 1, room - 2)),
            (col + 2 < width).then(|| (room + 1, room + 2)),
            (row + 2 < height).then(|| (room + width, room + 2 * width)),
        ];
        let fresh = || ways.iter().flatten().filter(|&&(_, next)| squares[next] == Square::Wall);
        let count = fresh().count();
        let way = (count > 0).then(|| fresh().nth(random.below(count)).copied()).flatten();
        if let Some((passage, next)) = way {
            squares[passage] = Square::Open;
            squares[next] = Square::Open;
            path.push(next);
        } else {
            path.pop();
        }
    }

    // A wall between rooms has one odd coordinate and rooms on both sides of it.
    let mut walls: Vec<usize> = (0..squares.len())
        .filter(|&i| {
            let (row, col) = (i / width, i % width);
            let between =
                if row % 2 == 0 { col % 2 == 1 && col + 1 < width } else { col % 2 == 0 && row + 1 < height };
            between && squares[i] == Square::Wall
        })
        .collect();
    for done in 0..extra.min(walls.len()) {
        let pick = done + random.below(walls.len() - done);
        walls.swap(done, pick);
        squares[walls[done]] = Square::Open;
    }
    Board::new(height, width, squares)
}

/// The longest side of a room that is not divided further.
const LONGEST_ROOM: usize = 7;
/// The shortest side of a room that dividing makes.
const SHORTEST_ROOM: usize = 3;
/// The number of squares of a wall's length for each door after the first.
const SQUARES_PER_DOOR: usize = 12;

/// Returns rectangular rooms, with sides of 3 to 7 squares where the board has the space, divided by walls
/// one square thick with doors one square wide. All open squares are connected.
///
/// The board is divided across its longer side until all rooms are small. A long wall has several doors, so
/// that there are ways around.
///
/// # Errors
/// When no board has that size; see [`Board::check_size`].
pub fn rooms(height: usize, width: usize, seed: u64) -> Result<Board, BoardError> {
    let mut squares = filled(height, width, Square::Open)?;
    let mut random = Random::new(seed);
    // Top, left, height, width. Walls stand in odd rows and columns, doors at even places of them, and so no
    // later wall ends at a door.
    let mut open = vec![(0, 0, height, width)];
    while let Some((top, left, h, w)) = open.pop() {
        if h.max(w) <= LONGEST_ROOM {
            continue;
        }
        let across_rows = if h == w { random.below(2) == 0 } else { h > w };
        let (long, short) = if across_rows { (h, w) } else { (w, h) };
        let wall = SHORTEST_ROOM + 2 * random.below((long - 2 * SHORTEST_ROOM - 1) / 2 + 1);
        let at = |along: usize| {
            if across_rows {
                (top + wall) * width + left + along
            } else {
                (top + along) * width + left + wall
            }
        };
        for along in 0..short {
            squares[at(along)] = Square::Wall;
        }
        for _ in 0..=short / SQUARES_PER_DOOR {
            // Two doors on one place are one door less: no harm.
            squares[at(2 * random.below(short.div_ceil(2)))] = Square::Open;
        }
        let after = long - wall - 1;
        if across_rows {
            open.push((top + wall + 1, left, after, w));
            open.push((top, left, wall, w));
        } else {
            open.push((top, left + wall + 1, h, after));
            open.push((top, left, h, wall));
        }
    }
    Board::new(height, width, squares)
}

/// Returns as many squares as the board has, after a check that it may have so many.
fn filled(height: usize, width: usize, square: Square) -> Result<Vec<Square>, BoardError> {
    Board::check_size(height, width)?;
    Ok(vec![square; height * width])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        // The published sequences for these seeds.
        let mut random = Random::new(0);
        assert_eq!(random.draw(), 0xE220_A839_7B1D_CDAF);
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.draw()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn bounded_draws_stay_below_the_bound_and_reach_every_number() {
        let mut random = Random::new(7);
        for bound in [1, 2, 3, 7, 12] {
            let mut seen = vec![0; bound];
            for _ in 0..1000 {
                seen[random.below(bound)] += 1;
            }
            assert!(seen.iter().all(|&n| n > 600 / bound), "{bound}: {seen:?}");
        }
        assert_eq!(random.below(0), 0);
    }
}
