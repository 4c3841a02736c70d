//! The nodes of graphs: what callers call their vertices.

use crate::errors::position_error;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyTuple},
};

/// Returns the exception for an argument in place of a node.
pub(crate) fn no_node(object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.repr().map_or_else(|error| error.to_string(), |text| text.to_string());
    position_error(format!("expected a node of the graph, found {found}"), None)
}

/// The nodes of a graph: what its vertices, or the positions of a game, are called.
pub(crate) struct Nodes {
    /// The nodes, in the order of their numbers.
    list: Py<PyTuple>,
    /// The number of each node.
    numbers: Py<PyDict>,
    /// Whether a node is a tuple, which could be taken for a cell.
    pub(crate) has_tuples: bool,
}

impl Nodes {
    /// Creates the names of `count` things.
    ///
    /// # Errors
    /// When there are more or fewer nodes, two are equal, or one cannot be hashed.
    pub(crate) fn new(nodes: &Bound<'_, PyAny>, count: u64) -> PyResult<Nodes> {
        let list = nodes.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        if list.len() as u64 != count {
            return Err(PyValueError::new_err(format!("expected {count} nodes, found {}", list.len())));
        }
        let numbers = PyDict::new(nodes.py());
        for (number, node) in list.iter().enumerate() {
            if numbers.contains(node)? {
                return Err(PyValueError::new_err(format!(
                    "expected different nodes, found {} twice",
                    node.repr()?
                )));
            }
            numbers.set_item(node, number)?;
        }
        let has_tuples = list.iter().any(PyAnyMethods::is_instance_of::<PyTuple>);
        Ok(Nodes { list: PyTuple::new(nodes.py(), list)?.unbind(), numbers: numbers.unbind(), has_tuples })
    }

    /// Returns the nodes, in the order of their numbers.
    pub(crate) fn list<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.list.bind(py).clone()
    }

    /// Returns the node with a number.
    pub(crate) fn of<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        self.list.bind(py).get_item(number)
    }

    /// Returns the number of a node, or `None` if there is no such node.
    pub(crate) fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        match self.numbers.bind(object.py()).get_item(object) {
            Ok(number) => number.map(|number| number.extract()).transpose(),
            // What cannot be hashed is no node.
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
