/* ------------------------------------------------------------------------------------------------------ what if */

const MOST_SLIDERS = 18;
const sum = values => values.reduce((a, b) => a + b, 0);
/* The instructions that differ most between two runs, then those that are executed most. */
const worthSliders = tables => {
  const names = [...new Set(tables.flatMap(table => Object.keys(table)))];
  const executed = (table, name) => sum(Object.values(table[name] || {}));
  const most = of => names.filter(name => of(name) > 0).sort((a, b) => of(b) - of(a));
  const differing = most(name => Math.abs(executed(tables[0], name) - executed(tables.at(-1), name))).slice(0, MOST_SLIDERS / 2);
  const used = most(name => sum(tables.map(table => executed(table, name))));
  return [...new Set([...differing, ...used])].slice(0, MOST_SLIDERS);
};
const distinct = values => [...new Set(values)].sort((a, b) => a - b);

/* The sum over all instructions of a number that each has, as often as it is executed; `chosen` has other numbers by name. */
const weighed = (table, chosen) => sum(Object.entries(table).map(([name, by]) =>
  sum(Object.entries(by).map(([value, times]) => times * (chosen.get(name) ?? Number(value))))));

function whatIf() {
  const latencies = new Map(), sizes = new Map(), penalties = new Map(), caches = new Map();
  const events = [...new Set(runs.flatMap(run => Object.keys(run.events)))];
  const sides = [...new Set(data.swept.flatMap(found => Object.keys(found)))];
  const missesOf = (i, side) => (data.swept[i][side] || []).find(
    ([size, ways, line]) => ["size", "ways", "line"].every((key, k) => caches.get(side)[key] === [size, ways, line][k]))?.[3];

  function cycles(i) {
    const swept = sides.map(side => (penalties.get(side) || 0) * (missesOf(i, side) || 0));
    const simulated = events.map(name => (penalties.get(name) || 0) * sum(Object.values(runs[i].events[name] || {})));
    const usual = data.cycles ? data.cycles[i] - weighed(data.latencies[i], new Map()) : 0;
    return usual + weighed(data.latencies[i], latencies) + sum(swept) + sum(simulated);
  }
  function show() {
    const told = (name, of) => {
      const found = runs.map((run, i) => of(i));
      const parts = found.map((value, i) => `${many ? letters[i] + ": " : ""}${value === undefined ? "?" : count(value)} ${name}`);
      if (many && found[0]) parts.push(`B has ${(100 * found[1] / found[0]).toFixed(2)} % of A`);
      return parts.join("  ·  ");
    };
    byId("cycles-result").value = told(data.cycles ? "cycles" : "cycles of latency, added up", cycles);
    byId("bytes-result").value = told("bytes fetched", i => weighed(data.sizes[i], sizes));
    for (const side of sides) byId(`swept-${side}`).value = told(`misses of ${side}`, i => missesOf(i, side));
  }
  function slider(name, value, least, most, set, shown = String) {
    const output = make("output", {}, shown(value));
    const input = make("input", { type: "range", min: least, max: most, value, "aria-label": name });
    input.addEventListener("input", () => { set(Number(input.value)); output.value = shown(Number(input.value)); show(); });
    return make("label", {}, make("span", {}, name), input, output);
  }
  function group(title, ...parts) {
    return make("fieldset", {}, make("legend", {}, title), make("div", { class: "sliders" }, ...parts));
  }
  function ofInstructions(tables, chosen, most) {
    const usual = name => Math.max(...tables.flatMap(found => Object.keys(found[name] || {}).map(Number)));
    return worthSliders(tables).map(name => slider(name, usual(name), 0, most(usual(name)), value => chosen.set(name, value)));
  }
  function ofCache(side) {
    const known = data.swept.flatMap(found => found[side] || []), chosen = {};
    caches.set(side, chosen);
    const steps = ["size", "ways", "line"].map((key, k) => {
      const values = distinct(known.map(cache => cache[k]));
      chosen[key] = values[0];
      return slider(key === "line" ? "bytes of a line" : key, 0, 0, values.length - 1, n => { chosen[key] = values[n]; }, n => count(values[n]));
    });
    const penalty = slider("cycles of a miss", 0, 0, 200, value => penalties.set(side, value));
    return make("fieldset", {}, make("legend", {}, `Cache ${side}`), make("output", { id: `swept-${side}`, class: "result" }),
      make("div", { class: "sliders" }, ...steps, penalty));
  }

  const simulated = events.map(name => slider(name, 0, 0, 200, value => penalties.set(name, value)));
  byId("sliders").append(
    group("Cycles of an instruction", ...ofInstructions(data.latencies, latencies, value => Math.max(20, 2 * value))),
    ...(simulated.length ? [group(`${data.cycles ? "Further cycles" : "Cycles"} of each miss or mistake`, ...simulated)] : []),
    ...sides.map(ofCache),
    group("Bytes of an instruction", ...ofInstructions(data.sizes, sizes, value => Math.max(8, 2 * value))));
  show();
}

