//! What a table will cost, from what pieces of its board cost on this machine.

use crate::{failure::Failure, input::size::Size};
use dragnet_formats::{
    board::{Board, BoardError, Square},
    cell::Cell,
    graph::{Graph, GraphBuilder},
    header::Header,
    numbering::{Tiling, word_tile},
    rules::Rules,
};
use dragnet_generator::{Engine, GenerateError, Generator, Job};
use std::{collections::HashMap, io::Cursor, time::Instant};

/// Sides of the pieces that are solved. Two, because larger tables have fewer bits for each position: how many fewer is
/// what the two tell. The larger is as large as a moment allows: what is cut out of a maze is no longer connected.
const SIDES: [u16; 2] = [32, 72];

/// The sides for the officers of `rules`: so many that the positions are about as many.
fn sides(rules: &Rules) -> [u16; 2] {
    match rules.officers {
        0 | 1 => SIDES,
        2 => [10, 16],
        3 => [5, 8],
        _ => [3, 4],
    }
}

/// Runs of each piece, of which the quickest counts.
const RUNS: usize = 2;
/// How much longer a position takes on a board of which little is in the processor's caches, at most.
const FAR_FROM_CACHES: f64 = 1.8;
/// From so many positions on that begins, and at so many it is so.
const CACHES: [f64; 2] = [1e8, 4e9];
/// Seconds that any table takes: files are made and named.
const FILE: f64 = 0.001;

/// What a table will cost, about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Seconds of solving and writing.
    pub(crate) seconds: f64,
    /// Bytes of the file.
    pub(crate) bytes: u64,
}

/// What positions of a kind of board cost.
#[derive(Clone, Copy, Debug)]
struct Rate {
    /// Seconds of a position of the larger piece.
    seconds: f64,
    /// Cells of the larger piece.
    cells: f64,
    /// Bits of one of its positions.
    bits: f64,
    /// By which power of the cells' number the bits change.
    power: f64,
}

/// Boards that are alike: the job's rules and encoding, the engine, how many of eight cells are open in tiles that have any, and
/// the size to the next power of two as long as boards are not larger than the pieces.
type Kind = (String, Engine, u64, u32);

/// Reckons with pieces that it solves on this machine, one pair for each kind of board.
pub(crate) struct Calibration<'a> {
    generator: &'a Generator,
    rates: HashMap<Kind, Rate>,
}

impl<'a> Calibration<'a> {
    /// A calibration for this generator's threads.
    pub(crate) fn new(generator: &'a Generator) -> Calibration<'a> {
        Calibration { generator, rates: HashMap::new() }
    }

    /// What the table of `job` will cost.
    pub(crate) fn cost(&mut self, job: &Job) -> Result<Cost, Failure> {
        let cells = job.board.open_count() as u64;
        let positions = 2.0 * Header::positions_of(&job.board, &job.rules)? as f64;
        let tiles = u64::from(Tiling::count(&job.board, word_tile(&job.board))).max(1);
        let encoding = job.encoding;
        let engine = job.engine.chosen();
        let size = cells.clamp(1, u64::from(sides(&job.rules)[1]).pow(2)).ilog2();
        let kind = (format!("{:?} {encoding:?}", job.rules), engine, cells / (8 * tiles), size);
        let rate = match self.rates.get(&kind) {
            Some(rate) => *rate,
            None => {
                let rate = self.rate(job)?;
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

    fn rate(&self, job: &Job) -> Result<Rate, Failure> {
        let mut measured = Vec::new();
        for side in sides(&job.rules) {
            let board = match job.board.graph() {
                Some(graph) => neighbourhood(&job.board, graph, u32::from(side).pow(2))?,
                None => piece(&job.board, Size { height: side, width: side })?,
            };
            let plan = Job { board, ..job.clone() }.plan()?;
            let cells = plan.board().open_count() as f64;
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
            measured.push((cells, seconds / positions, bytes as f64 * 8.0 / positions));
        }
        let [(few, _, bits_of_few), (cells, seconds, bits)] = measured[..] else {
            return Err(Failure::input("expected two pieces of the board"));
        };
        let power =
            if cells > few { ((bits / bits_of_few).ln() / (cells / few).ln()).clamp(-1.0, 0.0) } else { 0.0 };
        Ok(Rate { seconds, cells, bits, power })
    }
}

/// The piece of `board` of this size, or all of it if it is smaller, whose share of open cells is nearest to that of the whole,
/// with an exit if the whole has one.
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
        .unwrap_or((0.0, 0, 0));
    let squares: Vec<Square> = (top..top + height)
        .flat_map(|row| (left..left + width).map(move |col| Cell::new(row, col)))
        .map(|cell| board.square(cell).unwrap_or(Square::Wall))
        .collect();
    let bad = |error: dragnet_formats::board::BoardError| Failure::Input(error.into());
    let mut piece = Board::new(height.into(), width.into(), squares).map_err(bad)?;
    if board.exits().next().is_some() && piece.exits().next().is_none() {
        piece = crate::input::boards::with_first_exit(&piece).map_err(bad)?;
    }
    // A window without an open cell is nearest only on boards that have hardly any.
    if piece.open_count() == 0 { Ok(board.clone()) } else { Ok(piece) }
}

/// The part of a graph that is nearest to its first vertex, of at most `count` vertices.
fn neighbourhood(board: &Board, graph: &Graph, count: u32) -> Result<Board, Failure> {
    let count = count.min(graph.vertices()) as usize;
    let mut numbers = HashMap::new();
    let mut order = Vec::new();
    let mut first = 0..graph.vertices();
    let mut next = 0;
    while order.len() < count {
        let reached = match order.get(next) {
            Some(&vertex) => graph.successors(vertex),
            None => &[first.find(|vertex| !numbers.contains_key(vertex)).unwrap_or(0)],
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
    if board.exits().next().is_some() {
        crate::input::boards::with_first_exit(&part).map_err(bad)
    } else {
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{board::make, codec::Favour, rules::Rules};
    use dragnet_generator::encode::Encoding;

    fn job(board: Board) -> Job {
        let encoding = Encoding { favour: Favour::Size, level: 3 };
        Job { board, rules: Rules::classic(), engine: Engine::Auto, encoding }
    }

    #[test]
    fn the_bytes_of_known_tables_are_met_within_a_factor() {
        let generator = Generator::new(2).unwrap();
        let mut calibration = Calibration::new(&generator);
        for board in [
            make::random(64, 64, 0.2, 7).unwrap(),
            make::maze(65, 65, 0, 3).unwrap(),
            make::open(60, 60).unwrap(),
            make::open(3, 4).unwrap(),
            make::open(1, 1).unwrap(),
        ] {
            let job = job(crate::input::boards::with_first_exit(&board).unwrap());
            let cost = calibration.cost(&job).unwrap();
            let solution = generator.solve(&job.plan().unwrap(), &()).unwrap();
            let (header, blocks) = generator.encode(&*solution, &job.plan().unwrap(), &()).unwrap();
            let (_, written) = blocks.write(&header, Cursor::new(Vec::new())).unwrap();
            let factor = cost.bytes as f64 / written.bytes as f64;
            assert!((0.5..2.5).contains(&factor), "{} bytes for {}", cost.bytes, written.bytes);
            assert!(cost.seconds.is_finite() && cost.seconds > 0.0);
        }
    }

    #[test]
    fn a_piece_is_like_the_whole() {
        let board = make::random(100, 80, 0.3, 1).unwrap().with_exits(&[]).unwrap();
        let part = piece(&board, Size { height: 48, width: 48 }).unwrap();
        assert_eq!((part.height(), part.width(), part.exits().count()), (48, 48, 0));
        let share = |board: &Board| board.open_count() as f64 / board.squares().len() as f64;
        assert!((share(&board) - share(&part)).abs() < 0.05);
    }
}
