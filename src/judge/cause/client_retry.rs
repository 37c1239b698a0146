//! `client_retry`: a caller that had no answer asked again.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::retry::is_usual_step;
use crate::domain::time::span_text;
use crate::domain::{Outcome, Precision};

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "client_retry",
        english: Meaning {
            title: "a caller asked again",
            looks_for: "a first attempt with unknown outcome, or gaps within a tenth of usual timeouts and back-off steps (1, 2, 3, 4, 5, 8, \
                    10, 15, 20, 30, 60, 90, 120, 300, 600 s)",
            needs: "times to the second; an outcome under `unknown` makes it certain",
            looks_alike: "a person who tries again after half a minute",
            what_to_do: "send the first attempt's key with every retry, and let the service return the first result for it",
        },
        russian: Meaning {
            title: "клиент повторил запрос",
            looks_for: "первая попытка с неизвестным исходом или промежутки в пределах десятой доли от обычных \
                тайм-аутов и шагов повтора (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 60, 90, 120, 300, 600 с)",
            needs: "время до секунды; исход из `unknown` даёт уверенность",
            looks_alike: "человек, который сам пробует ещё раз через полминуты",
            what_to_do: "передавайте ключ первой попытки с каждым повтором, и пусть сервис возвращает по нему первый \
                результат",
        },
    },
    bits: 1.5,
    detect,
};

fn detect(scene: &Scene<'_>) -> Option<String> {
    let gap = scene.gaps().next()?;
    if scene.acts.first().is_some_and(|act| act.event.outcome == Outcome::Unknown) {
        return Some(format!("the first attempt had no known outcome; the next came {} later", span_text(gap)));
    }
    // Minutes and dates cannot tell a timeout from chance.
    if scene.events().any(|event| event.time.precision < Precision::Second) || !scene.gaps().all(is_usual_step) {
        return None;
    }
    Some(format!("asked again after {}, a usual timeout or back-off step", span_text(gap)))
}
