//! What the words of a status column say of how something ended, in the languages that exports come in.

/// What became of an attempt, as a configuration calls the list.
type List = &'static str;

/// Words in all their forms, lower case, `ё` as `е`.
const WORDS: [(List, &[&str]); 6] = [
    (
        "took_effect",
        &[
            "paid",
            "succeeded",
            "success",
            "successful",
            "successfully",
            "ok",
            "completed",
            "complete",
            "done",
            "settled",
            "captured",
            "capture",
            "delivered",
            "sent",
            "created",
            "active",
            "open",
            "new",
            "closed",
            "solved",
            "approved",
            "accepted",
            "confirmed",
            "processed",
            "processing",
            "fulfilled",
            "shipped",
            "won",
            "true",
            "posted",
            "booked",
            "executed",
            "cleared",
            "credited",
            "debited",
            "finished",
            "finalized",
            "finalised",
            "performed",
            "completado",
            "успешно",
            "успех",
            "готово",
        ],
    ),
    (
        "failed",
        &[
            "failed",
            "failure",
            "fail",
            "error",
            "declined",
            "denied",
            "rejected",
            "refused",
            "canceled",
            "cancelled",
            "aborted",
            "blocked",
            "expired",
            "false",
            "bounced",
            "unsuccessful",
            "unpaid",
            "fehler",
            "ошибка",
            "отказ",
            "неуспешно",
            "отмена",
            "сбой",
        ],
    ),
    (
        "unknown",
        &[
            "pending",
            "timeout",
            "timed out",
            "unknown",
            "in progress",
            "waiting",
            "on-hold",
            "queued",
            "scheduled",
            "in bearbeitung",
            "ausstehend",
            "wartend",
            "vorgemerkt",
            "в обработке",
            "в процессе",
            "в работе",
            "в очереди",
            "ожидает",
            "ожидание",
            "ожидается",
            "обрабатывается",
            "неизвестно",
        ],
    ),
    ("started", &["started", "start", "received", "begin", "processing started", "начат", "начата", "начато"]),
    ("reversed", &["refunded", "reversed", "voided", "void", "chargeback", "возврат", "сторно"]),
    ("ignore", &["draft", "test", "checkout-draft", "черновик"]),
];

/// Russian participles without their endings, `ё` as `е`.
const RUSSIAN: [(List, &[&str]); 3] = [
    (
        "took_effect",
        &[
            "оплачен",
            "проведен",
            "исполнен",
            "выполнен",
            "завершен",
            "зачислен",
            "списан",
            "доставлен",
            "одобрен",
            "подтвержден",
            "обработан",
            "принят",
            "отправлен",
            "создан",
            "закрыт",
            "перечислен",
            "переведен",
            "осуществлен",
            "совершен",
            "успешн",
        ],
    ),
    (
        "failed",
        &["отклонен", "отменен", "отказан", "аннулирован", "прерван", "просрочен", "заблокирован", "неоплачен", "неуспешн"],
    ),
    ("reversed", &["возвращен", "сторнирован"]),
];
/// Short and long forms of both kinds and all genders.
const RUSSIAN_ENDINGS: [&str; 15] = ["", "а", "о", "ы", "ный", "ная", "ное", "ные", "ый", "ая", "ое", "ые", "но", "на", "ны"];

/// German participles without their endings; umlauts as they are, or as two letters.
const GERMAN: [(List, &[&str]); 3] = [
    (
        "took_effect",
        &[
            "bezahlt",
            "gezahlt",
            "ausgeführt",
            "ausgefuehrt",
            "gebucht",
            "verbucht",
            "erledigt",
            "abgeschlossen",
            "erfolgreich",
            "gutgeschrieben",
            "abgebucht",
            "überwiesen",
            "ueberwiesen",
            "zugestellt",
            "versendet",
            "versandt",
            "genehmigt",
            "bestätigt",
            "bestaetigt",
            "durchgeführt",
            "durchgefuehrt",
        ],
    ),
    ("failed", &["abgelehnt", "fehlgeschlagen", "abgebrochen", "gescheitert", "zurückgewiesen", "zurueckgewiesen", "unbezahlt"]),
    (
        "reversed",
        &[
            "erstattet",
            "zurückerstattet",
            "zurueckerstattet",
            "rückerstattet",
            "rueckerstattet",
            "zurückgebucht",
            "zurueckgebucht",
        ],
    ),
];
const GERMAN_ENDINGS: [&str; 5] = ["", "e", "er", "es", "en"];

/// Words that turn what follows into its opposite.
const NOT: [&str; 3] = ["not", "nicht", "не"];

/// Words beside a status that say nothing of it.
const BESIDE: [&str; 17] = [
    "payment",
    "transaction",
    "order",
    "transfer",
    "operation",
    "was",
    "is",
    "zahlung",
    "transaktion",
    "buchung",
    "wurde",
    "ist",
    "платеж",
    "операция",
    "перевод",
    "заказ",
    "транзакция",
];

/// What a value of a status column says; None where it is not told by its words alone.
pub fn outcome_of(value: &str) -> Option<&'static str> {
    let value = value.trim().to_lowercase().replace('ё', "е");
    let value = value.trim_end_matches(['.', '!']);
    if value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return of_http(value);
    }
    of_word(value).or_else(|| of_words(value))
}

/// The class of a status of HTTP; after 502 and 504 nobody knows what the server behind has done.
fn of_http(value: &str) -> Option<List> {
    match value.as_bytes().first() {
        Some(b'2') => Some("took_effect"),
        Some(b'4') => Some("failed"),
        Some(b'5') if value == "504" || value == "502" => Some("unknown"),
        Some(b'5') => Some("failed"),
        _ => None,
    }
}

fn of_word(word: &str) -> Option<List> {
    let listed = WORDS.iter().find(|(_, words)| words.contains(&word));
    let inflected = |stems: &[(List, &[&str])], endings: &[&str]| {
        let fits = |stem: &&str| word.strip_prefix(*stem).is_some_and(|ending| endings.contains(&ending));
        stems.iter().find(|(_, stems)| stems.iter().any(&fits)).map(|(list, _)| *list)
    };
    listed
        .map(|(list, _)| *list)
        .or_else(|| inflected(&RUSSIAN, &RUSSIAN_ENDINGS))
        .or_else(|| inflected(&GERMAN, &GERMAN_ENDINGS))
}

/// Of several words all that say something must say the same: `платеж проведен`, but not `partially paid`.
fn of_words(value: &str) -> Option<List> {
    let mut said = None;
    let mut is_negated = false;
    for word in value.split([' ', '_', '-', ',']).filter(|word| !word.is_empty()) {
        if NOT.contains(&word) {
            is_negated = true;
        } else if !BESIDE.contains(&word) {
            let list = of_word(word)?;
            if said.is_some_and(|said| said != list) {
                return None;
            }
            said = Some(list);
        }
    }
    match (said, is_negated) {
        (Some("took_effect"), true) => Some("failed"),
        (_, true) => None,
        (said, false) => said,
    }
}

#[cfg(test)]
mod tests {
    use super::outcome_of;

    #[test]
    fn words_are_known_in_all_their_forms() {
        for (list, values) in [
            (
                "took_effect",
                &[
                    "Проведен",
                    "Проведён",
                    "Проведена",
                    "ПРОВЕДЕНО",
                    "Исполнен",
                    "Исполнена",
                    "Выполнено",
                    "выполненный",
                    "Зачислен",
                    "Зачислено",
                    "Завершена",
                    "Завершён",
                    "Списано",
                    "Списана",
                    "Оплачены",
                    "posted",
                    "Booked",
                    "executed",
                    "bezahlt",
                    "Bezahlte",
                    "ausgeführt",
                    "AUSGEFÜHRT",
                    "ausgefuehrt",
                    "gebucht",
                    "Платёж исполнен",
                    "Успешно проведено",
                    "Payment posted",
                    "201",
                    "Успешный",
                ][..],
            ),
            (
                "failed",
                &[
                    "Отклонён",
                    "Отклонена",
                    "Отменено",
                    "Не проведён",
                    "не оплачено",
                    "not posted",
                    "nicht ausgeführt",
                    "abgelehnt",
                    "Fehlgeschlagen",
                    "Платёж отклонён",
                    "404",
                ],
            ),
            ("unknown", &["В обработке", "Ожидает", "in Bearbeitung", "504"]),
            ("reversed", &["Возвращена", "erstattet", "Refunded"]),
        ] {
            for value in values {
                assert_eq!(outcome_of(value), Some(list), "{value}");
            }
        }
    }

    #[test]
    fn what_words_do_not_tell_is_not_guessed() {
        for value in [
            "Частично оплачен",
            "partially refunded",
            "Проведен с ошибкой",
            "Ожидает проведения",
            "not failed",
            "оплаченность",
            "",
            "не",
        ] {
            assert_eq!(outcome_of(value), None, "{value}");
        }
    }
}
