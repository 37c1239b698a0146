//! Numbers for the names of operations, shared by all workers.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Distinct operations that are counted by name.
const MOST: usize = 10_000;

/// The row of the health table for operations beyond those counted by name.
pub const OTHER_OPERATIONS: &str = "(other operations)";

/// The names seen so far; number 0 stands for all beyond the limit.
pub struct OperationNames {
    known: Mutex<(HashMap<String, u16>, Vec<String>)>,
}

impl Default for OperationNames {
    fn default() -> Self {
        Self { known: Mutex::new((HashMap::new(), vec![OTHER_OPERATIONS.to_owned()])) }
    }
}

impl OperationNames {
    /// The number of a name. Which number depends on who came first, so it must never reach a result.
    pub fn number(&self, name: &str) -> u16 {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (numbers, names) = &mut *known;
        if let Some(number) = numbers.get(name) {
            return *number;
        }
        if names.len() > MOST {
            return 0;
        }
        let number = names.len() as u16;
        names.push(name.to_owned());
        numbers.insert(name.to_owned(), number);
        number
    }

    /// All names, by number.
    pub fn names(&self) -> Vec<String> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}
