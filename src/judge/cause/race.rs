//! `race`: attempts that ran at the same time.

use super::{Detector, Scene};
use crate::domain::Precision;
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::{SECOND, span_text};

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "race",
        english: Meaning {
            title: "two attempts ran at once",
            looks_for: "an attempt that began before another had ended, or acts within two seconds by different workers",
            needs: "records for start and end (outcome `started`), or a named field that tells the worker, host or process",
            looks_alike: "clocks of two hosts that differ by seconds",
            what_to_do: "check and act in one transaction: a unique constraint or a lock on the operation's identity, not a \
                     look beforehand",
        },
        russian: Meaning {
            title: "две попытки шли одновременно",
            looks_for: "попытка, которая началась до конца другой, или действия за две секунды от разных исполнителей",
            needs: "записи о начале и о конце (исход `started`) или именованное поле, которое называет исполнителя, \
                узел или процесс",
            looks_alike: "часы двух узлов, которые расходятся на секунды",
            what_to_do: "проверяйте и действуйте в одной транзакции: уникальное ограничение или блокировка на самой \
                операции, а не взгляд заранее",
        },
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
