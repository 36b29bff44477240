"""Translate a linked program into the text of one LLVM module.

Each target function becomes an LLVM function whose registers are local variables.  Its arguments are the registers that it
reads; its results are the return address, and those registers it changes that somebody reads
(`vpo.analysis.register_summaries`).  Target memory is a reserved region at a fixed host address.  Every reference to memory
has the number of its RTL as its source line, by which a fault is traced back.  LLVM may not remove a read whose value is not
needed (`ease.host.translation.demand`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ease.host.instruments.instrument import Instrument
from ease.host.process.job import EXIT, JUMP_IDENTITY, JUMP_TARGET
from ease.host.translation import long_jumps as fault_delivery
from ease.host.translation import runtime
from ease.host.translation.counting import FunctionProbes, astray, has_ended, is_jumping, unwinds
from ease.host.translation.function_translation import FunctionTranslation
from ease.host.translation.ir_builder import float_literal
from ease.host.translation.module_context import ModuleContext, Options
from vpo.analysis.transfers import INDIRECT
from vpo.program import Program


def translate(
    program: Program,
    probes: Mapping[str, FunctionProbes] | None = None,
    options: Options | None = None,
    instruments: Sequence[Instrument] = (),
) -> str:
    """Return the IR of a program whose functions are all framed or final, with instruments that have been placed.

    Raises ValueError for functions at earlier stages.
    """
    return _module(ModuleContext(program, probes or {}, options or Options(), instruments))


def _module(context: ModuleContext) -> str:
    """Return the module."""
    parts = [runtime.prelude(context.options.shared)]
    if unwinds(context.probes) or context.jumping:
        parts.append(astray(context.options.shared))
    if context.delivery is not None:
        parts.append(fault_delivery.functions(context, context.delivery))
    located: list[tuple[int, int]] = []
    for number, function in enumerate(context.program.functions.values()):
        translated = FunctionTranslation(context, function, number)
        parts.append(translated.text())
        located += [(identity, number) for identity in sorted(translated.emitter.located)]
    parts.append(dispatcher(context))
    parts.append(start(context))
    declared = set(_declarations(parts[0]))
    for text in (instrument.text() for instrument in context.instruments):  # simulators know nothing of each other
        parts.append("\n".join(line for line in text.split("\n") if line not in declared))
        declared.update(_declarations(text))
    parts.append(runtime.metadata(list(context.program.functions), located, context.program.numbers + 100))
    return "\n".join(parts)


def _declarations(text: str) -> list[str]:
    """Return the lines that declare functions; LLVM wants each once."""
    return [line for line in text.split("\n") if line.startswith("declare ")]


def dispatcher(context: ModuleContext) -> str:
    """Write the function that makes indirect calls."""
    result = context.result_type(INDIRECT)
    arguments = [thread.type for thread in context.threads]
    arguments += [t for t, _, _ in context.values(context.summaries.signatures[INDIRECT].read)]
    names = [f"{t} %a{i}" for i, t in enumerate(arguments)]
    head = ", ".join([f"{context.word} %target", "i64 %identity", *names])
    lines = [f"define internal fastcc {result} @ease_indirect({head}) {runtime.HOST} {{"]
    cases = " ".join(
        f"{context.word} {context.program.symbols[n]}, label %f{i}" for i, n in enumerate(context.summaries.taken)
    )
    lines.append(f"switch {context.word} %target, label %bad [ {cases} ]")
    for i, name in enumerate(context.summaries.taken):
        lines.append(f"f{i}:")
        call = f'call fastcc {result} @"f{name}"({", ".join(names)})'
        lines += [call, "ret void"] if result == "void" else [f"%x{i} = {call}", f"ret {result} %x{i}"]
    value = "%target" if context.word == "i64" else "%wide"
    lines.append("bad:")
    if context.word != "i64":
        lines.append(f"%wide = zext {context.word} %target to i64")
    if context.delivery is not None:
        wrong = f"ret {result} poison" if result != "void" else "ret void"
        if context.options.check_returns:
            lines.append(f"%nowhere = insertvalue {result} poison, {context.word} -1, 0")
            wrong = f"ret {result} %nowhere"
        lines += fault_delivery.dispatched(context, wrong, value)
    lines += [f"call void @ease_trap(i64 1, i64 %identity, i64 {value}, i64 0)", "unreachable", "}", ""]
    return "\n".join(lines)


def start(context: ModuleContext) -> str:
    """Write the entry from the host.  Registers are 0, except the stack pointer and those of argc and argv."""
    machine = context.program.machine
    given = (machine.stack_pointer, *machine.convention.start_arguments)
    values = {context.summaries.registers.storage(register)[0]: f"%g{n}" for n, register in enumerate(given)}
    entry = context.program.entry
    arguments = [f"{thread.type} {thread.start}" for thread in context.threads]
    for t, _, key in context.values(context.summaries.signatures[entry].read):
        zero = float_literal(0.0) if t in ("float", "double") else "0"
        arguments.append(f"{t} {values.get(key, zero)}")
    result = context.result_type(entry)
    # Not inlined: a function without lines of its own would drop those by which faults are traced back.
    call = f'call fastcc {result} @"f{entry}"({", ".join(arguments)}) noinline'
    lines = [f"define void @ease_run(i64 %w0, i64 %w1, i64 %w2) {runtime.HOST} {{"]
    lines += [f"%g{n} = {_narrow(f'%w{n}', context.word)}" for n in range(len(given))]
    value = "0"
    if result == "void":
        lines.append(call)
    else:
        lines.append(f"%x = {call}")
        if context.options.check_returns:
            lines.append(f"%to = extractvalue {result} %x, 0")
            lines.append(f"%back = {'add i64 0, %to' if context.word == 'i64' else f'zext {context.word} %to to i64'}")
            value = "%back"
    if unwinds(context.probes):
        lines += [*has_ended(context.options.shared, "ended", "astray"), "ended:"]
        lines += [
            f"%f = load ptr, ptr inttoptr (i64 {context.options.shared + 8 * EXIT} to ptr)",
            "call void %f(i32 0)",
        ]
        lines += ["unreachable", "astray:"]
    if context.jumping:
        shared = context.options.shared
        lines += [*is_jumping(shared, "jumping", "returned"), "jumping:"]
        for name, number in (("number", JUMP_IDENTITY), ("target", JUMP_TARGET)):
            lines.append(f"%{name} = load i64, ptr inttoptr (i64 {shared + 8 * number} to ptr)")
        lines += ["call void @ease_trap(i64 3, i64 %number, i64 %target, i64 -1)", "unreachable", "returned:"]
    identity = context.program.first(entry)
    lines += [f"call void @ease_trap(i64 3, i64 {identity}, i64 {value}, i64 -1)", "unreachable", "}", ""]
    return "\n".join(lines)


def _narrow(value: str, word: str) -> str:
    return f"add i64 0, {value}" if word == "i64" else f"trunc i64 {value} to {word}"


def beyond_budget(program: Program, identity: int, budget: int) -> int:
    """Return the number of the RTL before which a run ended, from the first RTL of its part and the budget left there."""
    function, index = program.place(identity)
    for distance, rtl in enumerate(function.rtls()[index:]):
        budget -= program.machine.record(rtl).counted
        if budget < 0:
            return identity + distance
    raise ValueError(f"a budget of {budget} instructions is enough")
