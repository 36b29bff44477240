"""A number in the place of the register that holds it means the same: folded and evaluated in the right width."""

import pytest
from fake_machine import program_of

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from vpo.algebra import substitute
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Const, Register
from vpo.text import parse_effects, show

EDGES = (0, 1, 7, 200, 65535, 195000, (1 << 31) - 1, -1 << 31, -1, -200)
INTEGER = (
    *(f"r[3]{op}{b}" for op in ("+", "*", "/", "/u", "%", "%u", "&", "<<", ">>", ">>u") for b in (3, -7)),
    *(f"r[3]{op}{b}" for op in ("==", "<", "<u", ">=", ">=u") for b in (5, -1)),
    *(f"{op}(tr{t}(r[3]))" for op in ("sxL", "zxL") for t in "BW"),
    "5/u(r[3]|1)", "(r[3]<<4)>>u4", "(r[3]>>u1)+r[3]", "SEL(r[3]>u9,1,2)", "neg(r[3])", "not(r[3])", "1<<r[3]",
)  # fmt: skip
FLOATING = (
    *(f"{op}D({x})" for op in ("cvt", "cvtu") for x in ("trB(r[3])", "trW(r[3])", "r[3]", "zxQ(r[3])", "sxQ(trW(r[3]))")),
    "bitsD(zxQ(trW(r[3])))", "bitsD(sxQ(trW(r[3])))", "cvtD(bitsF(r[3]))",
)  # fmt: skip


def program(word, lines, size):
    """Return a program that writes the `size` bytes at _out when it has done some RTLs."""
    lines = [*lines, "r[17]=4;", "r[10]=1;", "r[11]=_out;", f"r[12]={size};", f"r[10]=SYS{word}(r[17],r[10],r[11],r[12]);",
             "r[17]=1;", "r[10]=0;", f"r[10]=SYS{word}(r[17],r[10],r[11],r[12]);"]  # fmt: skip
    text = "".join(f"\t{line} # program 1\n" for line in lines)
    text = f'function _start file "a.c" line 1 stage framed {{\nL1:\n{text}}}\ndata _out size {size} align 8 {{\n}}\n'
    return program_of(text, address_type=word)


@pytest.mark.parametrize("value", some(EDGES, 8))
@pytest.mark.parametrize("word", ["L", "Q"])
def test_numbers_for_registers(word, value):
    integer = [text.replace("sxL", f"sx{word}").replace("zxL", f"zx{word}") for text in INTEGER]
    floating = list(FLOATING)
    if word == "Q":
        floating = [text.replace("zxQ(r[3])", "r[3]").replace("F(r[3])", "F(trL(r[3]))") for text in floating]
    stores = [f"{word}[_out+{8 * i}]={text};" for i, text in enumerate(integer)]
    stores += [f"D[_out+{8 * i}]={text};" for i, text in enumerate(floating, len(stores))]
    effects = [parse_effects(store, {"r": word})[0] for store in stores]
    numbers = [substitute(effect.source, {Register("r", 3, word): Const(value)}) for effect in effects]
    replaced = [f"{show(effect.target)}={show(number)};" for effect, number in zip(effects, numbers, strict=True)]
    held = interpret(program(word, [f"r[3]={value};", *stores], 8 * len(stores)), capture=True)
    assert held.fault is None
    number = program(word, replaced, 8 * len(stores))
    for result in (interpret(number, capture=True), run(number, options=RunOptions(capture=True, tier="quick"))):
        assert result.fault is None
        assert len(result.output) == 8 * len(stores)
        wrong = [i for i in range(len(stores)) if result.output[8 * i : 8 * i + 8] != held.output[8 * i : 8 * i + 8]]
        assert not [(stores[i], replaced[i]) for i in wrong]
