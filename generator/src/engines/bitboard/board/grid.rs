//! The grid, which does not change while solving: the board cut in tiles of 64 squares, and the moves between
//! them as word operations.

use super::{
    super::words::ROWS,
    overlay::{CellBit, Overlays},
    overlay_order::OverlayOrder,
    police::{OfficerTiles, PoliceRow},
    police_moves::OfficerMoves,
    slices::Cut,
    team_tiles::{Places, TeamTiles},
    thief::Overlay,
};
use crate::{games::pursuit::Pursuit, observer::GridSquare, solve_error::SolveError, stop::StopRequest};
use dragnet_formats::{
    cell::Cell,
    game::terminal::TerminalRule,
    numbering::{EIGHT, Place, ROW, SIXTEEN, Tiling},
    stop::StopCheck,
};
use rayon::prelude::*;

/// How many places of the last officer the teams of a slice have.
const LAST_PLACES: usize = if cfg!(test) { 4 } else { 64 };

/// The board in police tiles and overlays.
#[derive(Debug)]
pub(crate) struct Grid {
    /// The number of rows of each police tile.
    rows: Vec<u8>,
    /// Where the block of each police tile begins in the dense words of an overlay; one more at the end.
    /// Behind those of each range is room for [`ROWS`] more, so that every block can be read as a full one.
    pub(crate) starts: Vec<u32>,
    /// The ranges of police tiles that slices have.
    pub(crate) cut: Cut,
    /// For each world, and there for each range, the ranges with police tiles into which moves of a single
    /// officer lead.
    near: Vec<Vec<u32>>,
    /// The thief cells by overlay: own ones, then ghosts, then the others.
    pub(crate) overlays: Vec<Overlay>,
    /// The numbers of the overlays on the whole board, and which are own ones and ghosts.
    pub(crate) order: OverlayOrder,
    /// The cells of officers, kind by kind. If there is one, they are the rows of the police.
    pub(crate) officer: OfficerTiles,
    /// The moves of an officer in each world.
    moves: Vec<OfficerMoves>,
    /// The rows of the police, if there are several officers.
    pub(crate) teams: Option<TeamTiles>,
    /// Whether the overlays have the cells of a walk through corridors.
    pub(crate) is_walked: bool,
    /// The bit of each thief cell, by the cell's number in reading order, world after world.
    bits: Vec<CellBit>,
    /// The number of the thief's cells in a world.
    cells: usize,
}

impl Grid {
    /// Creates the grid of the board of `game`, whose tiles `overlays` has packed, for the solver of those
    /// overlays of which `is_own` is true.
    ///
    /// # Errors
    /// When moves of officers lead from one world to several, the system refuses memory, or the work is to
    /// stop.
    pub(crate) fn new(
        game: &Pursuit,
        overlays: &Overlays,
        is_own: impl Fn(u32) -> bool,
        stop: StopRequest,
    ) -> Result<Grid, SolveError> {
        let ask = || stop.ask();
        let check = &mut StopCheck::new(&ask);
        let [police, thief] = game.places();
        let squares = overlays.squares(thief);
        let (mut bits, is_walked) = (overlays.bits(), overlays.is_walked);
        let thief_moves = game.thief_moves_in_reading_order(check)?;
        let mut numbers = vec![Vec::new(); overlays.count()];
        for (number, bit) in (0..).zip(&bits) {
            numbers[bit.overlay as usize].push(number);
        }
        let tiling = |of_row, of_squares| {
            let size = |rows: u16| (rows, if rows == 1 { of_row } else { of_squares });
            Tiling::of_kinds(police, game.kinds().iter().map(|kind| size(kind.rows)))
        };
        let words = tiling(ROW, EIGHT);
        let place = |cell: Cell| words.place(cell).expect("a place lies in a tile");
        let places: Vec<Place> = police.cells().map(place).collect();
        let officers = usize::from(game.numbering().police().officers());
        let officer = if officers == 1 {
            OfficerTiles::new(game, game.numbering().police().tiling(), &places)
        } else {
            // The tiles of a table of teams are too small for a word.
            OfficerTiles::new(game, &tiling(ROW, SIXTEEN), &places)
        };
        let moves = (0..game.numbering().worlds()).into_par_iter();
        let moves = moves.map(|world| OfficerMoves::new(game, &officer, world, stop));
        let moves = moves.collect::<Result<Vec<OfficerMoves>, _>>()?;
        let of_teams = game.numbering().police().numbers();
        let teams = (officers > 1).then(|| TeamTiles::new(&officer, of_teams, check)).transpose()?;
        let rows: Vec<u8> = match &teams {
            Some(teams) => (0..teams.len()).map(|tile| teams.rows(&officer, tile as u32) as u8).collect(),
            None => officer.tiles().map(|places| places.len() as u8).collect(),
        };
        // The partial turns of teams are computed anew in each slice, and shared by those whose last officers
        // are near one another. So a slice of teams has about a tile of places of the last officer.
        let most = if officers == 1 { rows.len() } else { places.len().div_ceil(LAST_PLACES) };
        let cut = Cut::new(rows.len(), overlays.count(), most);
        let mut before = 0;
        let mut starts = Vec::with_capacity(rows.len() + 1);
        for (tile, &rows) in (0..).zip(&rows) {
            starts.push(before + (cut.range_of(tile) * ROWS) as u32);
            before += u32::from(rows);
        }
        starts.push(before + (cut.count() * ROWS) as u32);
        let overlay = |(number, numbers): (usize, &Vec<u32>)| {
            stop.check()?;
            let world = overlays.world(number);
            let police_target = overlays.in_world(moves[world as usize].world_after, number);
            let escapes = game.terminal_rule().escapes();
            Ok(Overlay::new((world, police_target), numbers, &thief_moves, escapes, &bits))
        };
        let mut overlays =
            numbers.par_iter().enumerate().map(overlay).collect::<Result<Vec<Overlay>, SolveError>>()?;
        Overlay::link(&mut overlays);
        let order = OverlayOrder::new(&overlays, &squares, is_own);
        overlays.iter_mut().for_each(|overlay| overlay.renumber(&order.places));
        bits.iter_mut().for_each(|bit| bit.overlay = order.places[bit.overlay as usize]);
        let mut numbered: Vec<(u32, Overlay)> = order.places.iter().copied().zip(overlays).collect();
        numbered.sort_by_key(|&(place, _)| place);
        let overlays: Vec<Overlay> = numbered.into_iter().map(|(_, overlay)| overlay).collect();
        Ok(Grid {
            near: match officers {
                1 => moves.iter().flat_map(|moves| near(moves, cut)).collect(),
                _ => vec![Vec::new(); moves.len() * cut.count()],
            },
            rows,
            starts,
            cut,
            overlays,
            order,
            officer,
            moves,
            teams,
            is_walked,
            cells: thief.count(),
            bits,
        })
    }

    /// Returns the number of police tiles.
    pub(crate) fn tile_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of rows of a police tile.
    #[inline(always)]
    pub(crate) fn rows(&self, tile: u32) -> usize {
        usize::from(self.rows[tile as usize])
    }

    /// Returns the number of dense words of a set in one overlay.
    #[inline(always)]
    pub(crate) fn dense_words(&self) -> usize {
        self.starts[self.rows.len()] as usize
    }

    /// Returns the number of rows of the police tile that has the most.
    pub(crate) fn most_rows(&self) -> usize {
        self.rows.iter().max().map_or(0, |rows| usize::from(*rows))
    }

    /// Returns the number of slices of the whole board.
    pub(crate) fn slice_count(&self) -> usize {
        self.overlays.len() * self.cut.count()
    }

    /// Returns the number of own slices. They are the first ones.
    pub(crate) fn own_slices(&self) -> usize {
        self.order.own * self.cut.count()
    }

    /// Returns the number of own slices and of ghosts. They are the first ones.
    pub(crate) fn held_slices(&self) -> usize {
        self.order.held * self.cut.count()
    }

    /// Returns the own slices in an order in which most neighbours are close together.
    pub(crate) fn near_slices(&self) -> Vec<u32> {
        let mut own: Vec<usize> = (0..self.order.own).collect();
        if !self.is_walked {
            own.sort_by_key(|&overlay| z_order(self.order.squares[overlay]));
        }
        let ranges = 0..self.cut.count();
        let slices = own
            .iter()
            .flat_map(|&overlay| ranges.clone().map(move |range| self.slice(overlay, range) as u32));
        slices.collect()
    }

    /// Returns the number that a slice has on the whole board: that of its log.
    pub(crate) fn log_number(&self, slice: usize) -> usize {
        let ranges = self.cut.count();
        self.order.numbers[slice / ranges] as usize * ranges + slice % ranges
    }

    /// Returns the slice whose log has this number.
    pub(crate) fn slice_of_log(&self, number: usize) -> Option<usize> {
        let ranges = self.cut.count();
        let overlay = *self.order.places.get(number / ranges)? as usize;
        Some(self.slice(overlay, number % ranges))
    }

    /// Returns the number of a slice among all.
    #[inline(always)]
    pub(crate) fn slice(&self, overlay: usize, range: usize) -> usize {
        overlay * self.cut.count() + range
    }

    /// Returns the moves of an officer in the world of an overlay.
    #[inline(always)]
    pub(crate) fn moves(&self, overlay: usize) -> &OfficerMoves {
        &self.moves[self.overlays[overlay].world as usize]
    }

    /// Returns the moves of an officer in a world.
    pub(crate) fn moves_in(&self, world: u32) -> &OfficerMoves {
        &self.moves[world as usize]
    }

    /// Returns the number of worlds.
    pub(crate) fn worlds(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Returns the ranges with police tiles into which moves of a single officer lead from a range, in a
    /// world.
    #[inline(always)]
    pub(crate) fn near(&self, world: u32, range: usize) -> &[u32] {
        &self.near[world as usize * self.cut.count() + range]
    }

    /// Returns the bit of a thief cell in a world, given the cell's number in reading order.
    #[inline(always)]
    pub(crate) fn bit(&self, world: u32, number: u32) -> CellBit {
        self.bits[world as usize * self.cells + number as usize]
    }

    /// Returns the row of a team, given its place in the list of all.
    pub(crate) fn row(&self, game: &Pursuit, team: usize) -> PoliceRow {
        let cells = game.police().list().cells(team);
        let Some(teams) = &self.teams else { return self.officer.row(cells[0]) };
        let mut places: Places =
            cells.iter().map(|&cell| self.officer.place(self.officer.row(cell)) as u32).collect();
        places.sort_unstable();
        teams.row(&self.officer, &places)
    }

    /// Returns the cells of the officers in a row, by their numbers in reading order.
    pub(crate) fn officers(&self, row: PoliceRow) -> Places {
        let officer = &self.officer;
        let Some(teams) = &self.teams else { return Places::from_slice(&[officer.cell(officer.place(row))]) };
        let low = PoliceRow::new(teams.low(row.tile), row.at());
        let others = teams.others(row.tile).iter().map(|&place| officer.cell(place as usize));
        [officer.cell(officer.place(low))].into_iter().chain(others).collect()
    }

    /// Returns the bits of `overlay` whose cells one of `officers` captures by `rule`.
    pub(crate) fn captured(&self, rule: &TerminalRule, officers: &[u32], overlay: usize) -> u64 {
        let world = self.overlays[overlay].world;
        let cells = officers.iter().flat_map(|officer| rule.captured_from(world, officer));
        let bits = cells.map(|&cell| self.bit(world, cell));
        bits.filter(|bit| bit.overlay as usize == overlay).fold(0, |captured, bit| captured | 1 << bit.bit)
    }
}

/// Returns the place of a square in the Z order (Morton, 1966) of all: the bits of its row and of its column
/// by turns.
fn z_order(square: GridSquare) -> u32 {
    let bits = |number: u16| (0..16).map(move |bit| u32::from(number >> bit & 1) << (2 * bit));
    bits(square.row).map(|bit| bit << 1).chain(bits(square.col)).sum()
}

/// Returns for each range of police tiles those with tiles into which these moves of a single officer lead.
fn near(moves: &OfficerMoves, cut: Cut) -> Vec<Vec<u32>> {
    let mut near = vec![Vec::new(); cut.count()];
    for (tile, moves) in (0..).zip(&moves.tiles) {
        for from in &moves.dependents {
            near[cut.range_of(from.tile)].push(cut.range_of(tile) as u32);
        }
    }
    for ranges in &mut near {
        ranges.sort_unstable();
        ranges.dedup();
    }
    near
}
