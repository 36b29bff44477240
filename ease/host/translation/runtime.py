"""Write the LLVM IR that all programs share: declarations, the trap, the signal handler, alias classes and locations."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from ease.host.process.job import (
    ADDRESS,
    BELL,
    EXPECTED,
    IDENTITY,
    PAUSE,
    PC,
    SEND,
    SIGNAL,
    SIGNALLED,
    STATE,
    SYSTEM_CALL,
    TRAP,
    TRAPPED,
    VALUE,
    WRITE,
)

# Attributes of every function: no loop becomes a call of memset, and no function leaves the one section of code.
HOST = '#0 section ".text"'

# Offsets into ucontext_t: of the program counter, and of the word whose bit 1 tells writes (x86 only).
_CONTEXT = {"x86_64": (168, 192), "aarch64": (440, None)}
_FLOAT_CONSTRAINT = {"x86_64": "x", "aarch64": "w"}  # in inline assembly: a register for floating-point numbers


ATTRIBUTES = """attributes #0 = { nounwind "no-builtins" }
attributes #1 = { nounwind willreturn inaccessiblememonly }"""


def prelude(shared: int) -> str:
    """Return declarations, the trap and the signal handler."""
    return "\n".join([ATTRIBUTES, *intrinsics(), *functions(shared), ""])


def functions(shared: int) -> list[str]:
    """Return the functions that all programs share."""
    return [_CARRYLESS, _system_call(shared), _stop(shared), _trap(shared), _handler(shared)]


def intrinsics() -> list[str]:
    """Return the declarations of what LLVM provides."""
    lines = []
    for t in ("i8", "i16", "i32", "i64"):
        lines += [f"declare {t} @llvm.{name}.{t}({t}, i1)" for name in ("abs", "ctlz", "cttz")]
        lines += [f"declare {t} @llvm.{name}.{t}({t})" for name in ("ctpop", "bitreverse")]
        lines.append(f"declare {t} @llvm.fshl.{t}({t}, {t}, {t})")
        if t != "i8":
            lines.append(f"declare {t} @llvm.bswap.{t}({t})")
        for f, bits in (("float", 32), ("double", 64)):
            lines += [f"declare {t} @llvm.fpto{s}i.sat.{t}.f{bits}({f})" for s in "su"]
    for f, bits in (("float", 32), ("double", 64)):
        lines += [f"declare {f} @llvm.{name}.f{bits}({f})" for name in ("sqrt", "fabs")]
        lines.append(f"declare {f} @llvm.fma.f{bits}({f}, {f}, {f})")
    lines.append("declare i64 @llvm.umin.i64(i64, i64)")
    return lines


# The low and the high half of a product without carries: the sum of one operand, shifted, for each bit of the other.
_CARRYLESS = "\n".join(
    f"""define internal i64 @ease_carryless{name}(i64 %a, i64 %b) noinline {{
start:
br label %loop
loop:
%n = phi i64 [{first}, %start], [%m, %loop]
%sum = phi i64 [0, %start], [%new, %loop]
%back = sub i64 64, %n
%moved = {shift}
%shifted = lshr i64 %b, %n
%bit = trunc i64 %shifted to i1
%part = select i1 %bit, i64 %moved, i64 0
%new = xor i64 %sum, %part
%m = add i64 %n, 1
%more = icmp ult i64 %m, 64
br i1 %more, label %loop, label %end
end:
ret i64 %new
}}"""
    for name, first, shift in (("", 0, "shl i64 %a, %n"), ("_high", 1, "lshr i64 %a, %back"))
)


def keep(kind: str) -> str:
    """Return a callee that does nothing with a value of an LLVM type, which LLVM cannot know."""
    constraint = _FLOAT_CONSTRAINT.get(platform.machine(), "r") if kind in ("float", "double") else "r"
    return f'asm sideeffect "", "{constraint}"'


def _word(shared: int, number: int) -> str:
    return f"ptr inttoptr (i64 {shared + 8 * number} to ptr)"


def _system_call(shared: int) -> str:
    words = ", ".join(f"i64 %w{i}" for i in range(7))
    return (
        f"define internal i64 @ease_system_call({words}) noinline {HOST} {{\n"
        f"%f = load ptr, {_word(shared, SYSTEM_CALL)}\n%r = call i64 %f({words})\nret i64 %r\n}}"
    )


def _stop(shared: int) -> str:
    """Write the function that waits while the main thread ends a run that went wrong."""
    return "\n".join([
        f"define internal void @ease_stop() noreturn cold noinline {HOST} {{",
        f"%send = load ptr, {_word(shared, SEND)}",
        f"%bell = load i32, {_word(shared, BELL)}",
        f"%sent = call i64 %send(i32 %bell, {_word(shared, STATE)}, i64 1)",
        f"%pause = load ptr, {_word(shared, PAUSE)}",
        "br label %wait",
        "wait:",
        "%woken = call i32 %pause()",
        "br label %wait",
        "}",
    ])  # fmt: skip


def _trap(shared: int) -> str:
    stores = [
        f"store volatile i64 {value}, {_word(shared, number)}"
        for number, value in ((TRAP, "%k"), (IDENTITY, "%n"), (VALUE, "%v"), (EXPECTED, "%e"), (STATE, str(TRAPPED)))
    ]
    body = "\n".join(stores)
    return (
        f"define internal void @ease_trap(i64 %k, i64 %n, i64 %v, i64 %e) noreturn cold noinline {HOST} {{\n"
        f"{body}\ncall void @ease_stop()\nunreachable\n}}"
    )


def _handler(shared: int) -> str:
    """Write the signal handler: it stores the place and the cause, and ends the process."""
    where, error = _CONTEXT.get(platform.machine(), (168, None))
    lines = [
        f"define void @ease_signal(i32 %signal, ptr %info, ptr %context) noreturn {HOST} {{",
        "%number = sext i32 %signal to i64",
        "%pa = getelementptr i8, ptr %info, i64 16",
        "%address = load i64, ptr %pa",
        f"%pp = getelementptr i8, ptr %context, i64 {where}",
        "%pc = load i64, ptr %pp",
    ]
    write = "2"  # not known
    if error is not None:
        lines += [
            f"%pe = getelementptr i8, ptr %context, i64 {error}",
            "%error = load i64, ptr %pe",
            "%shifted = lshr i64 %error, 1",
            "%write = and i64 %shifted, 1",
        ]
        write = "%write"
    values = ((SIGNAL, "%number"), (ADDRESS, "%address"), (PC, "%pc"), (WRITE, write), (STATE, str(SIGNALLED)))
    lines += [f"store volatile i64 {value}, {_word(shared, number)}" for number, value in values]
    return "\n".join([*lines, "call void @ease_stop()", "unreachable", "}"])


def scope(number: int, last: int) -> int:
    """Return the number of the metadata node that describes a function."""
    return last + 101 + number


def metadata(functions: Sequence[str], located: Sequence[tuple[int, int]], last: int) -> str:
    """Return alias classes and locations; `located` has the number of an RTL and that of its function.

    The source line of an RTL is its number plus 1.
    """
    lines = [
        "!llvm.dbg.cu = !{!10}",
        "!llvm.module.flags = !{!11, !12}",
        '!0 = !{!"ease"}',
        '!1 = !{!"memory", !0}',
        '!2 = !{!"counters", !0}',
        '!3 = !{!"branch_weights", i32 1, i32 1000000}',
        "!6 = !{!8, !8, i64 0}",
        '!7 = !{!"branch_weights", i32 1000000, i32 1}',
        '!8 = !{!"simulators", !0}',
        "!9 = !{}",
        "!4 = !{!1, !1, i64 0}",
        "!5 = !{!2, !2, i64 0}",
        '!10 = distinct !DICompileUnit(language: DW_LANG_C99, file: !13, producer: "ease", isOptimized: true, '
        "runtimeVersion: 0, emissionKind: LineTablesOnly)",
        '!11 = !{i32 2, !"Dwarf Version", i32 4}',
        '!12 = !{i32 2, !"Debug Info Version", i32 3}',
        '!13 = !DIFile(filename: "program", directory: "/")',
        "!14 = !DISubroutineType(types: !15)",
        "!15 = !{null}",
    ]
    lines += [
        f'!{last + 1 + number} = distinct !DISubprogram(name: "f{number}", scope: !13, file: !13, line: 1, '
        "type: !14, unit: !10, spFlags: DISPFlagDefinition)"
        for number in range(len(functions))
    ]
    lines += [f"!{i + 100} = !DILocation(line: {i + 1}, scope: !{last + 1 + number})" for i, number in located]
    return "\n".join(lines) + "\n"
