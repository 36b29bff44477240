"""A C program that calls every instruction of a machine that C can call, in each form, and prints what comes of it."""

from dataclasses import dataclass
from itertools import islice

from vpo.machines.callable import CallableForm, InstructionFunctions, c_name
from vpo.machines.machine import Machine
from vpo.rtl import Mem

CANDIDATES = (8, 16, 4, 2, 1, 3, 5, 12, -8, -1, 255, 65535, 1 << 16, 1 << 12, 4096 * 5, -256, 0)  # constants
NUMBERS = (("100003", "7"), ("-90001", "12"), ("0x40000007", "5"))
C_TYPES = {"U1": "unsigned char", "U2": "uint16_t", "U4": "uint32_t", "U8": "uint64_t", "F4": "float",
           "F8": "double"}  # fmt: skip
HEAD = """
#include <stdint.h>
#include <unistd.h>
{include}
static _Alignas(16) union {{ unsigned char bytes[512]; uint32_t words[128]; double doubles[64]; float floats[128]; }} memory;
static uint32_t hash(void) {{
    uint32_t h = 1;
    for (int i = 0; i < 128; i++) h = h * 31 + memory.words[i];
    return h;
}}
static void put(const char *name, unsigned long long value) {{
    static char line[80];
    int n = 0;
    while (*name) line[n++] = *name++;
    line[n++] = ' ';
    for (int i = 60; i >= 0; i -= 4) line[n++] = "0123456789abcdef"[value >> i & 15];
    line[n++] = '\\n';
    write(1, line, n);
}}
static void put_double(const char *name, double value) {{
    union {{ double d; unsigned long long bits; }} both = {{value}};
    put(name, both.bits);
}}
static void fill(int seed) {{
    for (int i = 0; i < 128; i++) memory.words[i] = (uint32_t)(i + 3) * 2654435u + seed;
    if (seed & 1) for (int i = 0; i < 64; i++) memory.doubles[i] = i * 1.25 + seed;
    else if (seed & 2) for (int i = 0; i < 128; i++) memory.floats[i] = i * 1.5f + seed;
    for (int i = 0; i < 128; i++) if (!memory.words[i]) memory.words[i] = 5;
}}
"""


@dataclass
class Called:
    """One function of the program: it calls one form of an instruction."""

    name: str  # of the instruction in C
    function: str
    text: str
    form: CallableForm


def constants_of(form):
    """Yield lists of numbers that the instruction has."""
    parameters = [p for p in form.parameters if p.kind == "constant"]
    if not parameters:
        yield []
        return
    for step in range(len(CANDIDATES)):
        for shift in range(len(CANDIDATES) if len(parameters) > 1 else 1):
            values = [CANDIDATES[(step + shift * n) % len(CANDIDATES)] for n in range(len(parameters))]
            if form.effects(values) is not None:
                yield values


def first_constants(form):
    """Return numbers that the instruction has; None if none are found."""
    return next(constants_of(form), None)


def c_type(kind):
    return "void *" if kind.kind == "P" else C_TYPES[str(kind)]


def called(functions: InstructionFunctions, prefix: str, skipped=(), most=1) -> list[Called]:
    """Return a function for each form of each instruction, and for so many constants of each."""
    found = []
    for name in functions.names:
        forms = functions.forms(name) if name not in skipped else []
        for number, form in enumerate(forms):
            for constants in islice(constants_of(form), most):
                if not _stores_an_address(form, constants) and not any(_takes(one, form, constants) for one in forms[:number]):
                    found.append(_function(form, name, f"f{len(found)}", prefix, iter(constants)))
    return found


def _stores_an_address(form, constants):
    """Return whether an address itself is stored, which is another one on another machine."""
    addresses = [place for place, p in zip(form.places, (p for p in form.parameters if p.kind != "constant"), strict=True)
                 if p.kind == "address"]  # fmt: skip
    return any(effect.source in addresses for effect in form.effects(constants) if isinstance(effect.target, Mem))


def _takes(earlier, form, constants):
    """Return whether a call that is meant for one form fits an earlier one."""
    arguments = [p.kind for p in form.parameters] + ["address"] * max(len(form.results) - 1, 0)
    wanted = [p.kind for p in earlier.parameters] + ["address"] * max(len(earlier.results) - 1, 0)
    if len(arguments) != len(wanted):
        return False
    if any(want not in ("value", have) for want, have in zip(wanted, arguments, strict=True)):
        return False
    numbers = iter(constants)
    given = [next(numbers) if kind == "constant" else None for kind in arguments]
    return earlier.effects([n for n, want in zip(given, wanted, strict=True) if want == "constant"]) is not None


def _function(form, name, function, prefix, constants) -> Called:
    parameters = [(f"p{n}", c_type(p.type)) for n, p in enumerate(form.parameters) if p.kind != "constant"]
    words = [str(next(constants)) if p.kind == "constant" else f"p{n}" for n, p in enumerate(form.parameters)]
    words += [f"&x{n}" for n in range(1, len(form.results))]
    call = f"{prefix}{name}({', '.join(words)})"
    declared = ", ".join(f"{kind} {each}" for each, kind in parameters) or "void"
    lines = [f"    {c_type(kind)} x{n};" for n, kind in enumerate(form.results) if n]
    result = c_type(form.results[0]) if form.results else "void"
    lines.append(f"    {result} x = {call};" if form.results else f"    {call};")
    for n, kind in enumerate(form.results):
        if n:
            lines.append(f"    memory.bytes[{500 + n}] = {'(char *)' if kind.kind == 'P' else ''}x{n} - "
                         f"{'(char *)&memory' if kind.kind == 'P' else '0'};")  # fmt: skip
    lines += ["    return x;"] if form.results else []
    text = f"__attribute__((noinline)) {result} {function}({declared}) {{\n" + "\n".join(lines) + "\n}\n"
    return Called(name, function, text + _test(form, name, function, parameters), form)


def _test(form, name, function, parameters) -> str:
    """Return a function that calls one with several arguments, and prints what comes of it."""
    lines = []
    for seed, numbers in enumerate(NUMBERS):
        words, given = [], 0
        for parameter, kind in [(p, p.type) for p in form.parameters if p.kind != "constant"]:
            if parameter.kind == "address":
                words.append("memory.bytes + 128")
            else:
                value = "8" if "address" in [p.kind for p in form.parameters] and not kind.is_float else numbers[given % 2]
                words.append(f"{abs(int(value, 0)) % 1000}.5" if kind.is_float else value)
                given += 1
        call = f"{function}({', '.join(words)})"
        put = "put_double" if form.results and form.results[0].is_float else "put"
        address = "(char *)" if form.results and form.results[0].kind == "P" else ""
        value = f'{put}("{name}", {address}{call}{" - (char *)&memory" if address else ""})' if form.results else call
        lines.append(f'    fill({seed}); {value}; put("{name}", hash());')
    return f"static void t_{function}(void) {{\n" + "\n".join(lines) + "\n}\n"


def program(machine: Machine, stem: str, skipped=(), own: bool = False) -> tuple[str, list[Called]]:
    """Return the program, with the calls in it."""
    prefix = "__builtin_insn_" if own else f"{c_name(stem)}_"
    calls = called(InstructionFunctions(machine, stem), prefix, skipped)
    include = "" if own else f"#include <ease/{stem}.h>"
    body = "".join(call.text for call in calls)
    main = "int main(void) {\n" + "".join(f"    t_{call.function}();\n" for call in calls) + "    return 0;\n}\n"
    return HEAD.format(include=include) + body + main, calls
