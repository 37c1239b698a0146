// Pages as a reader reads them: numbers, money and times of both languages, and the results that pages are compared with.

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { place, result } from "./pages.mjs";

const root = new URL("../../", import.meta.url).pathname;

/** A number, or an amount with its currency, as the JSON writes it: `5 790,00 EUR` and `EUR 5 790.00` are `5790.00`. */
export const plain = text => text.replace(/[^\d,.-]/g, "").replace(",", ".");

/** A decimal of the JSON in thousandths, so that sums are exact. */
export const thousandths = decimal => {
  const [, sign, whole, fraction = ""] = decimal.match(/^(-?)(\d+)(?:\.(\d{1,3}))?$/);
  return BigInt(`${sign}${whole}${fraction.padEnd(3, "0")}`);
};

export const sum = decimals => decimals.reduce((all, one) => all + thousandths(one), 0n);

/** A whole share in percent, as pages cut it. */
export const share = (part, whole) => (whole === 0 ? "—" : `${Math.floor((part * 100) / whole)}`);

const units = { µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9, d: 86400e9, мкс: 1e3, мс: 1e6, с: 1e9, мин: 60e9, ч: 3600e9, дн: 86400e9 };

/** A length of time in nanoseconds: `≤ 47 min 30 s`, `+1,5 с`. */
export const span = text => {
  const parts = [...text.replaceAll("\u00a0", " ").matchAll(/([\d.,]+) ([^\s\d]+)/g)];
  return Math.round(parts.reduce((all, [, count, unit]) => all + Number(count.replace(",", ".")) * units[unit], 0));
};

/** A time of the JSON as a page writes it. */
export const time = (written, lang) => {
  const [, year, month, day, clock, fraction] = written.match(/^(\d{4})-(\d\d)-(\d\d)(?:T([\d:]+)(?:\.(\d+))?Z)?$/);
  const date = lang === "ru" ? `${day}.${month}.${year}` : `${year}-${month}-${day}`;
  if (!clock) return date;
  const exact = /[1-9]/.test(fraction ?? "") ? (lang === "ru" ? `,${fraction}` : `.${fraction}`) : "";
  return `${date} ${clock}${exact}${lang === "ru" ? "" : "Z"}`;
};

/** The record that the others of a finding repeat. */
export const original = finding => finding.records.find(record => record.role === "original") ?? finding.records[0];

/** Records that are attempts: what proves or undoes them is none. */
export const attempts = finding => finding.records.filter(record => !["proof", "reversal"].includes(record.role));

/** The second night of a state: the sample of orders, whose later file came after the first night. */
function night() {
  const orders = place("orders");
  cpSync(join(root, "samples/orders"), orders, { recursive: true });
  const scan = outputs => execFileSync(process.env.TWICELOG, ["scan", "--config", join(orders, "twicelog.toml"), "--state", place("state"), "--exit-zero", ...outputs], { stdio: "ignore" });
  renameSync(join(orders, "orders-2.csv"), place("later.csv"));
  scan([]);
  renameSync(place("later.csv"), join(orders, "orders-2.csv"));
  scan(["--output", `json=${place("night.json")}`]);
  return JSON.parse(readFileSync(place("night.json"), "utf8"));
}

/** Two findings about one order, with what one of them has to do with the other. */
function incident() {
  const report = structuredClone(result("orders"));
  const told = report.result.findings.slice(0, 2);
  told.forEach(finding => (finding.incident = "TI-000000000001"));
  report.result.incidents = [{ id: "TI-000000000001", field: "order", value: "A-1", findings: told.map(finding => finding.id) }];
  return report;
}

/** Results by name: every sample, a night, and an incident. */
export const results = () => ({
  ...Object.fromEntries(["payments", "orders", "crm", "agent"].map(story => [story, result(story)])),
  night: night(),
  incident: incident(),
});

/** Tables by rows of texts. */
export const cells = rows => rows.evaluateAll(rows => rows.map(row => [...row.cells].map(cell => cell.textContent.replaceAll("\u00a0", " "))));
