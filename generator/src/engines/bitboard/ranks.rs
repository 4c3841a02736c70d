//! Several processes that solve one board together (`PROTOCOL.md` §13).

mod exchange;

mod gather;

pub(crate) use exchange::{GrownLevel, POLICE_SETS};
