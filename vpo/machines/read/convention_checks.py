"""Contradictions within a calling convention: keys that are possible each, but not together.

Code for such a convention would be wrong without a word, so a description with one is not loaded.
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo.algebra.parts import split_address
from vpo.machines.calling_convention import Convention
from vpo.machines.machine import Machine
from vpo.machines.read.source import DescriptionError, Map
from vpo.rtl import Effect, Next, Register, Return, Set, subexpressions


def check_convention_as_a_whole(machine: Machine, d: Map) -> None:
    """Reject a convention whose keys contradict each other; `d` is the section `calls:`.

    Raises DescriptionError.
    """
    _check_alignment(machine, d)
    _check_stack(machine, d)
    _check_return_address(machine, d)
    _check_registers(machine, d)
    if machine.convention.positional and machine.convention.leading_floats:
        raise DescriptionError(d.where("leading_floats"), "'leading_floats' and 'positional' exclude each other: keep one")


# ----------------------------------------------------------------------------------------------------------- the stack


def _check_alignment(machine: Machine, d: Map) -> None:
    """Reject a stack on which values are less aligned than other keys promise."""
    convention, aligns = machine.convention, machine.model.aligns
    align, pair = convention.stack_align, 2 * convention.word
    more = [f"{name}: {align}" for name, least in aligns.items() if least > align]
    most = max(machine.model.struct_align, *aligns.values())
    if most > align:
        lower = f"aligns: {{{', '.join(more)}}}" if more else f"struct_align: {align}"
        what = more[0].partition(":")[0] if more else "structures"
        message = (
            f"'stack_align: {align}' is less than the {most} bytes to which C aligns {what}: write {most}, or 'c: {{{lower}}}'"
        )
        raise DescriptionError(d.where("stack_align"), message)
    if convention.align_pairs == "never":
        return
    shown = f"'align_pairs: {convention.align_pairs}' puts values of two words at multiples of {pair}"
    if align < pair:
        message = f"{shown}, but 'stack_align: {align}' does not keep them there: write {pair}, or 'align_pairs: never'"
        raise DescriptionError(d.where("stack_align"), message)
    if convention.first_argument % pair:
        message = f"{shown}, but arguments begin at 'first_argument: {convention.first_argument}': it must be a multiple, too"
        raise DescriptionError(d.where("first_argument"), message)


def _check_stack(machine: Machine, d: Map) -> None:
    """Reject stack arguments in the place of something else."""
    convention = machine.convention
    first, word, pushed = convention.first_argument, convention.word, convention.pushed
    if first % word:
        message = f"'first_argument' must be a multiple of 'word' ({word}), not {first}"
        raise DescriptionError(d.where("first_argument"), message)
    if first < convention.reserved:
        message = f"stack arguments would lie in the bytes that are 'reserved': 'first_argument' must be {convention.reserved}"
        raise DescriptionError(d.where("first_argument"), message)
    if first < -pushed:
        message = f"the first stack argument would lie where the return address is stored: 'first_argument' must be {-pushed}"
        raise DescriptionError(d.where("first_argument"), message)
    size = len(convention.arguments.get("integer", ())) * word if convention.variadic_registers else 0
    if size > first and pushed > 0:
        message = (
            f"variable arguments in registers are stored in front of those on the stack, where calls push {pushed} bytes: "
            f"'first_argument' must leave room for {size}"
        )
        raise DescriptionError(d.where("variadic_registers"), message)
    kept = () if convention.windows is None else convention.windows.kept
    if convention.reserved < len(kept) * word:
        message = f"a window of {len(kept)} registers is stored at the stack pointer: 'reserved' must be {len(kept) * word}"
        raise DescriptionError(d.where("reserved"), message)
    _check_hidden_cell(convention, d)
    for key, effects, moved in (("call", convention.call, -pushed), ("return", convention.return_, pushed)):
        step = _step(effects, machine.stack_pointer)
        if step is not None and step != moved:
            message = f"'{key}' moves the stack pointer by {step}, but 'pushed: {pushed}' says {moved}"
            raise DescriptionError(d.where("pushed" if "pushed" in d else key), message)


def _check_hidden_cell(convention: Convention, d: Map) -> None:
    hidden = convention.hidden
    if hidden.cell is None or hidden.passed:
        return
    distance = convention.distance(hidden.cell, convention.word)
    if not 0 <= distance <= convention.first_argument - convention.word:
        shown = f"'first_argument: {convention.first_argument}'"
        message = f"the cell of 'hidden_result' must lie between the stack pointer and {shown}"
        raise DescriptionError(d.where("hidden_result"), message)


def _step(effects: Iterable[Effect], stack_pointer: Register) -> int | None:
    """Return by how much an RTL moves the stack pointer, None if that is no sum with a constant."""
    for effect in effects:
        if isinstance(effect, Set) and effect.target is stack_pointer:
            base, offset = split_address(effect.source)
            return offset if base == (stack_pointer, None) else None
    return 0


# ----------------------------------------------------------------------------------------------------------- registers


def _check_return_address(machine: Machine, d: Map) -> None:
    """Reject a return address in a register that nobody keeps, or from another register than calls set."""
    convention = machine.convention
    told = [
        effect.target
        for effect in convention.call
        if isinstance(effect, Set) and isinstance(effect.target, Register) and _has_next(effect)
    ]
    if not told:
        return
    read = {register for effect in convention.return_ if isinstance(effect, Return) for register in effect.uses}
    if read.isdisjoint(told):
        message = f"'call' leaves the return address in `{told[0]!r}`, which 'return' does not read"
        raise DescriptionError(d.where("return"), message)
    kept = {*convention.preserved, *(convention.windows.inside if convention.windows is not None else ())}
    if kept.isdisjoint(told):
        message = f"'call' leaves the return address in `{told[0]!r}`, so that must be the 'link', or one of those 'saved'"
        raise DescriptionError(d.where("link"), message)


def _has_next(effect: Set) -> bool:
    return any(isinstance(node, Next) for node in subexpressions(effect.source))


def _check_registers(machine: Machine, d: Map) -> None:
    """Reject registers with two duties that exclude each other."""
    convention, storage = machine.convention, machine.storage
    duties = {part: what for register, what in _duties(machine) for part in storage(register)}
    saved = {part for register in convention.saved for part in storage(register)}
    for key, carriers in (("arguments", convention.arguments), ("results", convention.results)):
        for kind, registers in carriers.items():
            for register in registers:
                what = next((duties[part] for part in storage(register) if part in duties), "")
                if what:
                    raise DescriptionError(d[key].where(kind), f"'{register!r}' is {what}: it carries no {key}")
                if key == "results" and not saved.isdisjoint(storage(register)):
                    message = f"'{register!r}' carries results, so functions cannot preserve it: take it out of 'saved'"
                    raise DescriptionError(d.where("saved"), message)
    _check_kinds_apart(machine, d)
    _check_hidden_register(machine, d)


def _duties(machine: Machine) -> Iterable[tuple[Register, str]]:
    """Yield registers that carry no values, with what they are instead."""
    yield machine.stack_pointer, "the stack pointer"
    yield from ((register, "always zero") for register in machine.zero)
    if machine.convention.link is not None:
        yield machine.convention.link, "the 'link', which every call sets"


def _check_kinds_apart(machine: Machine, d: Map) -> None:
    """Reject an argument register of one kind that lies in one of another kind: both would be used at once."""
    arguments = machine.convention.arguments
    integers = {part for register in arguments.get("integer", ()) for part in machine.storage(register)}
    for register in arguments.get("float", ()):
        if not integers.isdisjoint(machine.storage(register)):
            rest = "without 'float', floating values travel as integer words"
            message = f"'{register!r}' carries 'integer' arguments, too: {rest}"
            raise DescriptionError(d["arguments"].where("float"), message)


def _check_hidden_register(machine: Machine, d: Map) -> None:
    register = machine.convention.hidden.register
    if register is None:
        return
    taken = dict(_duties(machine))
    taken |= {other: "an argument register" for others in machine.convention.arguments.values() for other in others}
    for other, what in taken.items():
        if not set(machine.storage(register)).isdisjoint(machine.storage(other)):
            rest = "; without 'hidden_result' the address is the first argument" if "argument" in what else ""
            message = f"'{register!r}' is {what}: it holds no address of a result{rest}"
            raise DescriptionError(d.where("hidden_result"), message)
