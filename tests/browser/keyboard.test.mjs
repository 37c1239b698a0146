// The page without a mouse: every control is reached in the order of the page, is seen to have the focus, and does its work.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { open, result, shut, told } from "./pages.mjs";

after(shut);

/** A result with everything that the page has a control for: raw records, incidents, a batch, another night. */
function everything() {
  const report = structuredClone(result("crm"));
  const { findings } = report.result;
  findings.forEach(finding => finding.records.forEach(record => (record.raw = `raw ${record.effect_id}`)));
  const told = findings.slice(0, 2).map(finding => finding.id);
  report.result.incidents = [{ id: "TI-000000000001", field: "order", value: "A-1", findings: told }];
  return report;
}

const report = everything();
const findings = report.result.findings;
const page = told("keyboard", report);

const CONTROLS = "a[href], button, select, input, summary, [tabindex='0']";

/** The control that has the focus, as its place among all; -1 where none has it. */
const focused = view => view.evaluate(controls => [...document.querySelectorAll(controls)].indexOf(document.activeElement), CONTROLS);

/** Places of the controls that can be seen. */
const visible = view =>
  view.evaluate(controls => [...document.querySelectorAll(controls)].flatMap((one, at) => (one.checkVisibility() ? [at] : [])), CONTROLS);

/** How the focus is shown: width and contrast of the outline, and whether the control is on the screen and on top there. */
const look = view =>
  view.evaluate(() => {
    const parts = colour => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map(part => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = one => {
      for (let up = one.parentElement; up; up = up.parentElement) {
        const colour = parts(getComputedStyle(up).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) return colour;
      }
      return [255, 255, 255];
    };
    const one = document.activeElement;
    const style = getComputedStyle(one);
    const [a, b] = [parts(style.outlineColor), ground(one)].map(light);
    const box = one.getClientRects()[0];
    const [x, y] = [box.left + Math.min(box.width, 20) / 2, box.top + Math.min(box.height, 20) / 2];
    const top = document.elementFromPoint(x, y);
    return {
      name: `${one.localName} ${one.textContent.slice(0, 40)}`,
      outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
      contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
      seen: Boolean(top) && (one.contains(top) || top.contains(one)),
    };
  });

async function walked(view, key, most) {
  const places = [];
  for (let step = 0; step < most; step += 1) {
    await view.keyboard.press(key);
    const at = await focused(view);
    if (at < 0) break;
    places.push(at);
  }
  return places;
}

for (const scheme of ["light", "dark"]) {
  test(`Tab reaches every control in the order of the page, and its focus is seen: ${scheme}`, async () => {
    const { page: view, close } = await open(page, { scheme });
    await view.evaluate(() => document.querySelectorAll("details").forEach(one => (one.open = true)));
    const wanted = await visible(view);
    assert.ok(wanted.length > findings.length * 4, `${wanted.length} controls`);
    const places = [];
    const unseen = [];
    for (const place of wanted) {
      await view.keyboard.press("Tab");
      places.push(await focused(view));
      const { name, outline, contrast, seen } = await look(view);
      if (!(outline >= 2 && contrast >= 3 && seen)) unseen.push({ place, name, outline, contrast, seen });
    }
    assert.deepEqual(places, wanted);
    assert.deepEqual(unseen, []);
    // And back again.
    const back = await walked(view, "Shift+Tab", wanted.length - 1);
    assert.deepEqual(back, wanted.slice(0, -1).reverse());
    await close();
  });
}

test("every part that opens opens with Enter and closes with Space", async () => {
  const { page: view, close } = await open(page);
  const all = await view.locator("summary").count();
  const kinds = await view.locator("details").evaluateAll(all => [...new Set(all.map(one => one.className || "glossary"))].sort());
  assert.deepEqual(kinds, ["card", "glossary", "numbers", "raw"]);
  for (let at = 0; at < all; at += 1) {
    const summary = view.locator("summary").nth(at);
    const details = summary.locator("xpath=..");
    // What lies within a card is reached when the card is open.
    const outer = details.locator("xpath=ancestor::details");
    for (const one of await outer.all()) await one.evaluate(one => (one.open = true));
    await summary.focus();
    await view.keyboard.press("Enter");
    assert.equal(await details.evaluate(one => one.open), true, `Enter on ${await summary.innerText()}`);
    await view.keyboard.press("Space");
    assert.equal(await details.evaluate(one => one.open), false, `Space on ${await summary.innerText()}`);
    for (const one of await outer.all()) await one.evaluate(one => (one.open = false));
  }
  await close();
});

test("every link leads, with Enter, to what it names", async () => {
  const { page: view, close } = await open(page);
  const links = view.locator("a[href]");
  const count = await links.count();
  assert.ok(count > findings.length * 2);
  for (let at = 0; at < count; at += 1) {
    const link = links.nth(at);
    for (const one of await link.locator("xpath=ancestor::details").all()) await one.evaluate(one => (one.open = true));
    const target = (await link.getAttribute("href")).slice(1);
    await view.evaluate(() => history.replaceState(null, "", location.pathname));
    await link.focus();
    await view.keyboard.press("Enter");
    assert.equal(await view.evaluate(() => location.hash.slice(1)), target);
    const there = view.locator(`[id="${target}"]`);
    assert.equal(await there.count(), 1, target);
    if (await there.evaluate(one => one.localName === "details")) await view.locator(`[id="${target}"][open]`).waitFor({ timeout: 2000 });
    await view.waitForFunction(id => document.getElementById(id).getBoundingClientRect().top < innerHeight, target);
    // The next Tab goes on from there.
    await view.keyboard.press("Tab");
    const goesOn = id => {
      const [there, now] = [document.getElementById(id), document.activeElement];
      return now === document.body || there.contains(now) || Boolean(there.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING);
    };
    assert.ok(await view.evaluate(goesOn, target), `Tab after ${target}`);
  }
  await close();
});

test("every choice of every filter can be made with the arrows, and is told", async () => {
  const { page: view, close } = await open(page);
  const shown = () => view.locator(".card:not([hidden])").count();
  const selects = await view.locator("#filter select").evaluateAll(all => all.map(one => [one.name, one.options.length]));
  assert.deepEqual(selects.map(([name]) => name), ["v", "r", "s", "c", "m", "o"]);
  for (const [name, options] of selects) {
    await view.locator(`select[name=${name}]`).focus();
    const counts = [];
    for (let at = 1; at < options; at += 1) {
      await view.keyboard.press("ArrowDown");
      assert.equal(await view.locator(`select[name=${name}]`).evaluate(one => one.selectedIndex), at);
      assert.equal(await view.locator("output").innerText(), `shown ${await shown()} / ${findings.length}`);
      counts.push(await shown());
    }
    // Each choice leaves some; one of several leaves out others.
    assert.ok(counts.every(count => count > 0), `${name}: ${counts}`);
    if (name !== "o" && counts.length > 1) assert.ok(counts.some(count => count < findings.length), `${name}: ${counts}`);
    await view.keyboard.press("Home");
    assert.equal(await shown(), findings.length);
  }
  await close();
});

test("text is searched, findings are opened, closed and all shown again by keys", async () => {
  const { page: view, close } = await open(page);
  const opened = () => view.locator(".card[open]").count();
  await view.locator("input[name=q]").focus();
  await view.keyboard.type(findings[3].id);
  assert.equal(await view.locator(".card:not([hidden])").count(), 1);
  for (const key of ["Enter", "Space"]) {
    await view.locator("button[name=open]").focus();
    await view.keyboard.press(key);
    assert.equal(await opened(), 1);
    // From the last button the next Tab goes to the one finding that is left.
    await view.locator("button[type=reset]").focus();
    await view.keyboard.press("Tab");
    assert.equal(await view.evaluate(() => document.activeElement.closest(".card")?.id), findings[3].id);
    await view.locator("button[name=close]").focus();
    await view.keyboard.press(key);
    assert.equal(await opened(), 0);
  }
  await view.locator("button[type=reset]").focus();
  await view.keyboard.press("Enter");
  await view.waitForFunction(count => document.querySelectorAll(".card:not([hidden])").length === count, findings.length);
  assert.equal(await view.locator("input[name=q]").inputValue(), "");
  await close();
});

test("what is too wide is scrolled with the arrows", async () => {
  const { page: view, close } = await open(page, { width: 400 });
  await view.click("button[name=open]");
  await view.evaluate(() => document.querySelectorAll("details").forEach(one => (one.open = true)));
  const wide = view.locator(".wide");
  let scrolled = 0;
  for (let at = 0; at < (await wide.count()); at += 1) {
    const one = wide.nth(at);
    assert.ok((await one.getAttribute("aria-label")).trim(), "a region has a name");
    if (await one.evaluate(one => one.scrollWidth <= one.clientWidth + 1)) continue;
    await one.focus();
    await view.keyboard.press("ArrowRight");
    await view.waitForFunction(at => document.querySelectorAll(".wide")[at].scrollLeft > 0, at);
    scrolled += 1;
  }
  assert.ok(scrolled > findings.length, `${scrolled} are too wide for a telephone`);
  await close();
});
