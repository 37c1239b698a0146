//! What each verdict means, in words a reader can act on.

use crate::domain::Verdict;
use crate::domain::explanation::{Explanation, Meaning};

/// What each verdict means, for terminal, HTML and `explain`.
pub(super) fn explanation(verdict: Verdict) -> Explanation {
    match verdict {
        Verdict::KeyConflict => Explanation {
            code: "key_conflict",
            english: Meaning {
                title: "one key, different requests",
                looks_for: "requests under one request key, within its lifetime, that differ in a field of the rule's `conflict_on`",
                needs: "request_key, and the fields of `conflict_on` (payload, operation or amount)",
                looks_alike: "a key that is really an event id or a session id: such keys are not unique, leave \
                          `conflict_on` empty for them",
                what_to_do: "find what the caller derives the key from; the second request was refused or got the answer to the first, \
                         so somebody may be waiting for something that never happened",
            },
            russian: Meaning {
                title: "один ключ, разные запросы",
                looks_for: "запросы с одним ключом в пределах срока его жизни, которые отличаются полем из `conflict_on` \
                правила",
                needs: "request_key и поля из `conflict_on` (payload, operation или amount)",
                looks_alike: "ключ, который на самом деле номер события или сеанса: такие ключи не уникальны, оставьте для \
                них `conflict_on` пустым",
                what_to_do: "выясните, из чего вызывающая сторона строит ключ; второй запрос был отклонён или получил ответ \
                на первый, так что кто-то, возможно, ждёт того, чего не было",
            },
        },
        Verdict::IdempotentRepeat => Explanation {
            code: "idempotent_repeat",
            english: Meaning {
                title: "repeat that changes nothing",
                looks_for: "attempts whose operation is of kind `set`, `delete` or `read`, or repeats with equal `before` \
                        and `after` values",
                needs: "the effect kinds under `[operations]`, or named fields `before` and `after`",
                looks_alike: "an operation that adds (\"increase the balance\") listed under `set` by mistake",
                what_to_do: "nothing; many of them may still point to a caller that polls or loops",
            },
            russian: Meaning {
                title: "повтор, который ничего не меняет",
                looks_for: "попытки операции вида `set`, `delete` или `read` либо повторы с равными значениями `before` и \
                `after`",
                needs: "виды операций в `[operations]` или именованные поля `before` и `after`",
                looks_alike: "операция, которая прибавляет («увеличить остаток»), по ошибке внесённая в `set`",
                what_to_do: "ничего; если таких повторов много, возможно, кто-то опрашивает в цикле",
            },
        },
        Verdict::Compensated => Explanation {
            code: "compensated",
            english: Meaning {
                title: "took effect twice, undone",
                looks_for: "more effects than allowed, of which every extra one was refunded, voided, credited or cancelled in full",
                needs: "effect_id, and reversals: an outcome under `reversed` or `reversal`, or `reverses` with the effect's id",
                looks_alike: "a customer who cancelled and ordered again on purpose",
                what_to_do: "no money is missing, but the cause is still there: fix it before the next one goes unnoticed",
            },
            russian: Meaning {
                title: "сработало дважды и отменено",
                looks_for: "эффектов больше допустимого, и каждый лишний полностью возвращён, аннулирован, зачтён или \
                отменён",
                needs: "effect_id и отмены: исход из `reversed` или `reversal` либо `reverses` с номером эффекта",
                looks_alike: "покупатель, который отменил заказ и нарочно заказал снова",
                what_to_do: "деньги не потеряны, но причина осталась: устраните её, пока следующий случай не прошёл \
                незамеченным",
            },
        },
        Verdict::LegitimateRepeat => Explanation {
            code: "legitimate_repeat",
            english: Meaning {
                title: "intended repeat",
                looks_for: "more effects than allowed that keep a calendar period (at least three of them, of every four gaps one may leave a \
                        period out; not one order or invoice day after day, one request key, or an invoice, shipment, parcel or booking of the \
                        fingerprint), or that each carry another value in a field of the rule's \
                        `explained_by`",
                needs: "times over at least three periods, or a business id or period that differs",
                looks_alike: "a job that runs twice every night has two interleaved cadences and is not explained by them",
                what_to_do: "nothing; if these are duplicates after all, put the field into the fingerprint or empty `explained_by`",
            },
            russian: Meaning {
                title: "намеренный повтор",
                looks_for: "эффектов больше допустимого, но они идут с календарным шагом (не меньше трёх, один из четырёх промежутков \
                может быть двойным; но не один и тот же заказ или счёт изо дня в день, не один ключ запроса и не счёт, отправка, посылка или \
                бронь из отпечатка) или у каждого своё значение поля из \
                `explained_by` правила",
                needs: "время хотя бы за три периода или различающийся номер документа либо период",
                looks_alike: "задание, которое каждую ночь запускается дважды: у него два переплетённых шага, они его не \
                объясняют",
                what_to_do: "ничего; если это всё же дубли, внесите поле в отпечаток или очистите `explained_by`",
            },
        },
        Verdict::DuplicateEffect => Explanation {
            code: "duplicate_effect",
            english: Meaning {
                title: "took effect more than once",
                looks_for: "more distinct effects that stand than the rule allows, inside one window",
                needs: "effect_id (or `{ each_row = true }`), an outcome that tells success from failure, and a fingerprint \
                    that names the operation",
                looks_alike: "two wanted purchases of the same thing: compare order numbers, line items and what the customer says",
                what_to_do: "undo the extra effects (the records with role `repeat`), then give every retry the key of its \
                         first attempt",
            },
            russian: Meaning {
                title: "сработало больше одного раза",
                looks_for: "в одном окне больше действующих различных эффектов, чем допускает правило",
                needs: "effect_id (или `{ each_row = true }`), исход, который отличает успех от неудачи, и отпечаток, \
                который называет операцию",
                looks_alike: "две желанные покупки одного и того же: сравните номера заказов, состав и слова покупателя",
                what_to_do: "отмените лишние эффекты (записи с ролью «повтор»), затем давайте каждой новой попытке ключ \
                первой",
            },
        },
        Verdict::PossibleDuplicate => Explanation {
            code: "possible_duplicate",
            english: Meaning {
                title: "may have taken effect twice",
                looks_for: "one known effect beside a timeout under another key or none, a start that never ended, or several successes \
                        without effect ids",
                needs: "an outcome under `unknown` or `started`, or successes from a source that gives no effect ids",
                looks_alike: "a timeout after which the service did nothing",
                what_to_do: "ask the system that holds the truth (the provider's export); a `[[proof]]` source settles such \
                         findings by itself",
            },
            russian: Meaning {
                title: "возможно, сработало дважды",
                looks_for: "один известный эффект рядом с тайм-аутом под другим ключом или без ключа, начало без конца или \
                несколько успехов без номеров эффектов",
                needs: "исход из `unknown` или `started` либо успехи из источника, который не даёт номеров эффектов",
                looks_alike: "тайм-аут, после которого сервис ничего не сделал",
                what_to_do: "спросите систему, которая знает правду (выгрузку провайдера); источник `[[proof]]` решает такие \
                случаи сам",
            },
        },
        Verdict::InconsistentReplay => Explanation {
            code: "inconsistent_replay",
            english: Meaning {
                title: "replay with another answer",
                looks_for: "one key on all attempts and one effect, but a repeat that failed after the success, or answered \
                        with another status or amount",
                needs: "request_key on every attempt, outcome, effect_id",
                looks_alike: "a status that moves on between two readings of the same effect (authorised, then captured)",
                what_to_do: "nothing was done twice; a caller that sees a failure may try once more under a fresh key, so \
                         make replays return the first answer",
            },
            russian: Meaning {
                title: "повтор с другим ответом",
                looks_for: "один ключ у всех попыток и один эффект, но повтор после успеха завершился неудачей или ответил \
                другим статусом или суммой",
                needs: "request_key у каждой попытки, outcome, effect_id",
                looks_alike: "статус, который сменился между двумя чтениями одного эффекта (авторизован, затем списан)",
                what_to_do: "дважды ничего не сделано; но тот, кто видит неудачу, может попробовать ещё раз с новым ключом, \
                поэтому пусть повтор возвращает первый ответ",
            },
        },
        Verdict::SafeReplay => Explanation {
            code: "safe_replay",
            english: Meaning {
                title: "repeat that returned the known result",
                looks_for: "several attempts and one effect: the same effect id again, or an outcome under `replayed`, or a \
                        timeout answered under the same key",
                needs: "effect_id or request_key",
                looks_alike: "an id of the wrong thing mapped as effect_id (the payment where the order is the effect) makes \
                          duplicates look safe",
                what_to_do: "nothing: this is idempotency at work",
            },
            russian: Meaning {
                title: "повтор вернул известный результат",
                looks_for: "несколько попыток и один эффект: тот же номер эффекта, исход из `replayed` или тайм-аут, на \
                который ответили под тем же ключом",
                needs: "effect_id или request_key",
                looks_alike: "номер не того объекта в effect_id (платёж там, где эффект — заказ): дубли тогда выглядят \
                безопасными",
                what_to_do: "ничего: так и работает идемпотентность",
            },
        },
        Verdict::BlockedRepeat => Explanation {
            code: "blocked_repeat",
            english: Meaning {
                title: "repeat that was refused",
                looks_for: "a failure after the effect whose outcome says 409, 422, duplicate, already or conflict",
                needs: "an outcome text that gives the reason",
                looks_alike: "a refusal for another reason (limit, fraud), which counts as a retried failure",
                what_to_do: "nothing was done twice; a caller that treats the refusal as a failure may still confuse its user",
            },
            russian: Meaning {
                title: "повтор отклонён",
                looks_for: "неудача после эффекта, в исходе которой сказано 409, 422, duplicate, already или conflict",
                needs: "текст исхода, который называет причину",
                looks_alike: "отказ по другой причине (лимит, мошенничество): он считается неудачей с новой попыткой",
                what_to_do: "дважды ничего не сделано; но тот, кто принимает отказ за неудачу, может запутать своего \
                пользователя",
            },
        },
        Verdict::RetriedFailure => Explanation {
            code: "retried_failure",
            english: Meaning {
                title: "failed, then tried again",
                looks_for: "attempts that failed, with at most one effect among them",
                needs: "an outcome that tells failure from success",
                looks_alike: "a webhook answered with 500 after it had taken effect: map the column that tells the effect, \
                          not the delivery",
                what_to_do: "nothing",
            },
            russian: Meaning {
                title: "неудача и новая попытка",
                looks_for: "неудачные попытки, среди которых не больше одного эффекта",
                needs: "исход, который отличает неудачу от успеха",
                looks_alike: "вебхук, на который ответили 500 уже после того, как он сработал: берите столбец, который \
                говорит об эффекте, а не о доставке",
                what_to_do: "ничего",
            },
        },
    }
}
