//! From planned tables to finished ones, and what they need before they are made.

mod rough_cost;
pub(crate) mod checked;
pub(crate) mod folder;
pub(crate) mod calibration;
pub(crate) mod journal;
mod finished;
pub(crate) mod existing;
pub(crate) mod log;
pub(crate) mod status;
pub(crate) mod workers;
pub(crate) mod progress;
mod state;
mod lot;
pub(crate) mod run;
pub(crate) mod end_command;
