//! The bench: groups are judged as they come, and wait in a store for the finding that will be made of them.

use super::head::{Head, Known};
use crate::domain::Group;
use crate::domain::store::{Kept, Parcel, Store, Unpacker};
use crate::rules::Rules;
use rayon::prelude::*;
use std::io;

/// Groups that one thread judges at a time.
const AT_ONCE: usize = 256;

pub(super) struct Bench<'b> {
    pub rules: &'b Rules,
    pub known: Known,
    store: Box<dyn Store + 'b>,
}

impl<'b> Bench<'b> {
    pub fn new(rules: &'b Rules, store: Box<dyn Store + 'b>) -> Self {
        Self { rules, known: Known::default(), store }
    }

    /// The heads of those groups that hold a repeat, in the order of the groups. Groups that are `wanted` again are kept.
    pub fn heads(&self, groups: &[Group], wanted: impl Fn(&Head) -> bool + Sync) -> io::Result<Vec<Head>> {
        let judge = |groups: &[Group]| {
            let (mut recent, mut parcel) = (self.known.recent(), Parcel::default());
            let mut heads = Vec::new();
            for group in groups {
                if let Some(head) = Head::of(group, self.rules, &mut recent) {
                    let is_kept = wanted(&head);
                    if is_kept {
                        parcel.add(group);
                    }
                    heads.push((head, is_kept));
                }
            }
            let mut kept = parcel.keep(&*self.store)?.into_iter();
            let placed = |(head, is_kept): (Head, bool)| Head { group: is_kept.then(|| kept.next()).flatten(), ..head };
            Ok(heads.into_iter().map(placed).collect())
        };
        let heads: io::Result<Vec<Vec<Head>>> = groups.par_chunks(AT_ONCE).map(judge).collect();
        Ok(heads?.into_iter().flatten().collect())
    }

    /// The head of one group that is judged on the side, if it is wanted at all.
    pub fn judged(&self, group: &Group, wanted: impl Fn(&Head) -> bool + Sync) -> io::Result<Option<Head>> {
        let heads = self.heads(std::slice::from_ref(group), wanted)?;
        Ok(heads.into_iter().find(|head| head.group.is_some()))
    }

    /// The group of a head that was wanted.
    pub fn group(&self, head: &Head) -> io::Result<Group> {
        self.take(head, &mut Unpacker::default())
    }

    pub fn take(&self, head: &Head, unpacker: &mut Unpacker) -> io::Result<Group> {
        let kept: Kept = head.group.ok_or_else(crate::domain::store::never_kept)?;
        unpacker.take(&*self.store, kept)
    }
}
