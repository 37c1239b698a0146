"use strict";
// Filters, sorts, opens and follows links. Nothing here makes markup: text from a log is only ever compared.
(() => {
  const form = document.getElementById("filter");
  const list = document.getElementById("list");
  const cards = [...list.children];
  if (cards.length === 0) return;
  const places = new Map(cards.map((card, at) => [card, at]));
  const texts = new Map();
  const textOf = card => {
    if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
    return texts.get(card);
  };
  const shown = () => cards.filter(card => !card.hidden);
  const orders = {
    t: (a, b) => (a.dataset.t < b.dataset.t ? -1 : a.dataset.t > b.dataset.t ? 1 : 0),
    n: (a, b) => a.dataset.m.localeCompare(b.dataset.m) || Number(b.dataset.n) - Number(a.dataset.n),
    l: (a, b) => Number(b.dataset.l) - Number(a.dataset.l),
  };

  const apply = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = ["v", "r", "s", "c", "m"].map(name => [name, form.elements[name].value]).filter(([, value]) => value !== "");
    for (const card of cards) {
      const fits = wanted.every(([name, value]) => card.dataset[name].split(" ").includes(value));
      card.hidden = !(fits && words.every(word => textOf(card).includes(word)));
    }
    const order = orders[form.elements.o.value];
    const sorted = [...cards].sort((a, b) => (order ? order(a, b) : 0) || places.get(a) - places.get(b));
    if (sorted.some((card, at) => list.children[at] !== card)) list.append(...sorted);
    const count = form.elements.count;
    count.value = `${count.dataset.shown} ${shown().length} / ${cards.length}`;
  };

  const follow = () => {
    const name = location.hash.slice(1);
    const card = document.getElementById(name);
    document.getElementById("elsewhere").hidden = Boolean(card) || !/^TL-[0-9a-f]{12}$/.test(name);
    if (card?.localName === "details" && !places.has(card)) card.open = true;
    if (!card || !places.has(card)) return;
    if (card.hidden) {
      form.reset();
      apply();
    }
    card.open = true;
    card.scrollIntoView();
  };

  let opened = [];
  addEventListener("beforeprint", () => {
    const few = shown();
    opened = few.length <= 50 ? few.filter(card => !card.open) : [];
    opened.forEach(card => (card.open = true));
  });
  addEventListener("afterprint", () => opened.forEach(card => (card.open = false)));
  addEventListener("hashchange", follow);
  form.addEventListener("input", apply);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  form.elements.open.addEventListener("click", () => shown().forEach(card => (card.open = true)));
  form.elements.close.addEventListener("click", () => cards.forEach(card => (card.open = false)));
  form.hidden = false;
  apply();
  follow();
})();
