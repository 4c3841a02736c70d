//! Tables: their bytes for Python, or files.

use crate::{
    boards::{Board, Graph, rules},
    errors::{not_made, not_verified, wrong},
    game::Game,
    work,
};
use dragnet_formats::{board::Scenario, codec::Favour, graph::Vertex, rules::Stuck, setting::Setting};
use dragnet_generator::{
    GenerateError, Generator, GraphGame, Observer, VertexStart, encode::Encoding, graph_memory_needed,
};
use dragnet_probe::Open;
use pyo3::{exceptions::PyMemoryError, prelude::*, types::PyBytes};
use std::{io::Cursor, path::PathBuf};

/// Returns the encoding with a favour, "speed" or "size".
fn encoding(favour: &str) -> PyResult<Encoding> {
    let favour = match favour {
        "speed" => Favour::Speed,
        "size" => Favour::Size,
        _ => return Err(wrong(format!("expected favour 'speed' or 'size', found {favour:?}"))),
    };
    Ok(Encoding { favour, ..Encoding::default() })
}

/// The plan of the table of a pursuit game.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Plan(dragnet_generator::Plan);

#[pymethods]
impl Plan {
    /// Plans the table of a board with these doors and guards, lists in JSON.
    #[staticmethod]
    fn of_board(board: &Board, rules: &str, doors: &str, guards: &str, favour: &str) -> PyResult<Plan> {
        let setting = Setting::new(Scenario::from_board(board.0.clone()), self::rules(rules)?);
        setting.rules.check_on(&setting.board).map_err(wrong)?;
        let doors = serde_json::from_str(doors).map_err(wrong)?;
        let guards = serde_json::from_str(guards).map_err(wrong)?;
        let setting = setting.with_doors(doors).map_err(wrong)?.with_guards(guards).map_err(wrong)?;
        let made = dragnet_generator::Plan::of_setting(setting, encoding(favour)?);
        Ok(Plan(made.map_err(wrong)?))
    }

    /// Plans the table of a game that a program gives.
    #[staticmethod]
    fn of_game(game: &Game, favour: &str) -> PyResult<Plan> {
        let made = dragnet_generator::Plan::of_game(game.0.clone(), encoding(favour)?);
        Ok(Plan(made.map_err(wrong)?))
    }

    /// Returns the bytes of memory that `solve` or `generate` likely takes.
    fn memory_needed(&self, threads: usize) -> u64 {
        self.0.needs(work::thread_count(threads)).likely
    }
}

/// Returns the bytes of the table of a plan.
///
/// # Errors
/// When the memory does not suffice, or the observer stops the work.
pub(crate) fn table_bytes(
    plan: &dragnet_generator::Plan,
    generator: &Generator,
    observer: &dyn Observer,
) -> Result<Vec<u8>, GenerateError> {
    let solution = generator.solve(plan, observer)?;
    let (header, blocks) = generator.encode(&*solution, plan, observer)?;
    // Threads of the global pool would never end, and a process that has been forked would wait for them.
    Ok(generator.install(|| blocks.write(&header, Cursor::new(Vec::new())))?.0.into_inner())
}

/// Returns the bytes of the table of a pursuit game.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    plan: &Plan,
    threads: usize,
    report: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let generator = work::generator(threads)?;
    let made = work::run(py, report, |progress| table_bytes(&plan.0, &generator, progress))?;
    Ok(PyBytes::new(py, &made.map_err(|error| not_made(&error))?))
}

/// Writes the table of a pursuit game as a file, with checkpoints beside it while it is made, and with the
/// scratch files of what has no room in `memory` bytes.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    plan: &Plan,
    path: PathBuf,
    threads: usize,
    memory: Option<u64>,
    report: Option<Py<PyAny>>,
) -> PyResult<()> {
    let generator =
        work::generator(threads)?.with_checkpoints(dragnet_generator::CheckpointInterval::default());
    let generator = match memory {
        Some(memory) => {
            let least = plan.0.needs(work::thread_count(threads)).least;
            if least > memory {
                let message =
                    format!("the solve needs at least {least} bytes of memory, and {memory} are allowed");
                return Err(PyMemoryError::new_err(message));
            }
            generator.with_memory(memory)
        }
        None => generator,
    };
    let made = work::run(py, report, |progress| generator.generate(&plan.0, &path, progress))?;
    made.map(drop).map_err(|error| not_made(&error))
}

/// Derives every value of a pursuit table, given by its bytes, again.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    table: &[u8],
    threads: usize,
    memory: u64,
    report: Option<Py<PyAny>>,
) -> PyResult<()> {
    let table = Open::bytes(table.to_vec()).pursuit().map_err(|error| not_verified(&error.into()))?;
    let generator = work::generator(threads)?;
    let verify =
        |progress: &work::Progress| generator.install(|| dragnet_verify::verify(&table, memory, progress));
    work::run(py, report, verify)?.map_err(|error| not_verified(&error))
}

/// Returns the bytes of the table of a game on a graph. `labels` are vertices that are won, lost and drawn
/// for the player to move there, whatever their edges are.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python calls it with names")]
pub(crate) fn solve_game<'py>(
    py: Python<'py>,
    graph: &Graph,
    name: &str,
    stuck_wins: bool,
    labels: [Vec<i64>; 3],
    favour: &str,
    threads: usize,
    memory: u64,
    report: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (graph, encoding, generator) = (&graph.0, encoding(favour)?, work::generator(threads)?);
    let vertices = graph.vertices();
    let needed = graph_memory_needed(vertices.into(), graph.edges().into(), work::thread_count(threads));
    if needed > memory {
        let message = format!("the solve needs {needed} bytes of memory, and {memory} are allowed");
        return Err(PyMemoryError::new_err(message));
    }
    let starts = [VertexStart::Won, VertexStart::Lost, VertexStart::Drawn];
    let vertex = |number: i64| {
        Vertex::try_from(number).ok().filter(|&vertex| vertex < vertices).ok_or_else(|| {
            wrong(format!("expected vertices from 0 to {}, found {number}", i64::from(vertices) - 1))
        })
    };
    let labels = (labels.into_iter().zip(starts))
        .flat_map(|(numbers, start)| numbers.into_iter().map(move |number| (number, start)))
        .map(|(number, start)| Ok((vertex(number)?, start)))
        .collect::<PyResult<Vec<(Vertex, VertexStart)>>>()?;
    let stuck = if stuck_wins { Stuck::Wins } else { Stuck::Loses };
    let made = work::run(py, report, |progress| {
        let game = generator.install(|| GraphGame::new((**graph).clone(), stuck, labels));
        let solution = generator.solve_graph(game, progress)?;
        let (header, blocks) = generator.encode_game(&solution, name, encoding, progress)?;
        let written = generator.install(|| blocks.write(&header, Cursor::new(Vec::new())))?;
        Ok::<_, GenerateError>(written.0.into_inner())
    })?;
    Ok(PyBytes::new(py, &made.map_err(|error| not_made(&error))?))
}
