// Pages to look at: results told as HTML by the program itself, and the browser that opens them.

import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "twicelog-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const root = new URL("../../", import.meta.url).pathname;

/** The committed result of a sample story. */
export const result = story => JSON.parse(readFileSync(join(root, "reports", `${story}.json`), "utf8"));

/** A file beside the pages. */
export const place = name => join(folder, name);

/** Tells a result in formats, each as a file: `{ html: place("a.html") }`. */
export function tell(name, report, outputs, ...options) {
  const json = place(`${name}.told.json`);
  writeFileSync(json, JSON.stringify(report));
  const wanted = Object.entries(outputs).flatMap(([format, file]) => ["--output", `${format}=${file}`]);
  execFileSync(process.env.TWICELOG, ["report", json, ...wanted, ...options], { stdio: ["ignore", "ignore", "inherit"] });
}

/** The address of a result told as a page. */
export function told(name, report, ...options) {
  const page = place(`${name}.html`);
  tell(name, report, { html: page }, ...options);
  return pathToFileURL(page).href;
}

/** So many findings like those of a report, with ids of their own. */
export function many(report, count) {
  const { findings } = report.result;
  const copies = Array.from({ length: count }, (_, at) => ({
    ...structuredClone(findings[at % findings.length]),
    id: `TL-${at.toString(16).padStart(12, "0")}`,
  }));
  return { ...report, result: { ...report.result, findings: copies, incidents: [], totals: { ...report.result.totals, findings: count } } };
}

/** A report in which every text from outside is hostile, each of the strings somewhere. */
export function hostile(report, strings) {
  let next = 0;
  const own = new Set(["id", "schema", "verdict", "severity", "key_relation", "role", "outcome", "first", "last", "time", "gross", "reversed", "net", "started", "version", "config_sha256", "sha256"]);
  const spoil = (value, name) => {
    if (Array.isArray(value)) return value.map(one => spoil(one, name));
    if (value && typeof value === "object") {
      const named = Object.entries(value).map(([key, inner]) => [key, spoil(inner, key)]);
      if (name === "values" || name === "fingerprint") named.push([strings[next++ % strings.length], strings[next++ % strings.length]]);
      return Object.fromEntries(named);
    }
    const free = typeof value === "string" && !own.has(name);
    return free ? strings[next++ % strings.length] : value;
  };
  const spoiled = spoil(report, "");
  // Ids of incidents and batches name findings; they are written by the program.
  spoiled.result.incidents = report.result.incidents.map(incident => ({ ...incident, field: strings[next++ % strings.length], value: strings[next++ % strings.length] }));
  return { report: spoiled, used: next };
}

let browser;

/** Opens a page, and keeps what it asked for, said and threw. */
export async function open(address, { width = 1280, scheme = "light", scripts = true, policy = true } = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: scripts,
    bypassCSP: !policy,
  });
  const page = await context.newPage();
  const heard = { requests: [], said: [], dialogs: 0 };
  page.on("request", request => heard.requests.push(request.url()));
  page.on("console", message => heard.said.push(message.text()));
  page.on("pageerror", error => heard.said.push(error.message));
  page.on("dialog", dialog => {
    heard.dialogs += 1;
    return dialog.dismiss();
  });
  await page.goto(address);
  return { page, heard, close: () => context.close() };
}

export const shut = () => browser?.close();
