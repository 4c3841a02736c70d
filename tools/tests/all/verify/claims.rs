//! Claims about the values of a game: written as tables, and held against the rules one position at a time.

use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    header::Header,
    moves::Steps,
    numbering::TileSize,
    pieces::Pieces,
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
    value::{Successors, Value},
};
use dragnet_generator::{Generator, Plan};
use dragnet_probe::{Open, Position};
use std::{collections::HashMap, io::Cursor, path::Path, sync::LazyLock};

static GENERATOR: LazyLock<Generator> = LazyLock::new(|| Generator::new(1).unwrap().without_sync());

/// A value for each position of a game with the police to move.
#[derive(Clone)]
pub(crate) struct Claims {
    pub(crate) header: Header,
    pub(crate) setting: Setting,
    pub(crate) values: HashMap<(Pieces, Cell), Value>,
}

/// A value that does not follow from those of the successors.
pub(crate) struct Wrong {
    pub(crate) position: (Pieces, Cell),
    pub(crate) found: Value,
    pub(crate) expected: Value,
}

impl Claims {
    /// Returns the right values, or `None` if the rules cannot be played on the board.
    pub(crate) fn right(board: &Board, rules: &Rules) -> Option<Claims> {
        let plan = Plan::new(board.clone(), rules.clone(), Default::default()).ok()?;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("right.dtb");
        GENERATOR.generate(&plan, &path, &()).unwrap();
        let table = Open::path(&path).pursuit().unwrap();
        let setting = plan.setting().unwrap().clone();
        let mut claims = Claims { header: table.header().clone(), setting, values: HashMap::new() };
        for (team, thief) in claims.by_digest() {
            let value = table.value(Position::new(team, thief, Side::Police)).unwrap();
            claims.values.insert((team, thief), value);
        }
        Some(claims)
    }

    /// Stores the table in tiles of other sizes.
    pub(crate) fn retile(&mut self, police: TileSize, thief: TileSize) {
        (self.header.kinds[0].tile, self.header.thief.tile) = (police, thief);
    }

    fn cells(&self) -> Vec<Cell> {
        self.setting.board.open_cells().collect()
    }

    fn team(&self, cells: &[u32]) -> Pieces {
        let all = self.cells();
        Pieces::new(&cells.iter().map(|&cell| all[cell as usize]).collect::<Vec<_>>()).unwrap()
    }

    /// Returns all positions in the order of their numbers in the digest.
    pub(crate) fn by_digest(&self) -> Vec<(Pieces, Cell)> {
        let list = self.header.numbering().positions().police().list();
        let mut teams: Vec<(u64, Pieces)> =
            (0..list.len()).map(|team| (list.number(team), self.team(list.cells(team)))).collect();
        teams.sort_unstable_by_key(|team| team.0);
        let cells = self.cells();
        teams.iter().flat_map(|&(_, team)| cells.iter().map(move |&thief| (team, thief))).collect()
    }

    /// Returns all positions in the order of thief tiles, then of cells, then of teams.
    pub(crate) fn by_tile(&self) -> Vec<(Pieces, Cell)> {
        let (numbering, cells) = (self.header.numbering(), self.cells());
        let numbering = numbering.positions();
        let list = numbering.police().list();
        let teams: Vec<Pieces> = (0..list.len()).map(|team| self.team(list.cells(team))).collect();
        let order = numbering.thief().order();
        let thief = order.iter().map(|&cell| cells[cell as usize]);
        thief.flat_map(|thief| teams.iter().map(move |&team| (team, thief))).collect()
    }

    /// Returns the side that has won by the rules, without a move.
    pub(crate) fn winner(&self, team: Pieces, thief: Cell) -> Option<Side> {
        super::random::winner(&self.setting.board, &self.setting.rules, &team, thief)
    }

    /// Returns the value that follows from the claims after two moves, or `None` in a terminal position.
    fn derived(&self, team: Pieces, thief: Cell) -> Option<Value> {
        if self.winner(team, thief).is_some() {
            return None;
        }
        let (board, rules) = (&self.setting.board, &self.setting.rules);
        let replies = Steps::new(rules, Side::Thief).moves_from(board, thief);
        let turn = Steps::new(rules, Side::Police);
        let mut successors = Successors::default();
        for team in turn.team_moves(rules.team, board, &team, &mut { u64::MAX }).unwrap() {
            if let Some(winner) = self.winner(team, thief) {
                successors.add(Value::terminal(winner, Side::Thief));
                continue;
            }
            let mut after = Successors::default();
            for &to in &replies {
                let terminal = self.winner(team, to).map(|winner| Value::terminal(winner, Side::Police));
                after.add(terminal.unwrap_or_else(|| self.values[&(team, to)]));
            }
            successors.add(after.value(rules.stuck));
        }
        Some(successors.value(rules.stuck))
    }

    /// Returns the first of these positions whose value does not follow.
    pub(crate) fn first_wrong(&self, positions: &[(Pieces, Cell)]) -> Option<Wrong> {
        positions.iter().find_map(|&position| {
            let (found, expected) = (self.values[&position], self.derived(position.0, position.1)?);
            (found != expected).then_some(Wrong { position, found, expected })
        })
    }

    /// Writes the claims as a table with right checksums.
    pub(crate) fn write(&self, path: &Path, favour: Favour) {
        let (numbering, cells) = (self.header.numbering(), self.cells());
        let numbering = numbering.positions();
        let (list, order) = (numbering.police().list(), numbering.thief().order());
        let mut writer = Writer::new(Cursor::new(Vec::new()), &self.header).unwrap();
        let mut encoder = Encoder::new(favour, Encoder::DEFAULT_LEVEL);
        for block in 0..numbering.block_count() {
            let tiles = numbering.tiles(block);
            let teams: Vec<Pieces> =
                list.range_of(tiles.police).map(|team| self.team(list.cells(team))).collect();
            let thief = order[numbering.thief().range_of(tiles.thief)].iter();
            let slots = thief.flat_map(|&thief| teams.iter().map(move |&team| (team, thief)));
            let codes: Vec<u32> =
                slots.map(|(team, thief)| self.values[&(team, cells[thief as usize])].code()).collect();
            writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
        }
        let stored = StoredGame::of_setting(&self.setting, &mut StopCheck::never()).unwrap();
        for section in stored.pack(self.header.tiles()).unwrap().blocks() {
            writer.push(&encoder.encode(&section)).unwrap();
        }
        std::fs::write(path, writer.finish().unwrap().0.into_inner()).unwrap();
    }
}

impl Wrong {
    /// Returns the sentence of `dragnet verify`.
    pub(crate) fn message(&self, board: &Board) -> String {
        let (team, thief) = self.position;
        let cells = |cells: &[Cell]| -> String {
            let name = |cell: &Cell| match board.graph() {
                Some(_) => cell.col.to_string(),
                None => cell.to_string(),
            };
            cells.iter().map(name).collect::<Vec<_>>().join("+")
        };
        let words = |value: Value| match (value.outcome(Side::Police), value.dtw()) {
            (_, None) => "a draw: neither side can force a win".to_owned(),
            (winner, Some(0)) => format!("the {winner} has won"),
            (winner, Some(1)) => format!("the {winner} wins in 1 ply"),
            (winner, Some(plies)) => format!("the {winner} wins in {plies} plies"),
        };
        format!(
            "police {}, thief {}, police to move: its successors say that {}, the table that {}",
            cells(team.cells()),
            cells(&[thief]),
            words(self.expected),
            words(self.found)
        )
    }
}
