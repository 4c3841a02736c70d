//! The parts of a pursuit table's values that a partial table may keep of each position.

use crate::failure::Failure;
use dragnet_formats::{
    cell::{Cell, Side},
    codec::ANY_CODE,
    game::{MAX_MOVES, MoveTable},
    header::{Header, Keep, PartialHeader, SectionedNumbering},
    numbering::{Numbering, TeamList, TeamPlace},
    pieces::Pieces,
    rules::Team,
    stop::StopCheck,
    value::{Score, Value},
};
use dragnet_probe::{Position, ProbeError, Scan, Table};
use std::cmp::Ordering;

/// The values of a pursuit table, read for the slots of a partial table of the same game. Cells are numbered
/// in reading order, world after world, teams as they stand in the partial table.
pub(crate) struct PartialSlots<'a> {
    header: &'a PartialHeader,
    numbering: SectionedNumbering,
    scan: Scan<'a>,
    teams: TeamList,
    /// The place of each team in the list of the scan.
    places: Vec<u32>,
    /// The numbers of the cells in world 0, one thief tile after the other.
    thief_order: Vec<u32>,
    /// For each world those to which the police moves.
    worlds_after: Vec<Vec<u32>>,
    /// The moves of one piece of the side whose moves are kept.
    moves: Option<MoveTable>,
}

/// A move with its code in the partial table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CodedMove {
    code: u32,
    /// Where it leads: the number of a row of scores for the thief; for the police the place of a team, and
    /// that of the world among those after this one.
    to: (u32, u32),
}

/// The scores that decide the slots of a thief tile.
struct TileRows {
    /// For each cell of the tile the moves of the thief, if they are kept.
    moves: Vec<Vec<CodedMove>>,
    /// Rows with a score for each team: of the cells to which the thief moves if his moves are kept, else of
    /// the cells of the tile; if the moves of the police are kept, in each world to which it moves.
    scores: Vec<Vec<Vec<Score>>>,
}

impl<'a> PartialSlots<'a> {
    /// Prepares to read `table` for a partial table with the header `header`, which is of the same game.
    ///
    /// # Errors
    /// When the table is damaged, or a team has more moves than codes can tell apart.
    pub(crate) fn new(table: &'a Table, header: &'a PartialHeader) -> Result<PartialSlots<'a>, Failure> {
        let (numbering, scan) = (header.game.numbering(), Scan::new(table)?);
        let teams = numbering.positions().police().list();
        let there = table.numbering().police();
        let place = |team| {
            let cells: Vec<Cell> =
                teams.cells(team).iter().map(|&cell| scan.officer_cells()[cell as usize]).collect();
            place(&scan, there.place(&pieces(&cells)).expect("both numberings have every team"))
        };
        let places = (0..teams.len()).map(place).collect();
        let moves = match header.keep {
            Keep::Outcomes => None,
            Keep::MovesOf(side) => Some(table.move_table(side, u32::MAX, &mut StopCheck::never())?),
        };
        if let (Keep::MovesOf(Side::Police), Some(moves)) = (header.keep, &moves) {
            check_codes(moves, &header.game)?;
        }
        let worlds_after = match (header.keep, &moves) {
            (Keep::MovesOf(Side::Police), Some(moves)) => {
                table
                    .game(&mut StopCheck::never())?
                    .game
                    .check()
                    .map_err(|error| Failure::Input(error.into()))?;
                worlds_after(moves, header.game.worlds)
            }
            _ => Vec::new(),
        };
        let thief_order = numbering.positions().thief().order();
        Ok(PartialSlots { header, numbering, scan, teams, places, thief_order, worlds_after, moves })
    }

    fn numbering(&self) -> &Numbering {
        self.numbering.positions()
    }

    /// Returns the number of thief tiles in all worlds.
    pub(crate) fn thief_tiles(&self) -> u32 {
        self.header.game.worlds * self.numbering().thief().tile_count()
    }

    /// Returns the number of a cell in a world.
    fn in_world(&self, world: u32, cell: u32) -> u32 {
        world * self.scan.cells().len() as u32 + cell
    }

    /// Returns the position of a slot, with the side to move whose knowledge is kept.
    pub(crate) fn position(&self, block: u64, slot: usize) -> Position {
        let tiles = self.numbering().tiles(block);
        let teams = self.teams.range_of(tiles.police);
        let team = self.places[teams.start + slot % teams.len()] as usize;
        let thief = self.thief_order[self.numbering().thief().range_of(tiles.thief)][slot / teams.len()];
        let turn = match self.header.keep {
            Keep::Outcomes => Side::Police,
            Keep::MovesOf(side) => side,
        };
        self.scan.position(team, self.in_world(tiles.world, thief), turn)
    }

    /// Calls `each` for every block of a thief tile of a world, with the number of the block and all its
    /// slots. Tiles are counted world after world.
    pub(crate) fn for_each_block<E: From<ProbeError>>(
        &self,
        thief_tile: u32,
        mut each: impl FnMut(u64, &BlockSlots) -> Result<(), E>,
    ) -> Result<(), E> {
        let tiles = self.numbering().thief().tile_count();
        let (world, thief_tile) = (thief_tile / tiles, thief_tile % tiles);
        let cells = &self.thief_order[self.numbering().thief().range_of(thief_tile)];
        let thief: Vec<u32> = cells.iter().map(|&cell| self.in_world(world, cell)).collect();
        let rows = self.rows(world, &thief)?;
        let police_tiles = self.numbering().police().tile_count();
        for police_tile in 0..police_tiles {
            let block = u64::from(world) * police_tiles + police_tile;
            let block = block * u64::from(tiles) + u64::from(thief_tile);
            let teams = self.teams.range_of(police_tile);
            let mut slots = BlockSlots { teams: teams.len(), starts: vec![0], codes: Vec::new() };
            let mut by_team = Vec::with_capacity(teams.len());
            for team in teams {
                by_team.push((team, self.moves_of_team(world, team)));
            }
            for (rank, &cell) in thief.iter().enumerate() {
                for (team, moves) in &by_team {
                    let place = self.places[*team] as usize;
                    if !self.scan.is_terminal(place, cell) {
                        self.add_codes(&rows, rank, place, moves, &mut slots.codes);
                    }
                    slots.starts.push(slots.codes.len() as u32);
                }
            }
            each(block, &slots)?;
        }
        Ok(())
    }

    /// Reads the scores that decide the slots with the thief on these cells of a world.
    fn rows(&self, world: u32, thief: &[u32]) -> Result<TileRows, ProbeError> {
        let own = |scores| TileRows { moves: Vec::new(), scores };
        match (self.header.keep, &self.moves) {
            (Keep::MovesOf(Side::Thief), Some(table)) => {
                let targets = thief.iter().flat_map(|&cell| table.of(cell as usize));
                let mut needed: Vec<u32> = targets.copied().collect();
                needed.sort_unstable();
                needed.dedup();
                let moves = thief.iter().map(|&from| {
                    let coded = |(&to, code): (&u32, u32)| CodedMove {
                        code,
                        to: (needed.partition_point(|&cell| cell < to) as u32, 0),
                    };
                    table.of(from as usize).iter().zip(1..).map(coded).collect()
                });
                Ok(TileRows { moves: moves.collect(), scores: vec![self.scan.stored_rows(&needed)?] })
            }
            (Keep::MovesOf(_), _) => {
                let in_world = |&after: &u32| {
                    let there = |&cell: &u32| self.in_world(after, cell - self.in_world(world, 0));
                    let thief: Vec<u32> = thief.iter().map(there).collect();
                    Ok(self.scan.rows_of(&thief)?.thief_to_move)
                };
                Ok(own(self.worlds_after[world as usize]
                    .iter()
                    .map(in_world)
                    .collect::<Result<_, ProbeError>>()?))
            }
            (Keep::Outcomes, _) => Ok(own(vec![self.scan.stored_rows(thief)?])),
        }
    }

    /// Returns the moves of a team in a world, if the moves of the police are kept.
    fn moves_of_team(&self, world: u32, team: usize) -> Vec<CodedMove> {
        let (Keep::MovesOf(Side::Police), Some(moves)) = (self.header.keep, &self.moves) else {
            return Vec::new();
        };
        let (cells, worlds) = (self.scan.officer_cells(), self.header.game.worlds);
        let after = &self.worlds_after[world as usize];
        // A list has the officers tile by tile, a code in reading order.
        let mut from = self.teams.cells(team).to_vec();
        from.sort_unstable();
        let there = self.scan.table().numbering().police();
        let mut found = Vec::new();
        // Moves come in the order of their codes.
        let mut add = |to: &[u32], moved: u32| {
            let to: Vec<Cell> = to.iter().map(|&cell| cells[cell as usize % cells.len()]).collect();
            let team = there.place(&pieces(&to)).expect("a legal move leads to a team of the game");
            let world = moved / cells.len() as u32;
            let world = after.iter().position(|&after| after == world).expect("a world to which moves lead");
            let to = (place(&self.scan, team), world as u32);
            found.push(CodedMove { code: found.len() as u32 + 1, to });
        };
        match self.header.game.team {
            Team::One => {
                for (officer, &cell) in from.iter().enumerate() {
                    let mut to = from.clone();
                    for &target in moves.of_part(world, worlds, cell) {
                        to[officer] = target;
                        add(&to, target);
                    }
                }
            }
            Team::All => {
                let lists: Vec<&[u32]> =
                    from.iter().map(|&cell| moves.of_part(world, worlds, cell)).collect();
                each_combination(&lists, &mut vec![0; from.len()], &mut |to: &[u32]| add(to, to[0]));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the codes that a slot may have, rising, of a position that is not terminal: with the thief on the
    /// cell with the number `rank` in the tile, and the team with this place and these moves.
    fn add_codes(
        &self,
        rows: &TileRows,
        rank: usize,
        place: usize,
        moves: &[CodedMove],
        codes: &mut Vec<u32>,
    ) {
        let begin = codes.len();
        match self.header.keep {
            Keep::Outcomes => {
                codes.push(match Value::from_score(rows.scores[0][rank][place]) {
                    Value::Draw => 0,
                    Value::Loss(_) => 1,
                    Value::Win(_) => 2,
                });
            }
            Keep::MovesOf(Side::Police) => {
                keep_best(moves, |(team, world)| rows.scores[world as usize][rank][team as usize], codes);
            }
            Keep::MovesOf(Side::Thief) => {
                keep_best(&rows.moves[rank], |(row, _)| rows.scores[0][row as usize][place], codes);
            }
        }
        if codes.len() == begin {
            codes.push(0);
        }
    }
}

/// The codes that the slots of a block may have.
pub(crate) struct BlockSlots {
    /// The number of teams in the block.
    teams: usize,
    /// Where the codes of each slot begin, and their end.
    starts: Vec<u32>,
    codes: Vec<u32>,
}

impl BlockSlots {
    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the codes that a slot may have, rising; none of a terminal position, whose code has no
    /// meaning.
    pub(crate) fn codes_of(&self, slot: usize) -> &[u32] {
        &self.codes[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// Returns the first slot whose code is none of those that it may have.
    pub(crate) fn first_wrong(&self, codes: &[u32]) -> Option<usize> {
        let wrong = |&slot: &usize| {
            let may_have = self.codes_of(slot);
            !may_have.is_empty() && may_have.binary_search(&codes[slot]).is_err()
        };
        (0..self.len()).find(wrong)
    }

    /// Chooses a code for each slot: if it may be, the one of the slot before or of the slot a row before, so
    /// that the block is smaller when it is compressed; or else the lowest.
    pub(crate) fn choose(&self, chosen: &mut Vec<u32>) {
        chosen.clear();
        for slot in 0..self.len() {
            let neighbours = [slot.checked_sub(1), slot.checked_sub(self.teams)];
            let codes = self.codes_of(slot);
            let may_be = |code: &u32| codes.binary_search(code).is_ok();
            let like = neighbours.into_iter().flatten().map(|at| chosen[at]).find(may_be);
            chosen.push(like.or_else(|| codes.first().copied()).unwrap_or(ANY_CODE));
        }
    }
}

/// Returns the place in the list of the scan of a team with this place in its tile.
fn place(scan: &Scan, team: TeamPlace) -> u32 {
    (scan.teams().range_of(team.tile).start + team.rank as usize) as u32
}

fn pieces(cells: &[Cell]) -> Pieces {
    Pieces::new(cells).expect("a team has as many officers as the rules allow")
}

/// Returns for each world those to which these moves lead.
fn worlds_after(moves: &MoveTable, worlds: u32) -> Vec<Vec<u32>> {
    let places = moves.places() / worlds as usize;
    let of_world = |world: usize| {
        let rows = (world * places..(world + 1) * places).flat_map(|place| moves.of(place));
        let mut after: Vec<u32> = rows.map(|&to| to / places as u32).collect();
        after.sort_unstable();
        after.dedup();
        after
    };
    (0..worlds as usize).map(of_world).collect()
}

/// Calls `each` with every combination of one element of each list, those of the first list changing fastest.
/// `to` has room for the elements.
fn each_combination(lists: &[&[u32]], to: &mut [u32], each: &mut impl FnMut(&[u32])) {
    let Some((list, rest)) = lists.split_last() else { return each(to) };
    for &element in *list {
        to[rest.len()] = element;
        each_combination(rest, to, each);
    }
}

/// Checks that codes can tell the moves of every team apart.
fn check_codes(moves: &MoveTable, game: &Header) -> Result<(), Failure> {
    let longest = (0..moves.places()).map(|place| moves.of(place).len() as u64).max().unwrap_or(0);
    let officers = game.officers();
    let most = match game.team {
        Team::All => longest.checked_pow(officers.into()),
        Team::One => longest.checked_mul(officers.into()),
    };
    match most.filter(|&most| most <= MAX_MOVES) {
        Some(_) => Ok(()),
        None => Err(Failure::input(format!(
            "{officers} officers with up to {longest} moves each have more moves together than a table can keep"
        ))),
    }
}

/// Adds to `codes` those of the moves with the greatest score, rising.
fn keep_best(moves: &[CodedMove], score: impl Fn((u32, u32)) -> Score, codes: &mut Vec<u32>) {
    let (begin, mut best) = (codes.len(), Score::MIN);
    for candidate in moves {
        let score = score(candidate.to);
        match score.cmp(&best) {
            Ordering::Less => continue,
            Ordering::Equal => {}
            Ordering::Greater => codes.truncate(begin),
        }
        best = score;
        codes.push(candidate.code);
    }
    codes[begin..].sort_unstable();
}
