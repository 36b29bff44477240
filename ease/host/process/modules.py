"""The modules that a program's code consists of; what was translated for it, or for other programs, is kept in the cache.

One module has all of it, or each function has its own (`ease.host.translation.apart`).  The child keeps the object code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ease.host.instruments.instrument import Instrument
from ease.host.process.job import ENTRY, HEADER, Code
from ease.host.translation.apart import facts, function_module, key_of, program_modules
from ease.host.translation.counting import FunctionProbes
from ease.host.translation.module_context import ModuleContext, Options
from ease.host.translation.places import Part, words
from ease.host.translation.translate import translate
from vpo.base.cache import code_version, key, load, store
from vpo.base.clock import timed
from vpo.base.kept import kept
from vpo.program import Program

_EASE = Path(__file__).parents[2]


@timed("host code: translation")
def codes(
    program: Program,
    probes: Mapping[str, FunctionProbes],
    options: Options,
    instruments: Sequence[Instrument] = (),
    anew: bool = False,
) -> tuple[Code, ...]:
    """Return the modules of a program; with their texts if `anew`, else only where the cache has not what is needed.

    The last ones without instruments are kept with the program, for further runs with the same probes.
    """
    last = _last(program)
    known = None if instruments or anew else last.get(options)
    if known is not None and known[0] == probes:
        return known[1]
    found = _codes(program, probes, options, instruments, anew)
    if not instruments:
        last.clear()
        last[options] = probes, found
    return found


@kept
def _last(program: Program) -> dict[Options, tuple[Mapping[str, FunctionProbes], tuple[Code, ...]]]:
    """Return the modules that were last made of a program, by how it was translated, with what is counted there."""
    return {}


def _codes(
    program: Program, probes: Mapping[str, FunctionProbes], options: Options, instruments: Sequence[Instrument], anew: bool
) -> tuple[Code, ...]:  # fmt: skip
    if options.apart:
        return _apart(program, probes, options, anew)
    text = _whole(program, probes, options, instruments)
    return (Code(text, _digest(text), ENTRY),)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _whole(
    program: Program, probes: Mapping[str, FunctionProbes], options: Options, instruments: Sequence[Instrument]
) -> str:  # fmt: skip
    """Return the IR of a program; that of a linked program without counters and instruments is kept in the cache."""
    if not program.digest or probes or instruments:
        return translate(program, probes, options, instruments)
    name = key("ir", program.digest, code_version(_EASE), repr(options))
    ir: object = load(name, ())
    if not isinstance(ir, str):
        ir = translate(program, probes, options, instruments)
        store(name, ir)
    return ir


def _apart(program: Program, probes: Mapping[str, FunctionProbes], options: Options, anew: bool) -> tuple[Code, ...]:
    context = ModuleContext(program, probes, options, ())
    known = [code_version(_EASE), *facts(context)]
    found = []
    for name, function in program.functions.items():
        entry = key("function", key_of(context, function, known))
        kept: Any = None if anew else load(entry, ())
        text = ""
        if kept is None:
            module = function_module(context, function)
            text, kept = module.text, (_digest(module.text), tuple(module.parts))
            store(entry, kept)
        digest, parts = kept
        found.append(Code(text, digest, f"f{name}", program.first(name), f"t{name}", _words(context, name, parts)))
    first, entries = program.first(program.entry), ("ease_signal", ENTRY)
    own = zip(program_modules(context), entries, strict=True)
    return (*found, *(Code(module.text, _digest(module.text), entry, first) for module, entry in own))


def _words(context: ModuleContext, name: str, parts: Sequence[Part]) -> tuple[int, ...]:
    probes = context.probes.get(name, FunctionProbes())
    return tuple(words(parts, context.program, name, context.options.shared + HEADER + 8 * probes.first))
