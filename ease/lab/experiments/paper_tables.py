"""Machines side by side, as in tables and figures of the paper."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import exp, log
from statistics import median_low
from typing import Any

from cache_sim.config import ConfigurationError
from cache_sim.describe import plain
from cache_sim.parse import load as load_system
from cache_sim.results import CacheResults
from cache_sim.results import Results as Simulated
from cache_sim.words import format_size, parse_size
from ease import TitledTable, number, percent
from ease.lab.experiments.experiment import Experiment, Outcome, Results, Variant, have_cycles, ratio, total
from vpo.base.errors import UserError
from vpo.machines.calling_convention import METHODS
from vpo.machines.machine import Machine
from vpo.machines.read.load import load
from vpo.rtl import Register

# ----------------------------------------------------------------------------------------------------------------------
# How many registers, and how many of them scratch: Table II of the paper.


def _register_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which numbers of registers to try."""
    parser.add_argument("--allocable", type=_numbers, default=[4, 8, 12, 16], help="numbers of integer registers (4,8,12,16)")
    parser.add_argument("--scratch", type=_numbers, help="numbers of scratch ones among them (a quarter to three quarters)")


def _numbers(text: str) -> list[int]:
    try:
        numbers = sorted({int(word) for word in text.split(",")})
    except ValueError:
        numbers = [0]
    if numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected numbers above 0, such as 4,8,12")
    return numbers


def _register_variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each number of registers."""
    return [
        variant(load(machine, options.set), machine, options, allocable, scratch)
        for machine in options.machines
        for allocable, scratch in _pairs(options)
    ]


def _pairs(options: argparse.Namespace) -> list[tuple[int, int]]:
    """Return numbers of allocable and of scratch registers among them."""
    pairs = []
    for allocable in options.allocable:
        wanted = options.scratch or range(max(1, allocable // 4), allocable * 3 // 4 + 1)
        pairs += [(allocable, scratch) for scratch in wanted if scratch < allocable]
    return pairs


def variant(machine: Machine, name: str, options: argparse.Namespace, allocable: int, scratch: int) -> Variant:
    """Return a machine with so many allocable integer registers, so many of them scratch.

    Registers beyond those that the machine has are added to its class.  Scratch are, first, those of results and
    arguments.  Raises UserError if the machine has no use for so few.
    """
    cls = machine.classes[machine.values.integer].bank
    convention, sets = machine.convention, list(options.set)
    known = [r for r in machine.allocable[cls] if r is not convention.link]
    count = machine.classes[cls].count
    added = [Register(cls, count + i, machine.classes[cls].type) for i in range(max(0, allocable - len(known)))]
    if added:
        names = [*machine.classes[cls].names[:count], *(f"{cls}{r.index}" for r in added)]
        sets += [f"registers.{cls}.count={count + len(added)}", f"registers.{cls}.names={_list(names)}"]
    carriers = [r for kinds in (convention.results, convention.arguments) for rs in kinds.values() for r in rs if r.cls == cls]
    first = [r for r in dict.fromkeys(carriers) if r in known]
    preserved = [r for r in known if r in convention.saved]
    others = [r for r in known if r not in first and r not in preserved]
    order = [*first, *others, *added, *preserved]
    fixed = len(dict.fromkeys(r for r in convention.results.get("integer", ()) if r in known))
    if scratch < fixed:
        raise UserError([f"{name} needs {fixed} scratch registers: those of results"])
    chosen = order[:scratch] + list(reversed(order[scratch:]))[: allocable - scratch]
    elsewhere = [r for r in convention.saved if r.cls != cls]
    link = [convention.link] if convention.link in machine.allocable[cls] else []
    sets.append(f"allocable.{cls}={_list([*chosen, *link])}")
    sets.append(f"calls.saved={_list([*chosen[scratch:], *elsewhere])}")
    return Variant(name, tuple(sets))


def _list(items: Sequence[object]) -> str:
    return "[" + ", ".join(f"'{item}'" for item in items) + "]"


def _register_tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show what each combination costs; the best of each number of registers is marked."""
    outcomes = iter(results.values())
    result = []
    for machine in options.machines:
        measured = [(pair, total(next(outcomes))) for pair in _pairs(options)]
        timed = have_cycles(outcome for _, outcome in measured)
        heads = ["instructions", "memory references", "save/restore", "spill", *(["cycles"] if timed else [])]
        rows = [["registers", "scratch", "", *heads]]
        for (allocable, scratch), outcome in measured:
            best = min(o.memory for (a, _), o in measured if a == allocable)
            saving, spilling = outcome.references.get("save/restore", 0), outcome.causes.get("spill", 0)
            mark = "best" if outcome.memory == best else ""
            numbers = [number(n) for n in (outcome.instructions, outcome.memory, saving, spilling)]
            numbers += [number(outcome.cycles or 0)] if timed else []
            rows.append([str(allocable), str(scratch), mark, *numbers])
        result.append(TitledTable(f"Allocable and scratch registers, {machine}", rows, keys=3))
    return result


def _register_json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and combination."""
    outcomes = iter(results.values())
    return {
        machine: [{"allocable": a, "scratch": s} | total(next(outcomes)).json() for a, s in _pairs(options)]
        for machine in options.machines
    }


REGISTERS = Experiment(
    "registers", "how many allocable registers, and how many of them scratch", _register_arguments, _register_variants,
    _register_tables, _register_json,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Saving and restoring registers: the six methods, and three mechanisms to do it (Table III of the paper).
#
# The mechanisms are compared as the paper does, as if the machine had them: a run with single loads and stores says how
# often registers are saved or restored, and at how many points.  A special instruction does one point's at once; a mask in
# the call does them with no instruction, and two memory references a call for the mask itself.


MASK_REFERENCES = 2  # of a call: the mask is saved, and restored


def _saving_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the method under which mechanisms are compared."""
    parser.add_argument("--method", choices=METHODS, default="caller", help="compare mechanisms under this one (caller)")


def _saving_variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each method, and with single saves under one."""
    result = []
    for machine in options.machines:
        result += [_method(options, machine, method) for method in METHODS]
        result.append(_single(options, machine))
    return list(dict.fromkeys(result))


def _method(options: argparse.Namespace, machine: str, method: str) -> Variant:
    return Variant(machine, (*options.set, f"calls.save={method}"))


def _single(options: argparse.Namespace, machine: str) -> Variant:
    return Variant(machine, (*options.set, f"calls.save={options.method}", "calls.save_with=single"))


def _saving_tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show the methods and the mechanisms of each machine; of several machines, the methods side by side first."""
    makers = (_methods, _mechanisms)
    each = [make(options, machine, results) for machine in options.machines for make in makers]
    return [_methods_by_machine(options, results), *each] if len(options.machines) > 1 else each


def _methods_by_machine(options: argparse.Namespace, results: Results) -> TitledTable:
    """Return methods down and machines across, each measure as a ratio to the first method on that machine."""
    totals = {m: {method: total(results[_method(options, m, method)]) for method in METHODS} for m in options.machines}
    timed = have_cycles(outcome for outcomes in totals.values() for outcome in outcomes.values())
    rows = [["measure", "method", *options.machines]]
    for name, get in (MEASURES | (CYCLES if timed else {})).items():
        for method in METHODS:
            pairs = [(get(outcomes[method]), get(outcomes[METHODS[0]])) for outcomes in totals.values()]
            rows.append([name if method == METHODS[0] else "", method, *(ratio(*pair) for pair in pairs)])
    best = {machine: min(METHODS, key=lambda method: outcomes[method].memory) for machine, outcomes in totals.items()}
    note = "; ".join(f"{machine}: fewest references with {method}" for machine, method in best.items())
    return TitledTable(f"Methods of saving registers by machine, relative to {METHODS[0]}", rows, keys=2, note=note)


def _methods(options: argparse.Namespace, machine: str, results: Results) -> TitledTable:
    outcomes = {method: total(results[_method(options, machine, method)]) for method in METHODS}
    base, timed = outcomes[METHODS[0]], have_cycles(outcomes.values())
    head = ["method", "instructions", "ratio", "references", "ratio", "save/restore", "bytes"]
    rows = [head + (["cycles", "ratio"] if timed else [])]
    for method, outcome in outcomes.items():
        rows.append([
            method, number(outcome.instructions), ratio(outcome.instructions, base.instructions), number(outcome.memory),
            ratio(outcome.memory, base.memory), number(_saving(outcome)), number(outcome.size),
            *([number(outcome.cycles or 0), ratio(outcome.cycles or 0, base.cycles or 0)] if timed else []),
        ])  # fmt: skip
    note = f"ratios to {METHODS[0]}; save/restore: memory references"
    return TitledTable(f"Methods of saving registers, {machine}", rows, note=note)


def _saving(outcome: Outcome) -> int:
    return outcome.references.get("save/restore", 0)


def mechanisms(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """Return instructions and memory references of a run with single loads and stores, under each mechanism."""
    without = outcome.instructions - outcome.saves
    return {
        "mask": (without, outcome.memory + MASK_REFERENCES * outcome.calls),
        "special": (without + outcome.save_points, outcome.memory),
        "load/store": (outcome.instructions, outcome.memory),
    }


def _mechanisms(options: argparse.Namespace, machine: str, results: Results) -> TitledTable:
    columns = mechanisms(total(results[_single(options, machine)]))
    rows = [["measurement", *columns]]
    for index, name in enumerate(("instructions", "memory references")):
        rows.append([name, *[number(values[index]) for values in columns.values()]])
    note = "as if the machine had them: special instructions for each place, or a mask in the call (two references a call)"
    return TitledTable(f"Mechanisms of saving registers under '{options.method}', {machine}", rows, note=note)


def _saving_json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and method, and the mechanisms."""
    return {
        machine: {
            "methods": {method: total(results[_method(options, machine, method)]).json() for method in METHODS},
            "mechanisms": {
                name: {"instructions": values[0], "memory_references": values[1]}
                for name, values in mechanisms(total(results[_single(options, machine)])).items()
            },
        }
        for machine in options.machines
    }


SAVE_RESTORE = Experiment(
    "save-restore", "six methods of saving registers, and three mechanisms to do it", _saving_arguments, _saving_variants,
    _saving_tables, _saving_json,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Why memory is referenced, machines side by side: Figure 12 of the paper.


def _plain_arguments(parser: argparse.ArgumentParser) -> None:
    """There are no options beside those of all experiments."""


def _plain_variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return the machines as they are."""
    return [Variant(machine, tuple(options.set)) for machine in options.machines]


def _reference_tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show each group of causes, and its share."""
    del options
    groups = next(iter(total(outcomes).references for outcomes in results.values()))
    rows = [["machine", *[cell for group in groups for cell in (group, "%")], "total"]]
    for variant, outcomes in results.items():
        outcome = total(outcomes)
        shares = [cell for n in outcome.references.values() for cell in (number(n), percent(n, outcome.memory))]
        rows.append([variant.machine, *shares, number(outcome.memory)])
    return [TitledTable("Memory references by cause", rows)]


def _plain_json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and program."""
    del options
    return {v.machine: {name: outcome.json() for name, outcome in outcomes.items()} for v, outcomes in results.items()}


REFERENCES = Experiment(
    "references", "why each memory reference was made, machines side by side", _plain_arguments, _plain_variants,
    _reference_tables, _plain_json,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Path length, memory references and size of programs on several machines, relative to the first of them.


MEASURES: dict[str, Callable[[Outcome], int]] = {
    "instructions": lambda outcome: outcome.instructions,
    "references": lambda outcome: outcome.memory,
    "bytes": lambda outcome: outcome.size,
}


CYCLES: dict[str, Callable[[Outcome], int]] = {"cycles": lambda outcome: outcome.cycles or 0}


def _machine_tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show totals with mean ratios, and the path length of each program."""
    del options
    first, base = next(iter(results.items()))
    every = [outcome for outcomes in results.values() for outcome in outcomes.values()]
    measures = MEASURES | (CYCLES if have_cycles(every) else {})
    rows = [["machine", *[cell for name in measures for cell in (name, "ratio")], "calls %"]]
    for variant, outcomes in results.items():
        whole = total(outcomes)
        cells = [cell for get in measures.values() for cell in (number(get(whole)), f"{_mean(outcomes, base, get):.3f}")]
        rows.append([variant.machine, *cells, percent(whole.calls, whole.instructions)])
    note = f"ratios to {first.machine}: geometric means over {len(base)} programs; bytes of code, library included"
    each = [["program", *[variant.machine for variant in results]]]
    for name, outcome in base.items():
        each.append([name, *[ratio(o[name].instructions, outcome.instructions) for o in results.values()]])
    return [TitledTable("Machines", rows, note=note), TitledTable(f"Instructions executed, relative to {first.machine}", each)]


def _mean(outcomes: Mapping[str, Outcome], base: Mapping[str, Outcome], get: Callable[[Outcome], int]) -> float:
    ratios = [get(outcome) / max(get(base[name]), 1) for name, outcome in outcomes.items()]
    return exp(sum(log(max(r, 1e-9)) for r in ratios) / len(ratios))


MACHINES = Experiment(
    "machines", "path length, references and size on several machines, relative to the first", _plain_arguments,
    _plain_variants, _machine_tables, _plain_json,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Hit ratios, misses and fetch cost of memory systems, on machines side by side: Table VII of the paper.


MOST_PLACEMENTS = 1000
RANGE = re.compile(r"(\d+[kmg]?)\.\.(\d+[kmg]?)")


def cache_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory systems."""
    parser.add_argument(
        "--cache", dest="caches", action="append", required=True, metavar="SYSTEM",
        help="a memory system, as easecc's -cache; a..b stands for powers of two, as in U:1k..8k,16,1..4; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--noise", type=number_of_placements, default=0, metavar="N",
        help="measure N times more, with functions and data in other orders in memory, and show the fewest and most misses",
    )  # fmt: skip


def number_of_placements(text: str) -> int:
    """Return how many further placements are measured.

    Raises argparse.ArgumentTypeError.
    """
    if not text.isdecimal() or not 1 <= int(text) <= MOST_PLACEMENTS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to {MOST_PLACEMENTS}")
    return int(text)


def expand(spec: str) -> list[str]:
    """Return the memory systems that a short form with ranges stands for; a YAML file, and what has none, is itself.

    Raises ConfigurationError for a range that has no powers of two from its first number to its last.
    """
    if spec.lower().endswith((".yaml", ".yml")):
        return [spec]
    pieces: list[list[str]] = []
    end = 0
    for found in RANGE.finditer(spec):
        pieces += [[spec[end : found.start()]], _powers(found[0], found[1], found[2])]
        end = found.end()
    return ["".join(choice) for choice in product(*pieces, [spec[end:]])]


def _powers(text: str, first: str, last: str) -> list[str]:
    low, high = parse_size("range", first), parse_size("range", last)
    if low & (low - 1) or high & (high - 1) or low > high:
        raise ConfigurationError(f"'{text}' does not go from a power of two to a larger one, as 1k..8k does")
    return [format_size(1 << bits) for bits in range(low.bit_length() - 1, high.bit_length())]


def systems(options: argparse.Namespace) -> list[str]:
    """Return all memory systems, each once.

    Raises ConfigurationError, OSError for one that cannot be.
    """
    found = list(dict.fromkeys(spec for given in options.caches for spec in expand(given)))
    for spec in found:
        load_system(spec)  # what is wrong with it is told before anything is compiled
    return found


def cache_variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each memory system, and its programs placed in each way."""
    return [
        Variant(machine, tuple(options.set), spec, placed=placed)
        for machine, spec, placed in product(options.machines, systems(options), range(options.noise + 1))
    ]


def cache_tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show each machine's caches, grids of sizes and ways, hit ratios of programs; then machines side by side."""
    found: list[TitledTable] = []
    for machine in options.machines:
        own = {variant: outcomes for variant, outcomes in results.items() if variant.machine == machine}
        mine = {variant.cache: outcomes for variant, outcomes in own.items() if not variant.placed}
        found.append(_overview(machine, mine))
        if options.noise:
            found.append(_bands(machine, own))
        found += [table for given in options.caches for table in _grids(machine, expand(given), mine)]
        if len(next(iter(mine.values()))) > 1:
            found.append(_by_program(machine, mine))
    if len(options.machines) > 1:
        found.append(_side_by_side(options, results))
    return found


def simulated(outcomes: Mapping[str, Outcome]) -> Simulated:
    """Return what a memory system did in all programs."""
    result = total(outcomes).simulated
    assert result is not None
    return result


def _overview(machine: str, mine: Mapping[str, Mapping[str, Outcome]]) -> TitledTable:
    rows = [["memory system", "cache", "accesses", "misses", "hit ratio", "MPKI", "work", "a reference"]]
    for spec, outcomes in mine.items():
        results = simulated(outcomes)
        cost = [number(results.work), f"{results.work / results.references.total:.3f}" if results.references.total else "-"]
        for cache in results.caches:
            mpki = f"{results.misses_per_thousand_instructions(cache.cache.name):.3f}"
            cells = [number(cache.accesses.total), number(cache.misses.total), _ratio(cache), mpki]
            rows.append([spec, cache.cache.name, *cells, *cost])
            spec, cost = "", ["", ""]
    note = "hit ratios in per cent; work: fetch cost, with the units of the system's context switches, or hit 1 and miss 10"
    return TitledTable(f"Memory systems, {machine}", rows, keys=2, note=note)


def _bands(machine: str, own: Results) -> TitledTable:
    """Show how much misses depend on where functions and data happen to be: those of all programs together."""
    rows = [["memory system", "cache", "misses", "fewest", "median", "most", "most / fewest"]]
    ways: dict[str, list[Simulated]] = {}
    for variant, outcomes in own.items():
        ways.setdefault(variant.cache, []).append(simulated(outcomes))
    for spec, each in ways.items():
        for index, cache in enumerate(each[0].caches):
            misses = [one.caches[index].misses.total for one in each]
            fewest, most = min(misses), max(misses)
            cells = [*map(number, (misses[0], fewest, median_low(misses), most)), ratio(most, fewest)]
            rows.append(["" if index else spec, cache.cache.name, *cells])
    placements = len(next(iter(ways.values()))) - 1
    note = f"misses as the linker places functions and data, and with {placements} other orders: a difference within is chance"
    return TitledTable(f"What placement changes, {machine}", rows, keys=2, note=note)


def _ratio(cache: CacheResults) -> str:
    return percent(cache.hits, cache.accesses.total)


def _grids(machine: str, specs: Sequence[str], mine: Mapping[str, Mapping[str, Outcome]]) -> Iterator[TitledTable]:
    """Yield a table of sizes by ways for each cache of which both are varied."""
    found = [simulated(mine[spec]) for spec in specs]
    for index, first in enumerate(found[0].caches):
        cells = {(r.caches[index].cache.size, r.caches[index].cache.ways): r.caches[index] for r in found}
        sizes, ways = (list(dict.fromkeys(sorted(numbers))) for numbers in zip(*cells, strict=True))
        if len(sizes) > 1 and len(ways) > 1 and len(cells) == len(found):
            head = ["size", *[f"{way} way{'s' * (way > 1)}" for way in ways]]
            shown = {place: _ratio(cache) for place, cache in cells.items()}
            rows = [[format_size(size), *[shown.get((size, way), "") for way in ways]] for size in sizes]
            yield TitledTable(f"Hit ratios of {first.cache.name} by size and ways, {machine}", [head, *rows])


def _by_program(machine: str, mine: Mapping[str, Mapping[str, Outcome]]) -> TitledTable:
    names = list(next(iter(mine.values())))
    rows = [["memory system", "cache", *names]]
    for spec, outcomes in mine.items():
        each = [outcomes[name].simulated for name in names]
        first = each[0]
        assert first is not None
        for index, cache in enumerate(first.caches):
            rows.append([spec, cache.cache.name, *[_ratio(one.caches[index]) for one in each if one is not None]])
            spec = ""
    return TitledTable(f"Hit ratios by program, {machine}", rows, keys=2)


def _side_by_side(options: argparse.Namespace, results: Results) -> TitledTable:
    rows = [["memory system", *[cell for machine in options.machines for cell in (machine, "ratio")]]]
    for spec in systems(options):
        work = [simulated(results[Variant(machine, tuple(options.set), spec)]).work for machine in options.machines]
        rows.append([spec, *[cell for w in work for cell in (number(w), f"{w / work[0]:.3f}" if work[0] else "-")]])
    return TitledTable("Fetch cost in units of work, relative to the first machine", rows)


def _cache_json(options: argparse.Namespace, results: Results) -> Any:
    """Return what `cache-sim --json` prints, and misses per thousand instructions, by machine, system and program."""
    del options
    found: dict[str, dict[str, Any]] = {}
    for variant, outcomes in results.items():
        programs = {name: _plain(outcome.simulated) for name, outcome in outcomes.items() if outcome.simulated is not None}
        system = found.setdefault(variant.machine, {}).setdefault(variant.cache, programs)
        for name in programs if variant.placed else ():
            misses = {cache: values["misses"] for cache, values in programs[name]["caches"].items()}
            system[name].setdefault("other_placements", []).append(misses)
    return found


def _plain(results: Simulated) -> dict[str, Any]:
    values = plain(results)
    del values["format"]
    for name, cache in values["caches"].items():
        del cache["sites"]
        cache["mpki"] = results.misses_per_thousand_instructions(name)
    return values


CACHES = Experiment(
    "caches", "hit ratios and fetch cost of memory systems, machines side by side", cache_arguments, cache_variants,
    cache_tables, _cache_json,
)  # fmt: skip
