//! Lets opponents of random strengths and styles play on tables, and prints their games.
//!
//!     cargo run -p dragnet-probe --example opponents -- SEED TABLE... > GAMES
//!
//! The lines have the form of `probe/tests/opponent/vectors.txt`, whose first lines say what they hold. The
//! tests of opponents in other languages take such a file and the folder of its tables, and check that they
//! choose the same moves.

use dragnet_probe::{
    Open, Pieces, Position, ProbeError, Side, Table,
    opponent::{Duel, Lots, Opponent, Replier, Review, Strength, Style, Target},
};
use std::{error::Error, path::Path};

/// The games on each table.
const GAMES: usize = 16;
/// The games of a calibration.
const CALIBRATION: u32 = 2;
/// The starts of a calibration.
const STARTS: usize = 3;

/// A strength, a style and a seed, all by lot, with the words for the first two.
struct Player {
    strength: Strength,
    style: Style,
    seed: u64,
    words: String,
}

fn strength_words(strength: &Strength) -> String {
    let Strength { errors, blunders, plies, drop, horizon, reaction } = strength;
    format!("{errors},{blunders},{plies},{drop},{horizon},{reaction}")
}

/// Draws numbers from 0 to `most`, half of them 0 or `most`.
fn up_to(lots: &mut Lots, most: u32) -> u32 {
    match Lots::scale(lots.draw(), 4) {
        0 => 0,
        1 => most,
        _ => Lots::scale(lots.draw(), u64::from(most) + 1) as u32,
    }
}

fn strength(lots: &mut Lots) -> Strength {
    let unlimited = Lots::scale(lots.draw(), 2) == 0;
    Strength {
        errors: up_to(lots, 1000) as u16,
        blunders: up_to(lots, 1000) as u16,
        plies: up_to(lots, 60),
        drop: up_to(lots, 2) as u8,
        horizon: if unlimited { Strength::UNLIMITED } else { up_to(lots, 40) },
        reaction: up_to(lots, Strength::SLOWEST.into()) as u8,
    }
}

fn player(lots: &mut Lots) -> Player {
    let own = strength(lots);
    let (style, style_words) = match Lots::scale(lots.draw(), 3) {
        0 => (Style::Longest, "longest".to_owned()),
        1 => (Style::Trickiest(Replier::Uniform), "uniform".to_owned()),
        _ => {
            let replier = strength(lots);
            (Style::Trickiest(Replier::Erring(replier)), strength_words(&replier))
        }
    };
    Player {
        strength: own,
        style,
        seed: lots.draw(),
        words: format!("{} {style_words}", strength_words(&own)),
    }
}

/// Draws a position with a move.
fn start(table: &Table, lots: &mut Lots) -> Result<Position, Box<dyn Error>> {
    let cells: Vec<_> = table.board().open_cells().collect();
    let mut cell = || cells[Lots::scale(lots.draw(), cells.len() as u64) as usize];
    loop {
        let police: Vec<_> = (0..table.officers()).map(|_| cell()).collect();
        let turn = if cell() < cell() { Side::Police } else { Side::Thief };
        let position = Position::new(Pieces::new(&police)?, cell(), turn);
        if table.best_move(position)?.is_some() {
            return Ok(position);
        }
    }
}

fn play(table: &Table, lots: &mut Lots) -> Result<(), Box<dyn Error>> {
    let (police, thief, start) = (player(lots), player(lots), start(table, lots)?);
    let opponent = |player: &Player| Opponent::new(player.strength, player.style, player.seed);
    let duel = Duel::play(table, start, &mut opponent(&police)?, &mut opponent(&thief)?)?;
    let moves = duel.positions.windows(2).map(|pair| Position { turn: pair[0].turn, ..pair[1] }.mover());
    let moves: Vec<String> = moves.map(|pieces| pieces.to_string()).collect();
    let winner = duel.winner.map_or("draw".to_owned(), |side| side.to_string());
    let sides = format!("{} {} | {} {}", police.words, police.seed, thief.words, thief.seed);
    println!("game {sides} | {}: {} = {winner}", words(start), moves.join(" "));
    for side in [Side::Police, Side::Thief] {
        let review = Review::new(table, &duel.positions, side)?;
        let Review { errors, blunders, drops, plies_lost, .. } = review;
        let worst: String = review.worst(3).iter().map(|rated| format!(" {}", rated.ply)).collect();
        println!("review {side}: {} {errors} {blunders} {drops} {plies_lost} |{worst}", review.moves.len());
    }
    Ok(())
}

fn calibrate(table: &Table, side: Side, lots: &mut Lots) -> Result<(), Box<dyn Error>> {
    let starts = (0..STARTS).map(|_| start(table, lots)).collect::<Result<Vec<_>, _>>()?;
    let (against, seed) = (player(lots), lots.draw());
    let target = Target {
        style: Style::Longest,
        against: Opponent::new(against.strength, against.style, 0)?,
        games: CALIBRATION,
        seed,
        ..Target::new(side, 500)
    };
    let found = Opponent::calibrate(table, &starts, &target)?;
    let places: Vec<String> = starts.into_iter().map(words).collect();
    println!(
        "calibrate {side} 500 {CALIBRATION} {seed} longest | {} | {}: {} {} {} {} {} {:?} {:?}",
        against.words,
        places.join(" | "),
        found.level,
        found.wins,
        found.lowest,
        found.highest,
        if found.reached { "reached" } else { "missed" },
        found.from,
        found.to
    );
    Ok(())
}

fn words(Position { world, police, thief, turn }: Position) -> String {
    let world = if world > 0 { format!(" {world}") } else { String::new() };
    format!("{police} {thief} {turn}{world}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut lots = Lots::new(arguments.next().ok_or("expected a seed and tables")?.parse()?);
    for _ in 0..4 {
        let seed = lots.draw();
        let numbers: Vec<String> = (0..3).map(|index| Lots::nth(seed, index).to_string()).collect();
        println!("lots {seed}: {}", numbers.join(" "));
    }
    for path in arguments {
        let table = Open::path(&path).pursuit().map_err(|error: ProbeError| format!("{path}: {error}"))?;
        println!("table {}", Path::new(&path).file_name().ok_or("expected the name of a file")?.display());
        for _ in 0..GAMES {
            play(&table, &mut lots)?;
        }
        for side in [Side::Police, Side::Thief] {
            calibrate(&table, side, &mut lots)?;
        }
    }
    Ok(())
}
