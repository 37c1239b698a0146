// What a log may hold to make a page run, load or show what it should not; and reports that hold it wherever text from outside can stand.

import { readFileSync } from "node:fs";

const probe = "window.pwned=1";

/** Strings whose script would leave a trace in the page. */
export const strings = [
  `<script>${probe}</script>`,
  `</script><script>${probe}</script>`,
  `</style><script>${probe}</script>`,
  `</title><script>${probe}</script>`,
  `</textarea><script>${probe}</script>`,
  `<img src=x onerror="${probe}">`,
  `<img src="https://attacker.example/pixel">`,
  `"><img src=x onerror=${probe}>`,
  `'><img src=x onerror=${probe}>`,
  `" onmouseover="${probe}" x="`,
  `' onfocus='${probe}' autofocus='`,
  "` onclick=`" + probe,
  `" autofocus onfocus="${probe}`,
  `<svg onload="${probe}">`,
  `<svg><script>${probe}</script></svg>`,
  `</svg><img src=x onerror=${probe}>`,
  `</desc></svg><script>${probe}</script>`,
  `<svg><animate onbegin=${probe} attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${probe}>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>">`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<object data="javascript:${probe}">`,
  `<embed src="https://attacker.example/x">`,
  `<link rel=stylesheet href="https://attacker.example/x.css">`,
  `<style>@import "https://attacker.example/x.css";</style>`,
  `<style>*{display:none}</style>`,
  `<base href="https://attacker.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://attacker.example/">`,
  `<form action="https://attacker.example/"><input name=q></form>`,
  `<a href="javascript:${probe}">x</a>`,
  `javascript:${probe}`,
  `data:text/html,<script>parent.pwned=1</script>`,
  `[x](javascript:${probe})`,
  `![x](https://attacker.example/pixel)`,
  `<details open ontoggle="${probe}">`,
  `</details></div></section><h1>All clear</h1>`,
  `<template><script>${probe}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${probe}>">`,
  `<!--><img src=x onerror=${probe}>-->`,
  `<!-- comment`,
  `--><script>${probe}</script>`,
  `<![CDATA[<script>${probe}</script>]]>`,
  `%3Cscript%3E${probe}%3C/script%3E`,
  `&lt;script&gt;${probe}&lt;/script&gt;`,
  `&#60;img src=x onerror=${probe}&#62;`,
  `&quot; onmouseover=&quot;${probe}`,
  `+ADw-script+AD4-${probe}+ADw-/script+AD4-`,
  `\u003cscript\u003e${probe}\u003c/script\u003e`,
  `\\u003cimg src=x onerror=${probe}\\u003e`,
  `{{7*7}}{% raw %}`,
  "${" + probe + "}",
  `'-(${probe})-'`,
  `";${probe}//`,
  `\u2028${probe}\u2029`,
  `\u202e<script>`,
  `<scr\0ipt>${probe}</scr\0ipt>`,
  `\ufeff<script>${probe}</script>`,
  `<script\u00a0>${probe}</script>`,
  `＜script＞${probe}＜/script＞`,
  `__proto__`,
  `constructor`,
  `#TL-000000000000"><script>${probe}</script>`,
  `x" id="filter`,
  `x" name="elements" id="list`,
];

/** These and the strings of all other suites, each once. */
export const corpus = [...new Set([...strings, ...JSON.parse(readFileSync(new URL("../support/hostile.json", import.meta.url), "utf8"))])];

/** So many at a time. */
export const chunks = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

/**
 * A report made like this one in which each of the strings stands in every place that holds text from outside: fields and their names, names
 * of files, sources and operations, rules and what they mean, reasons of decisions, of rejects and of faults, notes, currencies.
 */
export function everywhere(report, strings) {
  const { result, run } = report;
  const [source] = result.sources;
  const [model] = result.findings;
  const sum = text => ({ currency: text, gross: "9.00", reversed: "1.00", net: "8.00" });
  const record = (text, at, role) => ({
    ...model.records[0],
    role,
    outcome: "took_effect",
    time: `2026-03-14T10:0${at}:00Z`,
    source: text,
    file: text,
    effect_id: `${text}${at}`,
    request_key: text,
    raw: text,
    values: { actor: text, operation: text, amount: "9.00", currency: text, outcome: text, payload: text, card: text, [text]: text, [`x${text}`]: `${text}${at}` },
  });
  const finding = (text, at) => ({
    ...model,
    id: `TL-${at.toString(16).padStart(12, "0")}`,
    rule: text,
    cause: { code: text, why: text },
    evidence: [{ code: text, bits: 1, text }, { code: `${text}x`, bits: -1, text }],
    fingerprint: { [text]: text, actor: text, order: null },
    alike: [text],
    also: [text],
    exposure: [sum(text)],
    decision: { decision: "accepted", reason: text, by: text, until: text, standing: "expired" },
    records: [record(text, 0, "original"), record(text, 1, "repeat")],
  });
  const findings = strings.map(finding);
  return {
    ...report,
    result: {
      ...result,
      findings,
      totals: { ...result.totals, findings: findings.length, exposure: strings.map(sum), possible_exposure: strings.map(sum) },
      sources: strings.map(text => ({
        ...source,
        name: text,
        files: [{ ...source.files[0], file: text, format: text, fault: text, rejects: [{ reason: text, records: 1, example: text }] }],
      })),
      rules: strings.map(text => ({ ...result.rules[0], id: text, meaning: [text] })),
      health: strings.map(text => ({ ...result.health[0], operation: text })),
      batches: strings.map((text, at) => ({
        id: `TB-${at.toString(16).padStart(12, "0")}`,
        rule: text,
        lag_seconds: 60,
        findings: 9,
        extra_effects: 9,
        exposure: [sum(text)],
        originals: ["2026-03-14T10:00:00Z", "2026-03-14T11:00:00Z"],
        repeats: ["2026-03-14T10:01:00Z", "2026-03-14T11:01:00Z"],
      })),
      incidents: strings.map((text, at) => ({ id: `TI-${at.toString(16).padStart(12, "0")}`, field: text, value: text, findings: [findings[at].id] })),
      notes: strings.map(text => ({ code: text, message: text })),
      actors: strings.map(actor => ({ actor, events_at_most: 9 })),
    },
    windows: report.windows.map(step => ({ ...step, exposure: strings.map(sum) })),
    nights: [{ started: "2026-03-13T02:00:00Z", findings: 1, decided: 0, same_rules: true, changes: { new: 1, grown: 0, unchanged: 0, resolved: 0 }, exposure: strings.map(sum) }],
    run: { ...run, inputs: strings.map(text => ({ file: text, bytes: 1, sha256: "a".repeat(64) })) },
  };
}
