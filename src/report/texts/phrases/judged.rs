//! Why it happened, and the evidence for it.

use super::Phrase;
use super::Value::{Cause, Decimal, Period, Plain, Span, Times};

pub(super) const PHRASES: &[Phrase] = &[
    (
        "the first attempt had no known outcome; the next came {} later",
        "исход первой попытки неизвестен; следующая пришла через {}",
        &[Span],
    ),
    ("asked again after {}, a usual timeout or back-off step", "повтор через {}: обычный тайм-аут или шаг повторов", &[Span]),
    ("{} times within {} by one actor ({})", "{} за {} от одного лица ({})", &[Times, Span, Plain]),
    ("{} times within {} by one {} ({})", "{} за {}, общее поле {} ({})", &[Times, Span, Plain, Plain]),
    (
        "tool {} was called {} times within {} with the same arguments",
        "инструмент {} вызван {} за {} с одними и теми же аргументами",
        &[Plain, Times, Span],
    ),
    (
        "tool {} was called {} times with the same arguments",
        "инструмент {} вызван {} с одними и теми же аргументами",
        &[Plain, Times],
    ),
    (
        "{} findings repeat after exactly {}: the whole run came again",
        "находок, повторённых ровно через {1}: {0}; весь запуск прошёл снова",
        &[Plain, Span],
    ),
    (
        "{} apart, in the hour that happened twice when the clocks were set back",
        "через {}, в час, который при переводе часов назад был дважды",
        &[Span],
    ),
    ("{} apart, within a day of a clock change in {}", "через {}, не дальше суток от перевода часов в поясе {}", &[Span, Plain]),
    ("the second attempt began {} before the first had ended", "вторая попытка началась за {} до конца первой", &[Span]),
    ("{} acts within {} with different values of {}", "действий: {}, за {}, с разными значениями поля {}", &[Plain, Span, Plain]),
    ("message {} was handled {} times within {}", "сообщение {} обработано {} за {}", &[Plain, Times, Span]),
    ("{} was handled {} times within {}", "{} обработано {} за {}", &[Plain, Times, Span]),
    ("{} {} ran {} times within {}", "{} {} прошло {} за {}", &[Plain, Plain, Times, Span]),
    ("{} attempts within {}; nothing on the records tells why", "попыток: {}, за {}; причину записи не называют", &[Plain, Span]),
    ("nothing on the records tells why", "причину записи не называют", &[]),
    ("the rule allows {} effects", "правило допускает эффектов: {}", &[Plain]),
    ("the effects follow a {} cadence", "эффекты идут с календарным шагом ({})", &[Period]),
    ("each effect has another {}", "у каждого эффекта своё значение поля {}", &[Plain]),
    ("{} different effects in one group", "разных эффектов в одной группе: {}", &[Plain]),
    ("one effect is known, another attempt has no known outcome", "один эффект известен, исход другой попытки неизвестен", &[]),
    ("successes without effect ids cannot be told apart", "успехи без номеров эффектов нельзя отличить друг от друга", &[]),
    ("no second effect is known or possible", "второй эффект неизвестен и невозможен", &[]),
    ("all attempts carry one request key", "у всех попыток один ключ запроса", &[]),
    ("some attempts share a request key", "у части попыток общий ключ запроса", &[]),
    ("each attempt carries a fresh request key", "у каждой попытки новый ключ запроса", &[]),
    ("the request key was used again after its lifetime", "ключ запроса использован снова после срока его жизни", &[]),
    ("{} apart, usually {} for this actor and operation", "через {}, обычно для этого лица и операции {}", &[Span, Span]),
    ("{} is {} of all amounts", "{} — это {} всех сумм", &[Decimal, Decimal]),
    ("the actor is behind {} of all records", "на это лицо приходится {} всех записей", &[Decimal]),
    ("all came from one {} ({})", "все пришли из одного поля {} ({})", &[Plain, Plain]),
    ("the records look like {}", "по записям похоже на: {}", &[Cause]),
    ("{} findings repeat after the same time", "находок, повторённых через то же время: {}", &[Plain]),
    ("the attempts differ in {}", "попытки различаются полями: {}", &[Plain]),
];
