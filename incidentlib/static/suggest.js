// Suggestions under the search box: a combobox with a list (ARIA 1.2). Without this script the box is a plain form.
// Nothing here acts on a key or asks for anything while an input method is composing a syllable.
"use strict";

(() => {
  const form = document.querySelector("[data-suggest]");
  if (!form) return;

  const PAUSE = 180; // milliseconds after the last letter
  const box = form.querySelector("input[type=search]");
  const list = make("div", { id: "suggestions", className: "suggestions", role: "listbox", hidden: true });
  const said = make("p", { className: "for-screen-readers", role: "status" });
  let options = [];
  let active = -1;
  let timer = 0;
  let request = null;
  let asked = "";

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  }

  set(box, { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id, "aria-haspopup": "listbox" });
  list.setAttribute("aria-label", form.querySelector("label").textContent);
  box.parentElement.append(list, said);

  const isComposing = (event) => event.isComposing || event.keyCode === 229;

  // Asking

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  }

  function stop() {
    clearTimeout(timer);
    request?.abort();
    request = null;
  }

  async function ask() {
    stop();
    const query = box.value.trim();
    asked = query;
    if ([...query].length < 2 || query.length > box.maxLength) return close();
    const own = (request = new AbortController());
    try {
      const answer = await fetch(`${form.dataset.suggest}?${new URLSearchParams({ q: query })}`, { signal: own.signal });
      if (!answer.ok) return close();
      const { groups } = await answer.json();
      if (request === own && document.activeElement === box) show(groups);
    } catch (_error) {
      // Given up for a newer question, or offline: the form itself still works.
      if (request === own) close();
    }
  }

  // Showing

  function show(groups) {
    options = [];
    list.replaceChildren(...groups.map(group));
    activate(-1);
    const isOpen = options.length > 0;
    list.hidden = !isOpen;
    box.setAttribute("aria-expanded", String(isOpen));
    said.textContent = isOpen ? form.dataset.some.replace("{count}", options.length) : form.dataset.none;
  }

  function group({ label, items }, place) {
    const heading = make("div", { className: "suggestions-head", id: `suggestions-${place}`, textContent: label });
    const element = make("div", { role: "group" }, heading, ...items.map(option));
    element.setAttribute("aria-labelledby", heading.id);
    heading.setAttribute("role", "presentation");
    return element;
  }

  function option({ text, lang, number, list: kind, url }) {
    const words = make("span", { textContent: text });
    if (lang) words.lang = lang;
    const parts = [words];
    if (number) parts.unshift(make("span", { className: "number", textContent: number }), " ");
    if (kind) parts.push(" ", make("span", { className: "quiet", textContent: kind }));
    const element = make("a", { className: "suggestion", id: `suggestion-${options.length}`, href: url, tabIndex: -1 }, ...parts);
    set(element, { role: "option", "aria-selected": "false" });
    options.push(element);
    return element;
  }

  function activate(place) {
    options[active]?.setAttribute("aria-selected", "false");
    active = place;
    const chosen = options[active];
    if (!chosen) return box.removeAttribute("aria-activedescendant");
    chosen.setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }

  function close() {
    stop();
    options = [];
    activate(-1);
    list.hidden = true;
    said.textContent = "";
    box.setAttribute("aria-expanded", "false");
  }

  // Keys and pointer

  const steps = {
    ArrowDown: () => (active + 2) % (options.length + 1) - 1,
    ArrowUp: () => (active + 1 + options.length) % (options.length + 1) - 1,
  };

  box.addEventListener("keydown", (event) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key in steps) {
      event.preventDefault();
      if (list.hidden) ask();
      else activate(steps[event.key]());
    } else if (event.key === "Enter" && options[active]) {
      event.preventDefault();
      location.assign(options[active].href);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault(); // else the browser empties the box
      close();
    }
  });

  box.addEventListener("input", (event) => {
    if (!event.isComposing) plan();
  });
  // What was composed is text now. The next syllable may have begun already, and shows nothing of its own.
  box.addEventListener("compositionend", plan);
  box.addEventListener("focus", () => {
    if (box.value.trim() !== asked && asked) plan();
  });
  box.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus until the click
  form.addEventListener("submit", close);
})();
