// Every chart of every page: a question, an answer with numbers, a text alternative, and a table whose numbers are those of the JSON.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { open, shut, told } from "./pages.mjs";
import { attempts, cells, original, plain, results, share, span, sum, thousandths, time } from "./reading.mjs";

after(shut);

const NAMES = ["money", "causes", "time", "gaps", "drift", "batches", "health", "sizes", "hours", "actors", "windows"];

const count = number => Number(plain(number));
const total = (rows, at) => rows.reduce((all, row) => all + count(row[at]), 0);
const nanos = written => Date.parse(written.length === 10 ? `${written}T00:00:00Z` : written) * 1e6 + Number((written.match(/\.\d{3}(\d+)Z$/)?.[1] ?? "").padEnd(6, "0"));

/** How long after the original each further attempt came. */
const gapsOf = report =>
  report.result.findings.flatMap(finding => {
    const first = original(finding);
    return attempts(finding).filter(record => record !== first).map(record => Math.abs(nanos(record.time) - nanos(first.time)));
  });

/** What the rows of each chart must say. `page` is the page that they stand on. */
const checks = {
  money({ rows, report }) {
    const expected = {};
    for (const finding of report.result.findings) {
      for (const { currency, net, reversed } of finding.exposure) {
        const sums = (expected[`${currency} ${original(finding).values.operation}`] ??= { open: [], stake: [], reversed: [] });
        sums[finding.verdict === "possible_duplicate" ? "stake" : "open"].push(net);
        sums.reversed.push(reversed);
      }
    }
    const told = Object.fromEntries(rows.map(([currency, operation, ...sums]) => [`${currency} ${operation}`, sums.map(one => thousandths(plain(one)))]));
    assert.deepEqual(told, Object.fromEntries(Object.entries(expected).map(([line, sums]) => [line, [sum(sums.open), sum(sums.stake), sum(sums.reversed)]])));
    for (const { currency, net, reversed } of report.result.totals.exposure) {
      const of = rows.filter(row => row[0] === currency);
      assert.deepEqual([sum(of.map(row => plain(row[2]))), sum(of.map(row => plain(row[4])))], [thousandths(net), thousandths(reversed)], currency);
    }
  },
  async causes({ rows, report, page }) {
    const title = async code => (await page.locator(`#what-${code} summary b`).innerText()).replaceAll("\u00a0", " ");
    const expected = {};
    for (const { cause } of report.result.findings) expected[await title(cause.code)] = (expected[await title(cause.code)] ?? 0) + 1;
    assert.deepEqual(Object.fromEntries(rows.map(row => [row[0], count(row[1])])), expected);
    for (const row of rows) assert.equal(plain(row[2]), share(count(row[1]), report.result.findings.length));
  },
  time({ rows, report }) {
    for (const source of report.result.sources) {
      const of = rows.filter(row => row[0] === source.name);
      assert.equal(total(of, 2), report.result.findings.filter(finding => original(finding).source === source.name).length, source.name);
      assert.equal(total(of, 3), source.over_time.buckets.reduce((all, bucket) => all + bucket.records, 0), source.name);
    }
  },
  gaps({ rows, report }) {
    const gaps = gapsOf(report);
    assert.equal(total(rows, 1), gaps.length);
    let before = 0;
    for (const [label, told] of rows) {
      const within = gaps.filter(gap => gap <= span(label)).length;
      assert.equal(count(told), within - before, label);
      before = within;
    }
  },
  drift({ rows, report, others }) {
    assert.equal(total(rows, 2), gapsOf(report).length);
    const byGap = {};
    for (const [, gap, told] of rows) byGap[gap] = (byGap[gap] ?? 0) + count(told);
    assert.deepEqual(byGap, Object.fromEntries(others.gaps.map(row => [row[0], count(row[1])])));
  },
  batches({ rows, report, lang }) {
    const ends = pair => pair.map(one => time(one, lang)).join(" – ");
    const told = rows.map(row => [row[0], row[1], span(row[2]), count(row[3]), row[4], row[5]]);
    const expected = report.result.batches.map(batch => [batch.id, batch.rule, batch.lag_seconds * 1e9, batch.findings, ends(batch.originals), ends(batch.repeats)]);
    assert.deepEqual(told.sort(), expected.sort());
  },
  health({ rows, report }) {
    const expected = report.result.health.filter(one => one.repeats > 0);
    assert.deepEqual(rows.map(row => row[0]).sort(), expected.map(one => one.operation).sort());
    for (const [operation, doubled, doubt, harmless, keys, gap] of rows) {
      const one = expected.find(one => one.operation === operation);
      assert.deepEqual([doubled, doubt, harmless].map(count), [one.doubled, one.possibly_doubled + one.conflicting + one.answered_differently, one.answered + one.blocked + one.retried]);
      assert.equal(count(doubled) + count(doubt) + count(harmless), one.repeats, operation);
      assert.equal(keys === "—" ? "—" : plain(keys), share(one.keys_changed, one.keyed_repeats));
      // A length of more than a minute is told to the second or coarser.
      const exact = one.median_gap_seconds * 1e9;
      assert.ok(Math.abs(span(gap) - exact) <= exact / 24, `${operation}: ${gap} for ${one.median_gap_seconds} s`);
    }
  },
  sizes({ rows, report }) {
    const sizes = report.result.findings.map(finding => attempts(finding).length + (finding.unread_records ?? 0));
    const ends = name => (name.endsWith("+") ? [parseInt(name, 10), Infinity] : name.split("–").map(Number));
    assert.equal(total(rows, 1), sizes.length);
    for (const [name, told, part] of rows) {
      const [least, most = least] = ends(name);
      assert.equal(count(told), sizes.filter(size => size >= least && size <= most).length, name);
      assert.equal(plain(part), share(count(told), sizes.length));
    }
  },
  hours({ rows, report, lang }) {
    const days = { en: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], ru: ["Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс"] }[lang];
    const expected = {};
    for (const finding of report.result.findings.filter(finding => !finding.batch && finding.first.includes("T"))) {
      const at = new Date(finding.first);
      const hour = ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours();
      expected[hour] = (expected[hour] ?? 0) + 1;
    }
    const told = {};
    for (const [when, found, tried, rate] of rows) {
      const [day, clock] = when.split(" ");
      const hour = days.indexOf(day) * 24 + parseInt(clock, 10);
      told[hour] = count(found);
      const volume = report.result.sources.reduce((all, source) => all + (source.volume[hour] ?? 0), 0);
      assert.equal(count(tried), volume, when);
      assert.equal(plain(rate), volume === 0 ? "" : (Math.floor((count(found) * 10_000) / volume) / 100).toFixed(2), when);
    }
    assert.deepEqual(told, expected);
  },
  actors({ rows, report }) {
    const expected = {};
    for (const finding of report.result.findings) {
      const { actor } = original(finding).values;
      if (actor) expected[actor] = (expected[actor] ?? 0) + 1;
    }
    const named = rows.filter(row => row[0] in expected);
    assert.ok(named.length === Math.min(8, Object.keys(expected).length), `${named.length} actors`);
    for (const [actor, found, part, events, rate] of named) {
      assert.equal(count(found), expected[actor], actor);
      assert.equal(plain(part), share(expected[actor], Object.values(expected).reduce((all, one) => all + one, 0)));
      const known = report.result.actors.find(one => one.actor === actor)?.events_at_most;
      assert.equal(events === "—" ? undefined : count(events), known, actor);
      if (known) assert.equal(plain(rate), (Math.floor((expected[actor] * 10_000) / known) / 100).toFixed(2), actor);
    }
    assert.equal(total(rows, 1), Object.values(expected).reduce((all, one) => all + one, 0));
  },
  windows({ rows, report }) {
    const nets = text => text.split("; ").filter(Boolean).map(plain);
    assert.deepEqual(
      rows.map(([factor, findings, extra, net, stake]) => [factor, count(findings), count(extra), nets(net), nets(stake)]),
      report.windows.map(step => [
        `×${step.factor.replace("1/4", "¼").replace("1/2", "½")}`,
        step.findings,
        step.extra_effects,
        step.exposure.map(one => one.net),
        (step.possible_exposure ?? []).map(one => one.net),
      ]),
    );
  },
  nights({ rows, report, lang }) {
    const { changes } = report.run.night;
    const today = {
      started: report.run.started,
      findings: report.result.totals.findings,
      decided: 0,
      changes: Object.fromEntries(["new", "grown", "unchanged", "resolved"].map(kind => [kind, changes[kind].length])),
      exposure: report.result.totals.exposure,
    };
    const expected = [...report.nights, today].reverse().map(night => [
      time(night.started, lang),
      ...[night.findings, night.changes.new, night.changes.grown, night.changes.unchanged, night.changes.resolved, night.decided],
      night.exposure.map(one => one.net),
    ]);
    const told = rows.map(row => [row[0], ...row.slice(1, 7).map(count), row[7].split("; ").map(plain)]);
    assert.deepEqual(told, expected);
  },
};

for (const [name, report] of Object.entries(results())) {
  for (const lang of ["en", "ru"]) {
    test(`charts of ${name} in ${lang}: text alternatives, and tables that are the JSON's`, async () => {
      const { page, close } = await open(told(`charts-${name}-${lang}`, report, "--lang", lang, "--reveal"));
      const ids = await page.locator("figure").evaluateAll(all => all.map(one => one.id.replace("chart-", "")));
      assert.deepEqual(ids, name === "night" ? [...NAMES, "nights"] : NAMES);
      const tables = {};
      for (const id of ids) {
        const figure = page.locator(`#chart-${id}`);
        const question = await figure.locator("figcaption b").innerText();
        const answer = await figure.locator("figcaption span").innerText();
        assert.ok(question.endsWith("?"), question);
        if ((await figure.locator("svg").count()) === 0) {
          // What has nothing to draw says so, or why.
          assert.ok(answer.trim(), id);
          const nothing = { batches: report.result.batches.length === 0, money: report.result.totals.exposure.length === 0, windows: name === "night" };
          assert.ok(nothing[id], `${id} is not drawn`);
          continue;
        }
        assert.match(answer, /\d/, id);
        const alternative = await figure.locator("svg").evaluate(one => ({
          role: one.getAttribute("role"),
          told: one.getAttribute("aria-labelledby").split(" ").map(id => document.getElementById(id).textContent),
        }));
        const blank = text => text.replaceAll("\u00a0", " ");
        assert.deepEqual([alternative.role, ...alternative.told.map(blank)], ["img", question, answer].map(blank), id);
        assert.equal(await figure.locator("details.numbers summary").count(), 1, id);
        const heads = (await cells(figure.locator("thead tr")))[0];
        tables[id] = await cells(figure.locator("tbody tr"));
        assert.ok(heads.every(Boolean) && heads.length > 1 && tables[id].length > 0, id);
        assert.ok(tables[id].every(row => row.length === heads.length), id);
        assert.equal(await figure.locator("thead th[scope=col]").count(), heads.length, id);
      }
      for (const [id, rows] of Object.entries(tables)) await checks[id]({ rows, report, lang, page, others: tables });
      await close();
    });
  }
}
