"""Every rule of the table is proven for words, and some machine needs it; a wrong one would be found."""

import re
from itertools import product

import pytest

from tests.covering import some
from vpo.algebra import binary, unary
from vpo.algebra.proofs import are_equal
from vpo.lower.derivation import IMPOSSIBLE, Derivation, branch_goal, goal_of, sums
from vpo.lower.rules import RULES, Step, Terms, _lines, _rule, rules_for
from vpo.rtl import RELATIONS, Const, Op, Register

A, B = (Register("r", -1 - n, "L", True) for n in range(2))
NUMBERS = (*range(-9, 36), 45, 60, 62, 93, 99, 119, 186, 254, 255, 1 << 20, -8 << 20, (1 << 31) - 1, -1 << 31)
TABLE = [rule for key in _lines() for rule in rules_for(key.removeprefix("PC="), key.startswith("PC="))]


def whole(node):
    """What Terms make of a value: an expression as a whole, of words."""
    if not isinstance(node, Op) or node.type:
        return node
    return Op("SEL", "L", node, Const(1), Const(0)) if node.op in RELATIONS else Op(node.op, "L", *node.args)


def cases(rule):
    """Operands for which a rule holds, at most a few numbers."""
    last = rule.operands[-1]
    seconds = [last] if isinstance(last, Const) else [Const(n) for n in NUMBERS] if last.name == "c" else [B]
    found = [(A, second) for second in seconds if rule.apply(Terms("L", whole), A, second) is not None]
    return found[:2] + found[2:][-1:]


def wanted(rule, a, b):
    op = re.match(r"(PC=)?(?:(\w+)\(|[abc](\W+u?)[abc0])", rule.text)
    return unary(op[2], "L", a) if op[2] else Op(op[3], "" if op[3] in RELATIONS else "L", a, b)


def outcome(steps, place=""):
    """The truth value of a decision from a place on, as an expression."""
    names = [step.place if step.relation == "." else "" for step in steps]
    result = Const(0)
    for step in reversed(steps[names.index(place) + 1 if place else 0 :]):
        if step.relation == ".":
            continue
        ends = {"yes": Const(1), "no": Const(0)}
        there = ends[step.place] if step.place in ends else outcome(steps, step.place)
        result = Op("SEL", "L", Op(step.relation, "", step.a, step.b), there, result) if step.relation else there
    return result


def value(rule, *operands):
    found = rule.apply(Terms("L", whole), *operands)
    if isinstance(found, Step):
        return Op(found.relation, "", found.a, found.b)
    return found if hasattr(found, "type") else Op("!=", "", outcome(list(found)), Const(0))


def is_right_of_bytes(rule, op):
    """Whether a rule holds for many bytes: solvers are slow on divisions."""
    cases = product(map(Const, range(-128, 128, 5)), map(Const, (*range(-128, 0, 9), *range(1, 128, 7))))
    return all(rule.apply(Terms("B", whole), *case) is binary(op, *case, "B") for case in cases)


def is_proven(rule):
    found = cases(rule)
    if not rule.steps and (op := wanted(rule, *found[0]).op)[0] in "/%":
        return is_right_of_bytes(rule, op)
    truth = rule.steps or wanted(rule, *found[0]).type == ""
    return all(are_equal(wanted(rule, *case), value(rule, *case), "" if truth and rule.steps else "L") for case in found)


@pytest.mark.parametrize("rule", some(TABLE, 20), ids=lambda rule: " ".join(rule.text.split()))
def test_rules(rule):
    assert cases(rule)
    assert is_proven(rule)


@pytest.mark.parametrize("text", ["a|b => (a|b)-(a^b)", "a<ub => a<b", "PC=a<b,yes => PC=(a-b)<0,yes", "a*c => a*(c-1)"])
def test_a_wrong_rule_is_found(text):
    assert not is_proven(_rule(text))


def test_each_line_is_a_rule():
    assert len(RULES.split("\n")) < len(TABLE) == sum(map(len, _lines().values()))


def needs(rule, operands):
    """The goals that a rule leads to, as a set."""
    goals = []

    def made(node):
        goals.append(goal_of(node))
        return Register("r", -9 - len(goals), "L", True)

    found = rule.apply(Terms("L", made), *operands)
    steps = [found] if isinstance(found, Step) else [] if hasattr(found, "type") else list(found)
    goals += [branch_goal(*step[:3]) if step.relation else ("", None, None, "jump") for step in steps if step.relation != "."]
    return set(goals)


def is_first(rule):
    """Whether a machine that has just what a rule needs, and moves, has the rule's operation so."""
    for operands in cases(rule):
        having = needs(rule, operands)
        costs = dict.fromkeys(having, 1)
        dummy, direct = (lambda n: Register("r", -1 - n, "L", True)), (lambda goal, costs=costs: costs.get(goal, IMPOSSIBLE))
        known = Derivation("L", dummy, direct, tuple, lambda _: IMPOSSIBLE)
        goal = branch_goal(wanted(rule, *operands).op, *operands) if rule.steps else goal_of(wanted(rule, *operands))
        way = known.way(goal)
        if goal not in having and way is not None and getattr(way, "__self__", None) is rule:
            return True
    return False


@pytest.mark.parametrize("rule", some(TABLE, 15), ids=lambda rule: " ".join(rule.text.split()))
def test_some_machine_needs_it(rule):
    assert is_first(rule)


@pytest.mark.parametrize("value", [-1, 0x7FF, -0x800, 0x12345678, -0x12345678, 0x7FFFFFFF, -0x80000000, 0x00FF00FF])
def test_constants_are_sums_of_their_parts(value):
    ways = sums(value, (("+", 12, True), ("+", 8, False), ("|", 12, False)))
    assert {way(Terms("L", whole), A, B) for way in ways} == {Const(value)}
