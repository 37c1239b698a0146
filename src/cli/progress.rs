//! How far a scan is, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use twicelog::engine::Progress;

/// A line on standard error with phase, bytes and pace; silent where standard error is no terminal.
pub struct Line(ProgressBar);

impl Line {
    pub fn new() -> Self {
        let target = if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bytes} {bytes_per_sec} {elapsed}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Line {
    fn phase(&self, name: &'static str) {
        self.0.set_message(name);
    }

    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}
