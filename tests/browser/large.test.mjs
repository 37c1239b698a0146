// A hundred thousand findings: the page holds the first of them and says so, files beside it hold all, and it stays as quick as a page of a
// thousand.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { open, place, result, shut, tell } from "./pages.mjs";

after(shut);

const payments = result("payments");

/** So many findings of which no two share an id, an actor, an effect, an amount or a time. */
function unlike(count) {
  const models = payments.result.findings;
  const minute = at => `2026-03-${String(1 + (Math.floor(at / 1440) % 28)).padStart(2, "0")}T${String(Math.floor(at / 60) % 24).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}:00Z`;
  const finding = at => {
    const model = models[at % models.length];
    const amount = `${10 + ((at * 37) % 90_000)}.${String(at % 100).padStart(2, "0")}`;
    const record = (role, place) => ({
      ...model.records[0],
      role,
      record: 2 * at + place,
      lines: [2 * at + place, 2 * at + place],
      time: minute(at + 3 * place),
      outcome: "took_effect",
      effect_id: `ch_${at}_${place}`,
      values: { actor: `customer.${at}@example.org`, amount, currency: "EUR", operation: `charge_${at % 1500}`, order: `FF-${at}` },
    });
    return {
      ...model,
      id: `TL-${at.toString(16).padStart(12, "0")}`,
      evidence: model.evidence.slice(0, 2),
      fingerprint: { amount, order: `FF-${at}` },
      first: minute(at),
      last: minute(at + 3),
      exposure: [{ currency: "EUR", gross: amount, reversed: "0.00", net: amount }],
      records: [record("original", 0), record("repeat", 1)],
    };
  };
  const findings = Array.from({ length: count }, (_, at) => finding(at));
  return { ...payments, result: { ...payments.result, findings, incidents: [], totals: { ...payments.result.totals, findings: count } } };
}

const COUNTS = { thousand: 1_000, all: 100_000 };
const files = name => ({ html: place(`${name}.html`), csv: place(`${name}.csv`), json: place(`${name}.json`) });
for (const [name, count] of Object.entries(COUNTS)) tell(name, unlike(count), files(name));
const addresses = Object.fromEntries(Object.keys(COUNTS).map(name => [name, pathToFileURL(files(name).html).href]));
const id = at => `TL-${at.toString(16).padStart(12, "0")}`;

/** How often bytes stand in a file. */
function occurrences(file, text) {
  const bytes = readFileSync(file);
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count += 1;
  return count;
}

test("the page is small, says what it holds, and files beside it hold every finding", async () => {
  assert.ok(statSync(files("thousand").html).size <= 3_000_000);
  assert.ok(statSync(files("all").html).size <= 10_000_000);
  const { page, heard, close } = await open(addresses.all);
  const said = (await page.locator("#findings").innerText()).replaceAll("\u00a0", " ");
  assert.match(said, /The top 1 000 of 100 000 findings are on this page; all of them are in findings\.csv and result\.json/);
  assert.equal(await page.locator(".card").count(), 1_000);
  assert.deepEqual(await page.locator(".card").evaluateAll(cards => [cards[0].id, cards.at(-1).id]), [id(0), id(999)]);
  assert.deepEqual(heard, { requests: [addresses.all], said: [], dialogs: 0 });
  await close();
  const told = new Set(readFileSync(files("all").csv, "utf8").match(/^TL-[0-9a-f]{12}(?=,)/gm));
  assert.equal(told.size, COUNTS.all);
  assert.equal(occurrences(files("all").json, '"id": "TL-'), COUNTS.all);
});

test("it can be filtered, sorted and opened by a link", async () => {
  const { page, close } = await open(addresses.all);
  const shown = () => page.locator(".card:not([hidden])").evaluateAll(cards => cards.map(card => card.id));
  await page.fill("input[name=q]", "CHARGE_77");
  // charge_77 and charge_770 to charge_779.
  assert.deepEqual(await shown(), [77, 770, 771, 772, 773, 774, 775, 776, 777, 778, 779].map(id));
  await page.click("button[type=reset]");
  await page.waitForFunction(() => document.querySelectorAll(".card:not([hidden])").length === 1_000);
  const verdict = await page.locator(`#${id(3)}`).getAttribute("data-v");
  await page.selectOption("select[name=v]", verdict);
  const fitting = payments.result.findings.map(finding => finding.verdict);
  const same = Array.from({ length: 1_000 }, (_, at) => at).filter(at => fitting[at % fitting.length] === fitting[3]);
  assert.deepEqual(await shown(), same.map(id));
  await page.selectOption("select[name=o]", "n");
  const amounts = (await shown()).map(name => { const at = parseInt(name.slice(3), 16); return 10 + ((at * 37) % 90_000) + (at % 100) / 100; });
  assert.deepEqual(amounts, [...amounts].sort((a, b) => b - a));
  await page.evaluate(name => (location.hash = name), id(998));
  await page.locator(`#${id(998)}[open]`).waitFor({ state: "visible" });
  await close();
});

test("a link to a finding that the page does not hold says where to look", async () => {
  const { page, close } = await open(`${addresses.all}#${id(54_321)}`);
  await page.locator("#elsewhere").waitFor({ state: "visible" });
  assert.match(await page.locator("#elsewhere").innerText(), /findings\.csv and result\.json/);
  await page.evaluate(name => (location.hash = name), id(5));
  await page.locator(`#${id(5)}[open]`).waitFor({ state: "visible" });
  assert.equal(await page.locator("#elsewhere").isVisible(), false);
  await close();
});

test("without scripts the first findings can be read, and where the others are", async () => {
  const { page, close } = await open(addresses.all, { scripts: false });
  assert.equal(await page.locator(".card:visible").count(), 1_000);
  assert.equal(await page.locator("#filter").isVisible(), false);
  await page.locator(".card summary").first().click();
  await page.locator(".card .side").first().waitFor({ state: "visible" });
  assert.ok(await page.getByText("all of them are in findings.csv and result.json").isVisible());
  assert.equal(await page.locator("figure:has(svg) details.numbers").count(), await page.locator("figure svg").count());
  await close();
});

/** Milliseconds that a page takes: the least of three, which is disturbed least. */
async function timed(address, name) {
  const runs = [];
  for (let run = 0; run < 3; run += 1) {
    const { page, close } = await open(address);
    runs.push(await page.evaluate(async name => {
      const entry = performance.getEntriesByType("navigation")[0];
      const took = { ready: entry.domContentLoadedEventEnd - entry.startTime };
      const form = document.getElementById("filter");
      const time = (what, act) => {
        const start = performance.now();
        act();
        document.body.getBoundingClientRect();
        took[what] = performance.now() - start;
      };
      const set = (field, value) => () => {
        form.elements[field].value = value;
        form.dispatchEvent(new Event("input"));
      };
      time("filtered", set("q", "charge_7"));
      time("sorted", set("o", "n"));
      time("chosen", set("v", "1"));
      time("freed", () => ["q", "o", "v"].forEach(field => set(field, "")()));
      const linked = performance.now();
      location.hash = name;
      await new Promise(done => addEventListener("hashchange", () => setTimeout(done), { once: true }));
      took.linked = performance.now() - linked;
      return took;
    }, name));
    await close();
  }
  return Object.fromEntries(Object.keys(runs[0]).map(what => [what, Math.min(...runs.map(run => run[what]))]));
}

test("it is as quick as a page of a thousand", async () => {
  const few = await timed(addresses.thousand, id(998));
  const many = await timed(addresses.all, id(998));
  const told = took => Object.entries(took).map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`).join(", ");
  console.log(`1 000 findings: ${told(few)}\n100 000 findings: ${told(many)}`);
  // Both pages hold as many cards; a tenth of a second is what a busy machine may add.
  for (const what of Object.keys(few)) assert.ok(many[what] <= 3 * few[what] + 100, `${what}: ${many[what]} ms, and ${few[what]} ms for 1 000`);
});
