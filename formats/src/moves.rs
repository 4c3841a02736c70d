//! The moves of each side: computed for one cell ([`Steps`]) or kept for all cells ([`MoveTable`]).

mod teams;

mod turns;

pub use teams::TeamMoves;

use crate::{
    board::{Board, Square},
    cell::{Cell, Side},
    game::{MoveRows, MoveTable, TooManyMoves},
    graph::Graph,
    rules::{Movement, PoliceOnExit, Rules, Way},
    stop::{StopCheck, Stopped},
};
use smallvec::SmallVec;
use turns::Turns;

/// The cells to which a piece may move. Takes no heap memory for one step of a king or a knight.
pub type Moves = SmallVec<[Cell; 10]>;

/// Words of memory that are read and written to find a move, roughly.
const STEP: usize = 16;

/// The offset that stands for staying.
const PASS: (i32, i32) = (0, 0);

/// To find a piece's moves takes more steps than were allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the moves of a piece take more steps to find than were allowed")]
pub struct TooManySteps;

/// The moves of one piece of a side under given rules, from any cell of any board.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The offsets (rows down, columns right), in reading order; (0, 0) stands for passing.
    offsets: Vec<(i32, i32)>,
    corner_cutting: bool,
    wrap_rows: bool,
    wrap_cols: bool,
    /// Whether the piece may not step on exits.
    barred: bool,
    may_pass: bool,
    steps: u8,
    reach: u8,
    glide: bool,
    ways: Vec<Way>,
    /// The letters of squares on which the piece never stands.
    barred_letters: Vec<char>,
    /// Whether the cells found must be sorted, and freed of duplicates.
    unsorted: bool,
}

impl Steps {
    /// Creates the steps of `side` under `rules`: of officers of the first kind, if there are several.
    #[must_use]
    pub fn new(rules: &Rules, side: Side) -> Steps {
        let barred = side == Side::Police && rules.police_on_exit == PoliceOnExit::Barred;
        Steps::of(rules, rules.movement(side), barred)
    }

    /// Creates the steps of a piece that moves like `movement` under `rules`, and may not step on exits if
    /// `barred`.
    #[must_use]
    pub fn of(rules: &Rules, movement: &Movement, barred: bool) -> Steps {
        let listed = movement.moves.offsets().iter().map(|&(down, right)| (down.into(), right.into()));
        let mut offsets: Vec<_> = listed.filter(|&offset| offset != PASS).collect();
        offsets.extend(movement.may_pass.then_some(PASS));
        offsets.sort_unstable();
        offsets.dedup();
        let (wrap_rows, wrap_cols) = (rules.wrap.vertical(), rules.wrap.horizontal());
        Steps {
            offsets,
            corner_cutting: rules.corner_cutting,
            wrap_rows,
            wrap_cols,
            barred,
            may_pass: movement.may_pass,
            steps: movement.steps,
            reach: movement.reach,
            glide: movement.glide,
            ways: rules.ways.clone(),
            barred_letters: rules.barred_letters(movement),
            unsorted: wrap_rows
                || wrap_cols
                || movement.reach > 1
                || movement.glide
                || !rules.ways.is_empty(),
        }
    }

    /// Returns the cells to which a piece on the open cell `from` may move, each once, in reading order.
    /// `from` is among them if the side may pass. Other pieces play no role.
    ///
    /// ```
    /// use dragnet_formats::{board::make, cell::{Cell, Side}, moves::Steps, rules::Rules};
    ///
    /// let board = make::open(8, 8)?;
    /// let moves = Steps::new(&Rules::classic(), Side::Thief).moves_from(&board, Cell::new(0, 0));
    /// assert_eq!(moves[..], [Cell::new(0, 0), Cell::new(0, 1), Cell::new(1, 0)]);
    /// # Ok::<(), dragnet_formats::board::BoardError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn moves_from(&self, board: &Board, from: Cell) -> Moves {
        self.moves_within(board, from, &mut { u64::MAX }).expect("no board has so many steps")
    }

    /// Returns the cells to which a piece on the open cell `from` may move, like [`Steps::moves_from`], if
    /// they are found by trying at most `steps` single steps, and takes the steps tried off `steps`. A piece
    /// that moves by one step tries them all in any case: at most 65,535 on a graph, fewer on a board.
    ///
    /// # Errors
    /// When more steps are needed.
    #[inline]
    pub fn moves_within(&self, board: &Board, from: Cell, steps: &mut u64) -> Result<Moves, TooManySteps> {
        let mut moves = Moves::new();
        let tried = match board.graph() {
            _ if self.steps > 1 => return self.several(board, from, steps),
            None => {
                let tried = self.on_squares(board, from, &mut moves);
                if self.unsorted {
                    // Steps over a joined edge, and repeated ones, are found out of order, and several may
                    // lead to one cell.
                    moves.sort_unstable();
                    moves.dedup();
                }
                tried
            }
            Some(graph) => {
                let tried = self.on_graph(board, graph, from, &mut moves);
                if self.may_pass {
                    moves.insert(moves.partition_point(|&to| to < from), from);
                }
                tried
            }
        };
        *steps = steps.checked_sub(tried).ok_or(TooManySteps)?;
        Ok(moves)
    }

    /// Appends the moves of a single step along an edge, without staying. Returns the number of edges.
    fn on_graph(&self, board: &Board, graph: &Graph, from: Cell, moves: &mut Moves) -> u64 {
        let successors = graph.successors(from.col.into());
        let cells = successors.iter().map(|&to| Cell::new(0, to as u16));
        moves.extend(cells.filter(|&to| self.may_stand(board, to)));
        successors.len() as u64
    }

    /// Appends the moves of a single step from a cell of a board of squares, staying included if it is
    /// allowed, in the order of the offsets and perhaps more than once. Returns the number of steps tried.
    #[inline]
    fn on_squares(&self, board: &Board, from: Cell, moves: &mut Moves) -> u64 {
        let before = moves.len();
        let mut passed = 0;
        for &(down, right) in &self.offsets {
            if (down, right) == PASS {
                moves.push(from);
                continue;
            }
            let mut here = from;
            let next = |here| self.step(board, here, down, right).filter(|&to| to != from);
            if self.glide {
                while let Some(to) = next(here) {
                    here = to;
                    passed += 1;
                }
                moves.extend(Some(here).filter(|&to| to != from));
                continue;
            }
            for _ in 0..self.reach {
                let Some(to) = next(here) else { break };
                moves.push(to);
                here = to;
            }
        }
        if !self.ways.is_empty() {
            passed += self.by_ways(board, from, moves);
        }
        passed + (moves.len() - before + self.offsets.len()) as u64
    }

    /// Appends the cells to which ways lead. Returns the number of squares looked at.
    fn by_ways(&self, board: &Board, from: Cell, moves: &mut Moves) -> u64 {
        let Some(letter) = board.letter(from) else { return 0 };
        let mut tried = 0;
        for way in self.ways.iter().filter(|way| way.from == letter) {
            let ends = board.letters().filter(|&(to, letter)| letter == way.to && to != from);
            moves.extend(ends.map(|(to, _)| to).filter(|&to| self.may_stand(board, to)));
            tried += board.letters().count() as u64;
        }
        tried
    }

    /// Returns the moves of a turn of any number of steps.
    fn several(&self, board: &Board, from: Cell, steps: &mut u64) -> Result<Moves, TooManySteps> {
        let mut known = vec![false; board.squares().len()];
        let mut is_new = |cell| {
            let known = &mut known[board.index(cell).expect("a cell of the board")];
            !std::mem::replace(known, true)
        };
        is_new(from);
        let mut moves = Moves::from_slice(&[from]);
        let mut single = Moves::new();
        let mut layer = 0;
        for _ in 0..self.steps {
            let new = moves.len();
            for i in layer..new {
                let tried = self.single(board, moves[i], &mut single);
                *steps = steps.checked_sub(tried).ok_or(TooManySteps)?;
                moves.extend(single.drain(..).filter(|&to| is_new(to)));
            }
            if new == moves.len() {
                break;
            }
            layer = new;
        }
        if !self.may_pass {
            moves.remove(0);
        }
        moves.sort_unstable();
        Ok(moves)
    }

    /// Appends the moves of a single step in any order, perhaps more than once, on a board of squares with
    /// staying if it is allowed. Returns the number of steps tried.
    fn single(&self, board: &Board, from: Cell, moves: &mut Moves) -> u64 {
        match board.graph() {
            Some(graph) => self.on_graph(board, graph, from, moves),
            None => self.on_squares(board, from, moves),
        }
    }

    #[inline]
    fn may_stand(&self, board: &Board, cell: Cell) -> bool {
        match board.square(cell) {
            Some(Square::Open) => {
                self.barred_letters.is_empty()
                    || board.letter(cell).is_none_or(|letter| !self.barred_letters.contains(&letter))
            }
            Some(Square::Exit) => !self.barred,
            _ => false,
        }
    }

    #[inline]
    fn step(&self, board: &Board, from: Cell, down: i32, right: i32) -> Option<Cell> {
        if board.arrow(from).is_some_and(|arrow| !arrow.allows(down, right)) {
            return None;
        }
        let row = along_floor(board, from.row, down, self.wrap_rows)?;
        let col = along(from.col, right, board.width(), self.wrap_cols)?;
        let to = Cell::new(row, col);
        if !self.may_stand(board, to) {
            return None;
        }
        let diagonal = down.abs() == 1 && right.abs() == 1;
        let free = !diagonal
            || self.corner_cutting
            || (board.is_open(Cell::new(from.row, col)) && board.is_open(Cell::new(row, from.col)));
        (free && (board.thin_walls().is_empty() || self.passes_thin_walls(board, from, down, right)))
            .then_some(to)
    }

    /// Returns whether no thin wall bars a step, of which the squares are open.
    fn passes_thin_walls(&self, board: &Board, from: Cell, down: i32, right: i32) -> bool {
        let next = |cell: Cell, down, right| {
            let row = along_floor(board, cell.row, down, self.wrap_rows)?;
            Some(Cell::new(row, along(cell.col, right, board.width(), self.wrap_cols)?))
        };
        let bars = |cell: Cell, down: i32, right: i32| {
            let row = along_floor(board, cell.row, down, false);
            let col = along(cell.col, right, board.width(), false);
            row.zip(col).is_some_and(|(row, col)| board.thin_walls().between(cell, Cell::new(row, col)))
        };
        let turns = |first: (i32, i32), second: (i32, i32)| {
            bars(from, first.0, first.1)
                || next(from, first.0, first.1).is_none_or(|beside| bars(beside, second.0, second.1))
        };
        match (down.abs(), right.abs()) {
            (1, 0) | (0, 1) => !bars(from, down, right),
            (1, 1) => {
                let barred = [turns((down, 0), (0, right)), turns((0, right), (down, 0))];
                if self.corner_cutting { barred != [true; 2] } else { barred == [false; 2] }
            }
            _ => true,
        }
    }
}

/// Returns the row `by` further down on the same floor, or `None` past an edge that is not joined.
#[inline]
fn along_floor(board: &Board, row: u16, by: i32, wrap: bool) -> Option<u16> {
    let height = board.floor_height();
    if height == board.height() {
        return along(row, by, height, wrap);
    }
    let above = row / height * height;
    Some(above + along(row - above, by, height, wrap)?)
}

/// Returns the coordinate `by` further along a side of `length`, or `None` past an edge that is not joined.
fn along(from: u16, by: i32, length: u16, wrap: bool) -> Option<u16> {
    let to = i32::from(from) + by;
    let to = if wrap { to.rem_euclid(i32::from(length)) } else { to };
    u16::try_from(to).ok().filter(|&to| to < length)
}

/// Why there is no [`MoveTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTableError {
    /// There would be too many moves.
    #[error(transparent)]
    TooMany(#[from] TooManyMoves),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl MoveTable {
    /// Creates the table of all moves of `steps` on `board`.
    ///
    /// # Panics
    /// If the cells have more than 2^32 - 1 moves together: see [`MoveTable::at_most`].
    #[must_use]
    pub fn new(board: &Board, steps: &Steps) -> MoveTable {
        MoveTable::at_most(board, steps, u32::MAX).expect("a board of a table has at most 2^32 - 1 moves")
    }

    /// Creates the table of all moves that `steps` has on `board`, in memory for little more than `most`
    /// moves.
    ///
    /// # Errors
    /// When the cells have more than `most` moves together.
    pub fn at_most(board: &Board, steps: &Steps, most: u32) -> Result<MoveTable, TooManyMoves> {
        MoveTable::checked(board, steps, most, &mut StopCheck::never()).map_err(|error| match error {
            MoveTableError::TooMany(error) => error,
            MoveTableError::Stopped(_) => unreachable!("nobody stops this work"),
        })
    }

    /// Creates the table as [`MoveTable::at_most`] does, unless `check` says that the work is to stop.
    ///
    /// # Errors
    /// When the cells have more than `most` moves together, or the work is to stop.
    pub fn checked(
        board: &Board,
        steps: &Steps,
        most: u32,
        check: &mut StopCheck,
    ) -> Result<MoveTable, MoveTableError> {
        let mut number = vec![u32::MAX; board.squares().len()];
        let mut count = 0;
        for cell in board.open_cells() {
            number[board.index(cell).expect("a cell of the board")] = count;
            count += 1;
        }
        let number = |cell: Cell| number[board.index(cell).expect("a cell of the board")];
        let mut rows = MoveRows::new(count as usize, most);
        if steps.steps <= 1 {
            for from in board.open_cells() {
                let moves = steps.moves_from(board, from);
                check.steps(STEP + moves.len())?;
                rows.push(moves.into_iter().map(number))?;
            }
        } else {
            let mut singles = MoveRows::new(count as usize, u32::MAX);
            for from in board.open_cells() {
                let mut single = Moves::new();
                check.steps(STEP + steps.single(board, from, &mut single) as usize)?;
                single.sort_unstable();
                single.dedup();
                singles.push(single.into_iter().filter(|&to| to != from).map(number))?;
            }
            let singles = singles.finish();
            let mut turns = Turns::new(steps.steps, &singles);
            for from in 0..count {
                let to = turns.cells_from(from);
                // To find a cell takes looks at all cells next to it.
                check.steps(to.len() * STEP)?;
                rows.push(to.iter().copied().filter(|&to| steps.may_pass || to != from))?;
            }
        }
        Ok(rows.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Square,
        graph::GraphBuilder,
        rules::{MoveSet, Movement, Wrap},
    };
    use proptest::prelude::*;

    fn board(rows: &[&str]) -> Board {
        let square = |b| if b == b'#' { Square::Wall } else { Square::Open };
        let squares = rows.concat().bytes().map(square).collect();
        Board::new(rows.len(), rows[0].len(), squares).unwrap()
    }

    fn moves(rules: &Rules, side: Side, board: &Board, row: u16, col: u16) -> Vec<(u16, u16)> {
        let moves = Steps::new(rules, side).moves_from(board, Cell::new(row, col));
        moves.iter().map(|c| (c.row, c.col)).collect()
    }

    #[test]
    fn corners_are_cut_by_classic_and_not_by_chase() {
        let b = board(&[".#", "#."]);
        assert_eq!(moves(&Rules::classic(), Side::Police, &b, 0, 0), [(0, 0), (1, 1)]);
        assert_eq!(moves(&Rules::classic(), Side::Thief, &b, 0, 0), [(0, 0)]);
        assert_eq!(moves(&Rules::chase(), Side::Police, &b, 0, 0), [(0, 0)]);
        let b = board(&[".#", ".."]);
        assert_eq!(moves(&Rules::chase(), Side::Police, &b, 0, 0), [(0, 0), (1, 0)]);
    }

    #[test]
    fn work_on_many_moves_asks_now_and_then_whether_to_stop() {
        let board = crate::board::make::open(60, 60).unwrap();
        let far = Movement { steps: 255, ..Movement::new(MoveSet::King) };
        let steps = Steps::new(&Rules { thief: far, ..Rules::classic() }, Side::Thief);
        let asked = std::cell::Cell::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            false
        };
        let table = MoveTable::checked(&board, &steps, u32::MAX, &mut StopCheck::new(&go_on)).unwrap();
        assert_eq!(table.len(), 3600 * 3600);
        assert!(asked.take() >= table.len() / StopCheck::STEPS);
        assert_eq!(table.transposed_unless(&mut StopCheck::new(&go_on)).unwrap().len(), table.len());
        assert!(asked.take() >= 2 * table.len() / StopCheck::STEPS);
        let order: Vec<u32> = (0..3600).rev().collect();
        assert_eq!(table.renumbered(&order, &mut StopCheck::new(&go_on)).unwrap().len(), table.len());
        assert!(asked.take() >= table.len() / StopCheck::STEPS);

        let stop = || true;
        let made = MoveTable::checked(&board, &steps, u32::MAX, &mut StopCheck::new(&stop));
        assert_eq!(made.unwrap_err(), MoveTableError::Stopped(Stopped));
        assert_eq!(table.transposed_unless(&mut StopCheck::new(&stop)).unwrap_err(), Stopped);
        assert_eq!(table.renumbered(&order, &mut StopCheck::new(&stop)).unwrap_err(), Stopped);
    }

    #[test]
    fn moves_over_joined_edges_reach_each_cell_once_and_never_their_own() {
        let mut rules = Rules { wrap: Wrap::Horizontal, ..Rules::classic() };
        rules.thief.may_pass = false;
        assert_eq!(moves(&rules, Side::Thief, &board(&["..."]), 0, 0), [(0, 1), (0, 2)]);
        assert_eq!(moves(&rules, Side::Thief, &board(&[".."]), 0, 0), [(0, 1)]);
        assert_eq!(moves(&rules, Side::Thief, &board(&["."]), 0, 0), []);
    }

    #[test]
    fn a_piece_that_glides_stops_where_a_wall_the_edge_or_its_start_stops_it() {
        let mut rules = Rules { wrap: Wrap::Horizontal, ..Rules::classic() };
        rules.thief = Movement { glide: true, ..Movement::new(MoveSet::Orthogonal) }.without_pass();
        let b = board(&["....", ".#..", "...."]);
        assert_eq!(moves(&rules, Side::Thief, &b, 0, 0), [(0, 1), (0, 3), (2, 0)]);
        assert_eq!(moves(&rules, Side::Thief, &b, 1, 2), [(0, 2), (1, 0), (2, 2)]);
        rules.thief.steps = 2;
        assert_eq!(
            moves(&rules, Side::Thief, &b, 1, 2),
            [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (2, 1), (2, 2), (2, 3)]
        );
    }

    #[test]
    fn a_piece_leaves_a_one_way_square_towards_its_arrow_by_every_kind_of_step() {
        let b = crate::board::text::parse(b"...\n.>.\n...\n").unwrap().board;
        let by = |thief| moves(&Rules { thief, ..Rules::classic() }, Side::Thief, &b, 1, 1);
        assert_eq!(by(Movement::new(MoveSet::King)), [(0, 2), (1, 1), (1, 2), (2, 2)]);
        assert_eq!(by(Movement::new(MoveSet::Orthogonal).without_pass()), [(1, 2)]);
        assert_eq!(by(Movement::new(MoveSet::Offsets(vec![(1, 0), (-1, -1)]))), [(1, 1)]);
        // The square is entered from its front, and a slide to the left stops on it.
        let rules =
            Rules { thief: Movement { reach: 2, ..Movement::new(MoveSet::Orthogonal) }, ..Rules::classic() };
        assert_eq!(moves(&rules, Side::Thief, &b, 1, 2), [(0, 2), (1, 1), (1, 2), (2, 2)]);
        assert_eq!(moves(&rules, Side::Thief, &b, 1, 0), [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]);
        // Over a joined edge a step keeps its direction.
        let b = crate::board::text::parse(b"..>\n").unwrap().board;
        let rules = Rules { wrap: Wrap::Horizontal, ..Rules::classic() };
        assert_eq!(moves(&rules, Side::Thief, &b, 0, 2), [(0, 0), (0, 2)]);
    }

    proptest! {
        #[test]
        fn transposed_moves_are_the_reversed_moves(
            squares in prop::collection::vec(any::<bool>(), 42),
            list in prop::collection::btree_set((-3i16..=3, -3i16..=3), 0..6),
            pass in any::<bool>(), corner in any::<bool>(), reach in 1u8..4, steps in 1u8..4,
            wrap in prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both]),
        ) {
            let squares = squares.iter().map(|&w| if w { Square::Wall } else { Square::Open }).collect();
            let board = Board::new(6, 7, squares).unwrap();
            let list = list.into_iter().filter(|&o| o != (0, 0)).collect();
            let movement = Movement { may_pass: pass, reach, steps, ..Movement::new(MoveSet::Offsets(list)) };
            let rules = Rules { police: movement, corner_cutting: corner, wrap, ..Rules::classic() };
            let steps = Steps::new(&rules, Side::Police);
            let there = MoveTable::new(&board, &steps);
            let pairs = |table: &MoveTable| -> Vec<(u32, u32)> {
                (0..table.places()).flat_map(|i| table.of(i).iter().map(move |&j| (i as u32, j))).collect()
            };
            let mut turned: Vec<_> = pairs(&there).into_iter().map(|(a, b)| (b, a)).collect();
            turned.sort_unstable();
            prop_assert_eq!(pairs(&there.transposed()), turned);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn a_table_has_the_moves_of_each_cell(
            squares in prop::collection::vec(prop::sample::select(vec![Square::Open, Square::Open, Square::Open, Square::Wall, Square::Exit]), 1..200),
            width in 1usize..18, list in prop::collection::btree_set((-2i16..=2, -2i16..=2), 0..9),
            pass in any::<bool>(), corner in any::<bool>(), barred in any::<bool>(),
            reach in prop::sample::select(vec![1u8, 2, 3, 255]), steps in prop::sample::select(vec![1u8, 2, 3, 5, 255]),
            wrap in prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Both]), glide in any::<bool>(),
        ) {
            let width = width.min(squares.len());
            let height = squares.len() / width;
            let board = Board::new(height, width, squares[..height * width].to_vec()).unwrap();
            let list = list.into_iter().filter(|&offset| offset != (0, 0)).collect();
            let police = Movement { may_pass: pass, reach, steps, glide, ..Movement::new(MoveSet::Offsets(list)) };
            let police_on_exit = if barred { PoliceOnExit::Barred } else { PoliceOnExit::Allowed };
            let rules = Rules { police, corner_cutting: corner, wrap, police_on_exit, ..Rules::classic() };
            check_table(&board, &Steps::new(&rules, Side::Police))?;
        }

        #[test]
        fn a_table_of_a_graph_has_the_moves_of_each_vertex(
            edges in prop::collection::vec((0u64..90, 0u64..90), 0..400), directed in any::<bool>(),
            pass in any::<bool>(), steps in prop::sample::select(vec![1u8, 2, 4, 255]),
        ) {
            let mut builder = GraphBuilder::new();
            builder.add(89, 88).unwrap();
            for (from, to) in edges {
                builder.add(from, to).unwrap();
                if !directed {
                    builder.add(to, from).unwrap();
                }
            }
            let board = Board::of_graph(&builder.build()).unwrap();
            let movement = Movement { may_pass: pass, steps, ..Movement::new(MoveSet::Edges) };
            let rules = Rules { thief: movement, ..Rules::classic() };
            check_table(&board, &Steps::new(&rules, Side::Thief))?;
        }
    }

    fn check_table(board: &Board, steps: &Steps) -> Result<(), TestCaseError> {
        let table = MoveTable::new(board, steps);
        let cells: Vec<Cell> = board.open_cells().collect();
        prop_assert_eq!(table.places(), cells.len());
        for (number, &from) in cells.iter().enumerate() {
            let found: Vec<Cell> = table.of(number).iter().map(|&to| cells[to as usize]).collect();
            prop_assert_eq!(&found[..], &steps.moves_from(board, from)[..]);
        }
        Ok(())
    }
}
