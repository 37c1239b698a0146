//! `unknown`: nothing on the records tells the cause.

use super::Scene;
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::span_text;

pub(super) const EXPLANATION: Explanation = Explanation {
    code: "unknown",
    english: Meaning {
        title: "cause not told by the records",
        looks_for: "nothing: no detector recognised the records",
        needs: "more fields: message or job ids, sessions, workers, periods, starts as well as ends",
        looks_alike: "a person who did the same thing twice",
        what_to_do: "look at the caller's own log around the time of the second record",
    },
    russian: Meaning {
        title: "причину записи не называют",
        looks_for: "ничего: ни один признак не узнал записи",
        needs: "больше полей: номера сообщений или заданий, сеансы, исполнители, периоды, начала и концы",
        looks_alike: "человек, который сделал одно и то же дважды",
        what_to_do: "посмотрите собственный журнал вызывающей стороны около времени второй записи",
    },
};

pub(super) fn why(scene: &Scene<'_>) -> String {
    match scene.span() {
        Some(span) => format!("{} attempts within {}; nothing on the records tells why", scene.acts.len(), span_text(span)),
        None => "nothing on the records tells why".to_owned(),
    }
}
