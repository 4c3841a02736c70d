//! From planned tables to finished ones, and what they need before they are made.

pub(crate) mod checked;
pub(crate) mod calibration;
pub(crate) mod existing;
pub(crate) mod journal;
pub(crate) mod log;
pub(crate) mod progress;
pub(crate) mod run;
