//! From the bytes of a request to its answer.

use crate::{
    answer::Answer,
    boards, cops,
    failure::{Failure, FailureKind},
    graph_game, seen, solve,
};
use dragnet_generator::Generator;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::io;

/// The request for something, and what it is about.
#[derive(Deserialize)]
struct Request {
    ask: String,
    #[serde(flatten)]
    about: Value,
}

fn about<T: DeserializeOwned>(about: Value) -> Result<T, Failure> {
    Ok(serde_json::from_value(about)?)
}

fn respond(generator: &Generator, request: &[u8]) -> Result<Answer, Failure> {
    let Request { ask, about: subject } = serde_json::from_slice(request)?;
    match ask.as_str() {
        "solve" => solve::solve(generator, &about(subject)?),
        "estimate" => solve::estimate(&about(subject)?),
        "seen" => seen::seen(&about(subject)?),
        "solve_graph" => graph_game::solve_graph(generator, &about(subject)?),
        "cops" => cops::cops(generator, &about(subject)?),
        "read" => boards::read(&about(subject)?),
        "write" => boards::write(&about(subject)?),
        "make" => boards::make(&about(subject)?),
        _ => Err(Failure::input(format!("request: there is nothing called {ask:?} to ask for"))),
    }
}

thread_local! {
    /// The generator, which holds the thread on which it works: there can be no second one.
    static GENERATOR: io::Result<Generator> = Generator::new(1);
}

/// Returns the answer of a request, JSON in UTF-8.
#[must_use]
pub fn answer(request: &[u8]) -> Answer {
    GENERATOR.with(|generator| {
        let result = match generator {
            Ok(generator) => respond(generator, request),
            Err(error) => Err(Failure::new(FailureKind::Internal, error)),
        };
        result.unwrap_or_else(|failure| Answer::of_failure(&failure))
    })
}
