"""What tests of phases want to know of one function beside what `vpo.build.sampled_runs` tells."""

from __future__ import annotations

from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.build.sampled_runs import Environment, code_of, give, registers_read
from vpo.machines.machine import Machine
from vpo.rtl import Op, Rtl, Set, Slot
from vpo.rtl.function import Block, Function


def hands_out_slots(function: Function) -> bool:
    """Whether the address of a frame slot, which depends on the frame, becomes a value."""
    sources = [effect.source for rtl in function.rtls() for effect in rtl.effects if isinstance(effect, Set)]
    return any(type(source) is Op and any(type(arg) is Slot for arg in source.args) for source in sources)


def changed_while_wanted(function: Function, machine: Machine) -> list[Rtl]:
    """Return the RTLs that change a register by the way, such as a condition code, which is read behind them."""
    cfg = build_cfg(function)
    liveness = compute_liveness(function, cfg, machine)
    return [
        rtl
        for number in cfg.reachable()
        for rtl, entry, wanted in zip(
            function.blocks[number].rtls, liveness.accesses[number], liveness.backward(number), strict=True
        )
        if entry.clobbers & wanted and rtl.call is None  # a call hands back results in what it changes
    ]


def define(function: Function, machine: Machine, environment: Environment) -> None:
    """Let a function give values to the pseudo-registers that it reads and nobody has set."""
    pseudos = [r for r in registers_read(function, machine) if r.pseudo]
    if pseudos:
        code = code_of(function, machine)
        give(code, pseudos, environment)
        function.blocks.insert(0, Block(function.label(), code.out))
