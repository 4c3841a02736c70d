//! How often each opponent wins, by simulated games.

use crate::{difficulty::Difficulty, maps::Arena, start::Start, words};
use dragnet_probe::{
    Position, ProbeError, Side,
    opponent::{Duel, Lots, Opponent},
};
use std::io::Write;

/// Returns how many of `games` games the opponent of this difficulty wins as `side` against a perfect player,
/// each from another start that is won for it at perfect play. All lots come from `seed`.
///
/// # Errors
/// Returns an error if the table is damaged.
pub(crate) fn wins(
    arena: &Arena,
    side: Side,
    difficulty: Difficulty,
    games: u32,
    seed: u64,
) -> anyhow::Result<u32> {
    let mut own = difficulty.opponent(arena.map, side, 0)?;
    let mut perfect = Opponent::perfect(0);
    let mut lots = Lots::new(seed);
    let mut wins = 0;
    for _ in 0..games {
        let start = Start::Won.draw(arena, side, &mut lots)?;
        own.restart(lots.draw());
        perfect.restart(lots.draw());
        wins += u32::from(winner(arena, side, start, &mut own, &mut perfect)? == Some(side));
    }
    Ok(wins)
}

/// Plays a game between `own`, who plays `side`, and `other`, and returns its winner.
fn winner(
    arena: &Arena,
    side: Side,
    start: Position,
    own: &mut Opponent,
    other: &mut Opponent,
) -> Result<Option<Side>, ProbeError> {
    let (police, thief) = match side {
        Side::Police => (own, other),
        Side::Thief => (other, own),
    };
    Ok(Duel::play(&arena.table, start, police, thief)?.winner)
}

/// Writes the table of all maps, sides and difficulties.
///
/// # Errors
/// Returns an error if a table is damaged or `out` cannot be written.
pub(crate) fn print(arenas: &[Arena], games: u32, seed: u64, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "per cent of {games} won games that the opponent wins against a perfect player")?;
    write!(out, "{:<10} {:<11}", "map", "opponent")?;
    for difficulty in Difficulty::ALL {
        write!(out, " {:>8}", difficulty.name())?;
    }
    writeln!(out)?;
    for arena in arenas {
        for side in Side::BOTH {
            write!(out, "{:<10} {:<11}", arena.map.title, words::side(side))?;
            for difficulty in Difficulty::ALL {
                let wins = wins(arena, side, difficulty, games, seed)?;
                write!(out, " {:>8.1}", 100.0 * f64::from(wins) / f64::from(games))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_probe::opponent::{Style, Target};

    #[test]
    #[ignore = "plays tens of thousands of games: prints the levels of the dial for src/maps.rs"]
    fn calibration_finds_a_level_for_each_target() {
        for arena in Arena::all().unwrap() {
            for side in Side::BOTH {
                let mut lots = Lots::new(17);
                let starts: Vec<Position> =
                    (0..400).map(|_| Start::Won.draw(&arena, side, &mut lots).unwrap()).collect();
                let found = [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard].map(|difficulty| {
                    let style = *difficulty.opponent(arena.map, side, 0).unwrap().style();
                    let target = Target { games: 800, style, ..Target::new(side, difficulty.target()) };
                    let found = Opponent::calibrate(&arena.table, &starts, &target).unwrap();
                    println!("  {} {side} {}: {found:?}", arena.map.name, difficulty.name());
                    assert!(found.reached, "{} {side} {}", arena.map.name, difficulty.name());
                    found.level
                });
                println!("{} {side}: {found:?} for {style:?}", arena.map.name, style = Style::Longest);
            }
        }
    }

    /// Plays `games` games for each opponent. The wins must rise from each difficulty to the next, and be
    /// within `tolerance` per cent of the target.
    fn check(games: u32, tolerance: u32, seed: u64) {
        for arena in Arena::all().unwrap() {
            for side in Side::BOTH {
                let won =
                    Difficulty::ALL.map(|difficulty| wins(&arena, side, difficulty, games, seed).unwrap());
                println!("{} {side}: {won:?} of {games}", arena.map.name);
                assert!(
                    won.is_sorted_by(|weaker, stronger| weaker < stronger),
                    "{} {side}: {won:?}",
                    arena.map.name
                );
                for (difficulty, won) in Difficulty::ALL.into_iter().zip(won) {
                    let off = (1000 * won).abs_diff(u32::from(difficulty.target()) * games);
                    assert!(
                        off <= 10 * tolerance * games,
                        "{} {side} {}: {won}",
                        arena.map.name,
                        difficulty.name()
                    );
                }
            }
        }
    }

    #[test]
    fn strengths_are_ordered_and_near_their_targets() {
        check(40, 20, 3);
    }

    #[test]
    #[ignore = "plays 9600 games"]
    fn targets_are_hit_within_ten_points_in_300_games() {
        check(300, 10, 11);
    }
}
