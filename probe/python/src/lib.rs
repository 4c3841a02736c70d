//! The Python module `dragnet_probe._native`: Dragnet's probing library for Python and NumPy.
//!
//! What can be said in Python is said there, in `python/dragnet_probe`: errors, rules, and the tuples that are answered. Here
//! is what has to be quick. Long work lets other Python threads run, and stops for Ctrl-C.
//!
//! The modules in the order in which they build on each other:
#![deny(unsafe_code)]

mod errors;

mod signals;

mod value;

mod python;

mod arguments;

mod batch;

mod sweep;

mod table;

mod tablebase;

mod game_table;

use pyo3::{prelude::*, types::PyTuple};

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<table::Table>()?;
    module.add_class::<tablebase::Tablebase>()?;
    module.add_class::<game_table::GameTable>()?;
    module.add_class::<value::Value>()?;
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
