"""Instructions called by name: `__builtin_insn_NAME(...)` of the target, `__builtin_insn_of("KEY", NAME, ...)` of others.

Headers `<ease/MACHINE.h>` define macros of the second kind.  Of the forms of an instruction, the first is meant whose operands
fit the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from vpo import il
from vpo.frontend.builtins.call import BuiltinCall
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions, stored_scalars, trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, Argument, Constant, Coord
from vpo.frontend.types.types import Arithmetic, CType, Pointer, is_integer, is_scalar
from vpo.il.instruction_functions import Form, Functions, Parameter

OWN, OF = "__builtin_insn_", "__builtin_insn_of"


def is_instruction(name: str) -> bool:
    """Return whether a name is meant to be that of an instruction."""
    return name.startswith(OWN)


def instruction_builtin(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a call of an instruction by name."""
    instructions = ctx.model.instructions
    if instructions is None:
        ctx.report.fail(call.coord, f"'{call.name}': no machine is compiled for")
    if call.name != OF:
        return _Call(ctx, instructions.own, call.name.removeprefix(OWN), call.arguments, call.coord).lower()
    key, name = call.arguments[:2] if len(call.arguments) > 1 else (None, None)
    if not isinstance(key, Constant) or not isinstance(name, ID):
        ctx.report.fail(call.coord, f"'{OF}' is for the headers <ease/MACHINE.h>: include one and call MACHINE_NAME(...)")
    try:
        functions = instructions.of(key.value[1:-1])
    except ValueError as problem:
        ctx.report.fail(call.coord, str(problem))
    return _Call(ctx, functions, name.name, call.arguments[2:], call.coord).lower()


class _Call:
    """One call."""

    def __init__(self, ctx: Context, functions: Functions, name: str, arguments: list[Argument], coord: Coord) -> None:
        self.ctx, self.functions, self.name, self.arguments, self.coord = ctx, functions, name, arguments, coord
        self.types = [self._looked_at(argument) for argument in arguments]

    def _looked_at(self, argument: Argument) -> tuple[CType, int | None]:
        """Return the type of an argument, and its number if it is an integer constant."""
        with self.ctx.scratch(unevaluated=True):
            value = conversions.rvalue(self.ctx, argument)
        tree = value.tree
        return value.type, int(tree.value) if isinstance(tree, il.Const) and is_integer(value.type) else None

    def lower(self) -> Value:
        """Emit the instruction; return its first result."""
        form, effects = self._form()
        read, count_ = self.arguments, len(form.parameters)
        pairs = [(p, node) for p, node in zip(form.parameters, read, strict=False) if p.kind != "constant"]
        arguments = tuple(self._argument(parameter, node) for parameter, node in pairs)
        pointers = [self._pointer(node) for node in self.arguments[count_:]]
        results = tuple(self.ctx.temporary(self._kind(kind)) for kind in form.results)
        line = self.coord.line
        machine = self.functions.fingerprint
        self.ctx.emit(il.Instruction(self.name, machine, effects, form.places, arguments, form.targets, results, line))
        for (target, address), result in zip(pointers, results[1:], strict=True):
            value = trees.convert(target.il, self.ctx.load_local(result))
            stored_scalars.store(self.ctx, Value(target, None, address, lvalue=True), value)
        if not results:
            return Value(self.ctx.types.void)
        return Value(self._ctype(form.results[0]), self.ctx.load_local(results[0]))

    # -------------------------------------------------------------------------------------------------------- forms

    def _form(self) -> tuple[Form, tuple[object, ...]]:
        """Return the first form that fits the arguments, with its RTL."""
        forms = self.functions.forms(self.name)
        if not forms:
            self.ctx.report.fail(self.coord, self.functions.why_none(self.name))
        problems: list[tuple[Coord, str]] = []
        for form in forms:
            effects = self._effects(form, problems)
            if effects is not None:
                return form, effects
        place, problem = problems[0] if problems else (self.coord, self._wrong_count(forms))
        self.ctx.report.fail(place, problem)

    def _effects(self, form: Form, problems: list[tuple[Coord, str]]) -> tuple[object, ...] | None:
        """Return the RTL of a form for the arguments; None if they do not fit, which is a problem if as many are wanted."""
        if len(self.arguments) != len(form.parameters) + max(len(form.results) - 1, 0):
            return None
        constants: list[int] = []
        for number, parameter, (ctype, value) in zip(count(1), form.parameters, self.types, strict=False):
            problem = _misfit(parameter, ctype, value)
            if problem:
                problems.append((self.arguments[number - 1].coord, f"argument {number} of '{self.name}' {problem}"))
                return None
            if parameter.kind == "constant":
                assert value is not None
                constants.append(value)
        for number, (ctype, _) in enumerate(self.types[len(form.parameters) :], len(form.parameters) + 1):
            if not isinstance(ctype, Pointer) or not is_scalar(ctype.target):
                problem = f"argument {number} of '{self.name}' is where a further result goes: a pointer to a number"
                problems.append((self.arguments[number - 1].coord, problem))
                return None
        for numbers in (constants, self._signed(form, constants)):
            effects = form.effects(numbers)
            if effects is not None:
                return effects
        problems.append((self.coord, self._out_of_range(form)))
        return None

    def _signed(self, form: Form, constants: list[int]) -> list[int]:
        """Return constants as numbers with a sign of the width of their types."""
        kinds = (ctype for (ctype, _), p in zip(self.types, form.parameters, strict=False) if p.kind == "constant")
        return [trees.wrap(il.Type("I", kind.size), value) for kind, value in zip(kinds, constants, strict=True)]

    def _out_of_range(self, form: Form) -> str:
        wanted = [
            f"argument {number} must be a constant {parameter.range}".rstrip()
            for number, parameter in enumerate(form.parameters, 1)
            if parameter.kind == "constant"
        ]
        condition = ", and its 'when:' may ask for more" if len(wanted) > 1 else ""
        return f"'{self.name}' has no such constants: {', '.join(wanted)}{condition}"

    def _wrong_count(self, forms: Sequence[Form]) -> str:
        counts = [len(form.parameters) + max(len(form.results) - 1, 0) for form in forms]
        few = "few" if len(self.arguments) < min(counts) else "many"
        return f"too {few} arguments to '{self.name}': it takes {_signature(forms[0])}"

    # ---------------------------------------------------------------------------------------------------- arguments

    def _argument(self, parameter: Parameter, node: Argument) -> il.Expr:
        """Return an argument as the instruction reads it; it is evaluated here."""
        value = conversions.rvalue(self.ctx, node)
        ctype = self._ctype(parameter.type)
        if not isinstance(value.type, Pointer) and isinstance(ctype, Arithmetic):
            value = conversions.assign(self.ctx, ctype, value, node)
        assert value.tree is not None
        return self.ctx.save(trees.convert(self._kind(parameter.type), value.tree))

    def _pointer(self, node: Argument) -> tuple[Arithmetic | Pointer, il.Expr]:
        """Return the type of what a pointer for a further result points to, and the address."""
        where = conversions.rvalue(self.ctx, node)
        assert isinstance(where.type, Pointer)
        assert is_scalar(where.type.target)
        assert where.tree is not None
        return where.type.target, where.tree

    def _kind(self, kind: il.Type) -> il.Type:
        return self.ctx.types.address if kind.kind == "P" else kind

    def _ctype(self, kind: il.Type) -> CType:
        """Return what an operand of an instruction is in C: integers have no sign."""
        types = self.ctx.types
        if kind.kind == "P":
            return types.pointer(types.void)
        unsigned = (types.uchar, types.ushort, types.uint, types.ulong, types.ullong)
        return next(
            ctype for ctype in ((types.float_, types.double) if kind.is_float else unsigned) if ctype.size == kind.size
        )


def _misfit(parameter: Parameter, ctype: CType, value: int | None) -> str:
    """Return why an argument is not what a parameter takes, '' if it may be."""
    if parameter.kind == "constant":
        return "" if value is not None else f"must be a constant {parameter.range}".rstrip()
    if parameter.kind == "address":
        return "" if isinstance(ctype, Pointer) else f"is an address: a pointer, not '{ctype}'"
    if isinstance(ctype, Pointer):
        return "" if not parameter.type.is_float else f"is a number, not '{ctype}'"
    return "" if isinstance(ctype, Arithmetic) else f"is a number, not '{ctype}'"


def _signature(form: Form) -> str:
    """Return what a form takes, in words."""
    words = {"value": "", "address": "pointer ", "constant": "constant "}
    taken = [f"{words[parameter.kind]}{parameter.name}" for parameter in form.parameters]
    taken += [f"pointer to result {number}" for number in range(2, len(form.results) + 1)]
    return f"({', '.join(taken)})"
