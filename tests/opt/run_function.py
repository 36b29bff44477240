"""What tests of phases want to know of one function beside what `vpo.build.sampled_runs` tells."""

from __future__ import annotations

from collections.abc import Callable

from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.build.sample_inputs import Inputs, as_held
from vpo.build.sampled_runs import STARTS, Memory, Surroundings, Trial, code_of, give, registers_read
from vpo.machines.machine import Machine
from vpo.rtl import Const, Expr, Op, Rtl, Set, Slot, Symbol
from vpo.rtl.function import Block, Function

Environment = Callable[[int], Expr]  # the value of the n-th register that a function reads
ENVIRONMENTS: tuple[Environment, ...] = (
    lambda n: Symbol("_.area", 8 * n + 8),
    lambda n: Const(n + 2) if n % 2 else Symbol("_.area", 8 * n + 8),
    lambda n: Const(9 - n),
)


def outcome(function: Function, machine: Machine, around: Surroundings, environment: Environment) -> Memory | None:
    """Return the variables that a call of the function changed, with contents; None if it faults or does not end soon."""
    given = [(cell, environment(n)) for n, cell in enumerate(around.cells)]
    values = (as_held(function, c, v.value if isinstance(v, Const) else v) for c, v in given if isinstance(v, Const | Symbol))
    return Trial(function.copy(), machine, around).call(Inputs(tuple(values)), STARTS[0])


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
