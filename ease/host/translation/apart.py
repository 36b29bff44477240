"""Translate a linked program into modules: each function is one, so that what did not change need not be compiled again.

The code of such a module does not depend on where anything is in the program (`ease.host.translation.places`), and calls the
functions of others by their names.  Its key says all that the translation looks at.  One more module has what all programs
share, and the last one the way in and the dispatcher of indirect calls.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from ease.host.translation import runtime
from ease.host.translation.counting import FunctionProbes, astray
from ease.host.translation.function_translation import FunctionTranslation
from ease.host.translation.module_context import ModuleContext
from ease.host.translation.places import Part, TabledPlaces
from ease.host.translation.translate import dispatcher, start
from vpo.analysis.cfg import delay_slots
from vpo.analysis.transfers import callee_of
from vpo.il.routine_names import SAVE_CONTEXT
from vpo.rtl.function import Function
from vpo.text import show_effects

_CALLED = re.compile(r"@([\w.]+)\(")
# A call goes to the address in a word near the code: what is loaded makes no room for any other way to another module.
_ELSEWHERE = "attributes #2 = { nonlazybind }"
_SHARED = {  # what the module that all programs share defines for others
    "ease_trap": "declare void @ease_trap(i64, i64, i64, i64) noreturn cold #2",
    "ease_astray": "declare void @ease_astray(i64, i64, i64, ptr) cold #2",
    "ease_system_call": f"declare i64 @ease_system_call({', '.join(['i64'] * 7)}) #2",
    "ease_carryless": "declare i64 @ease_carryless(i64, i64) #2",
    "ease_carryless_high": "declare i64 @ease_carryless_high(i64, i64) #2",
}


@dataclass(frozen=True, slots=True)
class Module:
    """The text of a module, and what the words of its table are."""

    text: str
    parts: Sequence[Part] = ()


def function_module(context: ModuleContext, function: Function) -> Module:
    """Translate one function."""
    translated = FunctionTranslation(context, function, 0)
    text, places = translated.text(), translated.emitter.places
    assert isinstance(places, TabledPlaces)
    others = [_declaration(context, callee) for callee in sorted(translated.transfers.callees - {function.name})]
    located = [(identity, 0) for identity in sorted(translated.emitter.located)]
    facts = runtime.metadata([function.name], located, translated.last + 100)
    return Module("\n".join([*_head(text), *others, places.table(), text, facts]), places.parts)


def program_modules(context: ModuleContext) -> list[Module]:
    """Return what all programs share, and what belongs to no function of the program."""
    shared = context.options.shared
    common = "\n".join([runtime.ATTRIBUTES, *runtime.functions(shared), astray(shared), runtime.metadata([], [], 0)])
    own = "\n".join([dispatcher(context), start(context)])
    called = sorted({*context.summaries.taken, context.program.entry})
    head = [*_head(own), *(_declaration(context, name) for name in called)]
    return [Module(_exported(text)) for text in (common, "\n".join([*head, own, runtime.metadata([], [], 0)]))]


def _exported(text: str) -> str:
    """Return a module whose functions others may call."""
    return text.replace("define internal ", "define ")


def _head(text: str) -> list[str]:
    """Return the attributes, and the declarations of those functions that a text calls."""
    called = set(_CALLED.findall(text))
    intrinsics = [line for line in runtime.intrinsics() if called.intersection(_CALLED.findall(line))]
    return [runtime.ATTRIBUTES, _ELSEWHERE, *intrinsics, *(line for name, line in _SHARED.items() if name in called)]


def _declaration(context: ModuleContext, callee: str) -> str:
    name = f'"f{callee}"' if callee else "ease_indirect"
    return f"declare fastcc {context.result_type(callee)} @{name}({', '.join(context.arguments(callee))}) #2"


# ----------------------------------------------------------------------------------------------------------------------
# All that the translation of one function looks at.


def facts(context: ModuleContext) -> list[str]:
    """Return what it looks at that is the same for all functions of a program."""
    machine = context.program.machine
    asked = (
        machine.address_type, machine.big_endian, machine.misaligned, machine.halves, machine.stack_pointer, machine.zero,
        machine.classes, machine.convention.windows, machine.convention.pushed,
    )  # fmt: skip
    whole = (SAVE_CONTEXT in context.program.functions, bool(context.jumping), context.values(context.restored))
    return [repr(context.options), repr((context.fold_up, context.fold_down)), repr(asked), repr(whole)]


def key_of(context: ModuleContext, function: Function, known: Sequence[str]) -> str:
    """Return a digest of it, `known` being the facts; functions with one key have the same module."""
    parts = [*known, *_code(context, function), *_calls(context, function), *_surroundings(context, function)]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def _code(context: ModuleContext, function: Function) -> Iterator[str]:
    """Yield the text of a function, and where its parts lie in it."""
    program, machine, name = context.program, context.program.machine, function.name
    start = program.symbols[name]
    yield from (name, function.stage, repr([(slot.name, slot.offset) for slot in function.slots.values()]))
    for number, block in enumerate(function.blocks):
        yield f"{block.label} {program.labels[name, block.label] - start}"
        yield from [f"{show_effects(rtl.effects)} {rtl.cause == 'save'}" for rtl in block.rtls]
        yield repr([delay_slots(machine, function, rtl) for rtl in block.rtls if rtl.call or rtl.transfer])
        if context.options.limit:
            yield repr([machine.record(rtl).counted for rtl in block.rtls])
        yield repr([(repr(literal), at - start) for literal, at in program.literals_of(name, number).items()])
    yield repr([behind - start for _, behind in program.fetched[name]])


def _calls(context: ModuleContext, function: Function) -> Iterator[str]:
    """Yield what a function must know of those that it calls."""
    callees = [callee_of(context.program, rtl.call) for rtl in function.rtls() if rtl.call is not None]
    yield repr(callees)
    for callee in sorted({*callees, function.name}):
        yield f"{callee} {_signature(context, callee)} {callee in context.jumping} {callee in context.saving}"


def _signature(context: ModuleContext, name: str) -> str:
    signature = context.summaries.signatures[name]
    return repr([context.values(registers) for registers in (signature.read, signature.returned)])


def _surroundings(context: ModuleContext, function: Function) -> Iterator[str]:
    """Yield what analyses of the whole program say of a function, and what is counted in it."""
    yield repr(sorted(map(repr, context.summaries.saved[function.name])))
    probes = context.probes.get(function.name, FunctionProbes()).from_zero()
    for field in fields(probes):
        value = getattr(probes, field.name)
        if isinstance(value, Mapping):
            value = [(key, sorted(item) if isinstance(item, frozenset) else item) for key, item in value.items()]
        yield f"{field.name} {sorted(value) if isinstance(value, frozenset) else value}"
