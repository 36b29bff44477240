"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (name) => document.getElementById(name);
const FIELDS = ["machine", "level", "arguments", "changes", "source"];
const PAUSE = 500; // milliseconds without a key until the question is asked
const ROWS = 14; // of the table of instructions
const number = (n) => n.toLocaleString("en");
let asked = 0, answered = null, timer = 0;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function state() {
  return Object.fromEntries(FIELDS.map((name) => [name, at(name).value]));
}

function take(values) {
  for (const name of FIELDS) at(name).value = values[name] ?? (name === "level" ? "2" : name === "machine" ? data.first : "");
  if (!at("machine").value) at("machine").value = data.first;
}

// ------------------------------------------------------------------------------------------ the state as part of a link

async function through(stream, bytes) {
  const all = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await all.arrayBuffer());
}

async function packed(values) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(values)));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

// -------------------------------------------------------------------------------------------------- question and answer

// Without a server a worker answers; of the examples as they are, the page has the answers.
const worker = data.answers ? new Worker("worker.js", { type: "module" }) : null;
const waiting = new Map();
if (worker) {
  worker.onmessage = ({ data: { id, answer } }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  worker.onerror = (event) => waiting.forEach((told) => told({ error: `Python has not begun: ${event.message ?? "?"}` }));
}

function known(question) {
  const name = Object.keys(data.examples).find((each) => FIELDS.every((field) => (data.examples[each][field] ?? (field === "level" ? "2" : "")) === question[field]));
  return data.answers?.[name];
}

async function answerTo(question, id) {
  if (known(question)) return known(question);
  if (worker) {
    worker.postMessage({ id, asked: question });
    return new Promise((told) => waiting.set(id, told));
  }
  try {
    const reply = await fetch("answer", { method: "POST", body: JSON.stringify(question) });
    return reply.ok ? await reply.json() : { error: `the server says: ${reply.status} ${reply.statusText}` };
  } catch {
    return { error: "no answer: `ease play` has ended" };
  }
}

async function ask() {
  const mine = ++asked;
  document.querySelector(".answer").classList.add("stale");
  const answer = await answerTo(state(), mine);
  if (mine !== asked) return; // another question was asked meanwhile
  document.querySelector(".answer").classList.remove("stale");
  show(answer);
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

function show(answer) {
  at("error").hidden = !answer.error;
  at("error").textContent = answer.error ?? "";
  if (answer.error) {
    at("verdict").textContent = "This cannot be measured yet";
    at("deltas").replaceChildren();
    at("unused").hidden = true;
    return;
  }
  answered = answer;
  const [before, after] = answer.sides;
  at("verdict").textContent = answer.verdict || `${number(before.totals.instructions)} instructions on ${before.machine}: nothing is changed`;
  at("deltas").replaceChildren(...Object.keys(before.totals).filter((name) => before.totals[name] !== null).map((name) => total(name, before, after)));
  showUnused(answer.unused);
  showCounts(before, after);
  showInstructions(answer.instructions);
  showFunctions(answer.sides);
  const last = after ?? before;
  const differs = after && before.output !== after.output ? `\n[${before.machine} writes something else]\n${before.output}` : "";
  at("output").textContent = `${last.output}${last.output && !last.output.endsWith("\n") ? "\n" : ""}[${last.end}]${differs}`;
}

function total(name, before, after) {
  const place = element("span", `${name} `);
  const [was, is] = [before.totals[name], (after ?? before).totals[name]];
  place.append(element("b", number(is)));
  if (after && is !== was) {
    const part = was ? `${is < was ? "−" : "+"}${((Math.abs(is - was) / was) * 100).toFixed(2)} %` : "";
    place.append(" ", element("span", part, is < was ? "less" : "more"), element("span", ` of ${number(was)}`, "soft"));
  }
  return place;
}

function showUnused(unused) {
  const items = Object.entries(unused).flatMap(([name, places]) => {
    const item = element("li", `${name} is not used. `);
    item.append(element("span", places.length ? "Nearest places:" : "No place of the program has a part of it.", "soft"));
    const list = element("ul");
    list.append(...places.map((place) => element("li", place)));
    item.append(list);
    return [item];
  });
  at("unused").hidden = !items.length;
  at("unused").replaceChildren(...items);
}

function shareOf(count, most) {
  return count > 0 && most > 0 ? (0.55 * Math.sqrt(count / most)).toFixed(3) : "0";
}

function showCounts(before, after) {
  const most = Math.max(1, ...Object.values(before.lines), ...Object.values(after?.lines ?? {}));
  const rows = at("source").value.split("\n").map((_, index) => {
    const counts = (after ? [before, after] : [before]).map((side) => side.lines[index + 1]);
    const row = element("div", undefined, after ? "" : "one");
    row.append(...counts.map((count) => element("span", count === undefined ? "" : number(count))));
    row.style.setProperty("--share", shareOf(counts.at(-1) ?? 0, most));
    return row;
  });
  at("counts").replaceChildren(...rows);
  document.querySelector(".two").hidden = !after;
  scrollCounts();
}

function scrollCounts() {
  at("counts").scrollTop = at("source").scrollTop;
}

function showInstructions(changed) {
  const head = element("thead"), body = element("tbody"), line = element("tr");
  line.append(...["instruction", "before", "after", "change"].map((text) => element("th", text)), element("th", "less"), element("th", "more"));
  head.append(line);
  const most = Math.max(1, ...changed.map(([, was, is]) => Math.abs(is - was)));
  const first = changed.slice(0, ROWS), rest = changed.slice(ROWS);
  const rows = [...first, ...rest.filter((row) => row[3])]; // what is new is always there
  const others = rest.filter((row) => !row[3]);
  if (others.length) rows.push([`${others.length} others`, others.reduce((n, row) => n + row[1], 0), others.reduce((n, row) => n + row[2], 0), false]);
  for (const [name, was, is, isNew] of rows) {
    const row = element("tr", undefined, isNew ? "new" : "");
    const bar = element("span", undefined, is > was ? "bar up" : "bar");
    bar.style.width = `${(126 * Math.min(1, Math.abs(is - was) / most)).toFixed(0)}px`;
    const left = element("td", undefined, "left"), right = element("td", undefined, "right");
    (is > was ? right : left).append(bar);
    row.append(element("th", isNew ? `${name} (new)` : name), element("td", number(was)), element("td", number(is)), element("td", `${is > was ? "+" : "−"}${number(Math.abs(is - was))}`), left, right);
    body.append(row);
  }
  at("instructions").replaceChildren(...(changed.length ? [head, body] : [element("caption", "none")]));
}

function showFunctions(sides) {
  const names = Object.keys(sides[0].functions), chosen = at("function").value;
  at("function").replaceChildren(...names.map((name) => element("option", name)));
  at("function").value = names.includes(chosen) ? chosen : hottest(sides[0].functions);
  showCode();
}

function hottest(functions) {
  const executed = (rows) => rows.reduce((n, row) => n + row[2], 0);
  return Object.keys(functions).reduce((best, name) => (executed(functions[name]) > executed(functions[best] ?? []) ? name : best), "");
}

function showCode() {
  const name = at("function").value, fresh = new Set(answered.instructions.filter((row) => row[3]).map((row) => row[0]));
  const most = Math.max(1, ...answered.sides.flatMap((side) => (side.functions[name] ?? []).map((row) => row[2])));
  at("code").replaceChildren(...answered.sides.map((side) => {
    const place = element("div"), rows = side.functions[name];
    place.append(element("h3", `${side.machine}: executed, line, code`));
    for (const [text, line, executed, instruction] of rows ?? []) {
      const row = element("div", undefined, fresh.has(instruction) ? "row new" : "row");
      row.style.setProperty("--share", shareOf(executed, most));
      row.append(element("span", number(executed)), element("span", line || ""), element("span", text));
      place.append(row);
    }
    if (!rows) place.append(element("h3", "the function is part of others here"));
    return place;
  }));
}

// ------------------------------------------------------------------------------------------------------------ beginning

async function begin() {
  at("example").append(...Object.keys(data.examples).map((name) => element("option", name)));
  at("machine").append(...data.machines.map((name) => element("option", name)));
  let given = null;
  try {
    given = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : null;
  } catch {
    given = null; // somebody cut the link
  }
  take(given ?? Object.values(data.examples)[0]);
  for (const name of ["changes", "source", "arguments"]) at(name).addEventListener("input", soon);
  for (const name of ["machine", "level"]) at(name).addEventListener("change", ask);
  at("example").addEventListener("change", () => {
    take(data.examples[at("example").value]);
    ask();
  });
  at("function").addEventListener("change", showCode);
  at("source").addEventListener("scroll", scrollCounts);
  at("choices").addEventListener("submit", (event) => event.preventDefault());
  at("link").addEventListener("click", async () => {
    location.hash = await packed(state());
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    at("link").textContent = "It is in the address";
    setTimeout(() => (at("link").textContent = "Copy a link to this"), 2000);
  });
  await ask();
}

begin();
