//! The ways of the pieces of a chase.

use crate::{output::human, table::places::square_of};
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
    rules::Wrap,
};
use dragnet_probe::{Line, Table};

/// The way of one piece: the squares of the board on which it stands, each with the number of the ply that
/// led there, 0 at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) side: Side,
    pub(super) stops: Vec<(usize, Cell)>,
}

impl Track {
    /// Returns the track of each officer, then the thief's.
    pub(super) fn all(table: &Table, line: &Line) -> Vec<Track> {
        let squares = |police: &Pieces| police.iter().map(|&cell| square_of(table, cell)).collect();
        let officers: Vec<Cell> = squares(&line.start.police);
        let start = |side, cell| Track { side, stops: vec![(0, cell)] };
        let mut police: Vec<Track> = officers.iter().map(|&cell| start(Side::Police, cell)).collect();
        let mut thief = start(Side::Thief, square_of(table, line.start.thief));
        for (ply, step) in (1..).zip(&line.moves) {
            match step.side {
                Side::Thief => thief.stops.push((ply, square_of(table, step.position.thief))),
                Side::Police => {
                    let from: Vec<Cell> = police.iter().map(Track::last).collect();
                    let officers: Vec<Cell> = squares(&step.position.police);
                    let to = match_officers(table, &from, &officers);
                    police.iter_mut().zip(to).for_each(|(track, cell)| track.stops.push((ply, cell)));
                }
            }
        }
        police.push(thief);
        police
    }

    /// Returns the cell on which the piece stands at the end.
    pub(super) fn last(&self) -> Cell {
        self.stops.last().expect("a track has a start").1
    }
}

/// Orders the cells of a team so that each officer of `from` takes a short step: a position does not say
/// which officer went where.
fn match_officers(table: &Table, from: &[Cell], to: &[Cell]) -> Vec<Cell> {
    let mut order = to.to_vec();
    let mut best = (u64::MAX, order.clone());
    permute(&mut order, 0, &mut |order| {
        let cost = from.iter().zip(order).map(|(&from, &to)| squared_distance(table, from, to)).sum();
        if cost < best.0 {
            best = (cost, order.to_vec());
        }
    });
    best.1
}

/// Calls `visit` with each order of the cells from index `first` on: at most 720 for a team of six.
fn permute(cells: &mut [Cell], first: usize, visit: &mut impl FnMut(&[Cell])) {
    if first == cells.len() {
        return visit(cells);
    }
    for i in first..cells.len() {
        cells.swap(first, i);
        permute(cells, first + 1, visit);
        cells.swap(first, i);
    }
}

fn squared_distance(table: &Table, from: Cell, to: Cell) -> u64 {
    let [down, right] = displacement(table, from, to);
    (down * down + right * right) as u64
}

/// Returns the rows and columns from one cell to another, by the shorter way where edges of the board are
/// joined.
pub(super) fn displacement(table: &Table, from: Cell, to: Cell) -> [i64; 2] {
    let (board, wrap) = (table.board(), human::wrap(table));
    let along = |from: u16, to: u16, length: u16, joined: bool| {
        let (plain, length) = (i64::from(to) - i64::from(from), i64::from(length));
        if joined && 2 * plain.abs() > length { plain - length * plain.signum() } else { plain }
    };
    let vertical = matches!(wrap, Wrap::Vertical | Wrap::Both);
    let horizontal = matches!(wrap, Wrap::Horizontal | Wrap::Both);
    [along(from.row, to.row, board.height(), vertical), along(from.col, to.col, board.width(), horizontal)]
}
