//! Other windows on trial: what shorter and longer ones than those configured would find.

use super::{Settle, window_step};
use crate::domain::Group;
use crate::domain::frequency::Frequencies;
use crate::domain::report::WindowStep;
use crate::engine::EngineError;
use crate::judge::{Conclusion, Court};
use crate::rules::window::Reach;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Hears the groups of one reach after the other, and keeps of each no more than its numbers.
pub(super) struct Trials<'c> {
    new_court: &'c (dyn Fn() -> Court<'c> + Sync),
    settle: Settle<'c>,
    trial: RwLock<Trial<'c>>,
}

#[derive(Default)]
struct Trial<'c> {
    /// The reach that is being tried, and those who judge by it.
    at_hand: Option<(Reach, Court<'c>)>,
    steps: Vec<(Reach, WindowStep)>,
}

impl<'c> Trials<'c> {
    pub(super) fn new(new_court: &'c (dyn Fn() -> Court<'c> + Sync), settle: Settle<'c>) -> Self {
        Self { new_court, settle, trial: RwLock::default() }
    }

    /// Judges some groups of a reach. All of one reach come before the first of the next.
    ///
    /// # Errors
    /// They cannot be kept, or those of the reach before not be read back.
    pub(super) fn hear(&self, reach: Reach, groups: &[Group], frequencies: &Frequencies) -> Result<(), EngineError> {
        if self.try_to_hear(reach, groups)? {
            return Ok(());
        }
        let mut trial = self.trial.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if trial.court_of(reach).is_none() {
            trial.conclude(frequencies, self.settle)?;
            trial.at_hand = Some((reach, (self.new_court)()));
        }
        drop(trial);
        // Whoever comes with another reach in between breaks the order, and would lose these.
        if self.try_to_hear(reach, groups)? { Ok(()) } else { Err(EngineError::Defect("windows were tried out of their order")) }
    }

    /// False where another reach is at hand.
    fn try_to_hear(&self, reach: Reach, groups: &[Group]) -> Result<bool, EngineError> {
        let trial: RwLockReadGuard<'_, Trial<'c>> = self.trial.read().unwrap_or_else(PoisonError::into_inner);
        trial.court_of(reach).map(|court| Ok(court.hear(groups)?)).transpose().map(|heard| heard.is_some())
    }

    /// What each reach came to.
    ///
    /// # Errors
    /// What was kept cannot be read back.
    pub(super) fn conclude(self, frequencies: &Frequencies) -> Result<Vec<(Reach, WindowStep)>, EngineError> {
        let mut trial = self.trial.into_inner().unwrap_or_else(PoisonError::into_inner);
        trial.conclude(frequencies, self.settle)?;
        Ok(trial.steps)
    }
}

impl<'c> Trial<'c> {
    fn court_of(&self, reach: Reach) -> Option<&Court<'c>> {
        self.at_hand.as_ref().filter(|(tried, _)| *tried == reach).map(|(_, court)| court)
    }

    fn conclude(&mut self, frequencies: &Frequencies, settle: Settle<'_>) -> Result<(), EngineError> {
        if let Some((reach, court)) = self.at_hand.take() {
            let Conclusion { totals, findings, .. } = court.conclude(frequencies)?;
            self.steps.push((reach, window_step(reach, totals, findings, settle)?));
        }
        Ok(())
    }
}
