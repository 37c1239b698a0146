//! `race`: attempts that ran at the same time.

use super::{Detector, Scene};
use crate::domain::Precision;
use crate::domain::explanation::Explanation;
use crate::domain::time::{SECOND, span_text};

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "race",
        title: "two attempts ran at once",
        looks_for: "an attempt that began before another had ended, or acts within two seconds by different workers",
        needs: "records for start and end (outcome `started`), or a named field that tells the worker, host or process",
        looks_alike: "clocks of two hosts that differ by seconds",
        what_to_do: "check and act in one transaction: a unique constraint or a lock on the operation's identity, not a \
                     look beforehand",
    },
    bits: 1.5,
    detect,
};

const AT_ONCE: i64 = 2 * SECOND;
const WORKERS: [&str; 9] = ["worker", "host", "hostname", "pid", "thread", "consumer", "pod", "node", "instance"];

fn detect(scene: &Scene<'_>) -> Option<String> {
    let overlap = scene.acts.iter().zip(scene.acts.iter().skip(1)).find(|(one, next)| {
        // Only a record of the start says when an attempt began; an end alone is a point in time.
        one.began.is_some() && next.began.is_some() && next.begin() < one.end()
    });
    if let Some((one, next)) = overlap {
        let both = span_text(one.end().saturating_sub(next.begin()));
        return Some(format!("the second attempt began {both} before the first had ended"));
    }
    let span = scene.span().filter(|span| *span <= AT_ONCE)?;
    let exact = scene.events().all(|event| event.time.precision >= Precision::Second);
    let worker = scene.differing_field(&WORKERS).filter(|_| exact)?;
    Some(format!("{} acts within {} with different values of {worker}", scene.acts.len(), span_text(span)))
}
