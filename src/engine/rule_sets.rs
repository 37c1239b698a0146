//! Sets of rules that share a row: what several rules compare alike is kept once.

use crate::rules::MOST_OF_A_KIND;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The sets seen so far, shared by all workers. A set of one rule has the number of that rule.
pub struct RuleSets(Mutex<Known>);

struct Known {
    numbers: HashMap<Vec<usize>, usize>,
    sets: Vec<Arc<[usize]>>,
}

impl RuleSets {
    /// With a set for each of so many rules.
    pub fn new(rules: usize) -> Self {
        Self(Mutex::new(Known { numbers: HashMap::new(), sets: (0..rules).map(|rule| Arc::from([rule])).collect() }))
    }

    /// The number of a set of rules, which are ascending. None when there are too many sets: then each of its rules needs a row of its own.
    /// Which number depends on who came first, so it must never reach a result.
    pub fn number(&self, rules: &[usize]) -> Option<usize> {
        if let [rule] = rules {
            return Some(*rule);
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { numbers, sets } = &mut *known;
        if let Some(number) = numbers.get(rules) {
            return Some(*number);
        }
        let number = sets.len();
        if number >= MOST_OF_A_KIND {
            return None;
        }
        sets.push(Arc::from(rules));
        numbers.insert(rules.to_vec(), number);
        Some(number)
    }

    /// All sets, by number.
    pub fn sets(&self) -> Vec<Arc<[usize]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sets.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_known_by_their_rules() {
        let sets = RuleSets::new(3);
        let numbers = [vec![2], vec![0, 2], vec![0, 1, 2], vec![0, 2], vec![0]].map(|rules| sets.number(&rules));
        assert_eq!(numbers, [Some(2), Some(3), Some(4), Some(3), Some(0)]);
        assert_eq!(
            sets.sets().iter().map(|set| set.to_vec()).collect::<Vec<_>>(),
            [vec![0], vec![1], vec![2], vec![0, 2], vec![0, 1, 2]]
        );
    }

    #[test]
    fn there_are_only_so_many() {
        let sets = RuleSets::new(MOST_OF_A_KIND - 1);
        assert_eq!(sets.number(&[0, 1]), Some(MOST_OF_A_KIND - 1));
        assert_eq!((sets.number(&[0, 2]), sets.number(&[0, 1]), sets.number(&[5])), (None, Some(MOST_OF_A_KIND - 1), Some(5)));
    }
}
