//! Small whole tables to be damaged, with the value of every position.

use crate::{
    bytes::{Choices, random},
    draft::Draft,
    games::{SMALL, compile, tiles, wild},
    solved::solve,
};
use dragnet_formats::{
    board::{Scenario, text},
    doors::DoorsText,
    graph::GraphBuilder,
    numbering::TileSize,
    setting::Setting,
    stored::StoredGame,
};
use dragnet_probe::{
    Board, MoveSet, Movement, Open, PoliceOnExit, Position, Rules, Side, Stuck, Table, Team, Value, Wrap,
};
use std::sync::LazyLock;

/// A whole table and the value of each of its positions.
#[derive(Debug)]
pub struct Whole {
    /// The bytes of the file.
    pub file: Vec<u8>,
    /// Every position with its value.
    pub values: Vec<(Position, Value)>,
}

/// The number of games without a board among the whole tables.
const WILD: u64 = 6;

/// The tables that [`table_differential`](crate::table_differential) damages.
pub static WHOLES: LazyLock<Vec<Whole>> = LazyLock::new(|| {
    let leaper = Movement::new(MoveSet::Offsets(vec![(1, 2), (0, -1)])).without_pass();
    let odd = Rules { thief: leaper, wrap: Wrap::Both, stuck: Stuck::Wins, ..Rules::classic() };
    let one = Rules { officers: 2, team: Team::One, police_on_exit: PoliceOnExit::Wins, ..Rules::classic() };
    let mut wholes = vec![
        Whole::new("..E\n.#.\n...\n", Rules::classic(), (2, 2), (3, 3)),
        Whole::new("...#\n.#..\n", Rules::chase(), (1, 4), (2, 1)),
        Whole::new(".#.\nE..\n", odd, (2, 3), (2, 3)),
        // Tiles of one square: more than one page of index.
        Whole::new("...\n.#.\nE..\n", Rules::classic(), (1, 1), (1, 1)),
        Whole::new(".E.\n#..\n", one, (1, 2), (2, 2)),
        Whole::with_doors(
            "...\n.#.\n..E\n",
            "[[doors]]\ncell = [0, 1]\nkey = [2, 0]\n[[doors]]\ncell = [1, 2]\nschedule = \".##\"\n",
            Rules::classic(),
        ),
        Whole::on_graph(&[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)], Rules { officers: 2, ..Rules::cops() }),
    ];
    wholes.extend((0..WILD).map(|seed| {
        let bytes = random(seed, 200);
        let mut choices = Choices(&bytes);
        let stored = wild(&mut choices, &SMALL);
        let tiles = tiles(&mut choices, stored.game.officers());
        Whole::of_game(&stored, tiles)
    }));
    wholes
});

impl Whole {
    fn new(rows: &str, rules: Rules, police: (u8, u8), thief: (u8, u8)) -> Whole {
        let scenario = text::parse(rows.as_bytes()).expect("a board");
        Whole::of_setting(scenario, rules, [police, thief])
    }

    fn with_doors(rows: &str, doors: &str, rules: Rules) -> Whole {
        let scenario = text::parse(rows.as_bytes()).expect("a board");
        let DoorsText { doors } = toml::from_str(doors).expect("doors");
        let setting = Setting::new(scenario, rules).with_doors(doors).expect("doors of the board");
        Whole::of_game(&compile(&setting), tile_sizes([(2, 2), (3, 3)]))
    }

    fn on_graph(edges: &[(u64, u64)], rules: Rules) -> Whole {
        let mut graph = GraphBuilder::new();
        for &(a, b) in edges {
            graph.add(a, b).and_then(|()| graph.add(b, a)).expect("an edge");
        }
        let board = Board::of_graph(&graph.build()).expect("a board");
        Whole::of_setting(Scenario::from_board(board), rules, [(1, 2), (1, 4)])
    }

    fn of_setting(scenario: Scenario, rules: Rules, tiles: [(u8, u8); 2]) -> Whole {
        Whole::of_game(&compile(&Setting::new(scenario, rules)), tile_sizes(tiles))
    }

    fn of_game(stored: &StoredGame, tiles: [TileSize; 2]) -> Whole {
        let solved = solve(&stored.game, tiles).expect("a game");
        let draft = Draft::new(&stored.pack(tiles).expect("a small game"), &solved);
        let file = draft.write(&draft.header_bytes().expect("a header")).expect("few blocks");
        let table = Open::bytes(file.clone()).pursuit().expect("a table");
        table.check_sums(|_| {}).expect("a whole table");
        for &(at, value) in &solved.values {
            assert_eq!(table.value(at).expect("an answer"), value, "{at}");
        }
        Whole { file, values: solved.values }
    }
}

fn tile_sizes(tiles: [(u8, u8); 2]) -> [TileSize; 2] {
    tiles.map(|(rows, cols)| TileSize::new(rows, cols).expect("a tile size"))
}

/// Returns whether the police is to move in a position whose value a block holds.
pub(crate) fn is_stored(table: &Table, at: Position) -> bool {
    at.turn == Side::Police && table.winner(at).expect("a position").is_none()
}
