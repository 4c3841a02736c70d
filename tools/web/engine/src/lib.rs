//! The solver of Dragnet as WebAssembly: boards and graphs in, tables out.
//!
//! The host writes a request, JSON in UTF-8, into the bytes of [`exports::request`] and calls
//! [`exports::answer`], which calls the functions of the host's module `dragnet` on the way. Then it reads
//! the answer: JSON, and the bytes of a table in pieces if there is one. `tools/web/src/engine/protocol.ts`
//! has the types of all requests and answers.
//!
//! The modules stand in the order in which they build on each other. A module uses only modules above it.

mod host;

mod failure;

mod pieces;

mod answer;

mod progress;

mod limit;

mod names;

mod ground;

mod game;

mod description;

mod solve;

mod graph_game;

mod cops;

mod boards;

mod requests;

pub mod exports;
