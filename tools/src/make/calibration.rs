//! Estimates of the seconds and bytes of a table, from those of pieces of its board on this machine.

use crate::{
    failure::Failure,
    input::{boards::with_first_exit, size::Size, table_list::setting},
};
use dragnet_formats::{
    board::{Board, BoardError, Square},
    cell::Cell,
    graph::{Graph, GraphBuilder},
    numbering::{Tiling, word_tile},
    rules::Rules,
    setting::Setting,
};
use dragnet_generator::{Engine, GenerateError, Generator, Plan};
use std::{collections::HashMap, io::Cursor, time::Instant};

/// Sides of the two pieces that are solved. Larger tables have fewer bits for each position, and two pieces
/// show how many fewer. The larger piece is as large as a moment allows: a small piece of a maze is no longer
/// connected.
const SIDES: [u16; 2] = [32, 72];

/// Returns the sides of the pieces under `rules`, such that more officers have about as many positions.
fn sides(rules: &Rules) -> [u16; 2] {
    match rules.officers {
        0 | 1 => SIDES,
        2 => [10, 16],
        3 => [5, 8],
        _ => [3, 4],
    }
}

/// Runs of each piece, of which the fastest counts.
const RUNS: usize = 2;
/// The factor by which a position takes longer at most when little of the game is in the processor's caches.
const FAR_FROM_CACHES: f64 = 1.8;
/// The positions from which that factor begins to grow, and at which it is reached.
const CACHES: [f64; 2] = [1e8, 4e9];
/// Seconds that any table takes, for creating and renaming its file.
const FILE: f64 = 0.001;

/// The estimated cost of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Seconds of solving and writing.
    pub(crate) seconds: f64,
    /// Bytes of the file.
    pub(crate) bytes: u64,
}

/// The cost of a position on a kind of board.
#[derive(Clone, Copy, Debug)]
struct Rate {
    /// Seconds for each position of the larger piece.
    seconds: f64,
    /// Cells of the larger piece.
    cells: f64,
    /// Bits for each position of the larger piece.
    bits: f64,
    /// The exponent with which the bits of a position change with the number of cells.
    power: f64,
}

/// The properties in which boards of equal cost agree: rules and encoding, the engine, how many of eight
/// cells are open in tiles that have any, and the size down to the next power of two, at most that of the
/// pieces.
type CostKey = (String, Engine, u64, u32);

/// Estimates costs with pieces that it solves on this machine, two for each kind of board.
pub(crate) struct Calibration<'a> {
    generator: &'a Generator,
    rates: HashMap<CostKey, Rate>,
}

impl<'a> Calibration<'a> {
    /// Creates a calibration for the threads of a generator.
    pub(crate) fn new(generator: &'a Generator) -> Calibration<'a> {
        Calibration { generator, rates: HashMap::new() }
    }

    /// Estimates the cost of a planned table. Solves two pieces of the board if it is the first of its kind.
    pub(crate) fn cost(&mut self, plan: &Plan) -> Result<Cost, Failure> {
        let Setting { board, rules, .. } = setting(plan);
        let cells = board.open_count() as u64;
        let positions = plan.positions() as f64;
        let places = board.places();
        let tiles = u64::from(Tiling::count(&places, word_tile(&places))).max(1);
        let encoding = plan.encoding();
        let engine = plan.engine();
        let size = cells.clamp(1, u64::from(sides(rules)[1]).pow(2)).ilog2();
        let kind = (format!("{rules:?} {encoding:?}"), engine, cells / (8 * tiles), size);
        let rate = match self.rates.get(&kind) {
            Some(rate) => *rate,
            None => {
                let rate = self.rate(plan)?;
                self.rates.insert(kind, rate);
                rate
            }
        };
        let far = ((positions / CACHES[0]).ln() / (CACHES[1] / CACHES[0]).ln()).clamp(0.0, 1.0);
        let bits = rate.bits * (cells as f64 / rate.cells).powf(rate.power);
        Ok(Cost {
            seconds: FILE + positions * rate.seconds * (1.0 + far * (FAR_FROM_CACHES - 1.0)),
            bytes: (positions * bits / 8.0) as u64,
        })
    }

    /// Solves two pieces of the board.
    fn rate(&self, plan: &Plan) -> Result<Rate, Failure> {
        let Setting { board, rules, .. } = setting(plan);
        let mut measured = [(0.0, 0.0, 0.0); 2];
        for (side, measured) in sides(rules).into_iter().zip(&mut measured) {
            let piece = match board.graph() {
                Some(graph) => neighbourhood(board, graph, u32::from(side).pow(2))?,
                None => piece(board, Size { height: side, width: side })?,
            };
            let cells = piece.open_count() as f64;
            let plan = Plan::new(piece, rules.clone(), plan.encoding())?.with_engine(plan.engine());
            let positions = plan.positions() as f64;
            let (mut seconds, mut bytes) = (f64::INFINITY, 0);
            for _ in 0..RUNS {
                let begin = Instant::now();
                let solution = self.generator.solve(&plan, &())?;
                let (header, blocks) = self.generator.encode(&*solution, &plan, &())?;
                let written = blocks.write(&header, Cursor::new(Vec::new()));
                let (_, written) = written.map_err(GenerateError::from)?;
                seconds = seconds.min(begin.elapsed().as_secs_f64());
                bytes = written.bytes;
            }
            *measured = (cells, seconds / positions, bytes as f64 * 8.0 / positions);
        }
        let [(few, _, bits_of_few), (cells, seconds, bits)] = measured;
        let power =
            if cells > few { ((bits / bits_of_few).ln() / (cells / few).ln()).clamp(-1.0, 0.0) } else { 0.0 };
        Ok(Rate { seconds, cells, bits, power })
    }
}

/// Returns the piece of `board` of this size whose share of open cells is nearest to that of the whole board,
/// with an exit if the board has one. Of a board smaller than that returns all.
fn piece(board: &Board, size: Size) -> Result<Board, Failure> {
    let (height, width) = (size.height.min(board.height()), size.width.min(board.width()));
    let share = board.open_count() as f64 / board.squares().len() as f64;
    let open_in = |top: u16, left: u16| {
        let rows = top..top + height;
        rows.flat_map(|row| (left..left + width).map(move |col| Cell::new(row, col)))
            .filter(|&cell| board.is_open(cell))
            .count() as f64
    };
    let area = f64::from(height) * f64::from(width);
    let starts = |length: u16, part: u16| (0..=length - part).step_by(usize::from(part / 2).max(1));
    let (_, top, left) = starts(board.height(), height)
        .flat_map(|top| starts(board.width(), width).map(move |left| (top, left)))
        .map(|(top, left)| ((open_in(top, left) / area - share).abs(), top, left))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("a board has at least one window");
    let squares: Vec<Square> = (top..top + height)
        .flat_map(|row| (left..left + width).map(move |col| Cell::new(row, col)))
        .map(|cell| board.square(cell).expect("the window is on the board"))
        .collect();
    let bad = |error: BoardError| Failure::Input(error.into());
    let mut piece = Board::new(height.into(), width.into(), squares).map_err(bad)?;
    if board.exits().next().is_some() && piece.exits().next().is_none() {
        piece = with_first_exit(&piece).map_err(bad)?;
    }
    // The nearest window has no open cell only on boards that have hardly any.
    if piece.open_count() == 0 { Ok(board.clone()) } else { Ok(piece) }
}

/// Returns the part of a graph that is nearest to its first vertex, of at most `count` vertices.
fn neighbourhood(board: &Board, graph: &Graph, count: u32) -> Result<Board, Failure> {
    let count = count.min(graph.vertices()) as usize;
    let mut numbers = HashMap::new();
    let mut order = Vec::new();
    let mut first = 0..graph.vertices();
    let mut next = 0;
    while order.len() < count {
        let reached = match order.get(next) {
            Some(&vertex) => graph.successors(vertex),
            None => {
                let unreached = first.find(|vertex| !numbers.contains_key(vertex));
                &[unreached.expect("fewer vertices are reached than the graph has")]
            }
        };
        next += usize::from(next < order.len());
        for &vertex in reached {
            if order.len() < count && !numbers.contains_key(&vertex) {
                numbers.insert(vertex, order.len() as u64);
                order.push(vertex);
            }
        }
    }
    let mut edges = GraphBuilder::new();
    for &from in &order {
        for to in graph.successors(from).iter().filter_map(|to| numbers.get(to)) {
            edges.add(numbers[&from], *to).map_err(|error| Failure::Input(error.into()))?;
        }
    }
    let bad = |error: BoardError| Failure::Input(error.into());
    let part = Board::of_graph(&edges.build_with(count as u32)).map_err(bad)?;
    if board.exits().next().is_some() { with_first_exit(&part).map_err(bad) } else { Ok(part) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{board::make, codec::Favour};
    use dragnet_generator::encode::Encoding;

    #[test]
    fn estimated_bytes_are_right_within_a_factor() {
        let generator = Generator::new(2).unwrap();
        let mut calibration = Calibration::new(&generator);
        for board in [
            make::random(64, 64, 0.2, 7).unwrap(),
            make::maze(65, 65, 0, 3).unwrap(),
            make::open(60, 60).unwrap(),
            make::open(3, 4).unwrap(),
            make::open(1, 1).unwrap(),
        ] {
            let encoding = Encoding { favour: Favour::Size, level: 3 };
            let plan = Plan::new(with_first_exit(&board).unwrap(), Rules::classic(), encoding).unwrap();
            let cost = calibration.cost(&plan).unwrap();
            let solution = generator.solve(&plan, &()).unwrap();
            let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
            let (_, written) = blocks.write(&header, Cursor::new(Vec::new())).unwrap();
            let factor = cost.bytes as f64 / written.bytes as f64;
            assert!((0.5..2.5).contains(&factor), "{} bytes for {}", cost.bytes, written.bytes);
            assert!(cost.seconds.is_finite() && cost.seconds > 0.0);
        }
    }

    #[test]
    fn a_piece_has_the_size_exits_and_density_asked_for() {
        let board = make::random(100, 80, 0.3, 1).unwrap().with_exits(&[]).unwrap();
        let part = piece(&board, Size { height: 48, width: 48 }).unwrap();
        assert_eq!((part.height(), part.width(), part.exits().count()), (48, 48, 0));
        let share = |board: &Board| board.open_count() as f64 / board.squares().len() as f64;
        assert!((share(&board) - share(&part)).abs() < 0.05);
    }
}
