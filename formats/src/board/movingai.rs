//! movingai
