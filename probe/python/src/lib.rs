//! The native part of the Python package `dragnet_probe`: the probe library for Python and NumPy.
//!
//! Errors and the tuples that are returned are written in Python, in `python/dragnet_probe`. This
//! crate has the parts that must be fast. Long calls release the interpreter's lock, and Ctrl-C ends them.
//!
//! Each module uses only modules that are declared above it.
#![deny(unsafe_code)]

mod errors;

mod signals;

mod value;

mod nodes;

mod convert;

mod arguments;

mod batch;

mod scan;

#[allow(unsafe_code)]
mod mapped;

mod cache;

mod copies;

mod table;

mod opponent;

mod tablebase;

mod game_table;

mod partial_table;

mod opening;

use pyo3::{prelude::*, types::PyTuple};

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<opening::Open>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<tablebase::Tablebase>()?;
    module.add_class::<game_table::GameTable>()?;
    module.add_class::<partial_table::PartialTable>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<opponent::Opponent>()?;
    module.add_function(wrap_pyfunction!(opening::_unpickled, module)?)?;
    module.add_function(wrap_pyfunction!(opponent::calibrate, module)?)?;
    module.add_function(wrap_pyfunction!(opponent::review, module)?)?;
    module.add_function(wrap_pyfunction!(opponent::_strength_preset, module)?)?;
    module.add_function(wrap_pyfunction!(opponent::_strength_level, module)?)?;
    module.add_function(wrap_pyfunction!(cache::set_cache_limit, module)?)?;
    module.add_function(wrap_pyfunction!(cache::cache_statistics, module)?)?;
    module.add("DRAW", value::DRAW)?;
    module.add("POLICE", value::POLICE)?;
    module.add("THIEF", value::THIEF)?;
    module.add("WALL", value::WALL)?;
    module.add("DRAWN", value::DRAWN)?;
    module.add("WON", value::WON)?;
    module.add("LOST", value::LOST)?;
    module.add("RESULTS", PyTuple::new(module.py(), value::RESULTS)?)?;
    module.add("OUTCOMES", PyTuple::new(module.py(), value::OUTCOMES.map(value::name))?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
