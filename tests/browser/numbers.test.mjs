// Every number of the page is one of the JSON, in both languages: what was read, the headline, every card, health, batches, incidents.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { open, shut, told } from "./pages.mjs";
import { attempts, cells, original, plain, results, share, span, time } from "./reading.mjs";

after(shut);

const blank = text => text.replaceAll("\u00a0", " ");
const texts = async all => (await all.allInnerTexts()).map(blank);
/** Numbers of a sentence, in their order; blanks within a number are no ends of it. */
const numbers = text => [...text.matchAll(/\d[\d\u00a0]*(?:[.,]\d+)?/g)].map(([number]) => plain(number));

/** A value of the JSON by its pointer. */
const at = (report, pointer) => pointer.split("/").slice(1).reduce((value, name) => value?.[name], report);

async function marked(page, report) {
  const all = await page.locator("[data-at]").evaluateAll(all => all.map(one => [one.dataset.at, one.textContent]));
  for (const [pointer, text] of all) {
    const value = at(report, pointer);
    assert.notEqual(value, undefined, `${pointer} is no place of the result`);
    assert.ok(blank(text) === String(value) || plain(text) === String(value), `${pointer} is ${value}, the page says ${text}`);
  }
  return new Set(all.map(([pointer]) => pointer));
}

/** Which numbers of the JSON must stand on the page. */
function* expected({ result }) {
  for (const part of ["used", "ignored", "repeated", "rejected"]) yield `/result/ledger/${part}`;
  for (const part of ["findings", "extra_effects", "possible_extra_effects"]) yield `/result/totals/${part}`;
  for (const [place] of result.totals.exposure.entries()) for (const part of ["gross", "reversed", "net"]) yield `/result/totals/exposure/${place}/${part}`;
  for (const [place] of result.totals.possible_exposure.entries()) yield `/result/totals/possible_exposure/${place}/net`;
  for (const [source, { files }] of result.sources.entries()) {
    for (const [file] of files.entries()) for (const part of ["read", "used", "ignored", "repeated", "rejected"]) yield `/result/sources/${source}/files/${file}/ledger/${part}`;
  }
  for (const [place] of result.health.entries()) {
    for (const part of ["attempts", "repeats", "answered", "blocked", "doubled", "possibly_doubled", "conflicting", "answered_differently"]) yield `/result/health/${place}/${part}`;
  }
}

async function coverage(page, report, lang) {
  const { ledger, sources } = report.result;
  const files = sources.flatMap(source => source.files);
  const [sentence] = await texts(page.locator("#coverage > p:not(.alarm)"));
  assert.deepEqual(numbers(sentence.replaceAll(/(\d) (?=\d{3}\b)/g, "$1")), [files.length, sources.length, ledger.read, ledger.used, ledger.ignored, ledger.repeated, ledger.rejected].map(String));
  // The strip is as long as what was read, and each part of it is there.
  const parts = await page.locator(".strip rect:not(.track)").evaluateAll(all => all.map(one => Number(one.getAttribute("width"))));
  const counts = [ledger.used, ledger.ignored, ledger.repeated, ledger.rejected].filter(count => count > 0);
  assert.equal(parts.length, counts.length);
  assert.equal(parts.reduce((all, one) => all + one, 0), 1000);
  parts.forEach((width, part) => assert.ok(Math.abs(width - (1000 * counts[part]) / ledger.read) <= 25, `${width} for ${counts[part]} of ${ledger.read}`));
  const rows = await cells(page.locator(".files tbody tr"));
  assert.deepEqual(
    rows.map(row => [row[0], row[7], row[8]]),
    sources.flatMap(source => source.files.map(file => [source.name, ...[file.first, file.last].map(one => (one ? time(one, lang) : "—"))])),
  );
}

async function headline(page, report) {
  const { totals } = report.result;
  assert.deepEqual((await texts(page.locator(".figure b"))).map(plain), [totals.findings, totals.extra_effects, totals.possible_extra_effects, ...totals.exposure.map(one => one.net)].map(String));
  assert.deepEqual(numbers(await page.title()), [totals.findings, totals.extra_effects, ...(totals.possible_extra_effects > 0 ? [totals.possible_extra_effects] : [])].map(String));
}

/** A likelihood as the page writes it. */
const likelihood = one => (one > 0.99 && one < 1 ? "> 99 %" : one > 0 && one < 0.01 ? "< 1 %" : `${Math.round(one * 100)} %`);

async function card(page, finding, lang, words) {
  const one = page.locator(`[id="${finding.id}"]`);
  await one.evaluate(one => (one.open = true));
  const place = what => `${finding.id}: ${what}`;
  const nets = finding.exposure.map(({ net }) => net);
  const money = await one.locator("summary .money").textContent();
  assert.deepEqual(money === "" ? [] : money.split(/, (?=\D)|(?<=[A-Z]), /).map(plain), nets, place("money"));
  assert.equal(blank(await one.locator("summary small").textContent()).split(" · ")[1], time(finding.first, lang), place("first"));
  const [lead] = await texts(one.locator(".lead"));
  const { extra_effects: extra, possible_extra_effects: possible } = finding;
  const effects = extra === 0 && possible > 0 ? [possible] : possible > 0 ? [extra, possible] : [extra];
  const sums = finding.exposure.flatMap(({ gross, reversed, net }) => (net === gross ? [net] : [net, gross, reversed]));
  assert.deepEqual(numbers(lead.replaceAll(/(\d) (?=\d{3}\b)/g, "$1")), [...effects, ...sums].map(String), place("lead"));
  assert.ok(blank(await one.locator(".steps + p").textContent()).endsWith(likelihood(finding.likelihood)), place("likelihood"));
  // Records side by side.
  const rows = await cells(one.locator(".side tr"));
  const records = finding.records;
  assert.equal(rows[0].length, records.length + 2, place("records"));
  const row = label => rows.find(row => row[1] === label)?.slice(2);
  assert.deepEqual(row(words.time), records.map(record => time(record.time, lang)), place("times"));
  assert.deepEqual(row(words.place), records.map(record => `${record.file}:${record.lines[0] === record.lines[1] ? record.lines[0] : record.lines.join("-")}`), place("places"));
  const first = Date.parse(original(finding).time);
  for (const [at, gap] of row(words.gap).entries()) {
    const exact = Math.abs(Date.parse(records[at].time) - first) * 1e6;
    assert.ok(gap === "—" ? records[at] === original(finding) : Math.abs(span(gap) - exact) <= exact / 24, place(`gap ${gap} of ${exact} ns`));
  }
  const values = (label, value) => {
    const told = row(label) ?? records.map(() => "—");
    assert.deepEqual(told.map(cell => (cell === "—" ? null : cell)), records.map(record => value(record) ?? null), place(label));
  };
  values(words.effect, record => record.effect_id);
  values(words.key, record => record.request_key);
  const fields = new Set(records.flatMap(record => Object.keys(record.values)));
  ["amount", "currency", "outcome"].forEach(field => fields.delete(field));
  for (const field of fields) values(words[field] ?? field, record => record.values[field]);
  assert.deepEqual((row(words.amount) ?? []).map(cell => (cell === "—" ? undefined : plain(cell))), row(words.amount) ? records.map(record => record.values.amount && plain(record.values.amount)) : [], place("amounts"));
  // The waterfall: each step, and their sum.
  const bits = await texts(one.locator(".steps .n"));
  const signed = bits => `${bits < 0 ? "-" : "+"}${Math.abs(bits).toFixed(1)}`;
  assert.equal(bits.length, finding.evidence.length, place("evidence"));
  bits.forEach((told, at) => assert.ok(Math.abs(Number(told.replace(",", ".")) - finding.evidence[at].bits) <= 0.0501, place(`${told} for ${finding.evidence[at].bits} bits`)));
  if (lang === "en") assert.deepEqual(await texts(one.locator(".steps small")), finding.evidence.map(one => one.text), place("evidence"));
  const all = finding.evidence.reduce((all, one) => all + one.bits, 0);
  assert.ok(Math.abs(Number(numbers(await one.locator(".steps + p").innerText())[0]) - Math.abs(all)) <= 0.0501, place(`sum ${signed(all)}`));
  const fingerprint = await texts(one.locator(".pair dd"));
  assert.deepEqual(fingerprint, Object.values(finding.fingerprint).map(value => value ?? "—"), place("fingerprint"));
}

async function health(page, report) {
  const rows = await cells(page.locator(".health tbody tr"));
  assert.equal(rows.length, report.result.health.length);
  for (const [at, one] of report.result.health.entries()) {
    const row = rows[at];
    assert.equal(row[0], one.operation);
    assert.equal(plain(row[1]), share(one.with_key, one.attempts), one.operation);
    assert.equal(row[10] === "—" ? "—" : plain(row[10]), share(one.keys_changed, one.keyed_repeats), one.operation);
    const exact = one.median_gap_seconds;
    assert.ok(row[11] === "—" ? exact === null : Math.abs(span(row[11]) - exact * 1e9) <= (exact * 1e9) / 24, `${row[11]} for ${exact} s`);
  }
  const worst = one => (one.doubled ? one.doubled : one.conflicting ? one.conflicting : one.possibly_doubled ? one.possibly_doubled : one.answered_differently);
  const said = await texts(page.locator(".verdicts li"));
  for (const [at, one] of report.result.health.entries()) {
    const sentence = said[at].replace(one.operation, "");
    const told = one.repeats === 0 ? [] : worst(one) ? [worst(one), one.repeats] : [one.repeats];
    assert.deepEqual(numbers(sentence), told.map(String), said[at]);
  }
}

async function together(page, report, lang) {
  const { batches, incidents, findings } = report.result;
  for (const batch of batches) {
    const [said] = await texts(page.locator(`[id="${batch.id}"]`));
    const rest = said.replace(batch.id, "");
    assert.equal(numbers(rest)[0], String(batch.findings), said);
    for (const end of batch.repeats) assert.ok(rest.includes(time(end, lang)), said);
    for (const { net } of batch.exposure) assert.ok(numbers(rest).includes(net), said);
  }
  for (const incident of incidents) {
    const told = findings.filter(finding => incident.findings.includes(finding.id));
    const [title] = await texts(page.locator(`[id="${incident.id}"] h3`));
    const effects = told.reduce((all, one) => all + one.extra_effects, 0);
    assert.deepEqual(numbers(title.replace(incident.value, "")), [told.length, effects].map(String), title);
    const steps = page.locator(`[id="${incident.id}"] li`);
    assert.deepEqual(await steps.locator("a").allInnerTexts(), incident.findings);
    for (const [at, id] of incident.findings.entries()) {
      const finding = findings.find(finding => finding.id === id);
      const said = blank(await steps.nth(at).innerText());
      assert.ok(said.startsWith(time(finding.first, lang)), said);
      for (const { net } of finding.exposure) assert.ok(numbers(said.replaceAll(/(\d) (?=\d{3}\b)/g, "$1")).includes(net), said);
    }
  }
  const run = page.locator("#run");
  assert.deepEqual((await cells(run.locator("tbody tr"))).map(row => [row[0], plain(row[1]), row[2]]), report.run.inputs.map(one => [one.file, String(one.bytes), one.sha256]));
  for (const told of [time(report.run.started, lang), report.run.version, report.run.config_sha256]) assert.ok(blank(await run.innerText()).includes(told), told);
}

const WORDS = {
  en: { time: "time", gap: "gap", place: "place", effect: "effect id", key: "request key", amount: "amount" },
  ru: { time: "время", gap: "промежуток", place: "место", effect: "номер эффекта", key: "ключ запроса", amount: "сумма", actor: "лицо", operation: "операция", payload: "содержание", reverses: "отменяет" },
};

for (const [name, report] of Object.entries(results())) {
  for (const lang of ["en", "ru"]) {
    test(`every number of ${name} in ${lang} is the JSON's`, async () => {
      const { page, close } = await open(told(`numbers-${name}-${lang}`, report, "--lang", lang, "--reveal"));
      const places = await marked(page, report);
      assert.deepEqual([...expected(report)].filter(pointer => !places.has(pointer)), []);
      await coverage(page, report, lang);
      await headline(page, report);
      for (const finding of report.result.findings) {
        assert.ok(attempts(finding).length > 0);
        await card(page, finding, lang, WORDS[lang]);
      }
      await health(page, report);
      await together(page, report, lang);
      await close();
    });
  }
}
