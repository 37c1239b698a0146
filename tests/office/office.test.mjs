// What a controller opens: ids are text, amounts are numbers that sum up to the result's totals, and nothing of a log is calculated.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { chunks, corpus, everywhere } from "../browser/hostile.mjs";
import { hostile, result } from "../browser/pages.mjs";
import { column, opened, place, sum } from "./calc.mjs";

const starts = ["=", "+", "-", "@", "\t=", "\r=", " =", "\u00a0=", '"=', "'=", "＝", "＋", "－", "＠", "\u200b="];
const rests = ["1+1", "cmd|' /C calc'!A0", 'HYPERLINK("https://attacker.example","x")', "SUM(A1:A9)"];
const ids = ["0042", "12345678901234567890", "8.80731E+15", "3/4", "MAR-7", "_x003D_1+1", "https://attacker.example/"];
const strings = [...new Set([...starts.flatMap(start => rests.map(rest => start + rest)), ...ids, ...corpus])];
// Each field name is two columns: so many at a time as a sheet can be looked at.
const parts = chunks(strings, 100);

/** A report told in a format, as a file. */
function told(report, name, format, ...options) {
  const json = place(`${name}.json`);
  const file = place(`${name}.${format}`);
  writeFileSync(json, JSON.stringify(report));
  execFileSync(process.env.TWICELOG, ["report", json, "--output", `${format}=${file}`, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  return file;
}

const readers = [
  { name: "excel", csv: { separator: ",", language: 1033 } },
  { name: "excel-ru", csv: { separator: ";", language: 1049 } },
];

const nets = report => Object.fromEntries(report.result.findings.flatMap(finding => finding.exposure).map(({ currency }) => currency).map(currency => [
  currency,
  Math.round(report.result.findings.flatMap(finding => finding.exposure).filter(one => one.currency === currency).reduce((sum, one) => sum + Number(one.net), 0) * 1000) / 1000,
]));

test("this test would see a formula", () => {
  const file = place("formula.csv");
  writeFileSync(file, "a;b\n=1+1;2\n");
  const [sheet] = opened(file, { separator: ";", language: 1049 });
  assert.ok(sheet.rows[1][0].formula, JSON.stringify(sheet.rows[1]));
  assert.equal(sheet.rows[1][1].type, "float");
});

test("a workbook opens, sums up to the totals, and its ids are text", () => {
  const report = result("payments");
  const [findings, records, totals] = opened(told(report, "payments", "xlsx", "--reveal"));
  assert.deepEqual([findings.name, records.name, totals.name], ["Findings", "Records", "Totals"]);
  for (const [currency, net] of Object.entries(nets(report))) assert.equal(sum(column(findings, `net ${currency}`)), net, currency);
  assert.deepEqual(column(findings, "finding").map(cell => [cell.type, cell.text]), report.result.findings.map(finding => ["string", finding.id]));
  const all = report.result.findings.flatMap(finding => finding.records);
  assert.deepEqual(column(records, "effect id").map(cell => cell.text ?? ""), all.map(record => record.effect_id ?? ""));
  assert.equal(column(records, "amount").filter(cell => cell.type === "float").length, all.filter(record => record.values.amount).length);
  assert.ok(totals.rows.some(row => row[0]?.text === "Findings" && row[1]?.value === report.result.totals.findings));
});

test("a hostile workbook holds text, no formula and no link, whatever stands where", () => {
  const { report, used } = hostile(result("payments"), strings);
  assert.ok(used > strings.length, "every string is somewhere");
  const whole = parts.map(part => everywhere(result("payments"), part));
  const seen = new Set();
  for (const [at, made] of [report, ...whole].entries()) {
    const sheets = opened(told(made, `hostile-${at}`, "xlsx", "--reveal"));
    assert.equal(sheets.length, 3, "a text is no name of a sheet");
    const cells = sheets.flatMap(sheet => sheet.rows.flat());
    assert.deepEqual(cells.filter(cell => cell.formula || cell.link), []);
    cells.forEach(cell => seen.add(cell.text));
    for (const head of ["effect id", "request key", "file", "source"]) {
      assert.deepEqual(column(sheets[1], head).filter(cell => cell.type && cell.type !== "string"), [], head);
    }
  }
  const visible = strings.filter(text => /^[\x21-\x7e\u0400-\u04ff]{2,200}$/u.test(text) && !/\d{12}|_x[0-9A-Fa-f]{4}_/.test(text));
  assert.ok(visible.length > 150, `${visible.length} strings of what can be seen`);
  assert.deepEqual(visible.filter(text => !seen.has(text)), [], "strings are there as text");
});

for (const { name, csv } of readers) {
  test(`CSV for ${name} opens, and sums up to the totals`, () => {
    const report = result("payments");
    const [sheet] = opened(told(report, name, "csv", "--csv-for", name), csv);
    for (const [currency, net] of Object.entries(nets(report))) assert.equal(sum(column(sheet, `net_${currency}`)), net, currency);
    assert.equal(column(sheet, "finding")[0].text, report.result.findings[0].id);
  });

  test(`a hostile CSV for ${name} calculates nothing, whatever stands where`, () => {
    const whole = parts.map(part => everywhere(result("payments"), part));
    for (const [at, report] of [hostile(result("payments"), strings).report, ...whole].entries()) {
      const [sheet] = opened(told(report, `hostile-${name}-${at}`, "csv", "--csv-for", name), csv);
      assert.ok(sheet.rows.length > 20);
      assert.deepEqual(sheet.rows.flat().filter(cell => cell.formula || cell.link), []);
      // A number is one only where nothing of its text is lost by it.
      const records = report.result.findings.flatMap(finding => finding.records);
      for (const head of ["effect_id", "request_key", "source", "file"]) {
        const written = new Set(records.map(record => record[head]));
        assert.deepEqual(column(sheet, head).filter(cell => cell.type && cell.type !== "string" && !written.has(cell.text)), [], head);
      }
    }
  });
}
