"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const runs = data.runs, letters = ["A", "B"], many = runs.length > 1;
const SVG = "http://www.w3.org/2000/svg";
const [RTL_TEXT, ASSEMBLY, CAUSE, NAME] = [3, 2, 1, 0];
const GAP = 3; // source lines that are shown between two that have code

function make(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
const count = value => value.toLocaleString("en-US");
const byId = id => document.getElementById(id);
const find = (run, name) => run.functions.find(f => f.name === name);

/* ------------------------------------------------------------------------------------------ source and code */

function names() {
  const whole = new Map();
  for (const run of runs)
    for (const f of run.functions)
      if (f.own || byId("library").checked) whole.set(f.name, (whole.get(f.name) || 0) + f.executed);
  return [...whole].sort((a, b) => b[1] - a[1]);
}

function fillFunctions() {
  const select = byId("function"), old = select.value;
  select.replaceChildren(...names().map(([name, executed]) => make("option", { value: name }, `${name}  (${count(executed)})`)));
  if ([...select.options].some(option => option.value === old)) select.value = old;
}

function lineCounts(run, f) {
  const found = new Map();
  if (f) f.lines.forEach((line, i) => found.set(line, (found.get(line) || 0) + (run.kinds[f.kinds[i]][4] ? f.counts[i] : 0)));
  return found;
}

function heat(cell, value, most) {
  if (value) {
    cell.className += " hot";
    cell.style.setProperty("--share", (0.06 + 0.5 * value / most).toFixed(3));
  }
  return cell;
}

function coloured(row, line, hues) {
  row.dataset.line = line;
  row.dataset.hue = "";
  row.style.setProperty("--hue", hues.get(line));
  row.tabIndex = -1;
  return row;
}

function heading(...cells) {
  return make("thead", {}, make("tr", {}, ...cells.map(text => make("th", { scope: "col" }, text))));
}

function sourcePanel(functions, hues) {
  const file = functions.find(Boolean).file, text = data.sources[file];
  if (!text) return null;
  const counts = runs.map((run, i) => lineCounts(run, functions[i]));
  const most = Math.max(1, ...counts.flatMap(found => [...found.values()]));
  const events = runs.map(run => Object.entries(run.events));
  const titles = runs.map((run, i) => (many ? letters[i] : "executed"));
  const simulated = runs.flatMap((run, i) => events[i].map(([name, places]) => [(many ? `${letters[i]}: ` : "") + name, places]));
  const body = make("tbody"), lines = [...hues.keys()].filter(line => line > 0).sort((a, b) => a - b);
  let last = 0;
  for (const line of lines) {
    if (last && line - last > 2 * GAP) {
      body.append(make("tr", { class: "gap" }, make("td", { colspan: titles.length + simulated.length + 2 }, "⋯")));
      last = line - GAP;
    }
    for (let number = last ? last + 1 : Math.max(1, line - GAP); number <= line; number++) body.append(sourceRow(number));
    last = line;
  }
  function sourceRow(number) {
    const row = make("tr", {}, make("td", { class: "n number" }, String(number)));
    runs.forEach((run, i) => {
      const value = counts[i].get(number);
      row.append(heat(make("td", { class: "n" }, value === undefined ? "" : count(value)), value, most));
    });
    row.append(make("td", { class: "text" }, text[number - 1] ?? ""));
    for (const [, places] of simulated) row.append(make("td", { class: "n" }, hues.has(number) ? count(places[`${file}:${number}`] || 0) : ""));
    return hues.has(number) ? coloured(row, number, hues) : row;
  }
  return make("div", {}, make("table", { "aria-label": `source, ${file}` }, heading("line", ...titles, file, ...simulated.map(([name]) => name)), body));
}

function codePanel(run, number, f, hues) {
  const most = Math.max(1, ...f.counts), starts = new Map(f.blocks.map((first, i) => [first, f.labels[i]]));
  const rtls = byId("rtl").checked, body = make("tbody");
  f.kinds.forEach((kind, i) => {
    if (starts.get(i)) body.append(make("tr", { class: "label" }, make("td"), make("td", {}, starts.get(i) + ":")));
    const what = run.kinds[kind];
    const row = make("tr", {}, heat(make("td", { class: "n" }, count(f.counts[i])), f.counts[i], most),
      make("td", { class: "text", title: `${what[NAME]}, line ${f.lines[i]}` }, "  " + what[ASSEMBLY]));
    if (rtls) row.append(make("td", { class: "rtl" }, what[RTL_TEXT]));
    row.append(make("td", { class: "cause" }, what[CAUSE] === "program" ? "" : what[CAUSE]));
    body.append(coloured(row, f.lines[i], hues));
  });
  const titles = ["executed", (many ? letters[number] + ": " : "") + run.machine, ...(rtls ? ["RTL"] : []), "cause"];
  return make("div", {}, make("table", { "aria-label": `code for ${run.machine}` }, heading(...titles), body));
}

function showFunction() {
  const name = byId("function").value, functions = runs.map(run => find(run, name));
  const lines = [...new Set(functions.flatMap(f => (f ? f.lines : [])))].sort((a, b) => a - b);
  const hues = new Map(lines.map((line, i) => [line, Math.round(i * 137.5) % 360])); // the golden angle keeps neighbours apart
  const panels = [sourcePanel(functions, hues), ...runs.map((run, i) => functions[i] && codePanel(run, i, functions[i], hues))];
  byId("listing").replaceChildren(...panels.filter(Boolean));
  for (const table of byId("listing").querySelectorAll("table")) {
    const first = table.querySelector("tr[data-line]");
    if (first) first.tabIndex = 0;
  }
  showHottest();
  byId("graph").replaceChildren(...runs.map((run, i) => functions[i] && graph(run, i, functions[i])).filter(Boolean));
}

const share = cell => Number(cell.style.getPropertyValue("--share"));
const hotter = (most, row) => (share(row.querySelector("td.hot") || row) > share(most.querySelector("td.hot") || most) ? row : most);

function showHottest() {
  const shares = [...byId("listing").querySelectorAll("tr[data-line] td.hot")];
  const hottest = shares.reduce((most, cell) => (!most || share(cell) > share(most) ? cell : most), null);
  if (hottest) choose(hottest.closest("tr"), true);
}

function choose(row, scrolls) {
  const listing = byId("listing"), line = row.dataset.line;
  for (const other of listing.querySelectorAll("tr.chosen")) other.classList.remove("chosen");
  for (const panel of listing.children) {
    const same = [...panel.querySelectorAll(`tr[data-line="${line}"]`)];
    same.forEach(other => other.classList.add("chosen"));
    if (scrolls && same.length && !panel.contains(document.activeElement))
      panel.scrollTop = (same.includes(row) ? row : same.reduce(hotter)).offsetTop - panel.clientHeight / 3;
  }
}

byId("listing").addEventListener("mouseover", event => {
  const row = event.target.closest("tr[data-line]");
  if (row) choose(row, false);
});
byId("listing").addEventListener("click", event => {
  const row = event.target.closest("tr[data-line]");
  if (row) { choose(row, true); row.focus({ preventScroll: true }); }
});
byId("listing").addEventListener("focusin", event => {
  const row = event.target.closest("tr[data-line]");
  if (row) choose(row, true);
});
byId("listing").addEventListener("keydown", event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], row = event.target.closest("tr[data-line]");
  if (!step || !row) return;
  const rows = [...row.parentElement.querySelectorAll("tr[data-line]")], next = rows[rows.indexOf(row) + step];
  if (next) next.focus();
  event.preventDefault();
});

/* ------------------------------------------------------------------------------------------ control flow */

const BOX = { width: 178, height: 40, across: 26, down: 46, bend: 34 };

function places(f) {
  const wide = layer => layer.reduce((sum, node) => sum + (node < f.blocks.length ? BOX.width + BOX.across : BOX.bend), 0);
  const widest = Math.max(...f.layers.map(wide)), found = new Map();
  f.layers.forEach((layer, level) => {
    let x = 20 + (widest - wide(layer)) / 2;
    for (const node of layer) {
      const width = node < f.blocks.length ? BOX.width : BOX.bend;
      found.set(node, { x, y: 10 + level * (BOX.height + BOX.down), middle: x + width / 2 });
      x += width + (node < f.blocks.length ? BOX.across : 0);
    }
  });
  return { found, width: widest + 60, height: f.layers.length * (BOX.height + BOX.down) };
}

function graph(run, number, f) {
  if (!f.layers.length) return make("div", {}, "Not known: the run was kept by an earlier version.");
  const { found, width, height } = places(f), tip = `tip${number}`;
  const svg = make("svg:svg", { width, height, role: "img", "aria-label": `Control flow of ${f.name}, ${run.machine}` },
    make("svg:defs", {}, make("svg:marker", { id: tip, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      markerUnits: "userSpaceOnUse", orient: "auto" }, make("svg:path", { d: "M0 0L8 4L0 8z" }))));
  const most = Math.max(1, ...f.blocks.map(first => f.counts[first] || 0));
  const inside = f.edges.filter(([, to]) => to >= 0);
  const texts = inside.map(([from, to, taken, bends]) =>
    edge(svg, found.get(from), found.get(to), bends.map(bend => found.get(bend)), taken, most, tip));
  f.layers.flat().filter(node => node < f.blocks.length).forEach(block => box(svg, f, block, found.get(block), most));
  svg.append(...texts);
  return make("div", {}, many ? make("p", { class: `letter r${number}` }, letters[number]) : "", svg);
}

function edge(svg, from, to, bends, taken, most, tip) {
  const back = to.y <= from.y, shift = back ? 24 : 0;
  const points = [{ x: from.middle + shift, y: back ? from.y : from.y + BOX.height },
    ...bends.flatMap(({ middle, y }) => (back ? [{ x: middle, y: y + BOX.height }, { x: middle, y }] : [{ x: middle, y }, { x: middle, y: y + BOX.height }])),
    { x: to.middle + shift, y: back ? to.y + BOX.height : to.y }];
  let d = `M${points[0].x} ${points[0].y}`;
  if (from === to) d = `M${from.x + BOX.width} ${from.y + 28}h12q6 0 6 -6v-6q0 -6 -6 -6h-10`;
  else for (let i = 0; i + 1 < points.length; i += 2) {
    const [a, b] = [points[i], points[i + 1]], half = (b.y - a.y) / 2;
    d += `C${a.x} ${a.y + half} ${b.x} ${b.y - half} ${b.x} ${b.y}` + (points[i + 2] ? `L${points[i + 2].x} ${points[i + 2].y}` : "");
  }
  svg.append(make("svg:path", { d, class: back ? "back" : "", "stroke-width": taken ? 1 + 2.5 * taken / most : 0.6,
    "stroke-dasharray": taken ? "none" : "3 3", "marker-end": `url(#${tip})` }));
  const near = from === to ? { x: from.x + BOX.width + 22, y: from.y + 24 } : { x: (points[0].x * 2 + points[1].x) / 3 + 5, y: (points[0].y * 2 + points[1].y) / 3 + 4 };
  return make("svg:text", { ...near, class: "edge" }, taken === null ? "?" : count(taken));
}

function box(svg, f, block, { x, y }, most) {
  const first = f.blocks[block], end = f.blocks[block + 1] ?? f.kinds.length, executed = f.counts[first] || 0;
  const lines = f.lines.slice(first, end).filter(line => line > 0), from = Math.min(...lines), to = Math.max(...lines);
  const rect = make("svg:rect", { x, y, width: BOX.width, height: BOX.height, rx: 4 });
  rect.style.setProperty("--share", executed ? 0.06 + 0.5 * executed / most : 0);
  const where = lines.length ? (from === to ? `line ${from}` : `lines ${from}-${to}`) : "";
  svg.append(rect, make("svg:text", { x: x + 8, y: y + 16 }, `${f.labels[block]}  ${count(executed)}`),
    make("svg:text", { x: x + 8, y: y + 32, class: "value" }, `${end - first} RTL${end - first > 1 ? "s" : ""}, ${where}`));
}

/* ------------------------------------------------------------------------------------------ calls */

function callTable() {
  const body = make("tbody"), shown = new Map();
  runs.forEach((run, i) => run.functions.forEach(f => {
    if (!shown.has(f.name)) shown.set(f.name, []);
    shown.get(f.name)[i] = f;
  }));
  const entered = runs.map(run => {
    const found = new Map();
    for (const [, callee, times] of run.calls) found.set(callee, (found.get(callee) || 0) + times);
    return found;
  });
  const callers = name => [...new Set(runs.flatMap(run => run.calls.filter(call => call[1] === "_" + name || call[1] === name).map(call => call[0].replace(/^_/, ""))))];
  const rows = [...shown].sort((a, b) => Math.max(...b[1].map(f => (f ? f.inclusive : 0))) - Math.max(...a[1].map(f => (f ? f.inclusive : 0))));
  for (const [name, found] of rows.slice(0, 60)) {
    const cells = runs.flatMap((run, i) => found[i] ? [found[i].inclusive, found[i].executed, entered[i].get("_" + name) || entered[i].get(name) || 0].map(count) : ["", "", ""]);
    body.append(make("tr", {}, make("th", { scope: "row" }, name), ...cells.map(text => make("td", { class: "n" }, text)), make("td", {}, callers(name).slice(0, 6).join(", "))));
  }
  const titles = runs.flatMap((run, i) => ["with callees", "by itself", "calls"].map(text => (many ? letters[i] + ": " : "") + text));
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "function"), ...titles.map(text => make("th", { scope: "col", class: "n" }, text)), make("th", { scope: "col" }, "called by")));
  byId("call-table").append(make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Calls" }, make("table", {}, head, body)));
}

byId("function").addEventListener("change", showFunction);
byId("rtl").addEventListener("change", showFunction);
byId("library").addEventListener("change", () => { fillFunctions(); showFunction(); });
fillFunctions();
showFunction();
callTable();
