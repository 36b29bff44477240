"""The verifier: the invariants that hold after every phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from vpo.analysis.branch_targets import wrong_targets
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.liveness import compute_liveness
from vpo.analysis.ssa import DefUse
from vpo.machines.machine import Machine
from vpo.rtl import CAUSES, Delay, Register, Rtl, Slot, expressions_read, subexpressions
from vpo.rtl.function import STAGES, Block, Function
from vpo.text import show, show_effects, show_phi

SAVES = ("save", "callsave")  # causes of RTLs that save registers


def verify(function: Function, machine: Machine) -> list[str]:
    """Return what is wrong with a function, in words; nothing if every invariant holds.

    Every RTL is one legal instruction with provenance; labels exist and are distinct; only the last RTL of a block
    transfers control; no pseudo-register, slot, version or phi outlives its stage.  Transfers by a register find their
    target in it.  In SSA form each pseudo-register has one
    definition, which dominates its uses, and phis have a source for each predecessor.
    """
    problems: list[str] = []
    if function.stage not in STAGES:
        problems.append(f"stage '{function.stage}' is none of {', '.join(STAGES)}")
        return problems
    labels = [block.label for block in function.blocks]
    if len(set(labels)) != len(labels):
        problems.append("two blocks have the same label")
    for block in function.blocks:
        last = transfer_of(block, function.stage == "final")
        for rtl in block.rtls:
            problems += _check_rtl(rtl, function, machine)
            if rtl.transfer is not None and rtl is not last:
                problems.append(f"{block.label}: `{show_effects(rtl.effects)}` transfers control inside a block")
        problems += _check_clobbered(block, machine, _restored(function, machine))
    try:
        cfg = build_cfg(function)
    except KeyError as error:
        problems.append(f"there is no label {error}")
        return problems
    if function.stage == "final" and not problems:
        problems += [*_check_spared(function, machine, cfg), *wrong_targets(function, cfg, machine)]
    return problems + (_check_ssa(function, cfg) if function.stage == "ssa" else _check_no_ssa(function))


def _restored(function: Function, machine: Machine) -> frozenset[Register]:
    """Return the registers that have their values of the entry when the function returns, once it has a frame."""
    framed = STAGES.index(function.stage) >= STAGES.index("framed")
    return frozenset() if framed else frozenset(machine.convention.preserved)


def _check_clobbered(block: Block, machine: Machine, restored: frozenset[Register]) -> Iterator[str]:
    """Yield the RTLs that read a register after the block has changed it without saying how; not if it is `restored`.

    What is only saved for somebody else may be undefined.
    """
    unknown: dict[Register, Rtl] = {}
    for rtl in block.rtls:
        for register in rtl.uses if rtl.cause not in SAVES else ():
            if register in unknown and register not in restored:
                change = show_effects(unknown[register].effects)
                yield f"{block.label}: `{show_effects(rtl.effects)}` reads what `{change}` clobbers"
        unknown.update(dict.fromkeys(machine.clobbers(rtl.effects), rtl))
        for register in rtl.sets:
            unknown.pop(register, None)


def _check_spared(function: Function, machine: Machine, cfg: Cfg) -> Iterator[str]:
    """Yield the RTLs in a form that is one only if registers are dead (`if_dead`) of which one is not."""
    if not any(machine.record(rtl).if_dead for rtl in function.rtls()):
        return
    liveness = compute_liveness(function, cfg, machine)
    for number, block in enumerate(function.blocks):
        for rtl, live in zip(block.rtls, liveness.backward(number), strict=True):
            if liveness.numbering.mask(machine.record(rtl).if_dead) & live:
                yield f"{block.label}: `{show_effects(rtl.effects)}` changes what is read behind it"


def _check_no_ssa(function: Function) -> list[str]:
    problems = [f"{b.label}: `{show_phi(b.phis[0])}` in stage {function.stage}" for b in function.blocks if b.phis]
    versions = dict.fromkeys(r for rtl in function.rtls() for r in (*rtl.uses, *rtl.sets) if r.version)
    return problems + [f"`{show(register)}` is a version in stage {function.stage}" for register in versions]


def _check_ssa(function: Function, cfg: Cfg) -> list[str]:
    """Return what is wrong with definitions, uses and phis in SSA form."""
    reachable = cfg.reachable()
    problems = [f"{b.label}: cannot be reached" for n, b in enumerate(function.blocks) if n not in reachable]
    problems += [problem for number in range(len(function.blocks)) for problem in _check_phis(function, cfg, number)]
    if problems:
        return problems
    defined = [phi.target for block in function.blocks for phi in block.phis]
    defined += [register for rtl in function.rtls() for register in rtl.sets if register.pseudo]
    twice = [register for register, count in Counter(defined).items() if count > 1]
    problems += [f"`{show(register)}` has several definitions" for register in twice]
    values = DefUse(function)
    for register, places in values.uses.items():
        home = values.definitions.get(register)
        if home is None and register.version:
            problems.append(f"`{show(register)}` has no definition")
        elif home is not None and not all(values.dominates(home, place) for place in places):
            problems.append(f"`{show(register)}` is used where its definition has not been")
    return problems


def _check_phis(function: Function, cfg: Cfg, number: int) -> list[str]:
    block = function.blocks[number]
    labels = {function.blocks[index].label for index in cfg.predecessors[number]}
    problems = []
    for phi in block.phis:
        if set(phi.sources) != labels:
            have = ", ".join(sorted(labels)) or "none"
            problems.append(f"{block.label}: `{show_phi(phi)}`, but the predecessors are {have}")
        registers = (phi.target, *phi.sources.values())
        if not all(type(r) is Register and r.pseudo and r.cls == phi.target.cls for r in registers):
            problems.append(f"{block.label}: `{show_phi(phi)}` is not among pseudo-registers of one class")
        if not phi.lines or phi.cause not in CAUSES:
            problems.append(f"`{show_phi(phi)}` has no provenance")
    return problems


def _check_rtl(rtl: Rtl, function: Function, machine: Machine) -> list[str]:
    problems = []
    text = show_effects(rtl.effects)
    if not machine.is_legal(rtl.effects):
        problems.append(f"`{text}` is no instruction of {machine.name}")
    elif function.stage == "final" and machine.record(rtl).into:
        problems.append(f"`{text}` stands for several instructions in stage {function.stage}")
    if not rtl.lines or rtl.cause not in CAUSES:
        problems.append(f"`{text}` has no provenance")
    if function.stage not in ("ssa", "pseudo") and any(r.pseudo for r in (*rtl.uses, *rtl.sets)):
        problems.append(f"`{text}` names a pseudo-register in stage {function.stage}")
    if function.stage != "final" and any(isinstance(effect, Delay) for effect in rtl.effects):
        problems.append(f"`{text}` speaks of delay slots in stage {function.stage}")
    if function.stage in ("framed", "final"):
        roots = (root for effect in rtl.effects for root in expressions_read(effect))
        if any(isinstance(node, Slot) for root in roots for node in subexpressions(root)):
            problems.append(f"`{text}` names a slot in stage {function.stage}")
    return problems
