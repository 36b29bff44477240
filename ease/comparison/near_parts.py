"""Where an instruction is in part: the largest part of what it computes that is there, and what stands where the rest would.

This is asked where nothing computes all that the instruction does.  Patterns are held against the code as it is written, with
the definitions of registers in their places, operands of commutative operators in either order, and comparisons turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vpo.analysis.cfg import Cfg
from vpo.machines.advice.examples import misfit
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.rtl import (
    BITS,
    CODE_TYPES,
    COMMUTATIVE,
    FLOAT_TYPES,
    INTEGER_TYPES,
    RELATIONS,
    REVERSED,
    SWAPPED,
    Branch,
    Const,
    Mem,
    Op,
    Register,
    RegisterVariable,
    Rtl,
    Set,
    Variable,
    expressions_read,
    subexpressions,
)
from vpo.rtl.function import Block
from vpo.text import show, show_effects

Place = tuple[int, int]  # a block and an RTL in it, by number
DEPTH = 6  # definitions that are looked through
MOST = 3  # places of one function, of those that have the largest part
NEAR = 8  # RTLs between effects that may be of one instruction
LEAST = 0.3  # share of the operators that must be there
EXTENSIONS = ("sx", "zx", "tr")  # which are no operators of their own here
BITWISE = ("&", "|", "^", "not")  # whose low bits are the same in any width
CARRYING = (*BITWISE, "+", "-", "*", "neg")  # whose low bits depend on the low bits of what they are of only
NEUTRAL = {"+": 0, "|": 0, "^": 0, "<<": 0, ">>": 0, ">>u": 0, "&": -1}  # operands that change nothing
CHOICES = ("SEL", "abs")
TURNED = "it is the opposite of the branch, and a jump beside it would cost as much"
DECIDES = (
    "the branch of line {line} decides by `{root}`, so that is no value: `{parent}` wants one, as `&` of C instead of `&&`"
)
BUILTINS = {"clz": "__builtin_clz", "ctz": "__builtin_ctz", "popcount": "__builtin_popcount", "bswap": "__builtin_bswap32"}
FUNCTIONS = {"abs": "fabs", "fma": "fma"}  # of floating numbers


@dataclass(frozen=True, slots=True)
class Partly:
    """A part of an instruction at a place: its share of the operators, the RTLs, and what is there instead of the rest."""

    share: float
    place: Place
    parts: tuple[Place, ...]
    reason: str
    operation: str = ""  # what it does last
    complete: bool = False  # whether a whole effect is there
    inside: bool = False  # whether that is a load which another instruction does by the way
    gap: str = ""  # what is there instead of a part of an effect, of which the rest is there
    bound: tuple[tuple[str, Register], ...] = ()  # which registers its operands are


@dataclass(frozen=True, slots=True)
class _Fit:
    """How much of a pattern fits: operators that are there, the first that is not with what is there, RTLs that take part."""

    operators: int
    gap: str = ""
    parts: tuple[Place, ...] = ()
    bound: tuple[tuple[str, Register], ...] = ()

    def __add__(self, other: _Fit) -> _Fit:
        operators, parts = self.operators + other.operators, self.parts + other.parts
        return _Fit(operators, self.gap or other.gap, parts, self.bound + other.bound)


class Parts:
    """The search in one function.

    `definition` returns the one RTL that sets a register before a place, if there is one, `obstacle` why RTLs that are the
    instruction together are not put together.
    """

    def __init__(
        self,
        blocks: list[Block],
        cfg: Cfg,
        forms: list[Alternative],
        definition: Callable[[Register, Place], Place | None],
        obstacle: Callable[[tuple[Place, ...], Place], str],
        machine: Machine,
    ) -> None:
        self.blocks, self.cfg, self.forms, self.definition, self.machine = blocks, cfg, forms, definition, machine
        self.obstacle = obstacle
        self.operands: dict[str, str] = {}  # those of the form that is looked for

    def run(self, executed: Sequence[Sequence[int]]) -> list[Partly]:
        """Return the places that have the largest part of the instruction, of those that are executed.

        `executed` are the executions of RTLs, by block.  What few places do comes first: a product tells more than sums.
        """
        found = [part for form in self.forms if not _is_degenerate(form) for part in self._of_form(form)]
        times = {part.place: executed[part.place[0]][part.place[1]] for part in found}
        found = [part for part in found if times[part.place]]
        best = max((each.share for each in found), default=0.0)
        places: dict[Place, Partly] = {}
        for each in found:
            if each.share == best >= LEAST:
                places.setdefault(each.place, each)
        total = Counter[str]()
        for place, part in places.items():
            total[part.operation] += times[place]
        return sorted(places.values(), key=lambda part: -times[part.place] / total[part.operation])[:MOST]

    def _of_form(self, form: Alternative) -> Iterator[Partly]:
        """Yield places where what a form computes is in part; of one with several effects, where some of them are."""
        patterns, self.operands = [*_patterns(form)], form.operands
        whole = sum(_count(pattern) for pattern, _ in patterns)
        found = [[*self._of(pattern, is_set, whole)] for pattern, is_set in patterns]
        for number, parts in enumerate(found):
            others = [part for other in (*found[:number], *found[number + 1 :]) for part in other]
            for part in parts:
                yield self._beside(part, others, whole) if len(patterns) > 1 else part

    def _beside(self, part: Partly, others: list[Partly], whole: int) -> Partly:
        """Return what is told of one effect that is there, at least in part, beside the others of the instruction."""
        others = [other for other in others if _are_of_one(part, other)]
        near = [other for other in others if other.place[0] == part.place[0] and abs(part.place[1] - other.place[1]) <= NEAR]
        if part.complete or part.gap:
            other = max(near, key=lambda each: (each.share, each.complete), default=part)
            if gap := part.gap or other.gap if other is not part else "":
                both = tuple(sorted({*part.parts, *other.parts}))
                joint = replace(part, share=part.share + other.share, place=both[-1], parts=both, complete=False)
                return replace(joint, reason=f"{_share(joint, whole)}; {gap}")
        others = [other for other in others if other.complete]
        if not part.complete:
            return part
        if not others:
            return replace(part, reason=f"{_share(part, whole)}; its other effect is nowhere")
        other = min(others, key=lambda each: (each.place[0] != part.place[0], abs(each.place[1] - part.place[1])))
        line = self._rtl(other.place).lines[0]
        holder = next((each for each in (part, other) if each.inside), None)
        if holder is not None and abs(part.place[1] - other.place[1]) <= NEAR and part.place[0] == other.place[0]:
            reason = f"`{self._shown(holder.place)}` reads its cell by the way, so that nothing would be saved"
            return replace(part, reason=f"{_share(part, whole)}; {reason}")
        where = f"in line {line}" if other.place[0] == part.place[0] else f"in another block, in line {line}"
        return replace(part, reason=f"{_share(part, whole)}; its other effect may be {where}: `{self._shown(other.place)}`")

    def _of(self, pattern: Any, is_set: bool, whole: int) -> Iterator[Partly]:
        """Yield places where a pattern is, or a part of it; a cell that an instruction sets is none that it reads."""
        roots = {node: _count(node) for node in _roots(pattern) if _is_operation(node)}
        for number, block in enumerate(self.blocks):
            for at, rtl in enumerate(block.rtls):
                if rtl.transfer is not None and not isinstance(rtl.transfer, Branch):
                    continue  # a return may step the stack pointer
                for each, sets in _expressions(rtl):
                    node, _ = self._decided(each, (number, at))
                    for root, size in roots.items():
                        may_fit = sets == is_set and _may_fit(root, node)
                        fit = self._fit(root, each, (number, at), DEPTH) if may_fit else _Fit(0)
                        if fit.operators:
                            part = self._partly(pattern, root, fit, (number, at), whole, size)
                            yield replace(part, inside=not sets and isinstance(root, Mem) and _is_operand(each, rtl))

    def _partly(self, pattern: Any, root: Any, fit: _Fit, place: Place, whole: int, size: int) -> Partly:
        """Return what is told of a part at a place."""
        parts = tuple(sorted({*fit.parts, place}))
        is_core = root is _core(pattern)
        reason = fit.gap or (self._other_extension(pattern, root, place) if is_core else "")
        is_all = fit.operators == size and not reason
        complete = is_all and is_core
        if is_all and not is_core:
            reason, parts = self._above(pattern, root, place, parts)
        elif complete:
            reason = self._why_not_all(parts, root)
        gap = reason if is_core and not complete else ""
        part = Partly(
            fit.operators / whole, parts[-1], parts, "", _kind(root), complete, gap=gap, bound=fit.bound
        )  # fmt: skip
        return replace(part, reason=f"{_share(part, whole)}; {reason}")

    def _other_extension(self, pattern: Any, root: Any, place: Place) -> str:
        """Tell that a cell is extended in another way than a pattern extends it."""
        if not isinstance(root, Mem):
            return ""
        (wanted,) = [node for node in _walk(pattern) if _extends(node) and node.args[0] is root] or [None]
        read = (node for effect in self._rtl(place).effects for one in expressions_read(effect) for node in _walk(one))
        there = next((node for node in read if _extends(node) and isinstance(node.args[0], Mem)), None)
        if wanted is None or there is None or wanted.op == there.op or there.args[0].type != root.type:
            return ""
        return f"where it has `{show(wanted)}`, there is `{show(there)}`"

    def _why_not_all(self, parts: tuple[Place, ...], pattern: Any) -> str:
        """Tell why a whole effect that is there as it is written is not the instruction."""
        rtl = self._rtl(parts[-1])
        branches = any(isinstance(effect, Branch) for form in self.forms for effect in form.effects)
        if isinstance(rtl.transfer, Branch) and branches:
            op = getattr(pattern, "op", "")
            if self._decided(rtl.transfer.condition, parts[-1])[0].op not in (op, SWAPPED.get(op)):
                return TURNED
        elif rtl.transfer is not None:
            return f"what it computes is not wanted as a value: the branch of line {rtl.lines[0]} decides by it"
        if len(parts) == 1 and self._rtl(parts[0]).single_set is not None and len(self.forms[0].effects) == 1:
            return f"{self.machine.record(rtl).name} does it by itself, beside more or in other words"
        return self.obstacle(parts[:-1], parts[-1])

    def _above(self, pattern: Any, root: Any, place: Place, parts: tuple[Place, ...]) -> tuple[str, tuple[Place, ...]]:
        """Tell what uses a part, where the instruction goes on with it."""
        below = {root}
        for node in reversed([*subexpressions(pattern)]):  # parts before what they are parts of
            if isinstance(node, Op) and node.op in EXTENSIONS and node.args[0] in below:
                below.add(node)
        around = (node for node in subexpressions(pattern) if isinstance(node, Op | Mem) and node not in below)
        parent = next((n for n in around if not below.isdisjoint(n.args if isinstance(n, Op) else (n.address,))), pattern)
        user = self._user(place)
        line = self._rtl(place).lines[0]
        if getattr(parent, "op", "") == "SEL" and (user is None or isinstance(self._rtl(user).transfer, Branch)):
            at = place if user is None else user
            where = f"the choice is the branch of line {self._rtl(at).lines[0]}"
            return f"`{show(parent)}` would choose, and {where}", tuple(sorted({*parts, at}))
        if user is None and isinstance(self._rtl(place).transfer, Branch):
            return DECIDES.format(line=line, root=show(root), parent=show(parent)), parts
        if user is None:
            return f"nothing in its block does `{show(parent)}` with `{show(root)}` of line {line}", parts
        return f"`{show(root)}` is used by `{self._shown(user)}`, not by `{show(parent)}`", tuple(sorted({*parts, user}))

    def _user(self, place: Place) -> Place | None:
        """Return the first RTL behind a place in its block that reads what it sets."""
        number, sets = place[0], set(self._rtl(place).sets)
        rtls = self.blocks[number].rtls
        return next(((number, at) for at in range(place[1] + 1, len(rtls)) if not sets.isdisjoint(rtls[at].uses)), None)

    # ---------------------------------------------------------------------------------------------------------- fitting

    def _fit(self, pattern: Any, node: Any, place: Place, depth: int) -> _Fit:
        """Return how much of a pattern an expression at a place is."""
        if isinstance(pattern, RegisterVariable | Variable):
            given = _core(node)
            bound = ((pattern.name, given),) if isinstance(given, Register) and isinstance(pattern, RegisterVariable) else ()
            return _Fit(0, self._misfit(pattern, node, place), (), bound)
        if _extends(pattern) and _extends(node) and pattern.op != node.op:
            return _Fit(0, f"where it has `{show(pattern)}`, there is `{show(node)}`")
        if isinstance(node, Register) and not isinstance(_core(pattern), RegisterVariable):
            return self._fit_register(pattern, node, place, depth)
        if isinstance(pattern, Op) and pattern.op in EXTENSIONS and not (isinstance(node, Op) and node.op == pattern.op):
            return self._fit(pattern.args[0], node, place, depth)
        if _is_extension(node) and not _is_extension(pattern):
            return self._fit(pattern, node.args[0], place, depth)
        if isinstance(pattern, Const):
            return _Fit(0) if pattern == node else _Fit(0, f"where it has {show(pattern)}, there is `{show(node)}`")
        if isinstance(pattern, Mem) and isinstance(node, Mem) and pattern.type == node.type:
            return _Fit(1) + self._fit(pattern.address, node.address, place, depth)
        if isinstance(pattern, Op) and isinstance(node, Op):
            if node.op == "fma" and pattern.op in ("+", "-"):
                return _Fit(1, f"`{show(node)}` rounds once: `-ffp-contract=off` keeps product and sum apart")
            return self._fit_operation(pattern, node, place, depth)
        return _Fit(0, f"where it has `{show(pattern)}`, there is `{show(node)}`")

    def _fit_operation(self, pattern: Op, node: Op, place: Place, depth: int) -> _Fit:
        """Return how much of an operation an operation is."""
        node, compared = self._decided(node, place)
        at, parts = (place, ()) if compared is None else (compared, (compared,))
        there = f"where it has `{show(pattern)}`, there is `{show(node)}`"
        is_low = node.op in BITWISE or node in _low_parts(self._rtl(place))
        width = "" if is_low else _other_width(pattern, node)
        own = _Fit(int(pattern.op not in EXTENSIONS), width, parts)
        fits = [own + self._fit_all(pattern.args, args, at, depth) for args in _ways(pattern, node)]
        if {pattern.op, node.op} <= RELATIONS and isinstance(pattern.args[0], Op | Mem):
            other = (self._fit_all(pattern.args, args, at, depth) for args in (node.args, node.args[::-1]))
            fits += [_Fit(0, there, parts) + fit for fit in other if fit.operators]
        return max(fits, key=lambda fit: (fit.operators, not fit.gap), default=_Fit(0, there))

    def _misfit(self, variable: Any, node: Any, place: Place) -> str:
        """Return why a part of an expression is none that an operand may be."""
        there = f"where it has `{show(variable)}`, there is `{show(node)}`"
        if isinstance(variable, RegisterVariable):
            given = _core(node)
            return "" if isinstance(given, Register) or given == Const(0) else there
        operand = self.operands.get(variable.name, "")
        recognizer = self.machine.recognizer
        if operand not in recognizer.operands or recognizer.operand(operand, node) is not None:
            return ""
        at = self.definition(node, place) if isinstance(node, Register) else None
        held = self._rtl(at).single_set if at is not None else None
        if held is not None and type(held.source) is Const:
            return "" if recognizer.operand(operand, held.source) is not None else self._misfit(variable, held.source, place)
        if isinstance(node, Register) and any(form.symbol for form in recognizer.operands[operand]):
            return ""  # it may hold the address of the symbol
        return misfit(operand, recognizer.operands[operand], node) or there

    def _fit_all(self, patterns: tuple[Any, ...], nodes: tuple[Any, ...], place: Place, depth: int) -> _Fit:
        fit = _Fit(0)
        for pattern, node in zip(patterns, nodes, strict=True):
            fit += self._fit(pattern, node, place, depth)
        return fit

    def _fit_register(self, pattern: Any, register: Register, place: Place, depth: int) -> _Fit:
        """Return how much of a pattern is computed into a register."""
        at = self.definition(register, place) if depth else None
        effect = self._rtl(at).single_set if at is not None else None
        if at is not None and effect is not None and effect.target is register:
            fit = self._fit(pattern, effect.source, at, depth - 1)
            return fit + _Fit(0, "", (at,)) if fit.operators or not fit.gap else fit
        return _Fit(0, f"where it has `{show(pattern)}`, there is {self._origin(register, place, at)}")

    def _decided(self, node: Any, place: Place) -> tuple[Any, Place | None]:
        """Return what was compared, and where, for what a condition code tells of it."""
        code = node.args[0] if isinstance(node, Op) else None
        if code is None or node.op not in RELATIONS or not isinstance(code, Register) or code.type not in CODE_TYPES:
            return node, None
        at = self.definition(code, place)
        effects = self._rtl(at).effects if at is not None else ()
        compared = next((e.source for e in effects if isinstance(e, Set) and e.target is code), None)
        if isinstance(compared, Op) and compared.op == "?":
            return Op(node.op, node.type, *compared.args), at
        return node, None

    def _origin(self, register: Register, place: Place, at: Place | None) -> str:
        """Tell where the value of a register comes from that no single RTL sets."""
        if at is not None:
            return f"what `{self._shown(at)}` sets"
        found = [self._rtl(each) for each in self._definitions(register, place)]
        step = next((rtl for rtl in found if register in rtl.uses), None)
        if step is not None:
            return f"{show(register)}, which steps in each round: `{show_effects(step.effects)}`"
        lines = sorted({rtl.lines[0] for rtl in found})
        if len(lines) > 1:
            return f"{show(register)}, chosen by a branch: it is set in lines {' and '.join(map(str, lines))}"
        return f"{show(register)}, set on several ways in line {lines[0]}" if lines else f"{show(register)}, which is given"

    def _definitions(self, register: Register, place: Place) -> Iterator[Place]:
        """Yield the RTLs that may have set a register last before a place."""
        seen, work = set[int](), [(place[0], place[1])]
        while work:
            number, end = work.pop()
            rtls = self.blocks[number].rtls
            at = next((at for at in reversed(range(end)) if register in rtls[at].sets), None)
            if at is not None:
                yield number, at
                continue
            for above in self.cfg.predecessors[number]:
                if above not in seen:
                    seen.add(above)
                    work.append((above, len(self.blocks[above].rtls)))

    def _rtl(self, place: Place) -> Rtl:
        return self.blocks[place[0]].rtls[place[1]]

    def _shown(self, place: Place) -> str:
        return show_effects(self._rtl(place).effects)


def _are_of_one(part: Partly, other: Partly) -> bool:
    """Whether two effects may be those of one instruction: what both name is the same register."""
    bound = dict(part.bound)
    return (
        part.place != other.place and (other.complete or bool(other.gap)) and not {*bound}.isdisjoint(dict(other.bound))
        and all(bound.get(name, register) is register for name, register in other.bound)
    )  # fmt: skip


def _is_operand(node: Any, rtl: Rtl) -> bool:
    """Whether an RTL does more with what a cell holds than to extend it."""
    return all(_core(effect.source) is not node for effect in rtl.effects if isinstance(effect, Set))


def _patterns(form: Alternative) -> Iterator[tuple[Any, bool]]:
    """Yield what a form of an instruction computes, and the cells that it sets, each with whether it is such a cell."""
    for effect in form.effects:
        computed = effect.condition if isinstance(effect, Branch) else getattr(effect, "source", None)
        cell = effect.target if isinstance(effect, Set) and isinstance(effect.target, Mem) else None
        yield from ((node, node is cell) for node in (computed, cell) if isinstance(node, Op | Mem))


def _is_degenerate(form: Alternative) -> bool:
    """Whether an operator of a form changes nothing, as it does with one number of those that an instruction may have."""
    nodes = (node for pattern, _ in _patterns(form) for node in subexpressions(pattern))
    return any(isinstance(node, Op) and node.op in NEUTRAL and Const(NEUTRAL[node.op]) in node.args for node in nodes)


def _core(pattern: Any) -> Any:
    """Return what a pattern computes, without the extensions around it."""
    while isinstance(pattern, Op) and pattern.op in EXTENSIONS:
        (pattern,) = pattern.args
    return pattern


def _other_width(pattern: Op, node: Op) -> str:
    """Tell that an operator is one of other integers than that of a pattern."""
    types = _type(pattern), _type(node)
    has, there = map(BITS.get, types)
    if has == there or not {*types} <= {*INTEGER_TYPES} or pattern.op in EXTENSIONS:
        return ""
    return f"`{show(pattern)}` is of {has} bits, and what is here of {there}"


def _low_parts(rtl: Rtl) -> set[Any]:
    """Return what an RTL computes of which only low bits matter."""
    found = set[Any]()
    for effect in rtl.effects:
        for node in (part for expression in expressions_read(effect) for part in subexpressions(expression)):
            if isinstance(node, Op) and (node.op == "tr" or (node.op in CARRYING and node in found)):
                found.update(node.args)
    return found


def _is_operation(node: Any) -> bool:
    return isinstance(node, Mem) or (isinstance(node, Op) and node.op not in EXTENSIONS)


def _type(node: Any) -> str:
    """Return the type of an expression, or that of what a relation compares."""
    return next((arg.type for arg in node.args if arg.type), "") if node.op in RELATIONS else str(node.type)


def _is_extension(node: Any) -> bool:
    return isinstance(node, Op) and node.op in EXTENSIONS


def _extends(node: Any) -> bool:
    return isinstance(node, Op) and node.op in ("sx", "zx")


def _may_fit(root: Any, node: Any) -> bool:
    if isinstance(root, Mem) or isinstance(node, Mem):
        return isinstance(root, Mem) and isinstance(node, Mem) and root.type == node.type
    if node.op == "fma" and root.op in ("+", "-"):
        return bool(root.type == node.type)
    if root.op in RELATIONS and node.op in RELATIONS:
        types = {_type(root), _type(node)}
        return "" in types or len(types) == 1 or types <= {*INTEGER_TYPES}
    return bool(root.op == node.op)


def _share(part: Partly, whole: int) -> str:
    operations = round(part.share * whole)
    return f"{operations} of its {whole} operations {'is' if operations == 1 else 'are'} here"


def _count(pattern: Any) -> int:
    """Return how many operations a pattern is."""
    nodes = list(_walk(pattern))
    return max(1, sum(isinstance(node, Mem) or (isinstance(node, Op) and node.op not in EXTENSIONS) for node in nodes))


def _roots(node: Any) -> Iterator[Any]:
    """Yield the parts of a pattern, but those of addresses of cells."""
    yield node
    for part in node.args if isinstance(node, Op) else ():
        yield from _roots(part)


def _walk(node: Any) -> Iterator[Any]:
    """Yield the nodes of an expression, equal ones as often as they stand there."""
    yield node
    for part in node.args if isinstance(node, Op) else (node.address,) if isinstance(node, Mem) else ():
        yield from _walk(part)


def _expressions(rtl: Rtl) -> Iterator[tuple[Any, bool]]:
    """Yield the operators and cells in what an RTL reads, and the cells that it sets, each with whether it is one of these.

    Nothing in addresses of cells is among them.
    """
    for effect in rtl.effects:
        is_store = isinstance(effect, Set) and isinstance(effect.target, Mem)
        if is_store:
            yield effect.target, True  # type: ignore[union-attr]
        read = (effect.source,) if is_store else expressions_read(effect)  # type: ignore[union-attr]
        for expression in read:
            yield from ((node, False) for node in _roots(expression) if _is_operation(node))


def _ways(pattern: Op, node: Op) -> Iterator[tuple[Any, ...]]:
    """Yield the operands of an expression in each order in which its operator is that of a pattern, if it ever is."""
    if len(pattern.args) != len(node.args):
        return
    if pattern.op == node.op or (pattern.op in RELATIONS and REVERSED.get(pattern.op) == node.op):
        yield node.args
        if pattern.op in COMMUTATIVE:
            yield node.args[::-1]
    if pattern.op in RELATIONS and SWAPPED.get(pattern.op) in (node.op, REVERSED.get(node.op)):
        yield node.args[::-1]


def missing(forms: list[Alternative], others: Iterable[Alternative], rtls: list[Rtl], call: str) -> str:
    """Tell which operations of an instruction no RTL does, and what would bring them there.

    `others` are the other instructions of the machine.
    """
    there = {_kind(node) for rtl in rtls for node, _ in _expressions(rtl)}
    patterns = (pattern for form in forms for pattern, _ in _patterns(form))
    wanted = [node for pattern in patterns for node in subexpressions(pattern) if _is_operation(node)]
    gone = {_kind(node): _outline(node) for node in wanted if there.isdisjoint(_alike(_kind(node)))}
    if not gone:
        return f"its operations are there, but not together: write what it computes in one expression of C, or call {call}"
    cures = [f"use {BUILTINS[kind]}" for kind in gone if kind in BUILTINS]
    of_floats = {_kind(node) for node in wanted if node.type in FLOAT_TYPES} & {*gone}
    alone = {effect.source.op for form in others for effect in form.effects if _is_one_operation(effect)}
    cures += [
        f"use {name}" if kind in alone else f"describe {gone[kind]}, too, so that {name} is one"
        for kind, name in FUNCTIONS.items() if kind in of_floats
    ]  # fmt: skip
    wide = any(register.type == "Q" for rtl in rtls for register in (*rtl.uses, *rtl.sets))
    if not wide and any(node.type == "Q" for node in wanted):
        cures.append("values of 64 bits are computed by halves, in two registers")
    if any(kind in CHOICES and kind not in of_floats for kind in gone):
        cures.append("choices are branches here")
    cure = f"{', '.join(cures)}, or call {call}" if cures else f"write what it computes in C, or call {call}"
    return f"nothing that is executed is {' or '.join(gone.values())}: {cure}"


def _is_one_operation(effect: Any) -> bool:
    """Whether an effect sets a register to one operation on registers."""
    source = getattr(effect, "source", None)
    return isinstance(source, Op) and all(isinstance(arg, RegisterVariable | Register) for arg in source.args)


def _kind(node: Any) -> str:
    return f"a cell {node.type}" if isinstance(node, Mem) else str(node.op)


def _outline(node: Any) -> str:
    """Return an operation with letters for its operands."""
    if isinstance(node, Mem):
        return f"`{node.type}[x]`"
    letters = [arg if isinstance(arg, Const) else Register("", 0, arg.type) for arg in node.args]
    names = iter("xyzw")
    texts = [show(arg) if isinstance(arg, Const) else next(names) for arg in letters]
    if len(texts) == 2 and not node.op.isalpha():
        return f"`{texts[0]} {node.op} {texts[1]}`"
    return f"`{node.op}({', '.join(texts)})`"


def _alike(kind: str) -> set[str]:
    """Return the operators that a relation may be written with."""
    return {kind, REVERSED.get(kind, kind), SWAPPED.get(kind, kind)} if kind in RELATIONS else {kind}
