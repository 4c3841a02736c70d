//! The cache that all tables share.

use dragnet_probe::Cache;
use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};

/// Sets the most bytes of memory for the cache in which all tables keep their blocks, 32 MiB by default. It
/// holds for tables that are opened from now on.
///
/// >>> set_cache_limit(64 << 20)
/// >>> cache_statistics().limit
/// 67108864
/// >>> set_cache_limit(32 << 20)
#[pyfunction]
pub(crate) fn set_cache_limit(bytes: u64) {
    Cache::shared().set_limit(bytes);
}

/// Returns what the cache holds and how often it was of use. Many misses beside few hits say that a higher
/// limit would help.
///
/// >>> table = Open.path("formats/tests/golden/v2-size.dtb").pursuit()
/// >>> table.value(police=(0, 0), thief=(0, 5), turn="police")
/// Value('police', 9)
/// >>> cache_statistics().misses > 0
/// True
#[pyfunction]
pub(crate) fn cache_statistics(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let now = Cache::shared().statistics();
    let numbers = (now.limit, now.reserved, now.bytes, now.tables, now.hits, now.misses);
    CLASS.import(py, "dragnet_probe.results", "CacheStatistics")?.call1(numbers)
}
