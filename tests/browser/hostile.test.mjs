// The whole hostile corpus in every place, as a page and as what other programs make of a ticket: nothing runs, loads or becomes an element.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import markdown from "markdown-it";
import { chunks, corpus, everywhere } from "./hostile.mjs";
import { open, place, result, shut, tell } from "./pages.mjs";

after(shut);

const payments = result("payments");
// So few at a time that each of them stands in every chart, too.
const parts = chunks(corpus, 5);

/** Files of each part, told once: `html` in the language, `markdown` and `junit` beside it. */
function* told(lang) {
  for (const [at, strings] of parts.entries()) {
    const name = `hostile-${lang}-${at}`;
    const files = { html: place(`${name}.html`), markdown: place(`${name}.md`), junit: place(`${name}.xml`) };
    tell(name, everywhere(payments, strings), files, "--lang", lang, "--reveal");
    yield { strings, files };
  }
}

/** What a page consists of: names of elements, attributes that run or fetch, ids that stand twice, controls, and characters that nobody sees. */
const facts = () => {
  const all = [...document.querySelectorAll("*")];
  const ids = all.map(one => one.id).filter(Boolean);
  const attributes = all.flatMap(one => one.getAttributeNames().map(name => [name, one.getAttribute(name)]));
  const acts = ([name, value]) => /^on|^style$|^srcdoc$|^src$|^srcset$|^action$|^formaction$|^data$|^xlink|^ping$/.test(name) || (name === "href" && !value.startsWith("#"));
  return {
    names: [...new Set(all.map(one => one.localName))].sort(),
    acts: attributes.filter(acts).map(([name, value]) => `${name}=${value}`),
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    once: ["h1", "form", "#filter", "#list", "#run", "script", "style"].map(one => document.querySelectorAll(one).length),
    hidden: [...document.documentElement.textContent].filter(c => /[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\ufeff]/u.test(c) && c !== "\n"),
    pwned: window.pwned,
  };
};

test("the corpus is the one of all suites", () => assert.ok(corpus.length >= 400, `${corpus.length} strings`));

for (const [lang, policy] of [["en", false], ["ru", true]]) {
  test(`every string in every place of a page in ${lang}, ${policy ? "with" : "without"} the page's own policy`, async () => {
    const plain = everywhere(payments, ["a", "b", "c", "d", "e"]);
    tell(`plain-${lang}`, plain, { html: place(`plain-${lang}.html`) }, "--lang", lang, "--reveal");
    const first = await open(pathToFileURL(place(`plain-${lang}.html`)).href, { policy });
    const known = await first.page.evaluate(facts);
    assert.deepEqual([known.acts, known.twice, known.hidden, known.once], [[], [], [], [1, 1, 1, 1, 1, 1, 1]]);
    await first.close();
    const { page, heard, close } = await open("about:blank", { policy });
    for (const { strings, files } of told(lang)) {
      const address = pathToFileURL(files.html).href;
      heard.requests.length = 0;
      await page.goto(address);
      // Everything is opened, searched, chosen and pointed at, so that whatever waits for it would run.
      await page.evaluate(() => {
        document.querySelectorAll("details").forEach(one => (one.open = true));
        const form = document.getElementById("filter");
        for (const one of form.querySelectorAll("select")) {
          one.selectedIndex = one.options.length - 1;
          form.dispatchEvent(new Event("input"));
        }
        form.reset();
        document.querySelectorAll("a, summary, [tabindex]").forEach(one => one.focus());
      });
      await page.fill("input[name=q]", strings[0].slice(0, 40));
      await page.fill("input[name=q]", "");
      assert.deepEqual(await page.evaluate(facts), known, JSON.stringify(strings));
      assert.deepEqual(heard, { requests: [address], said: [], dialogs: 0 }, JSON.stringify(strings));
      // What can be seen is there as it is: in cards, in files, in the tables of charts.
      const visible = strings.filter(text => /^[\x20-\x7e\u0400-\u04ff]{3,60}$/u.test(text) && !/ {2}|^ | $/.test(text));
      for (const part of ["#list", "#coverage", "#chart-money", "#health", "#run"]) {
        const text = await page.locator(part).evaluate(one => one.textContent);
        assert.deepEqual(visible.filter(one => !text.includes(one) && !/\d{12}/.test(one)), [], part);
      }
    }
    await close();
  });
}

test("a ticket's markup stays text in a program that permits HTML and makes links", async () => {
  const dialect = markdown({ html: true, linkify: true, typographer: true });
  const names = html => [...new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name.toLowerCase()))].sort();
  const plainly = files => dialect.render(readFileSync(files.markdown, "utf8"));
  tell("plain-markdown", everywhere(payments, ["a", "b", "c", "d", "e"]), { markdown: place("plain.md") }, "--reveal");
  const known = names(plainly({ markdown: place("plain.md") }));
  const { page, heard, close } = await open("about:blank", { policy: false });
  for (const { strings, files } of told("en")) {
    const html = plainly(files);
    assert.deepEqual(names(html).filter(name => !known.includes(name)), [], JSON.stringify(strings));
    await page.setContent(html);
    const { acts, pwned } = await page.evaluate(facts);
    assert.deepEqual([acts, pwned, heard.requests, heard.dialogs], [[], undefined, [], 0], JSON.stringify(strings));
    // A build server's reader gets a document of the same elements.
    const broken = await page.evaluate(xml => new DOMParser().parseFromString(xml, "application/xml").querySelectorAll("parsererror").length, readFileSync(files.junit, "utf8"));
    assert.equal(broken, 0, JSON.stringify(strings));
  }
  await close();
});
