//! Answers the request on standard input again and again, and prints the milliseconds of each time as JSON:
//! what [`bench.mjs`](../bench.mjs) compares WebAssembly with.
//!
//! ```text
//! cargo run --release --example answer -- 20 < request.json
//! ```

#![allow(clippy::unwrap_used, reason = "a program to measure with, which may end at the first surprise")]

use dragnet_engine_requests::requests;
use std::{hint::black_box, io::Read, time::Instant};

fn main() {
    let times: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut request = Vec::new();
    std::io::stdin().read_to_end(&mut request).unwrap();
    let milliseconds: Vec<f64> = (0..times)
        .map(|_| {
            let begin = Instant::now();
            black_box(requests::answer(&request));
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    println!("{milliseconds:?}");
}
