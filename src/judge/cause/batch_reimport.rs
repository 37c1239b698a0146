//! `batch_reimport`: a whole file or job ran twice.

use super::{Detector, Scene};
use crate::domain::explanation::Explanation;
use crate::domain::time::span_text;

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "batch_reimport",
        title: "a file or job ran twice",
        looks_for: "three or more findings of one rule with the same lag between original and repeat, whose originals \
                    lie close together",
        needs: "times exact enough to compare lags; row ids of the import make it certain",
        looks_alike: "many retries after one usual timeout: their originals are scattered over the day",
        what_to_do: "find the run that started one lag after the first; undo it as a whole, and give import rows a key \
                     that the target checks",
    },
    bits: 1.0,
    detect,
};

fn detect(scene: &Scene<'_>) -> Option<String> {
    let (lag, findings) = scene.batch?;
    Some(format!("{findings} findings repeat after exactly {}: the whole run came again", span_text(lag.nanos)))
}
