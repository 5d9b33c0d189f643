// Examples of the interface for programs: shown one language at a time, copied, and run in the page.
// Without this script every program is shown, and a link leads to the answer.
"use strict";

(() => {
  const MOST_SHOWN = 20000; // characters of an answer

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const button = (text, act, className = "") => {
    const made = make("button", { type: "button", textContent: text, className });
    made.addEventListener("click", () => act(made));
    return made;
  };

  function choose(programs, buttons, chosen) {
    programs.forEach((program, place) => { program.hidden = place !== chosen; });
    buttons.forEach((one, place) => one.setAttribute("aria-pressed", String(place === chosen)));
  }

  async function copy(example, pressed) {
    const shown = example.querySelector(".api-program:not([hidden]) code");
    await navigator.clipboard.writeText(shown.textContent);
    pressed.textContent = example.dataset.copied;
    setTimeout(() => { pressed.textContent = example.dataset.copy; }, 1500);
  }

  function pretty(text, type) {
    if (!type.endsWith("json")) return text;
    return JSON.stringify(JSON.parse(text), null, 2);
  }

  async function ask(url) {
    const began = performance.now();
    const response = await fetch(url, { headers: { Accept: "application/json, */*" } });
    const text = await response.text();
    const type = (response.headers.get("Content-Type") || "").split(";")[0];
    const took = Math.round(performance.now() - began);
    return { head: `${response.status} · ${type} · ${took} ms`, text: pretty(text, type) };
  }

  async function run(example, answer) {
    const { url, failed, cut } = example.dataset;
    answer.hidden = false;
    const [head, box] = answer.children;
    try {
      const told = await ask(url);
      head.textContent = told.head;
      box.textContent = told.text.length > MOST_SHOWN ? `${told.text.slice(0, MOST_SHOWN)}\n${cut}` : told.text;
      box.hidden = false;
    } catch {
      head.textContent = failed;
      box.hidden = true;
    }
  }

  function prepare(example) {
    const programs = [...example.querySelectorAll(".api-program")];
    const bar = make("div", { className: "api-bar" });
    const choices = programs.map((program, place) => button(program.dataset.name, () => choose(programs, choices, place)));
    const acts = make("span", { className: "api-acts" });
    if (navigator.clipboard) acts.append(button(example.dataset.copy, (pressed) => copy(example, pressed)));
    bar.append(...(choices.length > 1 ? choices : []), acts);
    example.prepend(bar);
    example.querySelectorAll(".api-name").forEach((name) => { name.hidden = choices.length > 1; });
    choose(programs, choices, 0);
    if (!example.dataset.url) return;
    const answer = make("div", { className: "api-answer", hidden: true });
    answer.setAttribute("role", "status");
    const box = make("pre", { tabIndex: 0, translate: false, lang: "en" });
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", example.dataset.answer);
    answer.append(make("p", { className: "api-name" }), box);
    acts.append(button(example.dataset.run, () => run(example, answer), "api-run"));
    example.append(answer);
    example.querySelector(".api-plain").hidden = true;
  }

  document.querySelectorAll(".api-example").forEach(prepare);
})();
