// The desk's script: it makes the editor pleasanter and keeps what is typed. Every essential works without it.
// Nothing here listens to a key or counts a character while an input method is composing a syllable.
"use strict";

(() => {
  const form = document.querySelector("[data-editor]");
  if (!form) return;

  const WORDS = JSON.parse(document.getElementById("editor-words").textContent);
  const KOREAN = document.documentElement.lang === "ko";
  const PAUSE = 2000; // after the last key, before what was typed is sent
  const MOST_BYTES = 8 * 1024 * 1024 - 65536;
  const MOST_FIELDS = 10000 - 100;
  const OLD = 7 * 24 * 60 * 60 * 1000; // what lay in this browser longer is dropped

  const say = (key, values = {}) => WORDS[key].replace(/\{(\w+)\}/g, (_whole, name) => values[name]);
  const all = (selector, root = form) => [...root.querySelectorAll(selector)];
  const isComposing = (event) => event.isComposing || event.keyCode === 229;
  const clock = (at = new Date()) => at.toLocaleTimeString(KOREAN ? "ko" : "en-GB", { hour: "2-digit", minute: "2-digit" });

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function announce(text) {
    document.querySelector("[data-announcer]").textContent = text;
  }

  // Counting characters

  const rough = new Intl.NumberFormat(KOREAN ? "ko" : "en");

  function count(box) {
    const shown = box.id && form.querySelector(`[data-count-of="${CSS.escape(box.id)}"]`);
    if (!shown) return;
    const most = Number(box.dataset.limit);
    const length = [...box.value].length;
    const isOver = length > most;
    const isNear = !isOver && length > most * 0.8;
    const key = isOver ? "tooLong" : most <= 1000 || isNear ? "of" : "characters";
    shown.textContent = say(key, { count: rough.format(length), most: rough.format(most) });
    shown.classList.toggle("is-over", isOver);
    shown.classList.toggle("is-near", isNear);
  }

  // A box as high as its text, where the browser does not see to that

  const fitsItself = CSS.supports("field-sizing", "content");

  function fit(box) {
    if (fitsItself || box.tagName !== "TEXTAREA" || !box.offsetParent) return;
    box.classList.remove("is-fitted");
    box.rows = 1;
    const line = parseFloat(getComputedStyle(box).lineHeight);
    box.rows = Math.min(30, Math.max(1, Math.round((box.scrollHeight - 12) / line)));
  }

  // Keeping what is typed: in this browser at once, on the site after a pause

  const state = form.querySelector("[data-state]");
  const tab = form.elements.tab.value;
  const storeKey = (name) => `incidentlib:${form.dataset.user}:${form.dataset.here}:${name}`;
  let isDirty = "dirty" in form.dataset;
  let isLeaving = false;
  let isAtRest = true; // no composition is going on
  let timer = 0;
  let storing = 0;
  let sending = null;
  let lastSequence = 0;
  let sentText = "";

  function tell(text) {
    state.textContent = text;
    form.classList.toggle("is-dirty", isDirty);
  }

  function nextSequence() {
    lastSequence = Math.max(lastSequence + 1, Date.now());
    form.elements.sequence.value = lastSequence;
    return lastSequence;
  }

  function typed() {
    return [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "sequence");
  }

  function storeHere() {
    clearTimeout(storing);
    storing = 0;
    try {
      localStorage.setItem(storeKey(tab), JSON.stringify({ at: Date.now(), pairs: typed() }));
    } catch {
      // The store is full or forbidden: the site keeps the text all the same.
    }
  }

  function changed() {
    isDirty = true;
    if (!storing) storing = setTimeout(storeHere, 250);
    clearTimeout(timer);
    timer = setTimeout(autosave, PAUSE);
    if (!sending) tell(say("unsaved"));
  }

  function isTooMuch(data) {
    const pairs = [...data];
    const bytes = pairs.reduce((sum, [name, value]) => sum + 100 + name.length + new Blob([value]).size, 0);
    return bytes > MOST_BYTES || pairs.length > MOST_FIELDS;
  }

  // Sends everything that is typed; true when the site has it. One request at a time.
  async function autosave() {
    clearTimeout(timer);
    if (!isAtRest) {
      timer = setTimeout(autosave, PAUSE);
      return false;
    }
    while (sending) await sending;
    const text = JSON.stringify(typed());
    if (text === sentText) return true;
    storeHere();
    sending = send(text);
    const isKept = await sending;
    sending = null;
    return isKept;
  }

  async function send(text) {
    nextSequence();
    const data = new FormData(form);
    data.delete("do");
    if (isTooMuch(data)) {
      tell(say("tooMuch"));
      return false;
    }
    try {
      const answer = await ask(form.dataset.autosave, { method: "POST", body: data });
      if (answer.status === 401) return askToSignIn();
      if (!answer.ok) throw new Error(String(answer.status));
      showKept(await answer.json());
      sentText = text;
      return true;
    } catch {
      tell(say("keptHere"));
      clearTimeout(timer);
      timer = setTimeout(autosave, 15000);
      return false;
    }
  }

  function ask(address, options = {}) {
    return fetch(address, { ...options, headers: { Accept: "application/json" }, credentials: "same-origin" });
  }

  function showKept(answer) {
    isDirty = answer.kept || isDirty;
    if (answer.copy === null && answer.kept === false) {
      isDirty = false;
      localStorage.removeItem(storeKey(tab));
    }
    tell(isDirty ? say("kept", { time: clock() }) : "");
    const sums = form.querySelector("[data-durations]");
    if (sums && answer.durations) sums.replaceChildren(...answer.durations.map(sum));
  }

  function sum(row) {
    const value = make("dd", {}, make("strong", { textContent: row.words }), " ", make("span", { className: "quiet", textContent: row.sum }));
    return make("div", {}, make("dt", { textContent: row.name }), value);
  }

  // Saving: first make sure that the site has the text, then let the browser post the form

  async function save(button) {
    if (isLeaving || form.querySelector(".save-button")?.disabled) return;
    tell(say("saving"));
    const isKept = await autosave();
    if (!isKept) return;
    isLeaving = true;
    nextSequence();
    form.requestSubmit(button || form.querySelector(".save-button"));
  }

  form.addEventListener("submit", (event) => {
    const wanted = event.submitter?.value || "";
    if (isLeaving || /^(up|down|add):/.test(wanted)) return;
    event.preventDefault();
    save(event.submitter);
  });

  window.addEventListener("beforeunload", (event) => {
    if (storing) storeHere();
    if (isDirty && !isLeaving) event.preventDefault();
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden && isDirty && !isLeaving) autosave();
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) isLeaving = false;
  });

  // Signing in again without losing the page

  const dialog = document.querySelector("[data-sign-in]");
  let afterSignIn = null;

  function askToSignIn() {
    tell(say("unsaved"));
    if (!dialog.open) dialog.showModal();
    return new Promise((resolve) => {
      afterSignIn = resolve;
    });
  }

  async function goOn() {
    const problem = dialog.querySelector("[data-sign-in-problem]");
    const answer = await ask(form.dataset.token);
    const told = answer.ok ? await answer.json() : null;
    if (told && String(told.user) === form.dataset.user) {
      all("[name=csrfmiddlewaretoken]", document).forEach((box) => { box.value = told.token; });
      problem.hidden = true;
      dialog.close();
      const data = JSON.stringify(typed());
      const resolve = afterSignIn;
      afterSignIn = null;
      resolve?.(await send(data));
      return;
    }
    problem.textContent = say(told ? "otherPerson" : "stillOut");
    problem.hidden = false;
  }

  function later() {
    dialog.close();
    afterSignIn?.(false);
    afterSignIn = null;
  }

  dialog.querySelector("[data-sign-in-retry]").addEventListener("click", goOn);
  dialog.querySelector("[data-sign-in-close]").addEventListener("click", later);
  dialog.addEventListener("cancel", later);

  // What this browser kept of tabs that are gone

  function lookAround() {
    const saved = new URLSearchParams(location.search).get("saved");
    if (saved) {
      localStorage.removeItem(storeKey(saved));
      history.replaceState(null, "", location.pathname + location.hash);
    }
    const prefix = storeKey("");
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix) && key !== storeKey(tab))
      .forEach((key) => offer(key, key.slice(prefix.length)));
  }

  function offer(key, name) {
    let kept;
    try {
      kept = JSON.parse(localStorage.getItem(key));
    } catch {
      kept = null;
    }
    const copy = document.querySelector(`[data-copy="${CSS.escape(name)}"]`);
    const isOnTheSite = copy && Number(copy.dataset.sequence) >= kept?.at;
    if (!kept || isOnTheSite || Date.now() - kept.at > OLD) {
      localStorage.removeItem(key);
      return;
    }
    const again = make("button", { type: "button", textContent: say("restore") });
    const away = make("button", { type: "button", className: "plain-button", textContent: say("discard") });
    const text = make("p", { textContent: say("found", { time: clock(new Date(kept.at)) }) });
    const notice = make("div", { className: "notice notice-unsaved" }, text, make("p", {}, again, " ", away));
    if (copy) copy.replaceWith(notice);
    else form.before(notice);
    again.addEventListener("click", () => takeUp(key, kept));
    away.addEventListener("click", () => {
      localStorage.removeItem(key);
      notice.remove();
    });
  }

  // Sends the kept text as the working copy it would have become, and opens that.
  async function takeUp(key, kept) {
    const data = new FormData();
    kept.pairs.forEach(([name, value]) => data.append(name, value));
    data.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    data.append("sequence", Date.now());
    const answer = await ask(form.dataset.autosave, { method: "POST", body: data });
    const told = answer.ok ? await answer.json() : null;
    if (!told?.copy) return;
    localStorage.removeItem(key);
    isLeaving = true;
    location.assign(`${form.dataset.here}?restore=${told.copy}`);
  }

  // Items: add, move, remove

  const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

  function newUid(letter) {
    const random = crypto.getRandomValues(new Uint8Array(6));
    return `${letter}-${[...random].map((one) => LETTERS[one % 32]).join("")}`;
  }

  function number(list) {
    all("[data-item]", list).forEach((item, index) => {
      item.querySelector("[data-position]").textContent = index + 1;
    });
    if (list.dataset.list === "sources") renewSources();
  }

  function addItem(list) {
    const uid = newUid(list.dataset.letter);
    const holder = make("template");
    const mark = `${list.dataset.list}[new]`;
    holder.innerHTML = list.querySelector("[data-blank]").innerHTML.replaceAll(mark, `${list.dataset.list}[${uid}]`);
    const item = holder.content.firstElementChild;
    item.querySelector("[data-uid]").value = uid;
    list.querySelector("[data-items]").append(item);
    prepare(item);
    number(list);
    item.querySelector("input:not([type=hidden], [data-remove]), textarea, select")?.focus();
    announce(say("added", { position: all("[data-item]", list).length }));
    changed();
  }

  function move(item, by) {
    const list = item.closest("[data-list]");
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    const focused = document.activeElement;
    if (by < 0) other.before(item);
    else other.after(item);
    focused?.focus();
    item.scrollIntoView({ block: "nearest" });
    number(list);
    announce(say("moved", { position: item.querySelector("[data-position]").textContent }));
    changed();
  }

  function showRemoved(box) {
    const item = box.closest("[data-item]");
    item.classList.toggle("is-removed", box.checked);
    box.parentElement.querySelector("[data-remove-word]").textContent = say(box.checked ? "undo" : "remove");
    if (box.checked) announce(say("removed", { position: item.querySelector("[data-position]").textContent }));
  }

  form.addEventListener("click", (event) => {
    const mover = event.target.closest("[data-move]");
    const adder = event.target.closest("[data-add]");
    const taker = event.target.closest("[data-take]");
    if (mover) move(mover.closest("[data-item]"), Number(mover.dataset.move));
    if (adder) addItem(adder.closest("[data-list]"));
    if (taker) {
      const box = document.getElementById(taker.dataset.take);
      box.value = taker.dataset.text;
      box.dispatchEvent(new Event("input", { bubbles: true }));
      box.focus();
    }
    if (mover || adder || taker) event.preventDefault();
  });

  // The sources, wherever one is chosen or shown

  function sources() {
    return all('[data-list="sources"] [data-item]:not(.is-removed)').map((item, index) => {
      const uid = item.querySelector("[data-uid]").value;
      const address = form.elements[`sources[${uid}].url`]?.value.trim() || "";
      const title = form.elements[`sources[${uid}].title`]?.value.trim() || "";
      return { uid, address, name: title || address.replace(/^https?:\/\//, "") || say("source", { position: index + 1 }) };
    });
  }

  function renewSources() {
    const found = sources();
    all("select[data-source]").forEach((box) => {
      const chosen = box.value;
      const options = found.map((source, index) => new Option(`${index + 1} · ${source.name.slice(0, 60)}`, source.uid));
      const gone = chosen && !found.some((source) => source.uid === chosen) ? [new Option(chosen, chosen)] : [];
      box.replaceChildren(box.options[0], ...options, ...gone);
      box.value = chosen;
    });
    const links = found.filter((source) => /^https?:\/\//.test(source.address)).map(link);
    const pane = form.querySelector("[data-source-links]");
    if (pane && links.length) pane.replaceChildren(...links);
  }

  function link(source) {
    const rel = "noopener noreferrer nofollow";
    return make("li", {}, make("a", { href: source.address, target: "_blank", rel, textContent: source.name }));
  }

  // Words of the vocabulary: typing finds them in either language

  let vocabulary = null;
  let pickers = 0;

  async function learn() {
    const answer = await ask(form.dataset.vocabulary);
    if (!answer.ok) return;
    vocabulary = await answer.json();
    document.getElementById("orgs").append(...vocabulary.orgs.map((name) => make("option", { value: name })));
    all("select[data-terms]").forEach(showMeaning);
  }

  const wordOf = (terms, slug) => vocabulary?.lists[terms]?.find((word) => word.slug === slug);
  const plain = (text) => (text || "").normalize("NFC").toLowerCase();

  function showMeaning(box) {
    if (box.closest("[data-item]") || box.tagName !== "SELECT") return;
    const word = wordOf(box.dataset.terms, box.value);
    let shown = box.parentElement.querySelector(".picker-meaning");
    if (!shown) {
      shown = make("p", { className: "picker-meaning" });
      box.after(shown);
    }
    shown.textContent = (word && (KOREAN ? word.meaning_ko : word.meaning_en)) || "";
  }

  // What can be chosen, behind one interface: the options of a select or the boxes of a list.
  function optionsOf(source) {
    return source.tagName === "SELECT" ? optionsOfSelect(source) : optionsOfList(source);
  }

  function optionsOfSelect(source) {
    return [...source.options].map((option) => {
      const word = wordOf(source.dataset.terms, option.value) || {};
      return {
        value: option.value,
        name: option.textContent,
        other: (KOREAN ? word.en : word.ko) || "",
        meaning: (KOREAN ? word.meaning_ko : word.meaning_en) || "",
        isChosen: () => option.selected,
        choose: () => { source.value = option.value; },
      };
    });
  }

  function optionsOfList(source) {
    return all(".term-list li", source).map((line) => ({
      value: line.querySelector("input").value,
      name: line.querySelector(".term-name").textContent,
      other: line.querySelector(".term-other")?.textContent || "",
      meaning: line.querySelector(".term-meaning")?.textContent || "",
      line,
      isChosen: () => line.querySelector("input").checked,
      choose: (isChosen = true) => {
        const others = all(".term-list input:checked", source).map((box) => box.closest("li"));
        line.querySelector("input").checked = isChosen;
        if (isChosen) others.at(-1)?.after(line); // the order of the list is that of choosing
      },
    }));
  }

  // Turns a list of boxes into words with a box to find more, or a select into a box that finds one.
  function enhance(source) {
    const isOne = source.tagName === "SELECT";
    const id = isOne ? source.id : `picker-${(pickers += 1)}`;
    const terms = source.dataset.terms;
    const tokens = make("ul", { className: "tokens" });
    const input = make("input", { type: "text", className: "picker-input", id, autocomplete: "off", placeholder: say("find") });
    const list = make("ul", { className: "picker-list", id: `${id}-list`, hidden: true });
    const holder = make("div", { className: "picker" }, tokens, input, list);
    let shown = [];
    let active = 0;

    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", list.id);
    input.setAttribute("aria-autocomplete", "list");
    list.setAttribute("role", "listbox");
    source.classList.add("is-enhanced");
    if (isOne) {
      source.removeAttribute("id"); // its label speaks of the box now
      source.tabIndex = -1;
      ["aria-describedby", "aria-invalid"].forEach((name) => {
        if (source.hasAttribute(name)) input.setAttribute(name, source.getAttribute(name));
      });
      source.before(holder);
    } else {
      input.setAttribute("aria-label", source.querySelector("legend").textContent.trim());
      source.querySelector(".term-list").before(holder);
    }

    function renew() {
      if (isOne) {
        input.value = source.selectedOptions[0]?.textContent || "";
        return;
      }
      tokens.replaceChildren(...optionsOf(source).filter((option) => option.isChosen()).map(token));
    }

    function token(option) {
      const drop = make("button", { type: "button", textContent: "×" });
      drop.setAttribute("aria-label", say("drop", { word: option.name }));
      drop.addEventListener("click", () => set(option, false));
      return make("li", { className: "token", title: option.meaning }, option.name, drop);
    }

    function set(option, isChosen) {
      option.choose(isChosen);
      input.value = "";
      renew();
      close();
      source.dispatchEvent(new Event("change", { bubbles: true }));
      changed();
      input.focus();
      if (isOne) close();
    }

    function matches(option, wanted) {
      const word = wordOf(terms, option.value) || {};
      return [option.value, option.name, option.other, word.en, word.ko].some((text) => plain(text).includes(wanted));
    }

    function open(isTyping = false) {
      const wanted = isOne && !isTyping ? "" : plain(input.value.trim());
      shown = optionsOf(source).filter((option) => (isOne || !option.isChosen()) && matches(option, wanted));
      active = Math.max(0, isOne && !isTyping ? shown.findIndex((option) => option.isChosen()) : 0);
      list.replaceChildren(...(shown.length ? shown.map(line) : [make("li", { textContent: say("nothing") })]));
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
      mark();
    }

    function line(option, index) {
      const item = make("li", { id: `${id}-${index}` }, make("span", { className: "term-name", textContent: option.name }));
      if (option.other) item.append(" ", make("span", { className: "term-other", textContent: option.other }));
      if (option.meaning) item.append(make("span", { className: "term-meaning", textContent: option.meaning }));
      item.setAttribute("role", "option");
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        set(option, true);
      });
      return item;
    }

    function mark() {
      [...list.children].forEach((item, index) => item.classList.toggle("is-active", index === active && shown.length > 0));
      if (shown.length) {
        input.setAttribute("aria-activedescendant", `${id}-${active}`);
        list.children[active]?.scrollIntoView({ block: "nearest" });
      }
    }

    function close() {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    input.addEventListener("focus", () => { if (isOne) input.select(); });
    input.addEventListener("click", () => open());
    input.addEventListener("blur", () => { close(); if (isOne) renew(); });
    input.addEventListener("input", (event) => { event.stopPropagation(); open(true); });
    input.addEventListener("keydown", (event) => {
      if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        if (list.hidden) open();
        else active = (active + step + shown.length) % Math.max(1, shown.length);
        mark();
      } else if (event.key === "Enter") {
        event.preventDefault();
        if (!list.hidden && shown[active]) set(shown[active], true);
      } else if (event.key === "Escape") {
        close();
        if (isOne) renew();
      } else if (event.key === "Backspace" && !isOne && !input.value) {
        const last = optionsOf(source).filter((option) => option.isChosen()).at(-1);
        if (last) set(last, false);
      }
    });
    renew();
  }

  // Warnings: perhaps the incident is here already

  let warned = "";

  async function warn() {
    const wanted = new URLSearchParams({ org: form.elements.org?.value || "", date: form.elements.date?.value || "" });
    sources().filter((source) => source.address).forEach((source) => wanted.append("url", source.address));
    const own = /IL-0*([0-9]+)/.exec(form.elements.case.value);
    if (own) wanted.append("number", own[1]);
    if (String(wanted) === warned) return;
    warned = String(wanted);
    const answer = await fetch(`${form.dataset.warnings}?${wanted}`, { credentials: "same-origin" });
    const box = form.querySelector("[data-warnings-box]");
    if (answer.ok && box) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      box.replaceChildren(...page.body.childNodes);
    }
  }

  // Everything typed passes here

  form.addEventListener("compositionstart", () => { isAtRest = false; });
  form.addEventListener("compositionend", (event) => {
    isAtRest = true;
    count(event.target);
    fit(event.target);
    changed();
  });

  form.addEventListener("input", (event) => {
    if (event.isComposing) return;
    if (event.target.matches("[data-remove]")) showRemoved(event.target);
    count(event.target);
    fit(event.target);
    changed();
  });

  form.addEventListener("change", (event) => {
    const name = event.target.name || "";
    if (event.target.matches("select[data-terms]")) showMeaning(event.target);
    if (name.startsWith("sources[")) renewSources();
    if (name === "org" || name === "date" || name.endsWith("].url")) warn();
  });

  document.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && !event.altKey && !event.shiftKey && (event.key.toLowerCase() === "s" || event.key === "Enter")) {
      event.preventDefault();
      save();
    }
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const item = event.target.closest?.("[data-item]");
    if (by && event.altKey && !isCommand && item?.querySelector("[data-move]")) {
      event.preventDefault();
      move(item, by);
    }
    if (event.key === "Enter" && !isCommand && event.target.matches?.("textarea[data-line], input[type=text]")) {
      event.preventDefault();
    }
  });

  // Where on the page one is

  const places = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      all(".editor-nav a").forEach((one) => one.classList.toggle("is-here", one.hash === `#${entry.target.id}`));
    });
  }, { rootMargin: "-15% 0px -75% 0px" });

  function prepare(root) {
    all("textarea, input[type=text]", root).forEach((box) => { count(box); fit(box); });
    all("fieldset[data-terms]:not([disabled]), select[data-terms]:not([disabled])", root).forEach(enhance);
    all("[data-remove]", root).forEach((box) => {
      box.classList.add("for-screen-readers");
      if (box.checked) showRemoved(box);
    });
  }

  prepare(form);
  all(".editor-section").forEach((section) => places.observe(section));
  all("[data-take]").forEach((button) => { button.hidden = false; });
  document.getElementById("complaints")?.focus();
  lookAround();
  learn();
  if (isDirty) tell(state.textContent || say("unsaved"));
})();

// Keys of the reviewer's page: each presses the button or follows the link that carries it
(() => {
  const form = document.querySelector("[data-comment]");

  // The row that somebody is reading: the one with the words that are marked, else the first that begins on the screen.
  function readingAt() {
    const marked = getSelection();
    const row = marked.anchorNode?.parentElement?.closest("[data-place]");
    if (row && !marked.isCollapsed) return { row, words: String(marked).trim() };
    const rows = [...document.querySelectorAll("[data-place]")];
    return { row: rows.find((one) => one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight), words: "" };
  }

  function comment() {
    const { row, words } = readingAt();
    if (row) form.querySelector("[data-comment-place]").value = row.dataset.place;
    if (words) form.querySelector("[data-comment-quote]").value = words.slice(0, 500);
    form.querySelector("[data-comment-text]").focus();
  }

  // The decision whose key led into its note.
  let asked = null;

  // Control and Enter send what is being written: a comment, an answer, or the note of the decision that was asked for.
  function send(box) {
    if (!box.matches?.(".act-form textarea")) return false;
    if (!box.matches("[data-note]")) box.form.requestSubmit();
    else if (asked && box.value.trim()) asked.click();
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.repeat) return;
    const isSending = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isSending && send(event.target)) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    if (!/^[a-z]$/.test(event.key)) return;
    const wanted = document.querySelector(`[data-key="${event.key}"]:not([disabled])`);
    if (!wanted) return;
    event.preventDefault();
    const note = wanted.value === "request-changes" && document.querySelector("[data-note]");
    if (event.key === "c" && form) comment();
    else if (note && !note.value.trim()) {
      asked = wanted;
      note.focus();
    } else wanted.click();
  });
})();
