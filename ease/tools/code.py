"""Translate calls of analysis functions into LLVM IR, in which they share the variables and blocks of their caller."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Sequence

from ease.host.translation.ir_builder import IrBuilder
from ease.host.translation.runtime import HOST
from ease.tools.analysis import AnalysisFunction, wrapped
from ease.tools.unit import Unit

# ----------------------------------------------------------------------------------------------------------------------
# Arithmetic of analysis functions as LLVM IR: 64 bits that wrap around, division as in Python; constants are folded.


Number = int | str  # a constant, or an operand of type i64
Truth = bool | str  # a constant, or an operand of type i1

_FOLDED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}  # fmt: skip
_PLAIN = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], tuple[Callable[[int, int], bool], str]] = {
    ast.Eq: (operator.eq, "eq"), ast.NotEq: (operator.ne, "ne"), ast.Lt: (operator.lt, "slt"),
    ast.LtE: (operator.le, "sle"), ast.Gt: (operator.gt, "sgt"), ast.GtE: (operator.ge, "sge"),
}  # fmt: skip


def computed(builder: IrBuilder, kind: type[ast.operator], a: Number, b: Number) -> Number:
    """Return the result of an operator whose operands are allowed: no division by 0, shifts by 0 to 63."""
    if isinstance(a, int) and isinstance(b, int):
        return wrapped(_FOLDED[kind](a, b))
    if kind in (ast.FloorDiv, ast.Mod):
        return _divided(builder, kind is ast.Mod, a, b)
    return builder.put(f"{_PLAIN[kind]} i64 {a}, {b}")


def _divided(builder: IrBuilder, remainder: bool, a: Number, b: Number) -> Number:
    """Divide as Python does: the remainder has the sign of the divisor."""
    if isinstance(b, int) and b > 0 and b & (b - 1) == 0:
        return builder.put(f"and i64 {a}, {b - 1}" if remainder else f"ashr i64 {a}, {b.bit_length() - 1}")
    minus = builder.put(f"icmp eq i64 {b}, -1")  # the least number by it is the only quotient that does not fit
    divisor = builder.put(f"select i1 {minus}, i64 1, i64 {b}")
    rest = builder.put(f"srem i64 {a}, {divisor}")
    differ = builder.put(f"icmp slt i64 {builder.put(f'xor i64 {rest}, {b}')}, 0")
    above = builder.put(f"and i1 {builder.put(f'icmp ne i64 {rest}, 0')}, {differ}")
    if remainder:
        return builder.put(f"add i64 {rest}, {builder.put(f'select i1 {above}, i64 {b}, i64 0')}")
    quotient = builder.put(f"sdiv i64 {a}, {divisor}")
    signed = builder.put(f"select i1 {minus}, i64 {builder.put(f'sub i64 0, {a}')}, i64 {quotient}")
    return builder.put(f"sub i64 {signed}, {builder.put(f'zext i1 {above} to i64')}")


def related(builder: IrBuilder, kind: type[ast.cmpop], a: Number, b: Number) -> Truth:
    """Return whether a relation holds."""
    folded, name = _COMPARED[kind]
    if isinstance(a, int) and isinstance(b, int):
        return folded(a, b)
    return builder.put(f"icmp {name} i64 {a}, {b}")


def extreme(builder: IrBuilder, name: str, values: list[Number]) -> Number:
    """Return the smallest ('min') or largest ('max') of some numbers."""
    found = values[0]
    for value in values[1:]:
        if isinstance(found, int) and isinstance(value, int):
            found = min(found, value) if name == "min" else max(found, value)
            continue
        first = builder.put(f"icmp {'sle' if name == 'min' else 'sge'} i64 {found}, {value}")
        found = builder.put(f"select i1 {first}, i64 {found}, i64 {value}")
    return found


def number_of(builder: IrBuilder, truth: Truth) -> Number:
    """Return 1 for true and 0 for false."""
    return int(truth) if isinstance(truth, bool) else builder.put(f"zext i1 {truth} to i64")


# ----------------------------------------------------------------------------------------------------------------------


UNLIKELY = "!prof !3"


class CallCode:
    """Writes one call.

    `variable` makes a variable of the host function and returns its name.  Parameters that are not assigned to are bound to
    the arguments themselves, so that constants are folded.
    """

    def __init__(
        self, unit: Unit, builder: IrBuilder, variable: Callable[[str], str], function: AnalysisFunction,
        arguments: Sequence[Number], rounds: str = "",
    ) -> None:  # fmt: skip
        self.unit, self.builder, self.variable, self.function, self.rounds = unit, builder, variable, function, rounds
        self.end = builder.label()
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self.bound: dict[str, Number] = {}
        self.homes: dict[str, str] = {}
        self.result = ""
        for name in sorted(function.locals):
            self.homes[name] = variable(f"{function.name}.{name}")
        for name, argument in zip(function.parameters, arguments, strict=True):
            if name in self.homes:
                self.store(self.homes[name], argument)
            else:
                self.bound[name] = argument
        for name in sorted(function.locals - {*function.parameters}):
            self.store(self.homes[name], 0)  # what an earlier call left is nobody's business

    def write(self, statements: Iterable[ast.stmt]) -> None:
        """Write statements of the function."""
        if self.block(statements):
            self.go(self.end)
        self.at(self.end)

    def value(self) -> Number:
        """Write the whole function and return what it returns, 0 if that is nothing."""
        match self.function.body:
            case [ast.Return(value=ast.expr() as value)] | [ast.Expr(), ast.Return(value=ast.expr() as value)]:
                result = self.number(value)
                self.go(self.end)
                self.at(self.end)
                return result
        self.result = self.variable(f"{self.function.name}.result")
        self.store(self.result, 0)
        self.write(self.function.body)
        return self.builder.put(f"load i64, ptr {self.result}")

    # ------------------------------------------------------------------------------------------------ lines

    def at(self, label: str) -> None:
        """Begin a block."""
        self.builder.lines.append(f"{label}:")

    def go(self, label: str) -> None:
        """Jump to a block."""
        self.builder.lines.append(f"br label %{label}")

    def store(self, pointer: str, value: Number, type_: str = "i64", access: str = "") -> None:
        """Write a variable or an element."""
        self.builder.lines.append(f"store {type_} {value}, ptr {pointer}{access}")

    def fail_if(self, condition: Truth, node: ast.stmt | ast.expr, message: str, value: Number = 0) -> None:
        """Write the end of the call if a condition holds."""
        if condition is False:
            return
        bad, good = self.builder.label(), self.builder.label()
        test = "true" if condition is True else condition
        self.builder.lines += [f"br i1 {test}, label %{bad}, label %{good}, {UNLIKELY}", f"{bad}:"]
        self.fail(node, message, value)
        self.at(good)

    def fail(self, node: ast.stmt | ast.expr, message: str, value: Number = 0) -> None:
        """Write the end of the call by a failure."""
        number = self.unit.failure(node, message)
        self.builder.lines.append(f"call void @{self.unit.prefix}.fail(i64 {number}, i64 {value})")
        self.go(self.end)

    # ------------------------------------------------------------------------------------------- statements

    def block(self, statements: Iterable[ast.stmt]) -> bool:
        """Write statements; return whether control comes to their end."""
        return all(self.statement(node) for node in statements)

    def statement(self, node: ast.stmt) -> bool:
        """Write a statement; return whether control comes to its end."""
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, self.number(value))
            case ast.AugAssign():
                self.change(node)
            case ast.If():
                return self.choose(node)
            case ast.While():
                return self.repeat(node)
            case ast.For():
                self.count(node)
            case ast.Break():
                self.go(self.loops[-1][1])
                return False
            case ast.Continue():
                self.go(self.loops[-1][0])
                return False
            case ast.Return(value=value):
                if value is not None:
                    result = self.number(value)
                    if self.result:
                        self.store(self.result, result)
                self.go(self.end)
                return False
            case ast.Raise(exc=ast.Call(args=args)):
                self.fail(node, " ".join(str(each.value) for each in args if isinstance(each, ast.Constant)))
                return False
            case ast.Expr(value=ast.Call() as call):
                self.number(call)
        return True

    def assign(self, target: ast.expr, value: Number) -> None:
        """Write an assignment."""
        pointer, type_, access = self.place(target)
        if type_ != "i64":
            value = value if isinstance(value, int) else self.builder.put(f"trunc i64 {value} to {type_}")
        self.store(pointer, value, type_, access)

    def change(self, node: ast.AugAssign) -> None:
        """Write an assignment such as `+=`; the place is found once, before the value, as in Python."""
        pointer, type_, access = self.place(node.target)
        old = self.load(pointer, type_, access)
        new = self.operate(node, type(node.op), old, self.number(node.value))
        if type_ != "i64":
            new = new if isinstance(new, int) else self.builder.put(f"trunc i64 {new} to {type_}")
        self.store(pointer, new, type_, access)

    def choose(self, node: ast.If) -> bool:
        """Write an `if`."""
        yes, no, join = (self.builder.label() for _ in range(3))
        known = self.decide(node.test, yes, no if node.orelse else join)
        reached = False
        for label, statements, wanted in ((yes, node.body, True), (no, node.orelse, False)):
            if known is None or known is wanted:
                if not statements:
                    reached = True
                    if known is not None:
                        self.go(join)
                    continue
                if known is not None:
                    self.go(label)
                self.at(label)
                if self.block(statements):
                    self.go(join)
                    reached = True
        if reached:
            self.at(join)
        return reached

    def repeat(self, node: ast.While) -> bool:
        """Write a `while` loop; one without `break` whose test always holds ends by `return` only."""
        test, body, after = (self.builder.label() for _ in range(3))
        self.go(test)
        self.at(test)
        self.spend_round(node)
        known = self.decide(node.test, body, after)
        if known is not None:
            self.go(body if known else after)
        self.at(body)
        self.loop(node.body, test, after)
        self.at(after)
        return True

    def count(self, node: ast.For) -> None:
        """Write a `for` loop."""
        assert isinstance(node.iter, ast.Call)
        given = [self.number(each) for each in node.iter.args]
        first: Number = given[0] if len(given) > 1 else 0
        last, step = given[1 if len(given) > 1 else 0], given[2] if len(given) > 2 else 1
        assert isinstance(step, int)
        test, body, following, after = (self.builder.label() for _ in range(4))
        counter = self.variable(f"{self.function.name}.{self.builder.label()}")
        self.store(counter, first)
        self.go(test)
        self.at(test)
        now = self.load(counter)
        going = related(self.builder, ast.Lt if step > 0 else ast.Gt, now, last)
        self.builder.lines.append(f"br i1 {_text(going)}, label %{body}, label %{after}")
        self.at(body)
        self.spend_round(node)
        self.assign(node.target, now)
        self.loop(node.body, following, after)
        self.at(following)
        self.store(counter, self.builder.put(f"add i64 {self.load(counter)}, {step}"))
        self.go(test)
        self.at(after)

    def loop(self, statements: Iterable[ast.stmt], following: str, after: str) -> None:
        """Write what a loop repeats."""
        self.loops.append((following, after))
        if self.block(statements):
            self.go(following)
        self.loops.pop()

    def spend_round(self, node: ast.stmt) -> None:
        """Write the count of a round, and the end of a call that makes too many."""
        assert self.rounds, "the caller has a variable for rounds"
        left = self.builder.put(f"sub i64 {self.load(self.rounds)}, 1")
        self.store(self.rounds, left)
        self.fail_if(self.builder.put(f"icmp slt i64 {left}, 0"), node, "this loop does not end")

    # ------------------------------------------------------------------------------------------ conditions

    def decide(self, node: ast.expr, yes: str, no: str) -> bool | None:
        """Write a branch to one of two labels; if it is known which, return that and write nothing."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = self.decide(operand, no, yes)
                return None if known is None else not known
            case ast.BoolOp(op=op, values=values):
                stop = isinstance(op, ast.Or)
                for index, each in enumerate(values):
                    following = self.builder.label()
                    last = index == len(values) - 1
                    known = self.decide(each, yes if stop or last else following, no if not stop or last else following)
                    if last or known is stop:
                        if known is not None and index:
                            self.go(yes if known else no)
                            return None
                        return known
                    if known is None:
                        self.at(following)
                    else:
                        self.go(following)
                        self.at(following)
            case ast.Compare(ops=[_, _, *_]):
                return self.decide(_links(node), yes, no)
            case _:
                truth = self.truth(node)
                if isinstance(truth, bool):
                    return truth
                self.builder.lines.append(f"br i1 {truth}, label %{yes}, label %{no}")
        return None

    def truth(self, node: ast.expr) -> Truth:
        """Write a condition without `and`, `or` and `not`."""
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return related(self.builder, type(operator), self.number(left), self.number(right))
        return related(self.builder, ast.NotEq, self.number(node), 0)

    def chosen(self, test: ast.expr, yes: Callable[[], Number], no: Callable[[], Number]) -> Number:
        """Write the choice of one of two numbers."""
        labels = self.builder.label(), self.builder.label()
        known = self.decide(test, *labels)
        if known is not None:
            return yes() if known else no()
        join, arms = self.builder.label(), []
        for label, arm in zip(labels, (yes, no), strict=True):
            self.at(label)
            value, end = arm(), self.builder.label()
            self.go(end)
            self.at(end)
            self.go(join)
            arms.append(f"[ {value}, %{end} ]")
        self.at(join)
        return self.builder.put(f"phi i64 {', '.join(arms)}")

    # --------------------------------------------------------------------------------------------- numbers

    def number(self, node: ast.expr) -> Number:
        """Write an expression."""
        match node:
            case ast.Constant(value=value):
                return int(value)  # type: ignore[arg-type]
            case ast.Name(id=name) if name in self.bound:
                return self.bound[name]
            case ast.Name(id=name) if name in self.unit.analysis.constants and name not in self.homes:
                return self.unit.analysis.constants[name]
            case ast.Name() | ast.Subscript():
                return self.load(*self.place(node))
            case ast.BinOp(left=left, op=operator, right=right):
                return self.operate(node, type(operator), self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return computed(self.builder, ast.Sub, 0, self.number(operand))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return computed(self.builder, ast.BitXor, self.number(operand), -1)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.number(operand)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.chosen(test, lambda: self.number(body), lambda: self.number(orelse))
            case ast.Compare(ops=[_]):
                return number_of(self.builder, self.truth(node))
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self.chosen(node, lambda: 1, lambda: 0)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, args)
        raise TypeError(ast.dump(node))

    def operate(self, node: ast.stmt | ast.expr, kind: type[ast.operator], a: Number, b: Number) -> Number:
        """Write an operator, and the failures that it can have."""
        if kind in (ast.FloorDiv, ast.Mod):
            self.fail_if(related(self.builder, ast.Eq, b, 0), node, "division by zero")
            b = 1 if b == 0 else b
        elif kind in (ast.LShift, ast.RShift):
            wrong = not 0 <= b < 64 if isinstance(b, int) else self.builder.put(f"icmp ugt i64 {b}, 63")
            self.fail_if(wrong, node, "a shift by {} bits; 0 to 63 are possible", b)
            b = b & 63 if isinstance(b, int) else b
        return computed(self.builder, kind, a, b)

    def call(self, name: str, args: Sequence[ast.expr]) -> Number:
        """Write a call of another function."""
        function = self.unit.analysis.functions.get(name)
        if name == "len" and function is None:
            assert isinstance(args[0], ast.Name)
            return self.unit.analysis.arrays[args[0].id].length
        values = [self.number(each) for each in args]
        if function is not None:
            return CallCode(self.unit, self.builder, self.variable, function, values, self.rounds).value()
        match name:
            case "min" | "max":
                return extreme(self.builder, name, values)
            case "abs":
                return extreme(self.builder, "max", [values[0], computed(self.builder, ast.Sub, 0, values[0])])
            case "bool":
                return number_of(self.builder, related(self.builder, ast.NotEq, values[0], 0))
        return values[0]

    def place(self, node: ast.expr) -> tuple[str, str, str]:
        """Write the address of a variable or an element; return it with its LLVM type and how it is accessed."""
        match node:
            case ast.Name(id=name) if name in self.homes:
                return self.homes[name], "i64", ""
            case ast.Name(id=name):
                storage = self.unit.storages[name]
                return storage.field.pointer, "i64", storage.access
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                storage, length = self.unit.storages[name], self.unit.analysis.arrays[name].length
                at = self.number(index)
                if isinstance(at, int):
                    self.fail_if(not 0 <= at < length, node, f"index {{}} of `{name}`, whose length is {length}", at)
                    return storage.field.element(at if 0 <= at < length else 0), storage.field.type, storage.access
                if not _is_below(index, length):
                    wrong = self.builder.put(f"icmp uge i64 {at}, {length}")
                    self.fail_if(wrong, node, f"index {{}} of `{name}`, whose length is {length}", at)
                pointer = self.builder.put(f"getelementptr {storage.field.type}, ptr {storage.field.pointer}, i64 {at}")
                return pointer, storage.field.type, storage.access
        raise TypeError(ast.dump(node))

    def load(self, pointer: str, type_: str = "i64", access: str = "") -> Number:
        """Write a read of a variable or an element."""
        value = self.builder.put(f"load {type_}, ptr {pointer}{access}")
        return value if type_ == "i64" else self.builder.put(f"zext {type_} {value} to i64")


def _text(truth: Truth) -> str:
    return str(truth).lower() if isinstance(truth, bool) else truth


def _is_below(index: ast.expr, length: int) -> bool:
    """Return whether an expression says itself that its value is from 0 to below a length, as `x & 255` does."""
    match index:
        case ast.BinOp(op=ast.BitAnd(), right=ast.Constant(value=int() as mask)):
            return 0 <= mask < length
        case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int() as divisor)):
            return 0 < divisor <= length
    return False


def _links(node: ast.Compare) -> ast.BoolOp:
    """Return a chain of comparisons as comparisons that must all hold."""
    values = [node.left, *node.comparators]
    pairs: list[ast.expr] = [
        ast.Compare(left, [operator], [right], lineno=node.lineno)
        for left, operator, right in zip(values, node.ops, values[1:], strict=False)
    ]
    return ast.BoolOp(ast.And(), pairs, lineno=node.lineno)


# ----------------------------------------------------------------------------------------------------------------------
# Which calls of analysis functions are written where they are made, and the LLVM functions of the others.


LARGEST_INLINE = 24  # statements: what is larger or has loops is a function of its own


def is_small(unit: Unit, statements: Iterable[ast.stmt]) -> bool:
    """Return whether statements are few and have no loops, the functions that they call included."""
    return _size(unit, statements) <= LARGEST_INLINE


def _size(unit: Unit, statements: Iterable[ast.stmt]) -> int:
    count = 0
    for node in (each for statement in statements for each in ast.walk(statement)):
        count += isinstance(node, ast.stmt)
        if isinstance(node, ast.While | ast.For):
            return LARGEST_INLINE + 1
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in unit.analysis.functions:
            count += _size(unit, unit.analysis.functions[node.func.id].body)
    return count


def host_function(unit: Unit, name: str, function: AnalysisFunction, statements: Iterable[ast.stmt]) -> str:
    """Return statements of an analysis function as an LLVM function, for calls too large to be written where they are made."""
    builder, variables = IrBuilder(), dict[str, None]()

    def variable(name: str) -> str:
        variables[f'%"{name}"'] = None
        return f'%"{name}"'

    rounds = variable("rounds")
    code = CallCode(unit, builder, variable, function, [f"%p{i}" for i in range(len(function.parameters))], rounds)
    code.write(statements)
    parameters = ", ".join(f"i64 %p{i}" for i in range(len(function.parameters)))
    return "\n".join([
        f'define internal fastcc void @"{name}"({parameters}) noinline {HOST} {{',
        *(f"{name} = alloca i64" for name in variables),
        f"%limit = load i64, ptr {unit.rounds.pointer}", f"store i64 %limit, ptr {rounds}",
        *builder.lines, "ret void", "}",
    ])  # fmt: skip
