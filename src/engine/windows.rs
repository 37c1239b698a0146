//! Cutting the attempts of one fingerprint into windows.

use crate::domain::time::DAY;
use crate::rules::window::Window;
use std::ops::Range;

/// Cuts ascending times into groups, as ranges of indices. The first time opens a group; a time outside the group's window opens the
/// next. Every index is in exactly one group.
///
/// For [`Window::Days`] the times are local wall clocks, otherwise instants; both in nanoseconds.
pub fn cut(times: &[i64], window: Window) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut first = 0;
    for at in 1..=times.len() {
        if at == times.len() || !belongs(window, times[first], times[at - 1], times[at]) {
            groups.push(first..at);
            first = at;
        }
    }
    groups
}

/// Whether an attempt belongs to the group that `first` opened and `before` was the last to join.
pub fn belongs(window: Window, first: i64, before: i64, time: i64) -> bool {
    match window {
        Window::FromFirst(span) => time.saturating_sub(first) <= span,
        Window::Gap { gap, span } => time.saturating_sub(before) <= gap && time.saturating_sub(first) <= span,
        Window::Days(days) => time.div_euclid(DAY) - first.div_euclid(DAY) <= i64::from(days),
        Window::Unlimited => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        assert_eq!(cut(&[0, 10, 11], Window::FromFirst(10)), vec![0..2, 2..3]);
        assert_eq!(cut(&[0, 10, 20, 31], Window::Gap { gap: 10, span: 100 }), vec![0..3, 3..4]);
        assert_eq!(cut(&[0, 10, 20, 30], Window::Gap { gap: 10, span: 20 }), vec![0..3, 3..4]);
        assert_eq!(cut(&[DAY - 1, DAY, 2 * DAY], Window::Days(1)), vec![0..2, 2..3], "a minute across midnight is one day apart");
        assert_eq!(cut(&[-1, 0], Window::Days(0)), vec![0..1, 1..2], "the day before 1970");
        assert_eq!(cut(&[i64::MIN, i64::MAX], Window::Unlimited), vec![0..2]);
        assert_eq!(cut(&[i64::MIN, i64::MAX], Window::FromFirst(10)), vec![0..1, 1..2]);
        assert_eq!(cut(&[], Window::Unlimited), Vec::<Range<usize>>::new());
    }
}
