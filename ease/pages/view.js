"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const [NUMBER, TEXT, LINES, CAUSE] = [0, 1, 2, 3];
const byId = id => document.getElementById(id);
let chosen = 0; // the number of the RTL that is followed

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const states = []; // what the function is after each step: numbers of rows
for (const [, , , first, removed, inserted] of data.steps) {
  const state = states.length ? [...states[states.length - 1]] : [];
  state.splice(first, removed, ...inserted);
  states.push(state);
}
const texts = state => new Map(state.map(row => data.rows[row]).filter(row => row[NUMBER]).map(row => [row[NUMBER], row[TEXT]]));
const known = states.map(texts);
const current = () => Number(byId("step").value);

function panel(title, step, other, mark) {
  const body = make("tbody"), theirs = other === null ? null : known[other];
  const labels = new Set(other === null ? [] : states[other].map(row => data.rows[row]).filter(row => !row[NUMBER]).map(row => row[TEXT]));
  for (const place of step === null ? [] : states[step]) {
    const row = data.rows[place], [number, text, lines, cause] = row;
    if (!number) {
      const times = data.executed[text];
      body.append(make("tr", { class: "label" + (theirs && !labels.has(text) ? " " + mark : "") }, make("td", {}, `${text}:`),
        make("td", {}, times === undefined ? "" : `executed ${times.toLocaleString("en-US")} ×`), make("td")));
      continue;
    }
    const change = !theirs ? "" : !theirs.has(number) ? mark : theirs.get(number) !== text ? "changed" : "";
    const source = lines.map(line => data.source[line - 1]).filter(Boolean).map(line => line.trim()).join("\n");
    const made = make("tr", { "data-number": number, tabindex: -1, class: change + (number === chosen ? " chosen" : "") },
      make("td", { class: "n number", title: source }, lines.filter(Boolean).join(",")), make("td", { class: "text" }, text),
      make("td", { class: "cause" }, cause === "program" ? "" : cause));
    made.style.setProperty("--hue", 45);
    body.append(made);
  }
  const head = make("thead", {}, make("tr", {}, ...["line", title, "cause"].map(text => make("th", { scope: "col" }, text))));
  return make("div", {}, make("table", { "aria-label": title }, head, body));
}

function show() {
  const step = current(), [, phase, change] = data.steps[step];
  const number = change ? `change ${change}` : step ? "needed change" : "the beginning";
  byId("what").textContent = `${step + 1} of ${data.steps.length}: ${phase}, ${number}`;
  byId("why").textContent = data.phases[phase];
  const places = [...byId("listing").children].map(panel => panel.scrollTop);
  const before = step ? step - 1 : null;
  byId("listing").replaceChildren(panel("before", before, step, "gone"), panel("after", step, before, "new"));
  [...byId("listing").children].forEach((panel, i) => { panel.scrollTop = places[i] || 0; });
  const seen = byId("listing").querySelector(".chosen") || byId("listing").querySelector(".new, .changed, .gone");
  for (const panel of byId("listing").children) {
    const row = panel.querySelector(".new, .changed, .gone") || panel.querySelector(".chosen") || null;
    if (row && step) panel.scrollTop = row.offsetTop - panel.clientHeight / 3;
  }
  if (seen) seen.tabIndex = 0;
  byId("phase").value = String(runs.findLastIndex(([first]) => first <= step));
  byId("first").disabled = byId("back").disabled = step === 0;
  byId("last").disabled = byId("next").disabled = step === states.length - 1;
  byId("came").disabled = source() === null;
  byId("went").disabled = target() === null;
}

function go(step) {
  byId("step").value = Math.max(0, Math.min(states.length - 1, step));
  show();
}

/* The step before the shown one in which the chosen RTL was made or changed, and the one behind it in which it is changed or gone. */
function source() {
  const own = known[current()].has(chosen) ? current() : current() - 1;
  for (let step = Math.min(own, current() - (known[current()].has(chosen) ? 0 : 1)); chosen && step >= 0; step--)
    if (known[step].has(chosen) && (!step || known[step - 1].get(chosen) !== known[step].get(chosen)))
      if (step < current() || !known[current()].has(chosen)) return step;
  return null;
}
function target() {
  for (let step = current() + 1; chosen && step < states.length; step++)
    if (known[step - 1].has(chosen) && known[step].get(chosen) !== known[step - 1].get(chosen)) return step;
  return null;
}

const runs = []; // first step of each run of a phase, and its name
data.steps.forEach(([run, phase], step) => { if (!runs.length || runs[runs.length - 1][1] !== run) runs.push([step, run, phase]); });
byId("phase").append(...runs.map(([, run, phase], i) => make("option", { value: i }, run ? `${run} ${phase}` : phase)));

byId("step").addEventListener("input", show);
byId("phase").addEventListener("change", event => go(runs[event.target.value][0]));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(current() - 1));
byId("next").addEventListener("click", () => go(current() + 1));
byId("last").addEventListener("click", () => go(states.length - 1));
byId("came").addEventListener("click", () => source() !== null && go(source()));
byId("went").addEventListener("click", () => target() !== null && go(target()));
function follow(row) {
  chosen = Number(row.dataset.number);
  byId("chosen").textContent = row.querySelector(".text").textContent;
  show();
}
byId("listing").addEventListener("click", event => {
  const row = event.target.closest("tr[data-number]");
  if (row) follow(row);
});
document.addEventListener("keydown", event => {
  const row = event.target.closest("tr[data-number]");
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
  if (event.key === "ArrowRight") go(current() + 1);
  else if (event.key === "ArrowLeft") go(current() - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(states.length - 1);
  else if (event.key === "[") byId("came").click();
  else if (event.key === "]") byId("went").click();
  else if (row && event.key === "Enter") follow(row);
  else if (row && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const rows = [...row.parentElement.querySelectorAll("tr[data-number]")];
    rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  } else return;
  event.preventDefault();
});
const wanted = Number(location.hash.slice(1)); // a step can be named: page.html#12
go(wanted > 0 ? wanted - 1 : 0);
