//! How far a scan is, on a terminal only.

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use twicelog::engine::Progress;

/// Where it is known how much there is to read.
const READING: &str = "{spinner} {msg} {percent}% of {total_bytes}, {records} records, {bytes_per_sec}, {eta} left";
const WORKING: &str = "{spinner} {msg}, {records} records, {elapsed}";

/// A line on standard error with the phase, what was read of how much, pace and time left; silent where standard error is no terminal.
pub struct Line {
    bar: ProgressBar,
    records: Arc<AtomicU64>,
}

impl Line {
    pub fn new() -> Self {
        let target = if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bar: ProgressBar::with_draw_target(None, target), records: Arc::default() }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn set_style(&self, template: &str) {
        let counted = Arc::clone(&self.records);
        let records = move |_: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", HumanCount(counted.load(Ordering::Relaxed)));
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("records", records));
        }
    }
}

impl Progress for Line {
    fn phase(&self, name: &'static str, bytes: u64) {
        if bytes > 0 {
            self.bar.set_length(bytes);
            // A second reading begins anew.
            self.bar.reset();
            self.records.store(0, Ordering::Relaxed);
            self.set_style(READING);
        } else {
            self.set_style(WORKING);
        }
        self.bar.set_message(name);
    }

    fn read(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn worked(&self, records: u64) {
        self.records.fetch_add(records, Ordering::Relaxed);
    }
}
