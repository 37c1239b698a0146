//! How long callers usually wait before they ask again.

use super::time::SECOND;

/// Usual timeouts and back-off steps, in seconds.
pub const USUAL_STEPS: [i64; 15] = [1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 60, 90, 120, 300, 600];

/// True when a gap in nanoseconds is within a tenth of a usual timeout or back-off step.
pub fn is_usual_step(gap: i64) -> bool {
    USUAL_STEPS.iter().any(|step| gap.abs_diff(step * SECOND) <= (step * SECOND / 10).unsigned_abs())
}
