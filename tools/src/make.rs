//! From planned tables to finished ones, and what they need before they are made.

mod rough_cost;
pub(crate) mod planned_table;
pub(crate) mod folder;
pub(crate) mod calibration;
pub(crate) mod journal;
pub(crate) mod existing;
pub(crate) mod log;
pub(crate) mod status;
pub(crate) mod workers;
pub(crate) mod progress;
mod run_state;
mod table_maker;
pub(crate) mod run;
pub(crate) mod end_command;
