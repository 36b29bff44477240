"""What of C a machine cannot do: compiles a table of small functions, each one construct, and collects what is missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from vpo import il
from vpo.base.errors import CannotExpress
from vpo.expand.expander import expand_unit
from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.c_options import COptions
from vpo.libc import HEADERS, defining_file
from vpo.link.dispatchers import dispatcher, is_dispatcher
from vpo.link.link import start_function
from vpo.machines.advice.examples import nearest_form
from vpo.machines.machine import IllegalRtl, Machine
from vpo.opt.driver import Options, PhaseError, run_phases
from vpo.rtl import Branch, Jump, Symbol
from vpo.rtl.function import Function
from vpo.rtl.symbols import symbols_of_data, symbols_of_function

INTEGERS = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long")
FLOATS = ("float", "double")
SCALARS = (*INTEGERS, *FLOATS)
ARITHMETIC = ("+", "-", "*", "/")
BITWISE = ("%", "&", "|", "^", "<<", ">>")
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
WITH_CONSTANTS = ("<< 3", ">> 5", "/ 10", "% 10", "/ 8")  # of integers

ROUTINE = r"___|_mem"  # how the symbols of routines begin
LARGE_LOOP = "large loop"  # tried where branches do not reach far
FAR, NEAR = 8192, 64  # bytes that jumps, and branches around them, must reach for functions of any common size

OTHERS = {
    "call": "int g(int); int f(int a) { return g(a) + g(1); }",
    "call with many arguments": "int g(int,int,int,int,int,int,int,int,int,int); "
    "int f(int a) { return g(a,2,3,4,5,6,7,8,9,10); }",
    "call with floating arguments": "double g(float,double,int,double); double f(float a) { return g(a,1.5,2,a); }",
    "call with long long arguments": "long long g(int,long long,long long,long long,long long); "
    "long long f(long long a) { return g(1,a,a,2,a); }",
    "call through a pointer": "int f(int (*g)(int), int a) { return g(a); }",
    "call with variable arguments": "int g(int, ...); int f(int a, double d) { return g(1, a, d, 5LL); }",
    "function with many parameters": "int f(int a,int b,int c,int d,int e,int g,int h,int i,int j,int k) { return a+i+j+k; }",
    "function with floating parameters": "double f(float a,double b,int c,double d) { return a+b*c+d; }",
    "function with variable arguments": "#include <stdarg.h>\nint f(int n, ...) { va_list a; int s; va_start(a, n); "
    "s = va_arg(a, int) + (int)va_arg(a, double) + (int)va_arg(a, long long); va_end(a); return s; }",
    "structure assignment": "struct s { int a[5]; char c; }; void f(struct s *a, struct s *b) { *a = *b; }",
    "large structure assignment": "struct s { int a[500]; }; void f(struct s *a, struct s *b) { *a = *b; }",
    "structure argument": "struct s { int a, b, c; }; int g(struct s); int f(struct s *p) { return g(*p); }",
    "structure parameter": "struct s { int a, b, c; }; int f(struct s p) { return p.a + p.c; }",
    "structure result": "struct s { int a, b, c; }; struct s f(int a) { struct s r; r.a = a; r.b = r.c = 1; return r; }",
    "call with a structure result": "struct s { int a, b, c; }; struct s g(int); int f(int a) { return g(a).b; }",
    "small structure result": "struct s { short a, b; }; struct s f(int a) { struct s r; r.a = a; r.b = 2; return r; }",
    "bit-fields": "struct s { unsigned a:3; int b:7; unsigned c:12; }; "
    "int f(struct s *p) { p->b = p->a; p->c++; return p->b; }",
    "dense switch": "int f(int a) { switch (a) { case 1: return 7; case 2: return 5; case 3: return 9; case 4: return 2; "
    "case 5: return 8; case 6: return 1; case 8: return 3; default: return 0; } }",
    "sparse switch": "int f(int a) { switch (a) { case 1: return 7; case 1000: return 5; case 70000: return 9; "
    "case -4: return 2; case 900: return 6; default: return 0; } }",
    "switch on long long": "int f(long long a) { switch (a) { case 1: return 7; case 1000: return 5; default: return 0; } }",
    "loop": "int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }",
    LARGE_LOOP: "#define A s += n ^ s >> 3;\n#define B A A A A A A A A\n#define C B B B B B B B B\n"
    "int f(int n) { int s = n; do { C C C C C C C C } while (s != 99 && --n); return s; }",  # which branches must reach
    "goto": "int f(int n) { again: if (n > 5) { n -= 3; goto again; } return n; }",
    "global variable": "int x, y[10]; int f(void) { x = y[3]; return x + y[x]; }",
    "address of a global variable": "int y[10]; int g(int *); int *f(int i) { g(y); return i ? y + 3 : &y[i]; }",
    "address of a function": "int g(int); int (*f(void))(int) { return g; }",
    "local array": "void g(int *); int f(int i) { int a[10]; g(a); return a[i] + a[2]; }",
    "large local array": "void g(char *); int f(int i) { char a[100000]; int b; "
    "g(a); b = a[i]; g((char *)&b); return a[70000] + b; }",
    "large constant": "int f(int a) { return a + 123456789; }",
    "conditional expression": "int f(int a, int b) { return a > b ? a : b; }",
    "logical operators": "int f(int a, int b) { return (a && b) || !a; }",
    "volatile": "volatile int x; int f(void) { x = x + 1; return x; }",
    "indexing by each size": "int f(char *a, short *b, int *c, double *d, int i) { return a[i] + b[i] + c[i] + (int)d[i]; }",
    "pointer difference": "int f(int *a, int *b) { return (int)(a - b); }",
    "pointer comparison": "int f(char *a, char *b) { return a < b; }",
    "copying a string": "void f(char *a, char *b) { while (*a++ = *b++) ; }",
    "recursion": "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
    "many live values": "int g(int); int f(int a) { int b=g(1),c=g(2),d=g(3),e=g(4),h=g(5),i=g(6),j=g(7),k=g(8),l=g(9),"
    "m=g(10),n=g(11),o=g(12),p=g(13),q=g(14); return a+b*c+d*e+h*i+j*k+l*m+n*o+p*q+b+c+d+e+h+i+j+k+l+m+n+o+p+q; }",
    "many live floating values": "double g(double); double f(double a) { double b=g(1),c=g(2),d=g(3),e=g(4),h=g(5),"
    "i=g(6),j=g(7),k=g(8),l=g(9),m=g(10); return a+b*c+d*e+h*i+j*k+l*m+b+c+d+e+h+i+j+k+l+m; }",
    "system call": "long f(char *p) { return __ease_syscall(__SYS_write, 1L, (long)p, 5L); }",
}  # fmt: skip


START = "start-up code"


def operations() -> Iterator[tuple[str, str]]:
    """Yield single operations of C: each as the text that it is, and a function that does just that."""
    for type_ in SCALARS:
        operators = ARITHMETIC if type_ in FLOATS else (*ARITHMETIC, *BITWISE)
        for operator in operators:
            yield f"{type_} a {operator} b", f"{type_} f({type_} a, {type_} b) {{ return a {operator} b; }}"
        for operation in ("+ 3", *(WITH_CONSTANTS if type_ in INTEGERS else ())):
            yield f"{type_} a {operation}", f"{type_} f({type_} a) {{ return a {operation}; }}"
        for sign in "-~" if type_ in INTEGERS else "-":
            yield f"{sign}{type_} a", f"{type_} f({type_} a) {{ return {sign}a; }}"
        for operator in RELATIONS:
            yield f"if ({type_} a {operator} b)", f"int f({type_} a, {type_} b) {{ if (a {operator} b) return 5; return 7; }}"
            yield f"value of {type_} a {operator} b", f"int f({type_} a, {type_} b) {{ return a {operator} b; }}"
        yield f"if ({type_} a == 100)", f"int f({type_} a) {{ if (a == 100) return 5; return 7; }}"
        yield f"value of {type_} a < 3", f"int f({type_} a) {{ return a < 3; }}"
        yield f"load and store of {type_}", f"void f({type_} *p, {type_} *q) {{ *p = q[3]; }}"
        yield f"{type_} a[i]", f"{type_} f({type_} *p, int i) {{ return p[i]; }}"
        for step in ("++", "--"):
            yield f"{type_} {step} in memory", f"void f({type_} *p) {{ {step}*p; }}"
        for target in SCALARS:
            if target != type_:
                yield f"{type_} to {target}", f"{target} f({type_} a) {{ return ({target})a; }}"


def constructs() -> Iterator[tuple[str, str]]:
    """Yield every construct that is tried, its name and a C function: operations, and functions with several."""
    yield from operations()
    yield from OTHERS.items()


@dataclass(frozen=True, slots=True)
class Missing:
    """A construct that a machine cannot do, what it lacks for it, and the instruction most like that."""

    construct: str
    what: str
    nearest: str | None


@dataclass
class Result:
    """What came of checking: how many constructs were tried, and those that failed."""

    constructs: int = 0
    missing: list[Missing] = field(default_factory=list)


class Checker:
    """Compiles constructs, and the run-time routines that they need."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        # only the phases that code needs: what others make of legal RTLs is legal; one for all: RTLs are read back once
        self.options = Options(0, check=True)
        self.routines: dict[str, str] = {}  # name -> what it lacks, or ''

    def lacks(self, source: str | None, path: Path) -> str:
        """Return what the machine lacks for a source text (or for a file), or ''."""
        try:
            unit = compile_c(str(path), self.machine.model, COptions((str(HEADERS),)), source=source)
        except CompileErrors as errors:
            return f"it does not compile: {errors.diagnostics[0]}"
        return self._lacks_for(unit)

    def _lacks_for(self, unit: il.Unit) -> str:
        """Return what the machine lacks for a unit, or ''."""
        functions, data, failures = expand_unit(unit, self.machine, True)
        if failures:
            return failures[0].what
        pooled = _routines(chain.from_iterable(map(symbols_of_data, data)))
        for function in functions:
            called = sorted({*_called(function), *_routines(symbols_of_function(function)), *pooled})
            try:
                run_phases(function, self.machine, self.options)
            except CannotExpress as failure:
                return failure.what
            except (PhaseError, IllegalRtl) as failure:
                return str(failure)
            for routine in called:
                what = self._routine(routine)
                if what:
                    return what
        return ""

    def _routine(self, name: str) -> str:
        """Return what the machine lacks for a routine of the run-time library, or ''."""
        if name not in self.routines:
            self.routines[name] = ""  # while it is compiled: it may call itself
            lacking = self._lacks_for_routine(name)
            self.routines[name] = lacking and f"the run-time routine {name} needs {lacking}"
        return self.routines[name]

    def _lacks_for_routine(self, name: str) -> str:
        if is_dispatcher("_" + name):
            pointer = il.Type("P", self.machine.model.sizes["pointer"])
            return self._lacks_for(il.Unit("", [dispatcher("_" + name, ["_g", "_h"], pointer)], []))
        path = defining_file(name)
        return self.lacks(None, path) if path else "a place in the library (it has none)"


def _called(function: Function) -> set[str]:
    """Return the names of the routines of the run-time library that a function calls by name."""
    calls = [rtl.call.target for rtl in function.rtls() if rtl.call is not None]
    return {c.name[1:] for c in calls if isinstance(c, Symbol) and re.match(ROUTINE, c.name)}


def _routines(symbols: Iterable[str]) -> set[str]:
    """Return the names of the routines among some symbols, whose address may be loaded for a call."""
    return {name[1:] for name in symbols if re.match(ROUTINE, name) and defining_file(name[1:])}


def start_lacks(machine: Machine) -> str:
    """Return what the machine lacks for its start-up code, or ''."""
    try:
        start_function(machine)
    except CannotExpress as failure:
        return failure.what
    return ""


def reaches_far(machine: Machine) -> bool:
    """Whether some form of the jump, and of each branch, reaches as far as functions are large."""
    farthest: dict[str, int] = {}
    for form in machine.recognizer.alternatives:
        jumps = any(isinstance(effect, Jump) for effect in form.effects)
        if jumps or any(isinstance(effect, Branch) for effect in form.effects):
            kind = "" if jumps else form.text
            farthest[kind] = max(farthest.get(kind, 0), FAR if form.reach is None else max(-form.reach[0], form.reach[1]))
    return all(reach >= (NEAR if kind else FAR) for kind, reach in farthest.items())


def check(machine: Machine, wanted: Collection[str] = ()) -> Result:
    """Try every construct on a machine, or those that are wanted."""
    checker = Checker(machine)
    result = Result()
    names = wanted or {name for name, _ in constructs()} - ({LARGE_LOOP} if reaches_far(machine) else set())
    tried = ((name, source) for name, source in constructs() if name in names)
    lacking = ((name, checker.lacks(source, Path("check.c"))) for name, source in tried)
    for name, what in chain(lacking, [(START, start_lacks(machine))]):
        result.constructs += 1
        if what:
            rtl = re.search(r"`([^`]*)`", what)
            result.missing.append(Missing(name, what, nearest_form(machine, rtl.group(1)) if rtl else None))
    return result
