//! Which call of a tool a span belongs to: one call is up to three spans (the agent's, the client's, the server's), linked by parents.

use std::collections::HashMap;

/// What matters of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Id of the parent in the same trace, in lower case.
    pub(super) parent: Option<String>,
    /// Name of the tool that it calls; empty where a call names none.
    pub(super) call: Option<String>,
    /// It is an agent at work; calls of an agent are no part of the call that asked for the agent.
    pub(super) is_agent: bool,
}

/// Trace and span, in lower case.
type Id = (String, String);

/// A span on the way up, and the tool that the spans below it call: None where none of them is a call.
type Step = (Id, Option<String>);

/// All spans of an input, by trace and span.
#[derive(Default)]
pub(super) struct SpanTree {
    nodes: HashMap<Id, Node>,
    /// The outermost span of the call from a step on, where it was looked for before: a long chain of spans is gone through once.
    known: HashMap<Step, Option<String>>,
}

impl SpanTree {
    /// Of two spans with one id the first counts.
    pub(super) fn add(&mut self, trace: &str, span: &str, node: Node) {
        self.nodes.entry((trace.to_lowercase(), span.to_lowercase())).or_insert(node);
    }

    /// The outermost span of the call that a span is, or is part of; None where it is no part of a call. A call within another tool's
    /// call, or of another agent, is a call of its own. Parents that form a ring, in a damaged file, end at the first of its calls by id.
    pub(super) fn root_call(&mut self, trace: &str, span: &str) -> Option<String> {
        // Steps up, each with the span where it is a call of the tool.
        let mut way: Vec<(Step, Option<String>)> = Vec::new();
        let mut places: HashMap<Step, usize> = HashMap::new();
        let mut step = ((trace.to_lowercase(), span.to_lowercase()), None);
        let mut root = loop {
            if let Some(known) = self.known.get(&step) {
                break known.clone();
            }
            if let Some(ring) = places.get(&step).and_then(|place| way.get(*place..)) {
                break ring.iter().filter_map(|(_, call)| call.clone()).min();
            }
            let Some(node) = self.nodes.get(&step.0) else { break None };
            let tool = match (&step.1, &node.call) {
                (Some(below), Some(tool)) if below != tool && !below.is_empty() && !tool.is_empty() => break None,
                (Some(below), Some(tool)) if tool.is_empty() => Some(below.clone()),
                (below, tool) => tool.clone().or_else(|| below.clone()),
            };
            let next = node.parent.clone().filter(|_| !node.is_agent).map(|parent| ((step.0.0.clone(), parent), tool));
            let call = node.call.as_ref().map(|_| step.0.1.clone());
            places.insert(step.clone(), way.len());
            way.push((step, call));
            match next {
                Some(next) => step = next,
                None => break None,
            }
        };
        for (step, call) in way.into_iter().rev() {
            root = root.or(call);
            self.known.insert(step, root.clone());
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(spans: &[(&str, &str, Option<&str>)]) -> SpanTree {
        let mut tree = SpanTree::default();
        for (span, parent, call) in spans {
            let parent = Some(parent.to_string()).filter(|parent| !parent.is_empty());
            tree.add("t", span, Node { parent, call: call.map(str::to_owned), is_agent: false });
        }
        tree
    }

    #[test]
    fn parents_in_a_ring_have_one_root_whichever_is_asked_first() {
        let ring =
            [("b", "c", Some("pay")), ("a", "b", None), ("c", "a", Some("pay")), ("d", "a", Some("pay")), ("e", "e", Some("x"))];
        for from in ["a", "b", "c", "d"] {
            let mut tree = tree(&ring);
            tree.root_call("t", from);
            for span in ["b", "c", "d"] {
                assert_eq!(tree.root_call("t", span).as_deref(), Some("b"), "{span} after {from}");
            }
            assert_eq!(tree.root_call("t", "e").as_deref(), Some("e"));
        }
    }

    /// It took a step for each pair of spans.
    #[test]
    fn long_chains_and_rings_are_gone_through_once() {
        let ids: Vec<String> = (0..20_000).map(|number| number.to_string()).collect();
        for last in ["", "0"] {
            let mut spans: Vec<(&str, &str, Option<&str>)> =
                ids.iter().zip(ids.iter().skip(1)).map(|(span, parent)| (span.as_str(), parent.as_str(), Some("pay"))).collect();
            spans.push((&ids[ids.len() - 1], last, Some("pay")));
            let mut tree = tree(&spans);
            let roots: std::collections::BTreeSet<_> = ids.iter().map(|id| tree.root_call("t", id)).collect();
            assert_eq!(roots.len(), 1);
            assert!(tree.known.len() <= 2 * ids.len());
        }
    }
}
