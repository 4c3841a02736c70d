//! Logs on their way between rank 0, which has the files, and their owners.

use super::super::{
    board::Grid,
    log::{Log, LogEnd, LogPart},
    solver::Solver,
};
use crate::{
    ranks::{PIECE, any_rank, open, seal},
    solve_error::SolveError,
};
use std::sync::Arc;

/// Parts of logs that are to be sent, in their order.
type Parts<'a> = Box<dyn Iterator<Item = (&'a Log, LogPart)> + 'a>;

/// Returns the next message of `parts`, empty if there are no more.
fn next_message(parts: &mut Parts, piece: usize) -> Result<Vec<u8>, SolveError> {
    let mut message = Vec::new();
    while message.len() < piece {
        let Some((log, part)) = parts.next() else { break };
        log.put_part(part, &mut message)?;
    }
    seal(&mut message);
    Ok(message)
}

/// Adds the parts of a message from `rank` to `logs`.
fn take(logs: &mut [Log], message: &[u8], rank: usize) -> Result<(), SolveError> {
    let mut message = open(message, rank)?;
    while !message.is_empty() {
        Log::take_part(logs, &mut message)?;
    }
    Ok(())
}

impl Solver<'_> {
    /// Returns an empty log for each slice of the board.
    fn empty_logs(&self) -> Vec<Log> {
        (0..self.grid.slice_count()).map(|number| Log::new(number as u32, Arc::clone(&self.store))).collect()
    }

    /// Brings what rank 0 does not know yet of the other ranks' logs to it. They end at `ends`, by the
    /// slices of this rank.
    pub(crate) fn gather_logs(&mut self, ends: &[LogEnd]) -> Result<(), SolveError> {
        if self.ranks.ranks() == 1 {
            return Ok(());
        }
        if self.ranks.rank() == 0 && self.gathered.is_empty() {
            self.gathered = self.empty_logs();
        }
        let is_first = self.ranks.rank() == 0;
        let mut gathered = std::mem::take(&mut self.gathered);
        let logs = self.slices.iter().zip(ends).zip(&self.known);
        let mut parts: Parts = Box::new(
            logs.filter(|_| !is_first)
                .flat_map(|((state, &end), &known)| Log::parts(known, end).map(|part| (&state.log, part))),
        );
        loop {
            let message = next_message(&mut parts, PIECE)?;
            let is_more = !message.is_empty();
            for (rank, message) in self.ranks.gather(message)?.into_iter().flatten().enumerate() {
                take(&mut gathered, &message, rank)?;
            }
            if !any_rank(self.ranks, is_more)? {
                break;
            }
        }
        drop(parts);
        self.gathered = gathered;
        self.known = ends.iter().map(|end| end.full()).collect();
        Ok(())
    }

    /// Brings `logs`, which rank 0 has of all slices of the board, to their owners. Returns those of this
    /// rank, by its slices, and leaves those of others in [`Solver::gathered`].
    pub(crate) fn scatter_logs(&mut self, logs: Vec<Log>) -> Result<Vec<Log>, SolveError> {
        let (ranks, ranges) = (self.ranks.ranks(), self.grid.cut.count());
        let is_first = self.ranks.rank() == 0;
        let mut received = if is_first { Vec::new() } else { self.empty_logs() };
        if ranks > 1 {
            let mut parts: Vec<Parts> =
                (0..ranks).map(|_| -> Parts { Box::new(std::iter::empty()) }).collect();
            if is_first {
                for (to, parts) in parts.iter_mut().enumerate().skip(1) {
                    let (grid, logs) = (&self.grid, &logs);
                    let slices =
                        (0..grid.slice_count()).filter(move |slice| grid.order.owners[slice / ranges] == to);
                    *parts = Box::new(slices.flat_map(move |slice| {
                        let log = &logs[grid.log_number(slice)];
                        Log::parts(0, log.end()).map(move |part| (log, part))
                    }));
                }
            }
            loop {
                let messages = parts.iter_mut().map(|parts| next_message(parts, PIECE / ranks));
                let messages = messages.collect::<Result<Vec<_>, _>>()?;
                let is_more = messages.iter().any(|message| !message.is_empty());
                let messages = self.ranks.exchange(messages)?;
                if !is_first {
                    take(&mut received, &messages[0], 0)?;
                }
                if !any_rank(self.ranks, is_more)? {
                    break;
                }
            }
        }
        let mut held = if is_first { logs } else { received };
        let own: Vec<Log> = (0..self.grid.own_slices())
            .map(|slice| {
                let number = self.grid.log_number(slice);
                let empty = Log::new(number as u32, Arc::clone(&self.store));
                std::mem::replace(&mut held[number], empty)
            })
            .collect();
        self.known = own.iter().map(Log::full_chunks).collect();
        self.gathered = if is_first && ranks > 1 { held } else { Vec::new() };
        Ok(own)
    }

    /// Returns the logs of all slices of the board, by their numbers, with their ends: `ends` for the slices
    /// of this rank. Rank 0 has those of others as far as they have been gathered.
    pub(crate) fn all_logs(&self, ends: &[LogEnd]) -> Vec<(&Log, LogEnd)> {
        let mut logs: Vec<(&Log, LogEnd)> = self.gathered.iter().map(|log| (log, log.end())).collect();
        for (slice, (state, &end)) in self.slices.iter().zip(ends).enumerate() {
            match logs.get_mut(self.grid.log_number(slice)) {
                Some(log) => *log = (&state.log, end),
                None => logs.push((&state.log, end)),
            }
        }
        logs
    }

    /// Returns the grid, and the logs of all slices of the board as [`Solver::all_logs`] does, when the solve
    /// is at its end.
    pub(crate) fn into_logs(mut self) -> (Grid, Vec<Log>) {
        let mut logs = std::mem::take(&mut self.gathered);
        if logs.is_empty() && self.ranks.ranks() > 1 {
            logs = self.empty_logs();
        }
        let numbers: Vec<usize> = (0..self.slices.len()).map(|slice| self.grid.log_number(slice)).collect();
        for (state, number) in self.slices.into_iter().zip(numbers) {
            match logs.get_mut(number) {
                Some(log) => *log = state.log,
                None => logs.push(state.log),
            }
        }
        (self.grid, logs)
    }
}
