//! `batch_reimport`: a whole file or job ran twice.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::span_text;

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "batch_reimport",
        english: Meaning {
            title: "a file or job ran twice",
            looks_for: "three or more findings of one rule with the same lag between original and repeat, whose originals \
                    lie close together",
            needs: "times exact enough to compare lags; row ids of the import make it certain",
            looks_alike: "many retries after one usual timeout: their originals are scattered over the day",
            what_to_do: "find the run that started one lag after the first; undo it as a whole, and give import rows a key \
                     that the target checks",
        },
        russian: Meaning {
            title: "файл или задание прошли дважды",
            looks_for: "три и больше находки одного правила с одинаковой задержкой между исходной записью и повтором, \
                чьи исходные записи лежат близко друг к другу",
            needs: "время, достаточно точное для сравнения задержек; номера строк импорта дают уверенность",
            looks_alike: "много повторов после одного обычного тайм-аута: их исходные записи разбросаны по дню",
            what_to_do: "найдите запуск, который начался через эту задержку после первого; отмените его целиком и дайте \
                строкам импорта ключ, который проверяет принимающая система",
        },
    },
    bits: 1.0,
    detect,
};

fn detect(scene: &Scene<'_>) -> Option<String> {
    let (lag, findings) = scene.batch?;
    Some(format!("{findings} findings repeat after exactly {}: the whole run came again", span_text(lag.nanos)))
}
