//! Near values: the events of one block of equal fingerprints, clustered around their first members.
//!
//! Which clusters an event may join, an [`index`] tells: it leaves out clusters whose values are certainly far, and what it does not leave
//! out is compared as the rule says. So the answer is that of comparing every pair, and the work is not.

mod boxes;
mod edits;
mod index;
mod marks;
#[cfg(test)]
mod plainly;
mod shelves;
mod trie;
mod values;

pub use values::{Near, text_of};

use super::windows::belongs;
use crate::domain::time::DAY;
use crate::rules::Rule;
use crate::rules::window::Window;
use index::{Fit, Index};
use marks::Wanted;

/// Members of one block up to which nothing is said of it; larger blocks are compared all the same, and said.
pub const LARGE_BLOCK: usize = 5_000;

/// Members of one block that are compared; what is beyond is counted and said.
pub const MOST_NEAR: usize = 1 << 20;

struct Cluster {
    anchor: usize,
    last: i64,
    members: Vec<usize>,
}

/// Puts each event (in the order of events) into the first cluster whose first member it is near to and whose window it falls into, or
/// opens another. Members are compared with the first only, so that chains of small differences cannot drift. Reversals join the cluster
/// of the last attempt before them that they are near to. Events come in the order of their times as the window counts them.
pub fn cluster(near: &[Near], rule: &Rule, window: Window) -> Vec<Vec<usize>> {
    cluster_by(Index::new(near, rule), near, rule, window)
}

fn cluster_by(mut index: Index<'_>, near: &[Near], rule: &Rule, window: Window) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Cluster> = Vec::new();
    // Clusters before this one are out of reach of every later attempt.
    let mut open_from = 0;
    for at in in_time(near) {
        let time = near[at].time;
        while clusters.get(open_from).is_some_and(|old| out_of_reach(window, near[old.anchor].time, time)) {
            index.close(open_from as u32);
            open_from += 1;
        }
        let is_reversal = near[at].is_reversal;
        let wanted = if is_reversal { Wanted::LastOfAll } else { Wanted::FirstOpen };
        let found = index.find(at, wanted, &|number| {
            let cluster = &clusters[number as usize];
            if !is_reversal && !belongs(window, near[cluster.anchor].time, cluster.last, time) {
                Fit::Gone
            } else if near[cluster.anchor].is_near(&near[at], rule) {
                Fit::Near
            } else {
                Fit::Far
            }
        });
        match found {
            Some(number) => {
                let cluster = &mut clusters[number as usize];
                cluster.members.push(at);
                if !is_reversal {
                    cluster.last = time;
                }
            }
            None if is_reversal => {}
            None => {
                index.open(at);
                clusters.push(Cluster { anchor: at, last: time, members: vec![at] });
            }
        }
    }
    clusters.into_iter().map(Cluster::members).collect()
}

impl Cluster {
    /// In the order of events.
    fn members(mut self) -> Vec<usize> {
        self.members.sort_unstable();
        self.members
    }
}

/// The events in the order in which windows meet them: local times of several zones do not follow the order of events.
fn in_time(near: &[Near]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by_key(|at| near[*at].time);
    order
}

/// True when no attempt at `time` or later can join a cluster that opened at `first`.
fn out_of_reach(window: Window, first: i64, time: i64) -> bool {
    match window {
        Window::FromFirst(span) | Window::Gap { span, .. } => time.saturating_sub(first) > span,
        Window::Days(days) => time.div_euclid(DAY) - first.div_euclid(DAY) > i64::from(days),
        Window::Unlimited => false,
    }
}
