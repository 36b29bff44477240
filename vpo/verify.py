"""The verifier: the invariants that hold after every phase."""

from __future__ import annotations

from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.function import STAGES, Function
from vpo.machines.machine import Machine
from vpo.rtl import CAUSES, Delay, Rtl, Slot, subexpressions
from vpo.text import show_effects


def verify(function: Function, machine: Machine) -> list[str]:
    """Return what is wrong with a function, in words; nothing if every invariant holds.

    Every RTL is one legal instruction with provenance; labels exist and are distinct; only the last RTL of a block
    transfers control; no pseudo-register or slot outlives its stage.
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
    try:
        build_cfg(function)
    except KeyError as error:
        problems.append(f"there is no label {error}")
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
    if function.stage != "pseudo" and any(r.pseudo for r in (*rtl.uses, *rtl.sets)):
        problems.append(f"`{text}` names a pseudo-register in stage {function.stage}")
    if function.stage != "final" and any(isinstance(effect, Delay) for effect in rtl.effects):
        problems.append(f"`{text}` speaks of delay slots in stage {function.stage}")
    if function.stage in ("framed", "final"):
        for effect in rtl.effects:
            parts = [getattr(effect, "source", None), getattr(getattr(effect, "target", None), "address", None)]
            if any(part is not None and any(isinstance(n, Slot) for n in subexpressions(part)) for part in parts):
                problems.append(f"`{text}` names a slot in stage {function.stage}")
    return problems
