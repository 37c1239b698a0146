//! `double_submit`: a person clicked twice, or a form was sent twice.

use super::{Detector, Scene};
use crate::domain::Precision;
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::{SECOND, span_text};

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "double_submit",
        english: Meaning {
            title: "sent twice at once",
            looks_for: "all acts within two seconds, by one actor or in one session",
            needs: "times to the second, and an actor or a session field",
            looks_alike: "a program that sends in parallel: its user agent or client field tells",
            what_to_do: "give the form a key when it is shown, not when it is sent; disabling the button helps only the patient",
        },
        russian: Meaning {
            title: "отправлено дважды подряд",
            looks_for: "все действия за две секунды от одного лица или в одном сеансе",
            needs: "время до секунды и лицо или поле сеанса",
            looks_alike: "программа, которая шлёт параллельно: её выдаёт user agent или поле клиента",
            what_to_do: "давайте форме ключ, когда её показывают, а не когда отправляют; отключённая кнопка помогает \
                только терпеливым",
        },
    },
    bits: 2.5,
    detect,
};

const AT_ONCE: i64 = 2 * SECOND;
pub(in crate::judge) const SESSIONS: [&str; 7] = ["session", "sessiontoken", "client", "device", "browser", "visitor", "cart"];

fn detect(scene: &Scene<'_>) -> Option<String> {
    let span = scene.span().filter(|span| *span <= AT_ONCE)?;
    // Two dates are equal, which says nothing about seconds.
    if scene.events().any(|event| event.time.precision < Precision::Second) {
        return None;
    }
    let who = match scene.shared_actor() {
        Some(actor) => format!("one actor ({actor})"),
        None => scene.shared_field(&SESSIONS).map(|(name, value)| format!("one {name} ({value})"))?,
    };
    Some(format!("{} times within {} by {who}", scene.acts.len(), span_text(span)))
}
