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

/// All spans of an input, by trace and span.
#[derive(Default)]
pub(super) struct SpanTree {
    nodes: HashMap<(String, String), Node>,
}

impl SpanTree {
    /// Of two spans with one id the first counts.
    pub(super) fn add(&mut self, trace: &str, span: &str, node: Node) {
        self.nodes.entry((trace.to_lowercase(), span.to_lowercase())).or_insert(node);
    }

    /// The outermost span of the call that a span is, or is part of; None where it is no part of a call. A call within another tool's
    /// call, or of another agent, is a call of its own.
    pub(super) fn root_call(&self, trace: &str, span: &str) -> Option<String> {
        let mut at = (trace.to_lowercase(), span.to_lowercase());
        let mut root: Option<(String, &str)> = None;
        // Parents may form a ring in a damaged file.
        for _ in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(&at) else { break };
            if let Some(tool) = &node.call {
                match &root {
                    Some((_, known)) if known != tool && !known.is_empty() && !tool.is_empty() => break,
                    Some((_, known)) if tool.is_empty() => root = Some((at.1.clone(), *known)),
                    _ => root = Some((at.1.clone(), tool)),
                }
            }
            if node.is_agent {
                break;
            }
            let Some(parent) = &node.parent else { break };
            at.1.clone_from(parent);
        }
        root.map(|(span, _)| span)
    }
}
