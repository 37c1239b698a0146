//! `unknown`: nothing on the records tells the cause.

use super::Scene;
use crate::domain::explanation::Explanation;
use crate::domain::time::span_text;

pub(super) const EXPLANATION: Explanation = Explanation {
    code: "unknown",
    title: "cause not told by the records",
    looks_for: "nothing: no detector recognised the records",
    needs: "more fields: message or job ids, sessions, workers, periods, starts as well as ends",
    looks_alike: "a person who did the same thing twice",
    what_to_do: "look at the caller's own log around the time of the second record",
};

pub(super) fn why(scene: &Scene<'_>) -> String {
    match scene.span() {
        Some(span) => format!("{} attempts within {}; nothing on the records tells why", scene.acts.len(), span_text(span)),
        None => "nothing on the records tells why".to_owned(),
    }
}
