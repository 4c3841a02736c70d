//! One of the ranks, and the part of the board that it has.

use super::{
    super::{
        board::{Grid, Overlays},
        log::{Log, LogStore},
    },
    border::{Border, GrownLevel, LogsUntil, NoBorder},
    exchange::Views,
    gather::{Parts, carry},
};
use crate::{
    games::pursuit::Pursuit,
    observer::Observer,
    ranks::{Transport, TransportError},
    solve_error::SolveError,
    stop::StopRequest,
};
use std::{iter, sync::Arc};

/// The border around the overlays of a rank. Rank 0 has the checkpoints.
struct Rank<'a> {
    transport: &'a dyn Transport,
    observer: &'a dyn Observer,
    views: Views,
    /// The bytes that this rank has sent since the last sum.
    sent: u64,
    store: Arc<LogStore>,
    /// The logs of all slices of the board that rank 0 has of other ranks, by their numbers; empty if there
    /// are none.
    gathered: Vec<Log>,
    /// For each slice of this rank how many full chunks of its log rank 0 has.
    known: Vec<usize>,
}

/// Returns the grid and the border of the part of a board that belongs to this one of `ranks`: all of it if
/// there are none.
///
/// # Errors
/// See [`Grid::new`].
pub(crate) fn part_of<'a>(
    game: &Pursuit,
    overlays: &Overlays,
    ranks: Option<&'a dyn Transport>,
    stop: StopRequest<'a>,
    store: &Arc<LogStore>,
) -> Result<(Grid, Box<dyn Border + 'a>), SolveError> {
    let Some(transport) = ranks else {
        return Ok((Grid::new(game, overlays, |_| true, stop)?, Box::new(NoBorder)));
    };
    let (rank, owners) = (transport.rank(), overlays.owners(&game.places()[1], transport.ranks()));
    // Ranks stop together, at the end of a level.
    let grid = Grid::new(game, overlays, |overlay| owners[overlay as usize] == rank, StopRequest::never())?;
    let border = Rank {
        transport,
        observer: stop.observer(),
        views: Views::new(&grid, owners, rank),
        sent: 0,
        store: Arc::clone(store),
        gathered: Vec::new(),
        known: vec![0; grid.own_slices()],
    };
    Ok((grid, Box::new(border)))
}

impl Rank<'_> {
    /// Returns an empty log for each slice of the board.
    fn empty_logs(&self, grid: &Grid) -> Vec<Log> {
        (0..grid.slice_count()).map(|number| Log::new(number as u32, Arc::clone(&self.store))).collect()
    }
}

impl Border for Rank<'_> {
    fn has_others(&self) -> bool {
        true
    }

    fn leads(&self) -> bool {
        self.transport.rank() == 0
    }

    fn sum(&mut self, numbers: &mut [u64]) -> Result<(), TransportError> {
        let mut sums: Vec<u64> = iter::once(self.sent).chain(numbers.iter().copied()).collect();
        self.transport.sum(&mut sums)?;
        numbers.copy_from_slice(&sums[1..]);
        self.sent = 0;
        if sums[0] > 0 {
            self.observer.exchanged(sums[0]);
        }
        Ok(())
    }

    fn exchange(&mut self, mut level: GrownLevel) -> Result<(), SolveError> {
        let messages = self.views.messages(self.transport.ranks(), &mut level);
        self.sent = messages.iter().map(|message| message.len() as u64).sum();
        self.views.take(&self.transport.exchange(messages)?, level)
    }

    fn gather<'l>(
        &'l mut self,
        grid: &Grid,
        own: LogsUntil<'l>,
    ) -> Result<Option<LogsUntil<'l>>, SolveError> {
        if self.leads() && self.gathered.is_empty() {
            self.gathered = self.empty_logs(grid);
        }
        let mut parts: Vec<Parts> = Vec::new();
        parts.resize_with(self.transport.ranks(), || Box::new(iter::empty()));
        if !self.leads() {
            let logs = own.iter().zip(&self.known);
            parts[0] = Box::new(
                logs.flat_map(|(&(log, end), &known)| Log::parts(known, end).map(move |part| (log, part))),
            );
        }
        carry(self.transport, parts, &mut self.gathered)?;
        self.known = own.iter().map(|(_, end)| end.full()).collect();
        if !self.leads() {
            return Ok(None);
        }
        let mut logs: LogsUntil = self.gathered.iter().map(|log| (log, log.end())).collect();
        for (slice, log) in own.into_iter().enumerate() {
            logs[grid.log_number(slice)] = log;
        }
        Ok(Some(logs))
    }

    fn scatter(&mut self, grid: &Grid, logs: Vec<Log>) -> Result<Vec<Log>, SolveError> {
        let (ranges, owners) = (grid.cut.count(), &self.views.owners);
        let parts_for = |rank: usize| -> Parts {
            let logs = logs.iter().enumerate();
            let of_rank = logs.filter(move |(number, _)| rank > 0 && owners[number / ranges] == rank);
            Box::new(of_rank.flat_map(|(_, log)| Log::parts(0, log.end()).map(move |part| (log, part))))
        };
        let mut received = self.empty_logs(grid);
        carry(self.transport, (0..self.transport.ranks()).map(parts_for).collect(), &mut received)?;
        let mut held = if self.leads() { logs } else { received };
        let own: Vec<Log> = (0..grid.own_slices())
            .map(|slice| {
                let number = grid.log_number(slice);
                std::mem::replace(&mut held[number], Log::new(number as u32, Arc::clone(&self.store)))
            })
            .collect();
        self.known = own.iter().map(Log::full_chunks).collect();
        self.gathered = if self.leads() { held } else { Vec::new() };
        Ok(own)
    }

    fn join_parts(
        &mut self,
        game: &Pursuit,
        grid: Grid,
        own: Vec<Log>,
    ) -> Result<(Grid, Vec<Log>), SolveError> {
        self.gather(&grid, own.iter().map(|log| (log, log.end())).collect())?;
        let mut logs = std::mem::take(&mut self.gathered);
        if logs.is_empty() {
            logs = self.empty_logs(&grid);
        }
        for (slice, log) in own.into_iter().enumerate() {
            logs[grid.log_number(slice)] = log;
        }
        let grid = Grid::new(
            game,
            &Overlays::new(&game.places()[1], game.officers(), game.numbering().worlds()),
            |_| true,
            StopRequest::never(),
        )?;
        Ok((grid, logs))
    }
}
