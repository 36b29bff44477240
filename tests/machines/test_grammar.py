"""The grammar of each machine and the fast recogniser are equal: on what the compiler makes, and on mutations of it."""

import random
from functools import cache
from pathlib import Path

import pytest

from tests.covering import case, some
from vpo.algebra import rebuild_effect
from vpo.build.compiler import Compiler, Settings
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.libc import HEADERS
from vpo.machines.match import grammar
from vpo.machines.match.grammar import grammar_text
from vpo.machines.match.grammar_recognizer import GrammarJudge, GrammarRecognizer, facts_of
from vpo.machines.names import machine_names
from vpo.machines.read.load import load
from vpo.opt.driver import PhaseError
from vpo.rtl import BITS, Branch, Const, Half, Mem, Op, Register, Set, Slot, Symbol
from vpo.text import TextError, parse_effects, show_effects

SAMPLES = Path(__file__).parents[2] / "samples"
FILES = ("matmult.c", "spline.c", "od.c")
SHAPES = 250  # machines with memory operands everywhere have some more
OPERATORS = ["+", "-", "*", "/", "%u", "&", "<<", ">>u", "==", "<", ">=u", "?", "!<"]


@cache
def machine_and_grammar(name):
    machine = load(name)
    return machine, GrammarRecognizer(machine)


@cache
def compiled(name, files):
    """Return the distinct RTLs of some samples: as expanded, and as finished."""
    machine, _ = machine_and_grammar(name)
    found = {}
    for file in files:
        unit = compile_c(str(SAMPLES / file), machine.model, COptions((str(HEADERS),)))
        functions, _, _ = expand_unit(unit, machine, True)
        finished = Compiler(machine, Settings(level=1)).unit(str(SAMPLES / file)).functions
        for function in (*functions, *finished):
            found.update((rtl.effects, None) for rtl in function.rtls())
    return list(found)


def check(name, effects):
    machine, grammar = machine_and_grammar(name)
    text = show_effects(effects)
    try:
        if parse_effects(text, machine.cells) != effects:
            return None  # not canonical: no text means it
    except TextError:
        return None
    fast = machine.recognize(effects)
    assert machine.is_legal(effects) == (fast is not None), text
    assert facts_of(grammar.recognize(text)) == facts_of(fast), text
    return fast


def runs():
    """Each machine with one sample, by turns, and some of its RTLs, a few always; thorough is more of all samples."""
    for number, name in enumerate(machine_names()):
        yield case(name, SHAPES // 8, FILES[number % len(FILES) :][:1], usual=number % 24 == 1)
        yield case(name, SHAPES, FILES, usual=False)


@pytest.mark.parametrize(("name", "count", "files"), list(runs()))
def test_equal_on_what_is_compiled(name, count, files):
    rtls = compiled(name, files)
    assert len(rtls) > 200
    shapes = {}
    for effects in rtls:  # the shape without its numbers: one of each will do, since mutations change numbers
        shapes.setdefault("".join(c for c in show_effects(effects) if not c.isdigit()), []).append(effects)
    source = random.Random(name)
    for shape in source.sample(list(shapes), min(len(shapes), count)):
        effects = source.choice(shapes[shape])
        assert check(name, effects) is not None, show_effects(effects)


@pytest.mark.parametrize(("name", "count", "files"), list(runs()))
def test_equal_on_mutations(name, count, files):
    machine, _ = machine_and_grammar(name)
    source = random.Random(name)
    rtls = compiled(name, files)
    legal = illegal = 0
    for _ in range(2 * count):
        effects = mutate(source, machine, source.choice(rtls), source.choice(rtls))
        if check(name, effects) is None:
            illegal += 1
        else:
            legal += 1
    assert legal > count // 10
    assert illegal > count // 10


def mutate(source, machine, effects, others):
    """Return an RTL like another: registers, constants, operators, types, effects changed."""
    for _ in range(source.choice([1, 1, 2])):
        match source.randrange(8):
            case 0:
                effects = (*effects, source.choice(others or effects or ((),))) if others else effects
            case 1:
                effects = effects[: source.randrange(len(effects) + 1)]
            case 2:
                effects = tuple(source.sample(effects, len(effects)))
            case _:
                effects = tuple(mutated_effect(source, machine, effect) for effect in effects)
    return tuple(dict.fromkeys(effects))


def mutated_effect(source, machine, effect):
    chance = source.choice([0.1, 0.3, 0.6])

    def replace(node):
        return node if source.random() > chance else mutated_node(source, machine, node)

    if isinstance(effect, Set) and isinstance(effect.target, Register) and source.random() < chance:
        return Set(register(source, machine), rebuild_effect(effect, replace).source)
    if isinstance(effect, Branch) and source.random() < chance:
        a, b = effect.condition.args
        return Branch(Op(source.choice(OPERATORS[8:11]), "", a, b), effect.label)
    return rebuild_effect(effect, replace)


def register(source, machine):
    cls = source.choice([c for c in machine.classes.values() if c.type in BITS])
    return Register(cls.name, source.randrange(cls.count + 1), cls.type, source.random() < 0.5)


def mutated_node(source, machine, node):
    match node:
        case Register() if node.type in BITS:
            return source.choice([
                register(source, machine), Const(source.choice([0, 1, -1, 5, 100, 4096, -70000])), Symbol("_x", 4),
                Register(node.cls, 1, node.type),
            ])  # fmt: skip
        case Const():
            return source.choice([
                Const(node.value + source.choice([-1, 1, 4, 4096])), Const(-node.value), Symbol("_y"), Slot(".s", 8),
                Half("LO", Symbol("_z", 4)), Slot(".far.s"), register(source, machine),
            ])  # fmt: skip
        case Symbol() | Slot():
            return source.choice([Symbol("_q", 12), Slot(".k"), Const(16), Half("HI", node), register(source, machine)])
        case Mem():
            return Mem(source.choice("BWLQFD"), node.address, source.random() < 0.5)
    return node


JUDGED = """
struct pair { short a; unsigned char b; } table[8];
int f(int *v, int n, unsigned k)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += v[i] * 3 - (v[i] < 100000 ? v[i] >> 2 : (int) (k / 7));
        table[i & 7].b = sum;
    }
    return sum > 70000 ? f(v, sum, k) + table[k & 7].a : sum;
}
"""


@pytest.mark.parametrize("name", machine_names())
def test_the_grammar_accepts_a_sample_of_what_each_phase_makes(name, tmp_path):
    (tmp_path / "f.c").write_text(JUDGED)
    source, compiler = random.Random(name), Compiler(load(name), Settings(level=2, check="invariants"))
    judge = GrammarJudge(compiler.machine)
    compiler.options.judge = lambda effects: judge.objection(effects) if source.random() < 1 / 16 else ""
    compiler.unit(str(tmp_path / "f.c"))
    assert judge.shapes


def test_verify_asks_the_grammar(tmp_path, monkeypatch):
    monkeypatch.setattr(grammar, "TERMINALS", grammar.TERMINALS.replace("LABEL: /L", "LABEL: /M"))
    (tmp_path / "f.c").write_text("void f(int *p) { while (*p) p++; }")
    Compiler(load("riscv32"), Settings(check="invariants")).unit(str(tmp_path / "f.c"))
    with pytest.raises(PhaseError, match="to the recogniser and nothing to the grammar"):
        Compiler(load("riscv32"), Settings(check="samples")).unit(str(tmp_path / "f.c"))


def test_versions_of_a_register_are_one_for_the_grammar():
    machine, _ = machine_and_grammar("i386")
    effects = parse_effects("r[t1.2]=r[t1.1]&r[t3.1];", machine.cells)
    assert machine.must_tie(effects)
    assert not GrammarJudge(machine).objection(effects)


@pytest.mark.parametrize("name", some(machine_names(), 3))
def test_text_is_the_same_each_time(name):
    machine, _ = machine_and_grammar(name)
    text = grammar_text(machine)
    assert text == grammar_text(load(name))
    assert text.startswith(f"// The instructions of {name}")


def test_every_instruction_is_in_the_grammar():
    machine, _ = machine_and_grammar("baseline")
    text = grammar_text(machine)
    for alternative in machine.recognizer.alternatives:
        assert f"// {alternative.name}: {alternative.text}\n" in text
