"""What operations of C cost on a machine: `ease machine costs`."""

from __future__ import annotations

from collections.abc import Iterator

from ease.commands.machine.machine_check import operations
from ease.commands.machine.machine_show import table
from vpo.base.errors import CannotExpress
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.libc import HEADERS
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.driver import Options, PhaseError, run_phases
from vpo.rtl import Return, Rtl
from vpo.rtl.function import Function
from vpo.text import show_effects

WIDTH = 100  # characters of a sequence


def costs(machine: Machine, word: str = "") -> int:
    """Print for each operation of C, or those whose text contains a word, what a function that does just that consists of.

    Exit status 1 if there is none such.
    """
    options = Options(2)
    rows = [
        row for name, source in operations() if word in name
        for row in _rows(machine, options, name, source)
    ]  # fmt: skip
    if not rows:
        print(f"no operation is called '{word}'")
        return 1
    print("\n".join(table([("operation", "instructions", "bytes", "cycles", ""), *rows], "")))
    if not word:
        print("\nwhat no instruction does, and the description's and the compiler's ways to it:", *ways(machine), sep="\n")
    return 0


def ways(machine: Machine) -> Iterator[str]:
    """Yield the expansions, and the rules by which a machine has the operations that it lacks."""
    for expansion in machine.expansions:
        yield f"{expansion.text} => {' '.join(map(show_effects, expansion.into))}"
    derived = Legalizer(machine, Function("_", "", 0, False)).derived
    yield from derived.rules() if derived is not None else ()


def _rows(machine: Machine, options: Options, name: str, source: str) -> Iterator[tuple[str, ...]]:
    unit = compile_c("costs.c", machine.model, COptions((str(HEADERS),)), source=source)
    functions, _, failures = expand_unit(unit, machine, True)
    try:
        for function in functions:
            run_phases(function, machine, options)
    except (CannotExpress, PhaseError) as failure:
        failures = [*failures, failure]  # type: ignore[list-item]
    if failures:
        yield name, "-", "-", "-", "cannot be done"
        return
    done = [rtl for function in functions for rtl in function.rtls() if not isinstance(rtl.transfer, Return)]
    rtls = [rtl for rtl in done if machine.record(rtl).counted]  # without what only begins a function
    records = [machine.record(rtl) for rtl in rtls]
    text = "; ".join(_line(machine, rtl) for rtl in rtls)
    calls = "+" if any(rtl.call is not None for rtl in rtls) else ""  # what is called takes more
    yield (
        name, f"{len(records)}{calls}", f"{sum(record.size for record in records)}{calls}",
        f"{sum(record.latency for record in records)}{calls}", text if len(text) <= WIDTH else text[: WIDTH - 3] + "...",
    )  # fmt: skip


def _line(machine: Machine, rtl: Rtl) -> str:
    return " ".join(machine.record(rtl).assembly.split())
