//! Opening a table, and what all tables have.

use crate::{
    border::{CallerSource, Handle, In, Out, Owned},
    failure::{Failure, guard},
    types::{Progress, Source, Status, kind},
};
use dragnet_probe::{AnyTable, GameTable, PartialTable, ProbeError, Table, TableError, TableKind};
use std::{ops::ControlFlow, sync::Arc};

/// Writes a handle of a new object, or NULL if `create` fails.
pub(crate) fn hand_out<T: Send + Sync>(
    out: Out<Owned<T>>,
    name: &str,
    create: impl FnOnce() -> Result<Arc<T>, Failure>,
) -> Status {
    guard(|| {
        let handle = out.single(name)?;
        handle.write(Owned::null());
        handle.write(Owned::new(create()?));
        Ok(())
    })
}

/// Returns the kind of table of a number, or `None` for tables of any kind.
fn kind_of(number: i32) -> Result<Option<TableKind>, Failure> {
    match number {
        kind::ANY => Ok(None),
        kind::PURSUIT => Ok(Some(TableKind::Pursuit)),
        kind::GAME => Ok(Some(TableKind::Game)),
        kind::PARTIAL => Ok(Some(TableKind::Partial)),
        found => Err(Failure::argument(format_args!("kind: expected 0 to 3, found {found}"))),
    }
}

/// Returns the failure for a table of another kind.
fn other_kind(expected: TableKind, found: &AnyTable) -> ProbeError {
    TableError::Kind { expected, found: found.kind() }.into()
}

/// Returns the pursuit table of a handle.
pub(crate) fn pursuit(table: &Handle<AnyTable>) -> Result<&Table, Failure> {
    match table.get("table")? {
        AnyTable::Pursuit(table) => Ok(table),
        other => Err(other_kind(TableKind::Pursuit, other).into()),
    }
}

/// Returns the game table of a handle.
pub(crate) fn game(table: &Handle<AnyTable>) -> Result<&GameTable, Failure> {
    match table.get("table")? {
        AnyTable::Game(table) => Ok(table),
        other => Err(other_kind(TableKind::Game, other).into()),
    }
}

/// Returns the partial table of a handle.
pub(crate) fn partial(table: &Handle<AnyTable>) -> Result<&PartialTable, Failure> {
    match table.get("table")? {
        AnyTable::Partial(table) => Ok(table),
        other => Err(other_kind(TableKind::Partial, other).into()),
    }
}

/// Opens a table. Whatever fails, the source is closed.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_open(source: In<Source>, kind: i32, table: Out<Owned<AnyTable>>) -> Status {
    let source = source.get("source").map(CallerSource::new);
    hand_out(table, "table", move || {
        let (open, file) = source?.open()?;
        let wanted = kind_of(kind)?;
        let opened = open.any().and_then(|table| match wanted {
            Some(wanted) if wanted != table.kind() => Err(other_kind(wanted, &table)),
            _ => Ok(Arc::new(table)),
        });
        opened.map_err(|error| match (error, file) {
            // These name the file already.
            (
                error @ (ProbeError::File { .. } | ProbeError::InFile { .. } | ProbeError::Changed { .. }),
                _,
            )
            | (error, None) => error.into(),
            (error, Some(file)) => Failure::from(error).about(file.display()),
        })
    })
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_close(table: Owned<AnyTable>) -> Status {
    guard(|| table.close())
}

/// Writes the kind of a table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_kind(table: Handle<AnyTable>, kind: Out<i32>) -> Status {
    guard(|| {
        let (table, out) = (table.get("table")?, kind.single("kind")?);
        out.write(match table.kind() {
            TableKind::Pursuit => kind::PURSUIT,
            TableKind::Game => kind::GAME,
            TableKind::Partial => kind::PARTIAL,
        });
        Ok(())
    })
}

/// Checks every checksum and the structure of every block, as long as the caller's function wants if there is
/// one.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_check_sums(table: Handle<AnyTable>, progress: In<Progress>) -> Status {
    guard(|| {
        let table = table.get("table")?;
        let report = match progress.optional("progress")? {
            None => None,
            Some(Progress { report: Some(report), context }) => Some((report, context)),
            Some(_) => return Err(Failure::argument("progress.report is NULL; expected a function")),
        };
        table.check_sums_while(|done, blocks| match report {
            Some((report, context)) if report(context, done, blocks) != 0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })?;
        Ok(())
    })
}
