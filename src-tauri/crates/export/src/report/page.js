// Shows the state at the event that the slider stands at: every change up to there, one after the other.
"use strict";
(() => {
  const run = JSON.parse(document.getElementById("galley-run").textContent);
  const slider = document.getElementById("moment");
  const table = document.getElementById("state");
  const at = document.getElementById("at");
  // A value that looks like a reference to a stored one is written inside another.
  const plain = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 1 && "$whole" in value
      ? value.$whole
      : value;
  const show = () => {
    const until = Number(slider.value);
    const state = new Map();
    let last = {};
    for (const event of run.events) {
      if (event.seq > until) break;
      const delta = event.fact.delta;
      if (event.seq === until) last = delta?.set ?? {};
      for (const key of delta?.removed ?? []) state.delete(key);
      for (const [key, value] of Object.entries(delta?.set ?? {})) state.set(key, plain(value));
    }
    const rows = [...state.keys()].sort().map((key) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      const cell = document.createElement("td");
      const text = document.createElement("pre");
      name.textContent = key;
      text.textContent = JSON.stringify(state.get(key), null, 2);
      cell.append(text);
      row.append(name, cell);
      row.classList.toggle("changed", key in last);
      return row;
    });
    table.replaceChildren(...rows);
    at.textContent = `${until} of ${run.events.length}`;
  };
  slider.addEventListener("input", show);
  show();
})();
