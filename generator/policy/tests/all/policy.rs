//! Best replies to policies: laws that hold for every policy, and odds that are known.

use crate::random::pursuit;
use dragnet_formats::{
    board::{make, text},
    cell::{Cell, Side},
    digest::splitmix64,
    pieces::Pieces,
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Wrap},
    value::{Outcome, Value},
};
use dragnet_generator::{Game, Generator, Observer, Start, naive};
use dragnet_policy::{
    ChanceWorth, Greedy, Ground, ListedMoves, Otherwise, Patrol, PerfectPlay, Policy, PolicyError,
    PolicyGame, PolicyMove, PolicyPosition, PolicyTextError, Precision, RandomWalk, Recalling, Worth,
    best_reply, odds, perfect_play, read_moves, read_route,
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// The game against a policy as its positions and moves state it, for the oracle.
struct Stated<'a>(&'a PolicyGame<'a>);

impl Stated<'_> {
    fn number(&self, position: PolicyPosition) -> u64 {
        let row = position.turn as usize * self.0.posts() + position.post as usize;
        (row * self.0.places() + position.place as usize) as u64
    }

    fn position(&self, number: u64) -> PolicyPosition {
        let (row, place) = (number as usize / self.0.places(), number as usize % self.0.places());
        let turn = Side::BOTH[row / self.0.posts()];
        PolicyPosition { turn, post: (row % self.0.posts()) as u32, place: place as u32 }
    }
}

impl Game for Stated<'_> {
    fn positions(&self) -> u64 {
        (2 * self.0.posts() * self.0.places()) as u64
    }

    fn start(&self, number: u64) -> Start {
        self.0.known(self.position(number)).map_or(Start::Open, Start::Known)
    }

    fn for_each_successor(&self, number: u64, mut each: impl FnMut(u64)) {
        self.0.moves(self.position(number)).into_iter().for_each(|(to, _)| each(self.number(to)));
    }
}

/// A side that plays perfectly: of its best moves the one to the highest place.
struct Perfect<'a>(&'a Ground, &'a PerfectPlay<'a>, Side);

impl Policy for Perfect<'_> {
    fn side(&self) -> Side {
        self.2
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        let value = |to| match self.2 {
            Side::Police => self.1.value(Side::Thief, to, place),
            Side::Thief => self.1.value(Side::Police, place, to),
        };
        let moves = self.0.moves(self.2, post).iter().copied();
        choices.extend(moves.max_by_key(|&to| value(to).score_for_mover()).map(PolicyMove::certain));
        Ok(())
    }
}

/// A side that draws among its moves by lots that depend on the position; `chance` says among how many.
struct Whims<'a> {
    ground: &'a Ground,
    side: Side,
    seed: u64,
    most: usize,
}

impl Policy for Whims<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        let moves = self.ground.moves(self.side, post);
        for number in 0..self.most as u64 {
            let lot = splitmix64(self.seed ^ u64::from(post) << 40 ^ u64::from(place) << 8 ^ number);
            let weight = 1.0 + (lot >> 60) as f64;
            choices.push(PolicyMove { post: moves[(lot % moves.len() as u64) as usize], weight });
        }
        Ok(())
    }
}

/// Expected plies above which rounding may keep bounds further apart than 10^-5, with three moves to choose
/// among.
const TOO_LONG: f64 = 1e9;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The engine's best reply is that of plain iteration, odds agree with it, and no policy is better than
    /// perfect play.
    #[test]
    fn best_replies_agree_with_naive_and_with_odds(
        (board, rules) in pursuit(), side in prop::sample::select(Side::BOTH.to_vec()),
        seed in any::<u64>(), greedy in any::<bool>(),
    ) {
        let ground = Ground::new(board, rules).unwrap();
        let generator = Generator::new(2).unwrap();
        let game = if greedy {
            PolicyGame::new(&ground, &Greedy::new(&ground, side), &generator, &()).unwrap()
        } else {
            PolicyGame::new(&ground, &Whims { ground: &ground, side, seed, most: 1 }, &generator, &()).unwrap()
        };
        prop_assert!(!game.has_chance());
        let reply = best_reply(&game, &generator, &()).unwrap();
        let odds = odds(&game, Precision::default(), &generator, &()).unwrap();
        let stated = Stated(&game);
        let values = naive::solve(&stated);
        for (number, &value) in (0..).zip(&values) {
            let at = stated.position(number);
            prop_assert_eq!(reply.value(at), value, "{:?}", at);
            let winner = value.outcome(at.turn).winner();
            let share = |side| f64::from(u8::from(winner == Some(side)));
            prop_assert_eq!((odds.win(at).low, odds.win(at).high), (share(side.other()), share(side.other())));
            prop_assert_eq!((odds.loss(at).low, odds.loss(at).high), (share(side), share(side)));
            match (odds.plies(at), value.dtw()) {
                (Some(bounds), Some(dtw)) => {
                    let dtw = f64::from(dtw);
                    prop_assert!(bounds.low <= dtw && dtw <= bounds.high && bounds.width() <= 1e-6 * dtw);
                }
                (bounds, dtw) => prop_assert_eq!((bounds, dtw), (None, None)),
            }
        }
        let perfect = perfect_play(&ground, &generator, &()).unwrap();
        for at in game.starts() {
            let [police, thief] = game.both_places(at);
            let mut scores = [perfect.value(at.turn, police, thief), reply.value(at)].map(Value::score_for_mover);
            // Scores are for the side that is not to move.
            if at.turn == side {
                scores = scores.map(|score| -score);
            }
            prop_assert!(scores[1] <= scores[0], "{:?}", at);
        }
        let (line, _) = reply.line(stated.position(seed % values.len() as u64));
        prop_assert!(line.len() <= values.len() + 1);
    }

    /// A policy that plays perfectly loses nothing, and the reply to it is perfect play.
    #[test]
    fn perfect_policies_lose_nothing((board, rules) in pursuit(), side in prop::sample::select(Side::BOTH.to_vec())) {
        let ground = Ground::new(board, rules).unwrap();
        let generator = Generator::new(1).unwrap();
        let perfect = perfect_play(&ground, &generator, &()).unwrap();
        let game = PolicyGame::new(&ground, &Perfect(&ground, &perfect, side), &generator, &()).unwrap();
        let reply = best_reply(&game, &generator, &()).unwrap();
        let worth = Worth::new(&game, &reply, &perfect, 5, &()).unwrap();
        let open = game.starts().filter(|&at| game.known(at).is_none()).count();
        prop_assert_eq!((worth.starts, worth.outcomes_lost), (open as u64, 0));
        prop_assert_eq!((worth.slower_wins.plies, worth.quicker_losses.plies), (0, 0));
        prop_assert!(worth.worst.is_empty());
    }

    /// Bounds meet unless games last too long for doubles, do not depend on the number of threads, and hold
    /// in the next round: the operator of a round applied to a bound gives no worse one.
    #[test]
    fn bounds_of_odds_hold_and_do_not_depend_on_threads(
        (board, rules) in pursuit(), side in prop::sample::select(Side::BOTH.to_vec()), seed in any::<u64>(),
    ) {
        let ground = Ground::new(board, rules).unwrap();
        let whims = Whims { ground: &ground, side, seed, most: 3 };
        let [one, many] = [1, 3].map(|threads| Generator::new(threads).unwrap());
        let game = PolicyGame::new(&ground, &whims, &many, &()).unwrap();
        let precision = Precision { width: 1e-5, rounds: 100_000 };
        let [first, second] = [&one, &many].map(|generator| odds(&game, precision, generator, &()).unwrap());
        let longest = game.starts().filter_map(|at| first.plies(at)).map(|plies| plies.low).fold(0.0, f64::max);
        prop_assert!(first.have_met() || longest > TOO_LONG, "{}", longest);
        let width = if first.have_met() { 1e-5 } else { 1.0 };
        for at in game.starts() {
            prop_assert_eq!(first.win(at), second.win(at));
            prop_assert_eq!(first.loss(at), second.loss(at));
            prop_assert_eq!(first.plies(at), second.plies(at));
            let (win, loss) = (first.win(at), first.loss(at));
            prop_assert!(0.0 <= win.low && win.high <= 1.0 && win.width() <= width);
            prop_assert!(0.0 <= loss.low && loss.high <= 1.0 && loss.width() <= width);
            prop_assert!(win.low + loss.low <= 1.0 + 1e-9);
            let moves = game.moves(at);
            if moves.is_empty() {
                continue;
            }
            if at.turn == side {
                let mean: f64 = moves.iter().map(|&(to, share)| share * first.win(to).low).sum();
                prop_assert!(mean <= win.high + 1e-9 && mean >= win.low - 1e-9 - width);
            } else {
                let best = moves.iter().map(|&(to, _)| first.win(to).low).fold(0.0, f64::max);
                prop_assert!(best <= win.high + 1e-9 && best >= win.low - width);
                let least = moves.iter().map(|&(to, _)| first.loss(to).high).fold(1.0, f64::min);
                prop_assert!(least >= loss.low - 1e-9 && least <= loss.high + width);
            }
        }
        let perfect = perfect_play(&ground, &one, &()).unwrap();
        let worth = ChanceWorth::new(&game, &first, &perfect, 3, &()).unwrap();
        for outcome in [Outcome::Police, Outcome::Thief, Outcome::Draw] {
            let share = worth.share(outcome);
            // What the free side wins by force it wins against every policy, and no sooner is worse for it.
            if outcome == side.other().into() {
                prop_assert_eq!(share.win.low, share.starts as f64);
                prop_assert!(share.plies.high >= -1e-3 * share.starts as f64);
            }
        }
    }
}

fn ground(board: &[u8], rules: Rules) -> Ground {
    Ground::new(text::parse(board).unwrap().board, rules).unwrap()
}

/// An officer below the exit of `...E` over `....` who stands still until the thief is beside it, and then
/// captures him or steps aside with the same probability.
struct Guess;

impl Policy for Guess {
    fn side(&self) -> Side {
        Side::Police
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        match (post, place) {
            (7, 2) => choices.extend([6, 2].map(|post| PolicyMove { post, weight: 1.0 })),
            _ => choices.push(PolicyMove::certain(post)),
        }
        Ok(())
    }
}

/// A thief who can wait as long as he likes has the same odds wherever he waits: an end component whose
/// probability is neither 0 nor 1.
#[test]
fn waiting_does_not_change_the_odds() {
    let ground = ground(b"...E\n....\n", Rules::classic());
    let generator = Generator::new(1).unwrap();
    let game = PolicyGame::new(&ground, &Guess, &generator, &()).unwrap();
    let odds = odds(&game, Precision::default(), &generator, &()).unwrap();
    assert!(odds.have_met());
    for turn in Side::BOTH {
        for place in [0, 1, 4, 5, 6] {
            let at = PolicyPosition { turn, post: 7, place };
            let win = odds.win(at);
            assert!(win.low <= 0.5 && 0.5 <= win.high && win.width() <= 1e-6, "{at:?}: {win:?}");
            // He need not lose: he may wait for ever.
            assert_eq!((odds.loss(at).high, odds.plies(at)), (0.0, None));
        }
    }
}

/// A thief who passes or leaves with equal probability is expected to be gone after his second turn.
#[test]
fn expected_plies_are_those_of_a_fair_coin() {
    let ground = ground(b".#.E\n", Rules::classic());
    let generator = Generator::new(1).unwrap();
    let game = PolicyGame::new(&ground, &RandomWalk::new(&ground, Side::Thief), &generator, &()).unwrap();
    let odds = odds(&game, Precision::default(), &generator, &()).unwrap();
    // The police, shut in on the first cell, can only wait.
    let plies = odds.plies(PolicyPosition { turn: Side::Thief, post: 1, place: 0 }).unwrap();
    assert!(plies.low <= 3.0 && 3.0 <= plies.high && plies.width() <= 3e-6, "{plies:?}");
    let plies = odds.plies(PolicyPosition { turn: Side::Police, post: 1, place: 0 }).unwrap();
    assert!(plies.low <= 4.0 && 4.0 <= plies.high, "{plies:?}");
}

#[test]
fn bounds_that_have_not_met_are_bounds() {
    let ground = ground(b".#....E\n", Rules::classic());
    let generator = Generator::new(1).unwrap();
    let game = PolicyGame::new(&ground, &RandomWalk::new(&ground, Side::Thief), &generator, &()).unwrap();
    let at = PolicyPosition { turn: Side::Thief, post: 1, place: 0 };
    let exact = odds(&game, Precision::default(), &generator, &()).unwrap();
    let exact = exact.plies(at).unwrap();
    let mut before = f64::INFINITY;
    for rounds in [1, 10, 100] {
        let few = odds(&game, Precision { rounds, width: 1e-9 }, &generator, &()).unwrap();
        let bounds = few.plies(at).unwrap();
        assert!(!few.have_met());
        assert!(bounds.low <= exact.high && exact.low <= bounds.high && bounds.width() <= before);
        before = bounds.width();
    }
    for width in [0.0, -1.0, 1.5, f64::NAN] {
        let refused = odds(&game, Precision { width, rounds: 1 }, &generator, &());
        assert!(matches!(refused, Err(PolicyError::Width { .. })), "{width}");
    }
}

#[test]
fn what_is_no_policy_is_refused() {
    let ground = ground(b"....\n.##.\n....\n", Rules::classic());
    let route = |text| read_route(&ground, Side::Police, text).map(|patrol| patrol.posts(&ground));
    assert_eq!(route("0,0 # a corner\n\n 0,1 0,1\n").unwrap(), 3);
    let moves = |text| read_moves(&ground, Side::Thief, text).map(|_| ());
    assert!(moves("# nothing\notherwise greedy\n0,0 2,3 2,2 0.5\n* 2,3 1,3\n").is_ok());
    for (found, message) in [
        (route("").unwrap_err(), "expected a route of at least one place"),
        (
            route("0,0\n0,1 1,1").unwrap_err(),
            "line 2, column 5: expected an open cell ROW,COL of the police, found \"1,1\"",
        ),
        (
            route("0,0\n0,1\n0,3\n").unwrap_err(),
            "line 3: step 2 of the patrol: expected a move of the police from 0,1, found 0,3",
        ),
        (
            route("0,0 0,1 0,2").unwrap_err(),
            "step 3 of the patrol: expected a move of the police from 0,2, found 0,0",
        ),
        (
            moves("0,0 2,3\n").unwrap_err(),
            "line 1, column 8: expected an open cell ROW,COL of the thief, found the end of the line",
        ),
        (moves("0,0 * 0,1\n").unwrap_err(), "line 1, column 5: expected an open cell ROW,COL of the thief"),
        (
            moves("0,0 2,3 2,2\n* 2,3 0,1\n").unwrap_err(),
            "line 2, column 7: expected a cell to which the rules let the thief move from 2,3, found \"0,1\"",
        ),
        (
            moves("* 2,3 2,2\n0,0 2,3 2,2\n* 2,3 2,2 2\n").unwrap_err(),
            "line 3, column 7: expected a move that no line above lists for this position, found \"2,2\"",
        ),
        (moves("# nothing\n\n").unwrap_err(), "expected lines with moves, or one with otherwise, found none"),
        (moves("0,0 2,3 2,2 inf\n").unwrap_err(), "line 1, column 13: expected a weight from 0 to 2^53"),
        (moves("0,0 2,3 2,2 nan\n").unwrap_err(), "line 1, column 13: expected a weight from 0 to 2^53"),
        (
            moves("0,0 2,3 2,-1\n").unwrap_err(),
            "line 1, column 9: expected an open cell ROW,COL of the thief",
        ),
        (
            moves("0,0 2,3 2,2.0\n").unwrap_err(),
            "line 1, column 9: expected an open cell ROW,COL of the thief",
        ),
        (moves("0,0+0,1 2,3 2,2\n").unwrap_err(), "line 1, column 1: expected an open cell ROW,COL"),
        (
            moves("0,0 2,3 2,2 -1\n").unwrap_err(),
            "line 1, column 13: expected a weight from 0 to 2^53, found \"-1\"",
        ),
        (moves("0,0 2,3 2,2 1 2\n").unwrap_err(), "line 1, column 15: expected the end of the line"),
        (moves("otherwise flee\n").unwrap_err(), "line 1, column 11: expected stay, greedy or random"),
        (
            moves("otherwise stay\notherwise stay\n").unwrap_err(),
            "line 2, column 1: expected one line with otherwise",
        ),
    ] {
        let found = found.to_string();
        assert!(found.contains(message), "{found}");
    }
    let generator = Generator::new(1).unwrap();
    let none = read_moves(&ground, Side::Police, "0,0 2,3 0,1 0\n").unwrap();
    let refused = PolicyGame::new(&ground, &none, &generator, &());
    assert!(matches!(refused, Err(PolicyError::Weights { .. })));
    let walk = PolicyGame::new(&ground, &RandomWalk::new(&ground, Side::Police), &generator, &()).unwrap();
    assert!(matches!(best_reply(&walk, &generator, &()), Err(PolicyError::HasChance)));
    let far = [Cell::new(0, 0), Cell::new(9, 9)].map(Pieces::one);
    let refused = Patrol::new(&ground, Side::Thief, &far);
    assert!(matches!(refused, Err(PolicyError::RoutePlace { number: 2, .. })));
    let _: PolicyTextError = route("x").unwrap_err();
}

/// A list that says nothing of a position is refused where the rules do not let its side stay, and so is a
/// function that stays there.
#[test]
fn staying_against_the_rules_is_refused_of_lists_as_of_functions() {
    let restless = Movement { may_pass: false, ..Movement::new(MoveSet::Orthogonal) };
    let ground = ground(b"....\n....\n", Rules { thief: restless, ..Rules::classic() });
    let generator = Generator::new(1).unwrap();
    let played = |text: &str| {
        let list = read_moves(&ground, Side::Thief, text).unwrap();
        PolicyGame::new(&ground, &list, &generator, &()).map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = played("* 0,0 0,1\n").unwrap_err();
    let expected = "expected a move from 0,1 with the other side at 0,0, found none, and the rules do not let \
        the thief stay: list one, or say otherwise greedy or otherwise random";
    assert!(refused.contains(expected), "{refused}");
    assert_eq!(played("otherwise stay\n* 0,0 0,1\n").unwrap_err(), refused);
    assert_eq!(played("otherwise greedy\n"), Ok(()));
    let stays = Recalling::new(&ground, Side::Thief, 0, |[_, thief], _: &[Pieces]| Ok(vec![(thief, 1.0)]));
    let refused = PolicyGame::new(&ground, &stays, &generator, &());
    assert!(matches!(refused, Err(PolicyError::IllegalMove { .. })));
    // The police may stay.
    let list = read_moves(&ground, Side::Police, "0,0 * 0,1\n").unwrap();
    assert!(PolicyGame::new(&ground, &list, &generator, &()).is_ok());
}

#[test]
fn weights_of_offsets_that_no_move_has_are_refused() {
    let weighted = |board: &[u8], rules: Rules, weights: &[((i32, i32), f64)]| {
        let ground = ground(board, rules);
        let walk = RandomWalk::new(&ground, Side::Police).with_weights(weights);
        walk.map(|_| ()).map_err(|error| error.to_string())
    };
    let classic = Rules::classic;
    assert_eq!(weighted(b"...\n...\n", classic(), &[((1, -1), 2.0), ((0, 0), 0.0)]), Ok(()));
    let refused = weighted(b"...\n...\n", classic(), &[((0, 2), 3.0)]).unwrap_err();
    assert!(
        refused.contains("moves of the police have on this board, found 0,2, which none has"),
        "{refused}"
    );
    assert!(weighted(b"...\n", classic(), &[((1, 0), 3.0)]).is_err());
    let refused = weighted(b"...\n...\n", classic(), &[((0, 1), 3.0), ((0, 1), 3.0)]).unwrap_err();
    assert!(refused.ends_with("found 0,1 twice"), "{refused}");
    let restless = Movement { may_pass: false, ..Movement::new(MoveSet::King) };
    assert_eq!(weighted(b"...\n", Rules { police: restless, ..classic() }, &[((0, 0), 0.0)]), Ok(()));
    assert_eq!(weighted(b"...\n", classic(), &[((0, 1), 3.0), ((1, 0), 0.0)]), Ok(()));
    let refused = weighted(b"...\n", Rules { officers: 2, ..classic() }, &[((0, 1), 2.0)]).unwrap_err();
    assert!(refused.contains("for a single piece on a board of squares"), "{refused}");
    assert_eq!(weighted(b"...\n", Rules { officers: 2, ..classic() }, &[]), Ok(()));
}

/// Over joined edges an offset is the shorter way, and of two equally long ones that which crosses no edge;
/// where all moves weigh nothing they are equally likely.
#[test]
fn offsets_are_the_shortest_ways_that_cross_no_edge_if_possible() {
    let shares = |board: &[u8], wrap, weights: &[((i32, i32), f64)], post| {
        let ground = ground(board, Rules { wrap, ..Rules::classic() });
        let walk = RandomWalk::new(&ground, Side::Thief).with_weights(weights).unwrap();
        let mut choices = Vec::new();
        walk.choose(post, 0, &mut choices).unwrap();
        choices.iter().map(|choice| (choice.post, choice.weight)).collect::<Vec<_>>()
    };
    assert_eq!(shares(b"..\n", Wrap::Horizontal, &[((0, 1), 5.0)], 0), [(0, 1.0), (1, 5.0)]);
    assert_eq!(shares(b"..\n", Wrap::Horizontal, &[((0, 1), 5.0)], 1), [(0, 1.0), (1, 1.0)]);
    assert_eq!(shares(b"..\n", Wrap::Horizontal, &[((0, -1), 5.0)], 1), [(0, 5.0), (1, 1.0)]);
    assert_eq!(shares(b"...\n", Wrap::Horizontal, &[((0, 1), 5.0)], 2), [(0, 5.0), (1, 1.0), (2, 1.0)]);
    assert_eq!(shares(b".#.\n", Wrap::None, &[((0, 0), 0.0)], 0), [(0, 1.0)]);
}

/// A single move has the probability 1 whatever its weights add up to, and a move with a weight above 0 has
/// one above 0.
#[test]
fn probabilities_are_zero_and_one_only_where_weights_say_so() {
    struct Weighed(Vec<PolicyMove>);
    impl Policy for Weighed {
        fn side(&self) -> Side {
            Side::Police
        }
        fn choose(&self, _: u32, _: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
            choices.extend(&self.0);
            Ok(())
        }
    }
    let ground = ground(
        b"...\n",
        Rules { police: Movement { steps: 2, ..Movement::new(MoveSet::King) }, ..Rules::classic() },
    );
    let generator = Generator::new(1).unwrap();
    let shares = |weights: &[(u32, f64)]| {
        let moves = weights.iter().map(|&(post, weight)| PolicyMove { post, weight }).collect();
        let game = PolicyGame::new(&ground, &Weighed(moves), &generator, &()).unwrap();
        let moves = game.moves(PolicyPosition { turn: Side::Police, post: 0, place: 2 });
        (game.has_chance(), moves.into_iter().map(|(to, share)| (to.post, share)).collect::<Vec<_>>())
    };
    for parts in [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1], [1e300f64.recip(), 1.0, 0.3]] {
        assert_eq!(shares(&parts.map(|weight| (1, weight))), (false, vec![(1, 1.0)]));
    }
    assert_eq!(shares(&[(0, 0.0), (1, 3.0), (2, -0.0)]), (false, vec![(1, 1.0)]));
    assert_eq!(shares(&[(0, 1.0), (1, 2.0), (2, 3.0)]).1, [(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 0.5)]);
    let (has_chance, moves) = shares(&[(0, PolicyMove::MOST_WEIGHT), (1, f64::from_bits(1))]);
    assert!(has_chance && moves.len() == 2 && moves[1].1 > 0.0, "{moves:?}");
    assert_eq!(shares(&[(0, f64::from_bits(1)), (1, f64::from_bits(1))]).1, [(0, 0.5), (1, 0.5)]);
}

/// A thief who escapes only after a run of luck that is rarer than doubles can say may escape nevertheless.
#[test]
fn luck_too_rare_for_doubles_is_not_impossible() {
    let board = [vec![b'.'; 60], b"E\n".to_vec()].concat();
    let ground = ground(&board, Rules::classic());
    let generator = Generator::new(1).unwrap();
    let weights = [((0, 1), 1.0), ((0, -1), PolicyMove::MOST_WEIGHT), ((0, 0), 0.0)];
    let walk = RandomWalk::new(&ground, Side::Thief).with_weights(&weights).unwrap();
    let game = PolicyGame::new(&ground, &walk, &generator, &()).unwrap();
    let odds = odds(&game, Precision::default(), &generator, &()).unwrap();
    assert!(odds.have_met());
    for place in 1..60 {
        // He comes to the officer, unless luck of 2^-53 leads him the other way in each turn.
        let loss = odds.loss(PolicyPosition { turn: Side::Thief, post: place, place: 0 });
        let least = (53.0 * f64::from(60 - place)).exp2().recip();
        let holds = loss.low <= least * (1.0 + 1e-9) && least * (1.0 - 1e-9) <= loss.high;
        assert!(holds && loss.high > 0.0, "{place}: {loss:?} for {least}");
        assert!(odds.plies(PolicyPosition { turn: Side::Thief, post: place, place: 0 }).is_none());
    }
}

/// A greedy team takes the first sorted list of the moves that are as near to the thief as each other.
#[test]
fn greedy_teams_take_the_first_of_equal_moves() {
    for seed in 0..20 {
        let ground =
            Ground::new(make::random(4, 4, 0.3, seed).unwrap(), Rules { officers: 2, ..Rules::classic() })
                .unwrap();
        let greedy = Greedy::new(&ground, Side::Police);
        let single = Ground::new(ground.board().clone(), Rules::classic()).unwrap();
        let cells = ground.places(Side::Thief) as u32;
        let away = |from: &Pieces, to: u32| {
            // The turns of a king, from all cells next to cells that are nearer.
            let mut away = vec![u64::from(cells); cells as usize];
            away[to as usize] = 0;
            for turn in 1..u64::from(cells) {
                for cell in 0..cells {
                    let near = single.moves(Side::Police, cell);
                    if away[cell as usize] > turn && near.iter().any(|&to| away[to as usize] == turn - 1) {
                        away[cell as usize] = turn;
                    }
                }
            }
            let of = |cell: &Cell| away[single.place(Side::Thief, &(*cell).into()).unwrap() as usize];
            let turns: Vec<u64> = from.iter().map(of).collect();
            (*turns.iter().min().unwrap(), turns.iter().sum::<u64>())
        };
        for thief in 0..cells {
            for team in (0..ground.places(Side::Police) as u32).step_by(7) {
                let mut choices = Vec::new();
                greedy.choose(team, thief, &mut choices).unwrap();
                let moves =
                    ground.moves(Side::Police, team).iter().map(|&to| ground.pieces(Side::Police, to));
                let best = moves.min_by_key(|pieces| (away(pieces, thief), pieces.cells().to_vec())).unwrap();
                assert_eq!(ground.pieces(Side::Police, choices[0].post), best, "{seed}: {thief}");
            }
        }
    }
}

/// A policy that jumps where its side cannot go is refused, and so is one with posts that it has not.
#[test]
fn moves_against_the_rules_are_refused() {
    struct Jump(u32);
    impl Policy for Jump {
        fn side(&self) -> Side {
            Side::Thief
        }
        fn choose(&self, _: u32, _: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
            choices.push(PolicyMove::certain(self.0));
            Ok(())
        }
    }
    let ground = Ground::new(make::open(3, 3).unwrap(), Rules::classic()).unwrap();
    let generator = Generator::new(1).unwrap();
    for post in [8, 9, u32::MAX] {
        let refused = PolicyGame::new(&ground, &Jump(post), &generator, &());
        assert!(matches!(refused, Err(PolicyError::IllegalMove { .. })), "{post}");
    }
}

#[test]
fn observer_stops_each_stage() {
    struct Never;
    impl Observer for Never {
        fn stop(&self) -> bool {
            true
        }
    }
    let ground = ground(b"...E\n....\n", Rules::classic());
    let generator = Generator::new(1).unwrap();
    let walk = RandomWalk::new(&ground, Side::Police);
    assert!(matches!(PolicyGame::new(&ground, &walk, &generator, &Never), Err(PolicyError::Stopped)));
    let game = PolicyGame::new(&ground, &walk, &generator, &()).unwrap();
    let stopped = odds(&game, Precision::default(), &generator, &Never);
    assert!(matches!(stopped, Err(PolicyError::Stopped)));
    assert!(matches!(perfect_play(&ground, &generator, &Never), Err(PolicyError::Stopped)));
    let greedy = Greedy::new(&ground, Side::Police);
    let game = PolicyGame::new(&ground, &greedy, &generator, &()).unwrap();
    assert!(matches!(best_reply(&game, &generator, &Never), Err(PolicyError::Stopped)));
}

/// Asks to stop at some question, and at each one after it.
struct StopsAt(AtomicI64);

impl Observer for StopsAt {
    fn stop(&self) -> bool {
        self.0.fetch_sub(1, Relaxed) <= 0
    }
}

/// Work that is asked to stop at any moment has no result, and work that was not asked has the right one.
#[test]
fn work_that_is_stopped_at_any_moment_has_no_result() {
    let ground = ground(b"...E\n.#..\n....\n", Rules::classic());
    let generator = Generator::new(1).unwrap();
    let walk = RandomWalk::new(&ground, Side::Police);
    let greedy = Greedy::new(&ground, Side::Police);
    let perfect = perfect_play(&ground, &generator, &()).unwrap();
    let ask_chance = |observer: &dyn Observer| {
        let game = PolicyGame::new(&ground, &walk, &generator, observer)?;
        let found = odds(&game, Precision::default(), &generator, observer)?;
        ChanceWorth::new(&game, &found, &perfect, 3, observer)?;
        let values = |at| (found.win(at), found.loss(at), found.plies(at));
        Ok(game.starts().map(values).map(|values| format!("{values:?}")).collect::<Vec<_>>())
    };
    let ask_certain = |observer: &dyn Observer| {
        let game = PolicyGame::new(&ground, &greedy, &generator, observer)?;
        let found = best_reply(&game, &generator, observer)?;
        Worth::new(&game, &found, &perfect, 3, observer)?;
        Ok(game.starts().map(|at| format!("{:?}", found.value(at))).collect::<Vec<_>>())
    };
    type Ask<'a> = &'a dyn Fn(&dyn Observer) -> Result<Vec<String>, PolicyError>;
    for ask in [&ask_chance as Ask, &ask_certain] {
        let whole = ask(&()).unwrap();
        let (mut questions, mut stopped) = (0, 0);
        loop {
            match ask(&StopsAt(AtomicI64::new(questions))) {
                Err(PolicyError::Stopped) => stopped += 1,
                found => {
                    assert_eq!(found.unwrap(), whole, "after {questions} questions");
                    break;
                }
            }
            questions += 1 + questions / 8;
        }
        assert!(stopped > 10, "{stopped} moments say little");
    }
}

/// A list that names the greedy moves is the greedy policy.
#[test]
fn listed_moves_are_made_and_others_are_as_the_list_says() {
    let ground = Ground::new(make::maze(7, 9, 2, 5).unwrap(), Rules::chase()).unwrap();
    let generator = Generator::new(2).unwrap();
    let greedy = Greedy::new(&ground, Side::Thief);
    let mut listed = ListedMoves::new(&ground, Side::Thief, Otherwise::Stay);
    let mut choices = Vec::new();
    for post in 0..greedy.posts(&ground) as u32 {
        for police in 0..ground.places(Side::Police) as u32 {
            choices.clear();
            greedy.choose(post, police, &mut choices).unwrap();
            listed.add(post, Some(police), choices[0].post, 2.0).unwrap();
        }
    }
    let solve = |game: &PolicyGame| -> Vec<Value> {
        let reply = best_reply(game, &generator, &()).unwrap();
        game.starts().map(|at| reply.value(at)).collect()
    };
    let by_rule = solve(&PolicyGame::new(&ground, &greedy, &generator, &()).unwrap());
    let by_list = solve(&PolicyGame::new(&ground, &listed, &generator, &()).unwrap());
    let empty = ListedMoves::new(&ground, Side::Thief, Otherwise::Greedy);
    let by_default = solve(&PolicyGame::new(&ground, &empty, &generator, &()).unwrap());
    assert_eq!(by_rule, by_list);
    assert_eq!(by_rule, by_default);
}

/// Counts the rounds of bounds.
#[derive(Default)]
struct Rounds(AtomicU64);

impl Observer for Rounds {
    fn round(&self, _round: u64, _met: u64) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// The thief is caught with certainty, and only after a run of luck that is rare: some 800,000 plies. Rounds
/// of bounds alone would need many times as many.
#[test]
fn bounds_meet_where_the_end_needs_a_rare_run_of_luck() {
    let rules = Rules {
        police: Movement { steps: 3, ..Movement::new(MoveSet::Orthogonal) },
        thief: Movement { may_pass: false, ..Movement::new(MoveSet::Diagonal) },
        corner_cutting: true,
        wrap: Wrap::Horizontal,
        team: Team::One,
        police_on_exit: PoliceOnExit::Wins,
        ..Rules::classic()
    };
    let ground = Ground::new(make::open(4, 4).unwrap(), rules).unwrap();
    let generator = Generator::new(2).unwrap();
    let whims = Whims { ground: &ground, side: Side::Police, seed: 2686806558121196792, most: 3 };
    let game = PolicyGame::new(&ground, &whims, &generator, &()).unwrap();
    let rounds = Rounds::default();
    let odds = odds(&game, Precision { width: 1e-7, rounds: 100_000 }, &generator, &rounds).unwrap();
    assert!(odds.have_met() && rounds.0.into_inner() < 100_000);
    let plies = game.starts().filter_map(|at| odds.plies(at)).collect::<Vec<_>>();
    assert!(plies.iter().all(|plies| plies.width() <= 1e-7 * plies.low));
    assert!(plies.iter().any(|plies| plies.low > 700_000.0));
}

/// Where games last longer than doubles can count with the precision that is asked for, the work ends soon,
/// and with bounds.
#[test]
fn games_too_long_for_doubles_have_bounds_that_do_not_meet() {
    let ground = Ground::new(make::open(16, 16).unwrap(), Rules::classic()).unwrap();
    let generator = Generator::new(2).unwrap();
    let walk = RandomWalk::new(&ground, Side::Police);
    let game = PolicyGame::new(&ground, &walk, &generator, &()).unwrap();
    let rounds = Rounds::default();
    let odds = odds(&game, Precision::default(), &generator, &rounds).unwrap();
    assert!(!odds.have_met() && rounds.0.into_inner() < 10_000);
    let longest =
        game.starts().filter_map(|at| odds.plies(at)).max_by(|a, b| a.low.total_cmp(&b.low)).unwrap();
    assert!(longest.low > 1e9 && longest.width() < 1e-3 * longest.low, "{longest:?}");
}

/// A thief may wait for very long at almost no cost, and that keeps no bounds apart.
#[test]
fn bounds_meet_where_waiting_costs_almost_nothing() {
    let offsets = MoveSet::Offsets(vec![(-1, 2), (0, 2), (2, -2)]);
    let rules = Rules {
        police: Movement { reach: 3, ..Movement::new(MoveSet::Diagonal) },
        thief: Movement::new(offsets),
        corner_cutting: true,
        wrap: Wrap::Vertical,
        stuck: Stuck::Wins,
        team: Team::One,
        police_on_exit: PoliceOnExit::Wins,
        ..Rules::classic()
    };
    let ground = ground(b"..#...\n...#..\n.E#...\n.#...#\n.E.##.\n", rules);
    let generator = Generator::new(2).unwrap();
    let whims = Whims { ground: &ground, side: Side::Police, seed: 15001311310410271920, most: 3 };
    let game = PolicyGame::new(&ground, &whims, &generator, &()).unwrap();
    let odds = odds(&game, Precision { width: 1e-5, rounds: 100_000 }, &generator, &()).unwrap();
    assert!(odds.have_met());
}
