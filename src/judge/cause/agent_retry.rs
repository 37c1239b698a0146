//! `agent_retry`: an AI agent called a tool again with the same arguments.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::span_text;
use crate::judge::field::{columns, is_bare};

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "agent_retry",
        english: Meaning {
            title: "an agent repeated a tool call",
            looks_for: "operations read from a column called tool, tool_name or function, asked again with one fingerprint \
                    (the same arguments)",
            needs: "a trace of tool calls, with `operation` mapped to the tool's name",
            looks_alike: "an agent that was told to do the same thing twice: read the turn before the second call",
            what_to_do: "derive the tool's request key from run and arguments, not from the call id, so that a repeated call returns the first \
                     result; tell the agent after a timeout that the outcome is unknown",
        },
        russian: Meaning {
            title: "агент повторил вызов инструмента",
            looks_for: "операции из столбца tool, tool_name или function, заданные снова с тем же отпечатком (теми же \
                аргументами)",
            needs: "журнал вызовов инструментов, где `operation` — имя инструмента",
            looks_alike: "агент, которому велели сделать то же самое дважды: прочтите реплику перед вторым вызовом",
            what_to_do: "стройте ключ запроса из запуска и аргументов, а не из номера вызова, чтобы повторный вызов \
                вернул первый результат; после тайм-аута скажите агенту, что исход неизвестен",
        },
    },
    bits: 2.0,
    detect,
};

/// Names of the column that holds a tool's name, without their dress.
const TOOL_COLUMNS: [&str; 7] = ["tool", "toolname", "function", "functionname", "toolcallname", "genaitoolname", "mcptoolname"];

fn detect(scene: &Scene<'_>) -> Option<String> {
    if scene.acts.len() < 2 {
        return None;
    }
    let names_a_tool = |source: usize| {
        let pick = scene.facts.rules.sources.get(source).map(|source| &source.map.operation);
        // OpenTelemetry writes the name with dots, which the last segment alone would lose: `gen_ai.tool.name`.
        columns(source, pick, scene.facts.rules).any(|column| is_bare(column, &TOOL_COLUMNS) || column.ends_with("tool.name"))
    };
    if !scene.events().all(|event| names_a_tool(event.source)) {
        return None;
    }
    let tool = &scene.events().next()?.operation;
    let times = scene.acts.len();
    Some(match scene.span() {
        Some(span) => format!("tool {tool} was called {times} times within {} with the same arguments", span_text(span)),
        None => format!("tool {tool} was called {times} times with the same arguments"),
    })
}
