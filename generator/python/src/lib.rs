//! The native part of the Python package `dragnet`: the generator for Python and NumPy.
//!
//! It takes boards, rules and graphs as text and arrays, and returns the bytes of tables, which the
//! package `dragnet_probe` reads. What is comfortable is written in Python, in `python/dragnet`. All calls
//! release the interpreter's lock, and Ctrl-C ends them.
//!
//! Each module uses only modules that are declared above it.
#![forbid(unsafe_code)]

mod errors;

mod work;

mod boards;

mod game;

mod tables;

mod cops;

mod values;

mod policies;

mod ground;

mod grounded_game;

mod best_reply;

mod odds;

use dragnet_policy::cops::MOST_OFFICERS;
use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tables::solve, module)?)?;
    module.add_function(wrap_pyfunction!(tables::generate, module)?)?;
    module.add_function(wrap_pyfunction!(boards::rules_of, module)?)?;
    module.add_function(wrap_pyfunction!(boards::full_rules, module)?)?;
    module.add_function(wrap_pyfunction!(tables::verify, module)?)?;
    module.add_function(wrap_pyfunction!(tables::solve_game, module)?)?;
    module.add_function(wrap_pyfunction!(cops::captures, module)?)?;
    module.add_function(wrap_pyfunction!(ground::ground_memory_needed, module)?)?;
    module.add_function(wrap_pyfunction!(work::machine_memory, module)?)?;
    module.add_class::<boards::Graph>()?;
    module.add_class::<boards::Board>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<tables::Plan>()?;
    module.add_class::<ground::Ground>()?;
    module.add_class::<best_reply::BestReply>()?;
    module.add_class::<odds::Odds>()?;
    module.add("MOST_OFFICERS", MOST_OFFICERS)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
