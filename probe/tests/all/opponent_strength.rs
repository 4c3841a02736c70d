//! Opponents against each other: stronger ones win more, and targets are reached.

use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{
    Cell, Open, Outcome, Position, Rules, Side, Table,
    opponent::{Duel, Lots, Opponent, Replier, Strength, Style, Target},
};
use std::io::Cursor;

/// A board with two exits, on which both sides win much and can throw much away.
const YARD: &[u8] = b"\
    ..............
    .##.####.####.
    .#...#......#.
    E..#...##.#...
    .#.##.###.##.#
    .#..........#.
    .##.#.##.##...
    ....#.##....#E
    .##...........
    ";

const GAMES: u64 = 300;

fn yard(rules: Rules) -> Table {
    let text: Vec<u8> = YARD.iter().copied().filter(|&sign| sign != b' ').collect();
    let board = dragnet_formats::board::text::parse(&text).unwrap().board;
    let plan = Plan::new(board, rules, Encoding::default()).unwrap();
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    Open::bytes(blocks.write(&header, Cursor::new(vec![])).unwrap().0.into_inner()).pursuit().unwrap()
}

/// Some positions that `side` wins in at least 11 plies.
fn won(table: &Table, side: Side) -> Vec<Position> {
    let cells: Vec<Cell> = table.board().open_cells().collect();
    let mut found = Vec::new();
    for (index, &police) in cells.iter().enumerate() {
        for &thief in cells.iter().skip(index % 5).step_by(5) {
            let at = Position::new(police, thief, Side::Police);
            let value = table.value(at).unwrap();
            if value.outcome(at.turn) == Outcome::from(side) && value.dtw() >= Some(11) {
                found.push(at);
            }
        }
    }
    assert!(found.len() > 20, "{} starts for {side}", found.len());
    found
}

/// Returns the share of games that `side` wins with `player` against `other`, per mille.
fn share(table: &Table, starts: &[Position], side: Side, player: &Opponent, other: &Opponent) -> u64 {
    let (mut player, mut other) = (player.clone(), other.clone());
    let mut wins = 0;
    for game in 0..GAMES {
        player.restart(Lots::nth(77, 2 * game));
        other.restart(Lots::nth(77, 2 * game + 1));
        let (police, thief) =
            if side == Side::Police { (&mut player, &mut other) } else { (&mut other, &mut player) };
        let start = starts[game as usize * 7 % starts.len()];
        wins += u64::from(Duel::play(table, start, police, thief).unwrap().winner == Some(side));
    }
    1000 * wins / GAMES
}

fn of_strength(strength: Strength) -> Opponent {
    Opponent::new(strength, Style::Longest, 0).unwrap()
}

#[test]
fn higher_levels_win_more_games_against_a_perfect_player() {
    let table = yard(Rules::classic());
    for side in Side::BOTH {
        let starts = won(&table, side);
        let shares: Vec<u64> = [0, 200, 350, 500, 650, 800, 1000]
            .into_iter()
            .map(|level| {
                share(
                    &table,
                    &starts,
                    side,
                    &of_strength(Strength::level(level).unwrap()),
                    &Opponent::perfect(0),
                )
            })
            .collect();
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]), "{side}: {shares:?}");
        assert!(shares[0] < 100 && shares[6] == 1000, "{side}: {shares:?}");
        assert!(shares[2] < shares[3] && shares[3] < shares[4], "{side}: {shares:?}");
    }
}

#[test]
fn presets_are_ordered_against_each_other_player() {
    let table = yard(Rules::classic());
    for side in Side::BOTH {
        let starts = won(&table, side);
        for other in [Strength::PERFECT, Strength::NORMAL] {
            let shares = Strength::PRESETS.map(|(_, strength)| {
                share(&table, &starts, side, &of_strength(strength), &of_strength(other))
            });
            assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{side}: {shares:?}");
        }
    }
}

#[test]
fn a_tricky_loser_wins_more_games_than_a_long_lived_one_against_weak_players() {
    let table = yard(Rules::classic());
    for side in Side::BOTH {
        let starts = won(&table, side.other());
        let human = of_strength(Strength::EASY);
        let replier = Replier::Erring(Strength::EASY);
        let styles = [Style::Longest, Style::Trickiest(Replier::Uniform), Style::Trickiest(replier)];
        let [longest, uniform, erring] = styles.map(|style| {
            share(&table, &starts, side, &Opponent::new(Strength::PERFECT, style, 0).unwrap(), &human)
        });
        assert!(uniform.min(erring) > longest + 100, "{side}: {longest}, {uniform}, {erring} per mille");
    }
}

#[test]
fn targets_are_reached_within_ten_points_in_games_that_were_not_tried() {
    let table = yard(Rules::classic());
    for side in Side::BOTH {
        let starts = won(&table, side);
        for (goal, against) in [(300, Strength::PERFECT), (600, Strength::PERFECT), (700, Strength::NORMAL)] {
            let target = Target { against: of_strength(against), seed: 3, ..Target::new(side, goal) };
            let found = Opponent::calibrate(&table, &starts, &target).unwrap();
            assert!(found.reached && found.lowest < found.highest, "{found:?}");
            assert!(found.from <= found.share() && found.share() <= found.to, "{found:?}");
            assert_eq!(Opponent::calibrate(&table, &starts, &target).unwrap(), found);
            let wins = share(&table, &starts, side, &of_strength(found.strength), &of_strength(against));
            assert!(
                wins.abs_diff(goal.into()) <= 100,
                "{side}: {goal} aimed at, {wins} reached at {found:?}"
            );
        }
    }
}

#[test]
fn a_target_that_perfect_play_denies_is_missed_and_the_reachable_shares_are_stated() {
    let table = yard(Rules::classic());
    let starts = won(&table, Side::Police);
    let target = Target { games: 60, ..Target::new(Side::Thief, 300) };
    let found = Opponent::calibrate(&table, &starts, &target).unwrap();
    assert_eq!((found.reached, found.wins, found.lowest, found.highest), (false, 0, 0, 0));
    // Against a player who errs the same starts can be won.
    let weak = Target { against: of_strength(Strength::level(300).unwrap()), ..target };
    let found = Opponent::calibrate(&table, &starts, &weak).unwrap();
    assert!(found.reached && found.highest > 18, "{found:?}");
}

#[test]
fn draws_count_for_the_side_that_the_rules_name() {
    let undecided = dragnet_probe::Undecided::Thief;
    let table = yard(Rules { undecided, ..Rules::classic() });
    let cells: Vec<Cell> = table.board().open_cells().collect();
    let drawn = cells.iter().map(|&thief| Position::new(cells[0], thief, Side::Police));
    let drawn: Vec<Position> =
        drawn.filter(|&at| table.value(at).unwrap() == dragnet_probe::Value::Draw).collect();
    assert!(!drawn.is_empty());
    let perfect = Opponent::perfect(0);
    assert_eq!(share(&table, &drawn, Side::Thief, &perfect, &perfect), 1000);
    assert_eq!(share(&table, &drawn, Side::Police, &perfect, &perfect), 0);
}

/// An opponent makes each move as often as it says, with errors, a horizon and a slow reaction.
#[test]
fn moves_are_made_as_often_as_their_probabilities_say() {
    const TURNS: u64 = 4000;
    let table = yard(Rules::classic());
    let slow = Strength { reaction: 1, ..Strength::NORMAL };
    for (strength, style) in [
        (Strength::EASY, Style::Longest),
        (slow, Style::Longest),
        (Strength::HARD, Style::Trickiest(Replier::Uniform)),
        (Strength::PERFECT, Style::Longest),
    ] {
        for (earlier, position) in
            won(&table, Side::Police).windows(2).step_by(97).map(|two| (two[0], two[1]))
        {
            for turn in Side::BOTH {
                let [earlier, position] = [earlier, position].map(|position| Position { turn, ..position });
                let mut player = Opponent::new(strength, style, 1).unwrap();
                let seen = match turn {
                    Side::Police => earlier.thief.into(),
                    Side::Thief => earlier.police,
                };
                let mut expected = Vec::new();
                player.probabilities(&table, position, &[seen], &mut expected).unwrap();
                let sum: f64 = expected.iter().map(|&(_, probability)| probability).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{sum}");
                // What the opponent remembers is the enemy at the earlier turn, whoever stood elsewhere then.
                let earlier = match turn {
                    Side::Police => Position { thief: earlier.thief, ..position },
                    Side::Thief => Position { police: earlier.police, ..position },
                };
                let mut made = vec![0u64; expected.len()];
                for seed in 0..TURNS {
                    player.restart(seed);
                    player.choose(&table, earlier).unwrap();
                    let choice = player.choose(&table, position).unwrap().unwrap();
                    made[expected.iter().position(|(other, _)| *other == choice).unwrap()] += 1;
                }
                for (made, (choice, probability)) in made.into_iter().zip(&expected) {
                    // Five standard deviations: none of some hundred numbers is further away by chance.
                    let most = 5.0 * (TURNS as f64 * probability * (1.0 - probability)).sqrt() + 1e-9;
                    let away = (made as f64 - TURNS as f64 * probability).abs();
                    assert!(away <= most, "{position:?} {choice:?}: {made} of {TURNS}, {probability}");
                }
            }
        }
    }
}
