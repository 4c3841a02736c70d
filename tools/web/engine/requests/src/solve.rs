//! Tables of pursuit games.

use crate::{answer::Answer, failure::Failure, game::GameRequest, pieces::Pieces, progress::Progress};
use dragnet_formats::header::Header;
use dragnet_generator::{Generator, encode::Written};
use serde_json::{Value, json};

/// The engine that solves every pursuit game. The table would be equal by any other.
const ENGINE: &str = "bitboard";

fn description(header: &Header, written: Written) -> Value {
    let summary = header.summary;
    json!({
        "cells": header.thief.places.count(),
        "officers": header.officers(),
        "positions": header.positions(),
        "engine": ENGINE,
        "police_to_move": summary.police_to_move,
        "thief_to_move": summary.thief_to_move,
        "longest": summary.longest,
        "digest": format!("{:016x}", summary.digest),
        "bytes": written.bytes,
        "blocks": written.blocks,
        "distinct": written.distinct,
    })
}

/// Solves a pursuit game. The answer has its table.
pub(crate) fn solve(generator: &Generator, request: &GameRequest) -> Result<Answer, Failure> {
    let game = request.read()?;
    if let Some(refusal) = game.refusal() {
        return Err(refusal);
    }
    let plan = &game.plan;
    let progress = Progress::new(plan.positions());
    let solution = generator.solve_with_bitboard(plan, &progress)?;
    let (header, blocks) = generator.encode(&solution, plan, &progress)?;
    // The table takes the place of the solution.
    drop(solution);
    let (table, written) = blocks.write(&header, Pieces::default())?;
    Answer::with_table(&description(&header, written), table)
}

/// Tells what the solve of a pursuit game would take, and whether the request allows it.
pub(crate) fn estimate(request: &GameRequest) -> Result<Answer, Failure> {
    let game = request.read()?;
    let plan = &game.plan;
    Answer::of(&json!({
        "cells": plan.header().thief.places.count(),
        "officers": plan.header().officers(),
        "positions": plan.positions(),
        "engine": ENGINE,
        "memory": game.memory_needed(),
        "limit": game.limit.bytes(),
        "refusal": game.refusal().map(|refusal| refusal.message),
    }))
}
