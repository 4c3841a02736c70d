//! make
