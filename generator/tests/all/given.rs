//! Games that are given as places, moves and ends, and come from no board: officers and the thief have places
//! of their own, move to wherever it may be, and a thief is caught from elsewhere.

use crate::{
    engines::{POOLS, blocks},
    support::given::{places_of_kinds, random_game},
};
use dragnet_formats::{
    cell::{Cell, Side},
    game::{
        MoveRows, MoveTable, OfficerKind, Places, PursuitGame, PursuitGameError, Stuck, Team,
        terminal::{TerminalRule, winner},
    },
    numbering::TileSize,
    pieces::Pieces,
    stop::StopCheck,
    value::Value,
};
use dragnet_generator::{
    Game, LabelledPursuit, Pursuit, PursuitError, SolveError, Start, bitboard,
    counters::{self, Tuning},
    naive,
    solution::Solution,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// A state of a given game: the world, the officers' places, rising, the thief's place, and the side to move.
type State = (u32, Vec<u32>, u32, Side);

/// A given game as its definition says: every position a state, every choice of moves a move.
struct Plain {
    game: PursuitGame,
    captures: Option<MoveTable>,
    states: Vec<State>,
    numbers: HashMap<State, u64>,
}

impl Plain {
    fn new(game: &PursuitGame, captures: Option<MoveTable>) -> Plain {
        let thief = game.places[1].count() as u32;
        let mut teams = BTreeSet::from([Vec::new()]);
        for (kind, places) in game.kinds.iter().zip(places_of_kinds(game)) {
            for _ in 0..kind.pieces {
                let with_one =
                    |team: &Vec<u32>| places.clone().map(|place| with(team, place)).collect::<Vec<_>>();
                teams = teams.iter().flat_map(with_one).collect();
            }
        }
        let mut states = Vec::new();
        for (world, turn) in (0..game.worlds).flat_map(|world| Side::BOTH.map(|turn| (world, turn))) {
            let of_team =
                |team: &Vec<u32>| (0..thief).map(|at| (world, team.clone(), at, turn)).collect::<Vec<_>>();
            states.extend(teams.iter().flat_map(of_team));
        }
        let numbers = (0..).zip(&states).map(|(number, state)| (state.clone(), number)).collect();
        Plain { game: game.clone(), captures, states, numbers }
    }

    fn moves(&self, (world, officers, thief, turn): &State) -> BTreeSet<u64> {
        let places = self.game.places(*turn).count() as u32;
        // Each step with the world to which it leads.
        let steps = |place: u32| {
            let row = self.game.moves(*turn).of((world * places + place) as usize).iter();
            row.map(|&to| (to / places, to % places)).collect::<Vec<_>>()
        };
        let number = |world, officers: Vec<u32>, thief| self.numbers[&(world, officers, thief, turn.other())];
        if *turn == Side::Thief {
            return steps(*thief)
                .into_iter()
                .map(|(world, to)| number(world, officers.clone(), to))
                .collect();
        }
        let mut teams = BTreeSet::from([(None, Vec::new())]);
        match self.game.team {
            Team::All => {
                for &from in officers {
                    let with_one = |(before, team): &(Option<u32>, Vec<u32>)| {
                        let extended = |(world, to): (u32, u32)| {
                            assert!(before.is_none_or(|before| before == world), "one world for all moves");
                            (Some(world), with(team, to))
                        };
                        steps(from).into_iter().map(extended).collect::<Vec<_>>()
                    };
                    teams = teams.iter().flat_map(with_one).collect();
                }
            }
            Team::One => {
                let one = |officer: usize| {
                    let mut others = officers.clone();
                    let from = others.remove(officer);
                    steps(from).into_iter().map(move |(world, to)| (Some(world), with(&others, to)))
                };
                teams = (0..officers.len()).flat_map(one).collect();
            }
        }
        teams.into_iter().map(|(after, team)| number(after.unwrap_or(*world), team, *thief)).collect()
    }
}

/// Returns the team with one more officer.
fn with(team: &[u32], place: u32) -> Vec<u32> {
    let mut team = [team, &[place]].concat();
    team.sort_unstable();
    team
}

impl Game for Plain {
    fn positions(&self) -> u64 {
        self.states.len() as u64
    }

    fn start(&self, position: u64) -> Start {
        let (world, officers, thief, turn) = &self.states[position as usize];
        let [of_officer, of_thief] = [0, 1].map(|side| world * self.game.places[side].count() as u32);
        let captured = officers.iter().any(|&officer| match &self.captures {
            Some(captures) => captures.of((of_officer + officer) as usize).contains(thief),
            None => officer == *thief,
        });
        let ends = &self.game.ends;
        let arrived = |&officer: &u32| ends.arrivals().get((of_officer + officer) as usize) == Some(&true);
        let escaped = ends.escapes()[(of_thief + thief) as usize];
        let winner = winner(captured, escaped, officers.iter().any(arrived));
        winner.map_or(Start::Open, |winner| Start::Known(Value::terminal(winner, *turn)))
    }

    fn stuck(&self, _: u64) -> Value {
        self.game.stuck.value()
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.moves(&self.states[position as usize]).into_iter().for_each(each);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn given_games_have_the_values_that_follow_from_their_definition(
        seed in any::<u64>(), worlds in 1u32..5, officers in prop::collection::vec(1u8..4, 0..4),
        all in any::<bool>(), wins in any::<bool>(),
        (pr, pc, tr, tc) in (1u8..5, 1u8..5, 1u8..9, 1u8..9),
    ) {
        let (team, stuck) = (if all { Team::All } else { Team::One }, if wins { Stuck::Wins } else { Stuck::Loses });
        let worlds = if seed % 2 == 0 { 1 } else { worlds };
        prop_assume!(officers.iter().sum::<u8>() < 4);
        let (given, captures, _) = random_game(seed, worlds, &officers, team, stuck);
        let [police_tile, thief_tile] = [(pr, pc), (tr, tc)].map(|(rows, cols)| TileSize::new(rows, cols).unwrap());
        let game = || Pursuit::new(given.clone(), police_tile, thief_tile, &mut StopCheck::never());
        prop_assume!(!matches!(game(), Err(PursuitError::Header(_))));
        let game = || game().unwrap();
        let plain = Plain::new(&given, captures);
        let expected = naive::solve(&plain);
        let labels = counters::solve(&game(), &POOLS[0], Tuning::default(), &()).unwrap();
        let counted = LabelledPursuit::new(game(), labels);
        let cells = given.places.each_ref().map(|places| places.cells().collect::<Vec<Cell>>());
        let blocks = blocks(&counted);
        let has_switches = (0..worlds).any(|world| given.world_after(world).is_err());
        let mut bits = Vec::new();
        for pool in &*POOLS {
            match bitboard::solve(game(), pool, &()) {
                Err(SolveError::Worlds { first, other, .. }) => prop_assert!(has_switches && first != other),
                Err(SolveError::NoOfficers) => prop_assert!(officers.is_empty()),
                solved => {
                    prop_assert!(!has_switches && !officers.is_empty());
                    bits.push((pool, solved.unwrap()));
                }
            }
        }
        for ((world, team, thief, turn), &expected) in plain.states.iter().zip(&expected) {
            let at: Vec<Cell> = team.iter().map(|&place| cells[0][place as usize]).collect();
            let (at, thief) = (Pieces::new(&at).unwrap(), cells[1][*thief as usize]);
            if *turn == Side::Police {
                let found = counted.value(*world, &at, thief);
                prop_assert_eq!(found, Some(expected), "world {}, police {}, thief {}", world, at, thief);
                for (_, bits) in &bits {
                    let found = bits.value(*world, &at, thief);
                    prop_assert_eq!(found, Some(expected), "world {}, police {}, thief {}", world, at, thief);
                }
            }
        }
        for (pool, bits) in &bits {
            prop_assert_eq!(bits.value(worlds, &Pieces::one(cells[0][0]), cells[1][0]), None);
            prop_assert_eq!(bits.summary(), counted.summary());
            prop_assert_eq!(&pool.install(|| self::blocks(bits)), &blocks);
        }
        let thief_wins = |turn| {
            let states = plain.states.iter().zip(&expected).filter(|((_, _, _, of), _)| *of == turn);
            states.filter(|(_, value)| value.outcome(turn) == dragnet_formats::value::Outcome::Thief).count() as u64
        };
        let summary = counted.summary();
        prop_assert_eq!(summary.police_to_move.thief, thief_wins(Side::Police));
        prop_assert_eq!(summary.thief_to_move.thief, thief_wins(Side::Thief));
    }
}

/// Each of two officers is bound to a place, so that there are fewer teams than officers' places.
#[test]
fn two_kinds_with_a_place_each_have_the_values_of_their_game() {
    let row = |to: &[u32]| {
        let mut rows = MoveRows::new(to.len(), 100);
        to.iter().for_each(|&to| rows.push([to]).unwrap());
        rows.finish()
    };
    let kind = OfficerKind { pieces: 1, rows: 1 };
    let mut sees = MoveRows::new(2, 100);
    [0, 2].iter().for_each(|&seen| sees.push([seen]).unwrap());
    let given = PursuitGame {
        worlds: 1,
        kinds: vec![kind; 2],
        team: Team::All,
        stuck: Stuck::Loses,
        places: [
            Places::new(2, 3, vec![true, false, false, false, true, false]),
            Places::new(1, 3, vec![true; 3]),
        ],
        moves: [row(&[0, 1]), row(&[0, 2, 1])],
        ends: TerminalRule::new(vec![false; 3], Vec::new()).with_captures(sees.finish()),
    };
    let pursuit =
        || Pursuit::new(given.clone(), TileSize::ONE, TileSize::ONE, &mut StopCheck::never()).unwrap();
    let bits = bitboard::solve(pursuit(), &POOLS[0], &()).unwrap();
    let team = Pieces::new(&[Cell::new(0, 0), Cell::new(1, 1)]).unwrap();
    let values = [0, 1, 2].map(|col| bits.value(0, &team, Cell::new(0, col)));
    assert_eq!(values, [Some(Value::Win(0)), Some(Value::Win(2)), Some(Value::Win(0))]);
    let labels = counters::solve(&pursuit(), &POOLS[0], Tuning::default(), &()).unwrap();
    assert_eq!(blocks(&bits), blocks(&LabelledPursuit::new(pursuit(), labels)));
}

#[test]
fn a_given_game_that_contradicts_itself_is_refused() {
    let places = |count: u16| Places::new(1, count, vec![true; count.into()]);
    let rows = |rows: &[&[u32]]| {
        let mut table = MoveRows::new(rows.len(), 100);
        rows.iter().for_each(|row| table.push(row.iter().copied()).unwrap());
        table.finish()
    };
    let whole = PursuitGame {
        worlds: 1,
        kinds: vec![OfficerKind { pieces: 1, rows: 1 }],
        team: Team::All,
        stuck: Stuck::Loses,
        places: [places(2), places(3)],
        moves: [rows(&[&[0, 1], &[1]]), rows(&[&[], &[0, 2], &[1]])],
        ends: TerminalRule::new(vec![false; 3], Vec::new()).with_captures(rows(&[&[0], &[1, 2]])),
    };
    assert_eq!(whole.check(), Ok(()));
    let refused = |change: &dyn Fn(&mut PursuitGame)| {
        let mut game = whole.clone();
        change(&mut game);
        let error = game.check().unwrap_err();
        let made = Pursuit::new(game, TileSize::ONE, TileSize::ONE, &mut StopCheck::never());
        assert!(matches!(made, Err(PursuitError::Game(found)) if found == error));
        error
    };
    assert!(matches!(refused(&|game| game.kinds[0].pieces = 7), PursuitGameError::Officers(_)));
    assert!(matches!(refused(&|game| game.worlds = 2), PursuitGameError::Worlds { .. }));
    let kind = OfficerKind { pieces: 1, rows: 1 };
    assert_eq!(refused(&|game| game.kinds.clear()), PursuitGameError::Kinds { expected: 1, found: 0 });
    let two_kinds = |game: &mut PursuitGame| {
        game.kinds = vec![kind; 2];
        game.places[0] = Places::new(2, 2, vec![true, false, false, true]);
    };
    assert_eq!(refused(&two_kinds), PursuitGameError::OtherKind { place: 0, found: 1 });
    let own_squares = |game: &mut PursuitGame| {
        two_kinds(game);
        game.moves[0] = rows(&[&[0], &[1]]);
        game.ends = TerminalRule::new(vec![false; 3], Vec::new());
    };
    assert_eq!(refused(&own_squares), PursuitGameError::Captures { kinds: 2 });
    let two_worlds = |game: &mut PursuitGame| {
        (game.worlds, game.kinds[0].pieces) = (2, 2);
        game.moves = [rows(&[&[0], &[2], &[], &[3]]), rows(&[&[], &[], &[], &[], &[], &[]])];
        let sees = rows(&[&[0], &[1], &[2], &[]]);
        game.ends = TerminalRule::new(vec![false; 6], Vec::new()).with_worlds(2).with_captures(sees);
    };
    assert_eq!(refused(&two_worlds), PursuitGameError::Turn { world: 0, first: 0, other: 1 });
    assert!(matches!(refused(&|game| game.places[0] = places(3)), PursuitGameError::Rows { .. }));
    let far = |game: &mut PursuitGame| game.moves[1] = rows(&[&[], &[0, 3], &[1]]);
    assert!(matches!(refused(&far), PursuitGameError::Target { place: 1, found: 3, .. }));
    let falling = |game: &mut PursuitGame| game.moves[0] = rows(&[&[1, 0], &[1]]);
    assert!(matches!(refused(&falling), PursuitGameError::Target { place: 0, found: 0, .. }));
    let facts = |game: &mut PursuitGame| game.ends = TerminalRule::new(vec![false; 2], Vec::new());
    assert!(matches!(refused(&facts), PursuitGameError::Rows { .. }));
    let same = |game: &mut PursuitGame| game.ends = TerminalRule::new(vec![false; 3], Vec::new());
    assert!(matches!(refused(&same), PursuitGameError::Rows { .. }));
}
