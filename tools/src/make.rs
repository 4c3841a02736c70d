//! From planned tables to finished ones, and what they will need.

pub(crate) mod calibration;
pub(crate) mod journal;
pub(crate) mod run;
