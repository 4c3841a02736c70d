//! Counters of the server in the text form of Prometheus.

use crate::machine;
use parking_lot::Mutex;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The upper bounds of the classes of latencies, in seconds.
const BOUNDS: [f64; 9] = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.25, 1.0, 10.0];

/// Requests of one route.
#[derive(Default)]
struct Route {
    /// Answers by status.
    statuses: BTreeMap<u16, u64>,
    /// Answers within each bound, and those beyond all.
    classes: [u64; BOUNDS.len() + 1],
    seconds: f64,
}

/// Counters of what the server has done since it began.
#[derive(Default)]
pub(super) struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
    /// Positions answered, alone and in batches.
    positions: AtomicU64,
    pub(super) connections: AtomicU64,
}

impl Metrics {
    /// Counts an answer of a route.
    pub(super) fn answered(&self, route: &str, status: u16, latency: Duration) {
        let seconds = latency.as_secs_f64();
        let class = BOUNDS.iter().position(|&bound| seconds <= bound).unwrap_or(BOUNDS.len());
        let mut routes = self.routes.lock();
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(counted) = routes.get_mut(route) else { return };
        *counted.statuses.entry(status).or_default() += 1;
        counted.classes[class] += 1;
        counted.seconds += seconds;
    }

    /// Counts positions that were answered.
    pub(super) fn positions(&self, count: u64) {
        self.positions.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns the counters, and the memory of the process; `tables` and `open` are the tables that are known
    /// and that are open.
    pub(super) fn text(&self, tables: usize, open: usize) -> String {
        let mut text = String::new();
        let mut add = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("a string takes all");
        add(format_args!(
            "# HELP dragnet_requests_total Requests by route and status.\n# TYPE dragnet_requests_total counter"
        ));
        let routes = self.routes.lock();
        for (name, route) in routes.iter() {
            for (status, count) in &route.statuses {
                add(format_args!("dragnet_requests_total{{route=\"{name}\",status=\"{status}\"}} {count}"));
            }
        }
        add(format_args!(
            "# HELP dragnet_request_seconds Time from the head of a request to the head of its answer.\n# TYPE dragnet_request_seconds histogram"
        ));
        for (name, route) in routes.iter() {
            let mut sum = 0;
            for (class, count) in route.classes.iter().enumerate() {
                sum += count;
                let bound = BOUNDS.get(class).map_or_else(|| "+Inf".to_owned(), f64::to_string);
                add(format_args!("dragnet_request_seconds_bucket{{route=\"{name}\",le=\"{bound}\"}} {sum}"));
            }
            add(format_args!("dragnet_request_seconds_sum{{route=\"{name}\"}} {}", route.seconds));
            add(format_args!("dragnet_request_seconds_count{{route=\"{name}\"}} {sum}"));
        }
        drop(routes);
        let positions = self.positions.load(Ordering::Relaxed);
        let connections = self.connections.load(Ordering::Relaxed);
        for (name, help, kind, value) in [
            ("dragnet_positions_total", "Positions answered.", "counter", Some(positions)),
            ("dragnet_connections", "Open connections.", "gauge", Some(connections)),
            ("dragnet_tables", "Tables that are served.", "gauge", Some(tables as u64)),
            ("dragnet_tables_open", "Tables that are open.", "gauge", Some(open as u64)),
            ("process_resident_memory_bytes", "Memory of the process.", "gauge", machine::resident_memory()),
        ] {
            let Some(value) = value else { continue };
            add(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"));
        }
        text
    }
}
