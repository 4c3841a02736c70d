//! Logs on their way from rank to rank.

use super::super::log::{Log, LogPart};
use crate::{
    ranks::{PIECE, Transport, any_rank, open, seal},
    solve_error::SolveError,
};

/// Parts of logs that are to be sent, in their order.
pub(super) type Parts<'a> = Box<dyn Iterator<Item = (&'a Log, LogPart)> + 'a>;

/// Sends the `parts` for each rank, and adds what comes from others to `logs`, by their numbers.
pub(super) fn carry(
    transport: &dyn Transport,
    mut parts: Vec<Parts>,
    logs: &mut [Log],
) -> Result<(), SolveError> {
    let piece = PIECE / transport.ranks();
    loop {
        let messages = parts.iter_mut().map(|parts| next_message(parts, piece));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let is_more = messages.iter().any(|message| !message.is_empty());
        for (rank, message) in transport.exchange(messages)?.iter().enumerate() {
            let mut message = open(message, rank)?;
            while !message.is_empty() {
                Log::take_part(logs, &mut message)?;
            }
        }
        if !any_rank(transport, is_more)? {
            return Ok(());
        }
    }
}

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
