// The list of cases changes in place (htmx asks for the same whole pages and takes the list out of them). This script
// adds what htmx leaves open: where the focus goes, what is said aloud, what stays open, and what to do when it fails.
"use strict";

(() => {
  const announcer = document.getElementById("announcer");
  const finder = () => document.getElementById("finder");
  const box = document.getElementById("q");
  let wereOpen = new Map();
  let hadFocus = false;
  let turnsPage = false;

  const folds = () => finder().querySelectorAll("details[id]");

  function say(text) {
    announcer.textContent = text;
  }

  // Addresses without the boxes that were left empty.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    for (const [name, value] of [...detail.formData]) if (value === "") detail.formData.delete(name);
  });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.shouldSwap || detail.target !== finder()) return;
    wereOpen = new Map([...folds()].map((fold) => [fold.id, fold.open]));
    hadFocus = document.activeElement !== document.body;
    turnsPage = detail.requestConfig.elt.closest(".pages") !== null;
    announcer.className = "for-screen-readers";
  });

  document.addEventListener("htmx:afterSwap", () => {
    for (const fold of folds()) fold.open = wereOpen.get(fold.id) ?? fold.open;
    if (document.activeElement !== box) box.value = finder().dataset.query;
  });

  document.addEventListener("htmx:afterSettle", () => {
    const total = document.getElementById("total");
    // What had the focus is gone, as a chip is that was taken away: go on at the count.
    if (turnsPage || (hadFocus && document.activeElement === document.body)) total.focus();
    say(total.textContent);
  });

  // An answer that is no list is a page of its own: show it as such.
  document.addEventListener("htmx:responseError", ({ detail }) => location.assign(detail.pathInfo.finalRequestPath));

  document.addEventListener("htmx:sendError", () => {
    announcer.className = "notice";
    say(announcer.dataset.offline);
  });

  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-submits]")) target.form.requestSubmit();
  });

  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-shows-found]")) document.getElementById("filters").open = false;
  });
})();
