// What a reader does with the page, and what a hostile log must not do with it.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { hostile, many, open, result, shut, told } from "./pages.mjs";
import { strings } from "./hostile.mjs";

after(shut);

const payments = result("payments");
const findings = payments.result.findings;
const page = told("payments", payments);
const shown = page => page.locator(".card:visible").evaluateAll(cards => cards.map(card => card.id));

test("filters leave what fits, and say how much", async () => {
  const { page: view, close } = await open(page);
  for (const verdict of new Set(findings.map(finding => finding.verdict))) {
    const fitting = findings.filter(finding => finding.verdict === verdict).map(finding => finding.id);
    const option = await view.locator(`#${fitting[0]}`).getAttribute("data-v");
    await view.selectOption("select[name=v]", option);
    assert.deepEqual(await shown(view), fitting);
    assert.match(await view.locator("output").innerText(), new RegExp(`${fitting.length} / ${findings.length}$`));
  }
  await view.click("button[type=reset]");
  await view.waitForFunction(count => document.querySelectorAll(".card:not([hidden])").length === count, findings.length);
  const wanted = findings[1].fingerprint.order ?? findings[1].id;
  await view.fill("input[name=q]", wanted.toUpperCase());
  assert.ok((await shown(view)).includes(findings[1].id));
  await view.fill("input[name=q]", "no such text anywhere");
  assert.deepEqual(await shown(view), []);
  await close();
});

test("findings are sorted by time, money and likelihood, and back", async () => {
  const { page: view, close } = await open(page);
  const ids = findings.map(finding => finding.id);
  assert.deepEqual(await shown(view), ids);
  await view.selectOption("select[name=o]", "t");
  const times = new Map(findings.map(finding => [finding.id, finding.first]));
  const told = (await shown(view)).map(id => times.get(id));
  assert.deepEqual(told, [...told].sort());
  await view.selectOption("select[name=o]", "n");
  const euros = findings.filter(finding => finding.exposure.some(sum => sum.currency === "EUR"));
  const nets = new Map(euros.map(finding => [finding.id, Number(finding.exposure[0].net)]));
  const sorted = (await shown(view)).filter(id => nets.has(id)).map(id => nets.get(id));
  assert.deepEqual(sorted, [...sorted].sort((a, b) => b - a));
  await view.selectOption("select[name=o]", "");
  assert.deepEqual(await shown(view), ids);
  await close();
});

test("a card opens by keyboard and shows every record with its place", async () => {
  const { page: view, close } = await open(page);
  const card = view.locator(`#${findings[0].id}`);
  await card.locator("summary").focus();
  await view.keyboard.press("Enter");
  for (const record of findings[0].records) {
    await assert.doesNotReject(card.getByText(`${record.file}:${record.lines[0]}`, { exact: true }).first().waitFor({ timeout: 2000 }));
  }
  assert.equal(await card.evaluate(card => card.open), true);
  await close();
});

test("a link to a finding opens it, filtered away or not", async () => {
  const last = findings.at(-1).id;
  const { page: view, close } = await open(`${page}#${last}`);
  assert.equal(await view.locator(`#${last}`).evaluate(card => card.open), true);
  const other = findings[0].id;
  await view.fill("input[name=q]", "no such text anywhere");
  await view.evaluate(id => (location.hash = id), other);
  await view.locator(`#${other}[open]`).waitFor({ state: "visible", timeout: 2000 });
  await close();
});

test("without scripts everything can be read", async () => {
  const { page: view, close } = await open(page, { scripts: false });
  assert.equal(await view.locator("#filter").isVisible(), false);
  assert.equal((await shown(view)).length, findings.length);
  await view.locator(".card summary").first().click();
  await view.locator(".card .side").first().waitFor({ state: "visible", timeout: 2000 });
  // No file of this story ran twice: its chart has nothing to draw.
  assert.equal(await view.locator("figure").count(), 11);
  assert.equal(await view.locator("figure svg").count(), 10);
  await close();
});

test("the page asks for nothing but itself", async () => {
  for (const options of [{}, { scripts: false }, { policy: false }]) {
    const { page: view, heard, close } = await open(page, options);
    await view.waitForTimeout(200);
    assert.deepEqual(heard, { requests: [page], said: [], dialogs: 0 });
    await close();
  }
});

test("nothing hostile runs, loads or becomes an element", async () => {
  const names = view => view.evaluate(() => [...new Set([...document.querySelectorAll("*")].map(one => one.localName))].sort());
  const plain = await open(page);
  const known = new Set([...(await names(plain.page)), "article", "ol"]);
  await plain.close();
  const { report, used } = hostile(payments, strings);
  assert.ok(used >= strings.length * 3, `only ${used} places for ${strings.length} strings`);
  for (const lang of ["en", "ru"]) {
    const address = told(`hostile-${lang}`, report, "--lang", lang, "--reveal");
    for (const policy of [true, false]) {
      const { page: view, heard, close } = await open(address, { policy });
      await view.click("button[name=open]");
      for (const text of ["script", "<img", "onerror"]) await view.fill("input[name=q]", text);
      await view.fill("input[name=q]", "");
      await view.mouse.move(600, 500);
      await view.waitForTimeout(200);
      assert.deepEqual(heard, { requests: [address], said: [], dialogs: 0 });
      assert.equal(await view.evaluate(() => window.pwned), undefined);
      assert.deepEqual((await names(view)).filter(name => !known.has(name)), []);
      const handlers = () => [...document.querySelectorAll("*")].flatMap(one => one.getAttributeNames()).filter(name => /^on|^style$|^srcdoc$/.test(name));
      assert.deepEqual(await view.evaluate(handlers), []);
      assert.equal(await view.locator("h1").count(), 1);
      assert.ok((await view.locator("#list").innerText()).includes("<script>"), "the strings are there, as text");
      await close();
    }
  }
});

test("a thousand findings stay usable", async () => {
  const address = told("thousand", many(payments, 1000));
  const { page: view, close } = await open(address);
  const took = await view.evaluate(() => {
    const entry = performance.getEntriesByType("navigation")[0];
    return entry.domContentLoadedEventEnd - entry.startTime;
  });
  const filtered = await view.evaluate(() => {
    const start = performance.now();
    const form = document.getElementById("filter");
    form.elements.q.value = "refund";
    form.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    return performance.now() - start;
  });
  console.log(`1000 findings: ready after ${Math.round(took)} ms, filtered by text in ${Math.round(filtered)} ms`);
  assert.ok(took < 5000, `ready after ${took} ms`);
  assert.ok(filtered < 2000, `filtered after ${filtered} ms`);
  await close();
});

test("it prints: A4, open cards, no controls", async () => {
  const { page: view, close } = await open(page);
  const pdf = await view.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  await view.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await view.emulateMedia({ media: "print" });
  assert.equal(await view.locator(".card:not([open])").count(), 0);
  assert.equal(await view.locator("nav").isVisible(), false);
  assert.equal(await view.locator("button[name=open]").isVisible(), false);
  assert.equal(await view.locator("#filter select:visible, #filter input:visible").count(), 0);
  await close();
});

test("on paper no column is cut off, in both languages", async () => {
  for (const lang of ["en", "ru"]) {
    // A4 less its margins is 182 mm, at 96 pixels an inch.
    const { page: view, close } = await open(told(`paper-${lang}`, payments, "--lang", lang), { width: 688 });
    await view.evaluate(() => document.querySelectorAll(".card").forEach(card => (card.open = true)));
    await view.emulateMedia({ media: "print" });
    const cut = await view.locator(".wide:visible, .figures, .charts, figure, .card").evaluateAll(all =>
      all.filter(one => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1).map(one => `${one.className} ${one.scrollWidth} > ${one.clientWidth}: ${one.textContent.slice(0, 60)}`),
    );
    assert.deepEqual(cut, [], lang);
    await close();
  }
});

/** Text on the page whose contrast against its background is less than 4.5 (WCAG 2.2, 1.4.3). */
const faint = () => {
  const parts = colour => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(part => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = one => {
    for (let up = one; up; up = up.parentElement) {
      const colour = parts(getComputedStyle(up).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const told = [...document.querySelectorAll("body *:not(script)")].filter(
    one => !one.closest("svg") && one.checkVisibility() && [...one.childNodes].some(child => child.nodeType === 3 && child.data.trim()),
  );
  return told.flatMap(one => {
    const [a, b] = [parts(getComputedStyle(one).color), ground(one)].map(light);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return contrast < 4.5 ? [`${one.localName}.${one.className}: ${contrast.toFixed(2)} "${one.textContent.slice(0, 30)}"`] : [];
  });
};

test("contrast is enough and nothing is cut off, light and dark, wide and narrow, in both languages", async () => {
  for (const lang of ["en", "ru"]) {
    const address = told(`look-${lang}`, payments, "--lang", lang);
    for (const scheme of ["light", "dark"]) {
      for (const width of [1280, 400]) {
        const { page: view, close } = await open(address, { scheme, width });
        await view.click("button[name=open]");
        assert.deepEqual([...new Set(await view.evaluate(faint))], [], `${lang} ${scheme}`);
        const wide = await view.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${lang} ${width}: ${wide} wide`);
        await close();
      }
    }
  }
});

/** Paints of legends whose contrast against the sheet is less than 3 (WCAG 2.2, 1.4.11). A hole is told by its word and its edge. */
const pale = () => {
  const parts = colour => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(part => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  return [...document.querySelectorAll(".legend i:not(.gap)")].flatMap(swatch => {
    const [a, b] = [swatch, swatch.closest("section")].map(one => light(parts(getComputedStyle(one).backgroundColor)));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return contrast < 3 ? [`${swatch.className}: ${contrast.toFixed(2)}`] : [];
  });
};

test("paints of charts can be told from the sheet, light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page: view, close } = await open(page, { scheme });
    assert.ok((await view.locator(".legend i").count()) > 10);
    assert.deepEqual([...new Set(await view.evaluate(pale))], [], scheme);
    await close();
  }
});

test("where nothing was found the page tells how much was read when", async () => {
  const { result } = payments;
  const nothing = { ...result, findings: [], incidents: [], batches: [], totals: { ...result.totals, findings: 0, exposure: [], possible_exposure: [] } };
  nothing.sources = nothing.sources.map(source => ({
    ...source,
    over_time: { bucket_seconds: 86400, buckets: [{ from: "2026-03-14", records: 60 }, { from: "2026-03-16", records: 40 }] },
  }));
  const { page: view, heard, close } = await open(told("nothing", { ...payments, windows: [], result: nothing }), { scripts: false });
  assert.match(await view.locator("#chart-time figcaption").innerText(), /0 findings; among 200 records; no records: \w+, 2026-03-15$/);
  assert.equal(await view.locator("#chart-time svg rect.gap").count(), nothing.sources.length);
  assert.equal(await view.locator("figure:not(:has(svg))").count(), 0);
  assert.deepEqual(heard.said, []);
  await close();
});

test("every control has a name and every chart a text alternative", async () => {
  const { page: view, close } = await open(page);
  const nameless = await view.locator("select, input, button").evaluateAll(all =>
    all.filter(one => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).map(one => one.outerHTML),
  );
  assert.deepEqual(nameless, []);
  const silent = await view.locator("figure svg").evaluateAll(all =>
    all.filter(one => !/\d/.test(one.querySelector("desc").textContent)).map(one => one.querySelector("title").textContent),
  );
  assert.deepEqual(silent, []);
  assert.equal(await view.locator("html").getAttribute("lang"), "en");
  await close();
});
