//! `redelivery`: a queue or a webhook sender delivered one message again.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::span_text;
use crate::judge::field::{columns, is_bare, value};
use crate::rules::FieldRef;

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "redelivery",
        english: Meaning {
            title: "one message was delivered again",
            looks_for: "one message, job or task id on all attempts: as request key, or as fingerprint fields such as topic, \
                    partition and offset",
            needs: "the queue's or webhook's own id as `request_key` or among the fingerprint fields",
            looks_alike: "two messages that ask for the same thing: their ids differ, so look at the producer",
            what_to_do: "store the message id in the same transaction as the effect and skip known ids; check that the visibility timeout is \
                     longer than the slowest handler, and that commits follow the work closely",
        },
        russian: Meaning {
            title: "одно сообщение доставлено снова",
            looks_for: "один номер сообщения, задания или задачи у всех попыток: как ключ запроса или как поля \
                отпечатка (тема, раздел, смещение)",
            needs: "собственный номер очереди или вебхука в `request_key` или среди полей отпечатка",
            looks_alike: "два сообщения, которые просят об одном: их номера различны, смотрите на отправителя",
            what_to_do: "сохраняйте номер сообщения в одной транзакции с эффектом и пропускайте известные; проверьте, \
                что срок видимости дольше самого медленного обработчика и что подтверждение идёт сразу за \
                работой",
        },
    },
    bits: 2.5,
    detect,
};

/// Names of a message's identity, without their dress. A bare `message` is a text, a bare `event` a kind, a bare `topic` a
/// subject.
const MESSAGE_NAMES: [&str; 21] = [
    "messageid",
    "msg",
    "msgid",
    "offset",
    "partition",
    "delivery",
    "deliveryid",
    "deliverytag",
    "job",
    "jobid",
    "jid",
    "task",
    "taskid",
    "eventid",
    "webhookid",
    "webhookeventid",
    "receipthandle",
    "sequencenumber",
    "sqsmessageid",
    "notificationid",
    "jobkey",
];

fn is_message_name(name: &str) -> bool {
    is_bare(name, &MESSAGE_NAMES)
}

fn detect(scene: &Scene<'_>) -> Option<String> {
    let span = span_text(scene.span()?);
    let named: Vec<String> =
        scene.fingerprint().filter(|(name, _)| is_message_name(name)).map(|(name, value)| format!("{name} {value}")).collect();
    if !named.is_empty() {
        return Some(format!("{} was handled {} times within {span}", named.join(", "), scene.acts.len()));
    }
    let names_a_message = |source: usize| {
        let pick = scene.facts.rules.sources.get(source).and_then(|source| source.map.request_key.as_ref());
        columns(source, pick, scene.facts.rules).any(is_message_name)
    };
    let keys = scene.events().map(|event| value(event, &FieldRef::RequestKey, scene.facts.rules));
    let key = crate::judge::field::common(keys).filter(|_| scene.events().all(|event| names_a_message(event.source)))?;
    Some(format!("message {key} was handled {} times within {span}", scene.acts.len()))
}
