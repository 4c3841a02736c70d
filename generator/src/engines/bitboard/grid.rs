//! What does not change while solving: the board cut in tiles of 64 squares, and the moves between them as word operations.

use super::{
    lane::ROWS,
    overlay::{Overlays, Spot},
    police::{PoliceTile, Row, Single},
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{cell::Cell, moves::MoveTable, numbering::Place, pieces::Pieces};
use std::ops::Range;

/// Moves of the thief from the cells of one overlay to those of one overlay, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// Where the moves lead.
    pub(super) overlay: u32,
    /// Bit number there less bit number here.
    pub(super) by: i32,
    /// The cells here that have the move.
    pub(super) mask: u64,
}

impl Shift {
    /// The cells to which the moves lead.
    fn reached(&self) -> u64 {
        if self.by >= 0 { self.mask << self.by } else { self.mask >> -self.by }
    }

    /// What `all` of the overlay's words become by these moves into `there`: more if one move is enough, less if all are needed.
    #[inline(always)]
    pub(super) fn add<const WINS: bool>(&self, all: u64, there: u64) -> u64 {
        // For each cell here the bit to which the move leads; bits outside the mask have no meaning.
        let look = if self.by >= 0 { there >> self.by } else { there << -self.by };
        if WINS { all | look & self.mask } else { all & (look | !self.mask) }
    }
}

/// The thief's cells of which each is a bit of the same words.
#[derive(Debug)]
pub(super) struct Overlay {
    /// Their bits.
    pub(super) open: u64,
    /// Bits of the exits.
    pub(super) exits: u64,
    /// Bits of the cells without a move.
    pub(super) stuck: u64,
    /// The moves, by the overlays into which they lead.
    pub(super) shifts: Vec<Shift>,
    /// The overlays into which they lead.
    pub(super) targets: Vec<Target>,
}

/// An overlay into which moves of the thief from another, or the same, lead.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) overlay: u32,
    /// The moves.
    pub(super) shifts: Range<usize>,
    /// The cells there to which they lead.
    pub(super) cross: Cross,
}

/// Of some cells of an overlay the rows and the columns, a bit each: enough to tell what is near an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    rows: u8,
    cols: u8,
}

impl Cross {
    #[inline(always)]
    pub(super) fn of(cells: u64) -> Cross {
        let halves = cells | cells >> 32;
        let quarters = halves | halves >> 16;
        let rows =
            cells.to_le_bytes().iter().enumerate().map(|(row, &cells)| u8::from(cells != 0) << row).sum();
        Cross { rows, cols: (quarters | quarters >> 8) as u8 }
    }

    /// Whether the cells of both can have one in common.
    #[inline(always)]
    pub(super) fn meets(self, other: Cross) -> bool {
        self.rows & other.rows != 0 && self.cols & other.cols != 0
    }
}

/// The board in tiles.
#[derive(Debug)]
pub(super) struct Grid {
    /// All rows of the police.
    pub(super) rows: usize,
    pub(super) police: Vec<PoliceTile>,
    pub(super) thief: Vec<Overlay>,
    /// The moves of the police, if it is one officer.
    pub(super) single: Option<Single>,
    /// Of several officers, the tile of each row.
    row_tiles: Vec<u32>,
    /// By number in reading order.
    pub(super) spots: Vec<Spot>,
}

impl Grid {
    /// That of the board of `game`, whose overlays these are.
    pub(super) fn new(game: &Pursuit, overlays: &Overlays) -> Grid {
        let board = game.board();
        let cells: Vec<Cell> = board.open_cells().collect();
        let places: Vec<Place> = cells.iter().filter_map(|&cell| overlays.place(cell)).collect();
        let spots: Vec<Spot> =
            cells.iter().zip(&places).map(|(&cell, place)| overlays.spot(place.tile, cell)).collect();
        let reading: Vec<u32> = (0..cells.len() as u32).collect();
        let thief_moves = game.thief_moves(&reading);
        let mut numbers = vec![Vec::new(); overlays.count()];
        (0..).zip(&spots).for_each(|(number, spot)| numbers[spot.overlay as usize].push(number));
        let overlay = |numbers: Vec<u32>| Overlay::new(&numbers, &thief_moves, game.exits(), &spots);
        let thief = numbers.into_iter().map(overlay).collect();
        let one = game.rules().officers == 1;
        let single = one.then(|| Single::new(game, &places));
        let mut grid = Grid {
            rows: game.police().list().len(),
            police: Vec::new(),
            row_tiles: Vec::new(),
            thief,
            single,
            spots,
        };
        if let Some(single) = &grid.single {
            let tile = |rows: Range<usize>| {
                let team = |row: usize| {
                    let cell = cells[single.cells(row)[0] as usize];
                    game.police().find(&Pieces::one(cell)).map_or(0, |team| team as usize)
                };
                let (dependents, king) =
                    (single.dependents(rows.clone()), single.king(board, &cells, rows.clone()));
                PoliceTile { dependents, king, ..grid.police_tile(game, rows, |row| single.cells(row), team) }
            };
            grid.police = single.tiles().map(tile).collect();
        } else {
            let list = game.police().list();
            for team_tile in 0..game.numbering().police().tile_count() {
                let all = list.range_of(team_tile);
                for first in all.clone().step_by(ROWS) {
                    let rows = first..all.end.min(first + ROWS);
                    grid.row_tiles.extend(rows.clone().map(|_| grid.police.len() as u32));
                    let tile = grid.police_tile(game, rows, |row| list.cells(row), |row| row);
                    grid.police.push(tile);
                }
            }
        }
        grid
    }

    /// The tile of the rows whose officers stand on the cells with these numbers in reading order, and which are these teams.
    fn police_tile<'a>(
        &self,
        game: &Pursuit,
        rows: Range<usize>,
        cells: impl Fn(usize) -> &'a [u32],
        team: impl Fn(usize) -> usize,
    ) -> PoliceTile {
        let bits = |is: &dyn Fn(usize) -> bool| {
            rows.clone().enumerate().filter(|&(_, row)| is(team(row))).map(|(i, _)| 1u64 << i).sum()
        };
        let mut stands: Vec<u32> =
            (rows.clone().flat_map(&cells)).map(|&cell| self.spots[cell as usize].overlay).collect();
        stands.sort_unstable();
        stands.dedup();
        PoliceTile {
            first: rows.start,
            rows: rows.len(),
            stuck: bits(&|team| game.police().stuck(team as u64)),
            arrived: bits(&|team| game.police_arrived(team)),
            stands,
            dependents: Vec::new(),
            king: None,
        }
    }

    /// The number of open cells.
    pub(super) fn cell_count(&self) -> usize {
        self.spots.len()
    }

    /// The row of a team, by its place in the list of all.
    #[inline(always)]
    pub(super) fn row(&self, game: &Pursuit, team: usize) -> Row {
        if let Some(single) = &self.single {
            return single.row(game.police().list().cells(team)[0]);
        }
        let tile = self.row_tiles[team];
        Row { tile, at: team - self.police[tile as usize].first }
    }

    /// The tile of a row of several officers.
    #[inline(always)]
    pub(super) fn tile_of(&self, row: usize) -> u32 {
        self.row_tiles[row]
    }

    /// The cells of the officers in row number `row`, by their numbers in reading order.
    #[inline(always)]
    fn officers<'a>(&'a self, game: &'a Pursuit, row: usize) -> &'a [u32] {
        match &self.single {
            Some(single) => single.cells(row),
            None => game.police().list().cells(row),
        }
    }

    /// The bits of the cells of overlay `thief` on which an officer of row number `row` stands.
    pub(super) fn captured(&self, game: &Pursuit, row: usize, thief: usize) -> u64 {
        let spots = self.officers(game, row).iter().map(|&cell| self.spots[cell as usize]);
        spots.filter(|spot| spot.overlay as usize == thief).fold(0, |bits, spot| bits | 1 << spot.bit)
    }
}

impl Overlay {
    /// That of the cells with these numbers in reading order.
    fn new(numbers: &[u32], moves: &MoveTable, exits: &[bool], spots: &[Spot]) -> Overlay {
        let mut overlay = Overlay { open: 0, exits: 0, stuck: 0, shifts: Vec::new(), targets: Vec::new() };
        for number in numbers.iter().map(|&number| number as usize) {
            let bit = spots[number].bit;
            let mask = 1 << bit;
            overlay.open |= mask;
            if exits[number] {
                overlay.exits |= mask;
            }
            if moves.of(number).is_empty() {
                overlay.stuck |= mask;
            }
            for there in moves.of(number).iter().map(|&to| spots[to as usize]) {
                let by = there.bit as i32 - bit as i32;
                let same = |shift: &&mut Shift| shift.overlay == there.overlay && shift.by == by;
                match overlay.shifts.iter_mut().find(same) {
                    Some(shift) => shift.mask |= mask,
                    None => overlay.shifts.push(Shift { overlay: there.overlay, by, mask }),
                }
            }
        }
        overlay.shifts.sort_by_key(|shift| shift.overlay);
        let mut start = 0;
        for shifts in overlay.shifts.chunk_by(|a, b| a.overlay == b.overlay) {
            let end = start + shifts.len();
            let cells = shifts.iter().fold(0, |cells, shift| cells | shift.reached());
            let target = Target { overlay: shifts[0].overlay, shifts: start..end, cross: Cross::of(cells) };
            overlay.targets.push(target);
            start = end;
        }
        overlay
    }
}
