//! The solver of Dragnet as WebAssembly: boards and graphs in, tables out.
//!
//! The host writes a request, JSON in UTF-8, into the bytes of [`exports::request`] and calls
//! [`exports::answer`], which calls the functions of the host's module `dragnet` on the way. Then it reads
//! the answer: JSON, and the bytes of a table in pieces if there is one. `tools/web/src/engine/protocol.ts`
//! has the types of all requests and answers.

pub mod exports;
