//! The values of small games, by iteration over their definition.

use dragnet_formats::{
    game::PursuitGame, header::Summary, numbering::TileSize, pieces::Pieces, stop::StopCheck,
};
use dragnet_generator::{Pursuit, PursuitError, naive};
use dragnet_probe::{Cell, Position, Side, Value};

/// The values of a game.
pub(crate) struct Solved {
    /// Every position with its value, in the order of the content digest.
    pub(crate) values: Vec<(Position, Value)>,
    /// Their counts, longest wins and digest.
    pub(crate) summary: Summary,
}

/// Solves a game without the engines and without what verifies tables. The tiles change no value.
///
/// # Errors
/// When the game contradicts itself.
pub(crate) fn solve(game: &PursuitGame, tiles: [TileSize; 2]) -> Result<Solved, PursuitError> {
    let pursuit = Pursuit::new(game.clone(), tiles[0], tiles[1], &mut StopCheck::never())?;
    let labels = naive::solve(&pursuit);
    let value = |at: Position| {
        let number = pursuit.position(at.world, &at.police, at.thief, at.turn).expect("a position");
        pursuit.in_plies(labels[number as usize])
    };
    let values: Vec<_> = positions(game).map(|at| (at, value(at))).collect();
    Ok(Solved { summary: summary(&values), values })
}

/// Returns every position of a game, world after world.
fn positions(game: &PursuitGame) -> impl Iterator<Item = Position> {
    let cells = |side| game.places(side).cells().collect::<Vec<Cell>>();
    let (police, thieves) = (cells(Side::Police), cells(Side::Thief));
    let teams: Vec<_> = game.team_numbers().teams(&police).collect();
    let of_world = move |world| {
        let of_team = |&police: &Pieces| {
            let both = move |&thief: &Cell| {
                Side::BOTH.map(|turn| Position::new(police, thief, turn).in_world(world))
            };
            thieves.iter().flat_map(both)
        };
        teams.iter().flat_map(of_team).collect::<Vec<_>>()
    };
    (0..game.worlds).flat_map(of_world)
}

fn summary(values: &[(Position, Value)]) -> Summary {
    let mut summary = Summary::default();
    let mut number = 0;
    for (at, value) in values {
        match at.turn {
            Side::Police => {
                summary.add_police_to_move(number, *value);
                number += 1;
            }
            Side::Thief => summary.add_thief_to_move(*value),
        }
    }
    summary
}
