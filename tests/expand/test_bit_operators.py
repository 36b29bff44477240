"""What C counts, reverses and multiplies is done by instructions that a description says so of, and means what it did."""


import pytest

from tests.covering import some
from tests.ground_truth import confirm
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

ZBB = {
    "CLZ": "r[d]=clz(r[s]);", "CTZ": "r[d]=ctz(r[s]);", "CPOP": "r[d]=popcount(r[s]);",
    "REV8": "r[d]=bswap(r[s]);", "BREV": "r[d]=brev(r[s]);",
}  # fmt: skip
MACHINES = {
    "zbb32": ("riscv32", ZBB),
    "zbb64": ("riscv64", ZBB | {
        "MULH": "r[d]=mulh(r[a],r[b]);", "MULHU": "r[d]=mulhu(r[a],r[b]);", "MULHSU": "r[d]=mulhsu(r[a],r[b]);",
        "CLZW": "r[d]=sxQ(clz(trL(r[s])));", "CPOPW": "r[d]=zxQ(popcount(trL(r[s])));",
    }),
    "real": ("riscv64", {
        "CLZ": "r[d]=clz(r[s]);", "CTZ": "r[d]=ctz(r[s]);", "CPOP": "r[d]=popcount(r[s]);", "REV8": "r[d]=bswap(r[s]);",
        "CLZW": "r[d]=sxQ(clz(trL(r[s])));", "CTZW": "r[d]=sxQ(ctz(trL(r[s])));", "CPOPW": "r[d]=sxQ(popcount(trL(r[s])));",
        "ROL": "r[d]=rotl(r[a],r[b]);", "RORW": "r[d]=sxQ(rotl(trL(r[a]),neg(r[b])));",
        "MULH": "r[d]=mulh(r[a],r[b]);", "MULHU": "r[d]=mulhu(r[a],r[b]);", "MULHSU": "r[d]=mulhsu(r[a],r[b]);",
    }),
    "clz_only": ("riscv32", {"CLZ": "r[d]=clz(r[s]);"}),
    "two_addresses": ("riscv32", {"REV8": "r[s]=bswap(r[s]);", "CPOP": "r[s]=popcount(r[s]);"}),
    "wide": ("riscv64", ZBB),
}  # fmt: skip
REAL = "toolchain: {assembler: [riscv64-linux-gnu-as, -march=rv64imfd_zbb, -mabi=lp64d]}"
FUNCTIONS = """
#include <stdbit.h>
#include <byteswap.h>
#include <unistd.h>
typedef unsigned u; typedef unsigned long long ull; typedef long long ll;
#define F __attribute__((noinline)) static
F int zeros(u x) { return __builtin_clz(x); }
F int zerosll(ull x) { return __builtin_clzll(x); }
F int end(u x) { return __builtin_ctz(x); }
F int endll(ull x) { return __builtin_ctzll(x); }
F int ones(u x) { return __builtin_popcount(x); }
F int onesll(ull x) { return __builtin_popcountll(x); }
F int odd(u x) { return __builtin_parity(x); }
F int first(int x) { return __builtin_ffs(x); }
F int firstll(ll x) { return __builtin_ffsll(x); }
F int signs(int x) { return __builtin_clrsb(x); }
F u swap(u x) { return __builtin_bswap32(x); }
F ull swapll(ull x) { return bswap_64(x); }
F unsigned short swaps(unsigned short x) { return __builtin_bswap16(x); }
F int iswap(int x) { return __builtin_bswap32(x); }
F u mirror(u x) { return __builtin_bitreverse32(x); }
F ull mirrorll(ull x) { return __builtin_bitreverse64(x); }
F u mirrorb(unsigned char x) { return __builtin_bitreverse8(x); }
F int high(int a, int b) { return (ll)a * b >> 32; }
F u highu(u a, u b) { return (ull)a * b >> 32; }
F int mixed(int a, u b) { return a * (ll)b >> 32; }
F ll whole(int a, short b) { return (ll)a * b; }
F ll tenfold(u a) { return (ll)a * 10; }
F ull left(ull x, int n) { return x << n | x >> (64 - n); }
F u right(u x, int n) { return x >> (n & 31) | x << (-n & 31); }
F u standard(unsigned char c, unsigned short s, u i, ull l)
{
    return stdc_leading_zeros(c) + 3 * stdc_trailing_zeros(s) + 5 * stdc_leading_ones(i) + 7 * stdc_trailing_zeros(l)
        + 11 * stdc_count_ones(c) + 13 * stdc_bit_width(l) + 17 * stdc_first_trailing_one(i) + 19 * stdc_bit_floor(s);
}
#ifdef __SIZEOF_INT128__
F ll highll(ll a, ll b) { return (__int128)a * b >> 64; }
F ull highull(ull a, ull b) { return (unsigned __int128)a * b >> 64; }
F ll mixedll(ll a, ull b) { return (__int128)a * b >> 64; }
#else
#define highll(a, b) 0ll
#define highull(a, b) 0ll
#define mixedll(a, b) 0ll
#endif
"""
PROGRAM = FUNCTIONS + """
int main(void)
{
    ull x = 1, sum[9] = {0};
    for (int i = 0; i < 80; i++, x = i < 64 ? i % 2 ? x * 2 : x * 4 - 1 : x * 0x9E3779B97F4A7C15u + 12345) {
        u w = x;
        if (!x) x = 0xFFFFFFFFFFFFFFFF;
        if (w) sum[0] = sum[0] * 31 + zeros(w) + 64 * end(w);
        sum[1] = sum[1] * 31 + zerosll(x) + 64 * endll(x) + ones(w) * 7 + onesll(x) * 777;
        sum[2] = sum[2] * 31 + odd(w) + first(w) * 3 + firstll(x) * 99 + signs(w) * 7777;
        sum[3] = sum[3] * 31 + swap(w) + swapll(x) * 3 + swaps(w) * 5 + iswap(w) * 7ll;
        sum[4] = sum[4] * 31 + mirror(w) + mirrorll(x) * 3 + mirrorb(w) * 5;
        sum[5] = sum[5] * 31 + high(w, x >> 32) + highu(w, x >> 32) * 3ll + mixed(w, x >> 32) * 5ll;
        sum[6] = sum[6] * 31 + whole(w, x >> 40) + tenfold(w) * 3 + left(x, i % 63 + 1) + right(w, i) * 5ll;
        sum[7] = sum[7] * 31 + standard(w, w, w, x) + standard(0, 0, 0, x >> 33);
        sum[8] = sum[8] * 31 + highll(x, x * 77) + highull(x, x * 99) + mixedll(x, x * 33);
    }
    write(1, sum, sizeof sum);
    return first(0) + firstll(0);
}
"""


def operands_of(rtl):
    return ",".join(f"${name}" for name in "dsab" if f"r[{name}]" in rtl)


@pytest.fixture(scope="module")
def machine_of(tmp_path_factory):
    folder = tmp_path_factory.mktemp("machines")

    def built(name):
        base, instructions = MACHINES[name]
        path = folder / f"{name}.yaml"
        lines = [f'  {key}: {{rtl: "{rtl}", asm: "{key.lower()} {operands_of(rtl)}"}}' for key, rtl in instructions.items()]
        path.write_text("\n".join([f"extends: {base}", "instructions:", *lines, REAL if name == "real" else ""]))
        return load(str(path))

    return built


def outcome(machine, source, level):
    found = interpret(Compiler(machine, Settings(level=level)).program([str(source)]), capture=True)
    assert (found.fault, found.exit_status) == (None, 0)
    return found.output


OUTPUTS = {}


def without_operators(base, source):
    if base not in OUTPUTS:
        OUTPUTS[base] = outcome(load(base), source, 1)
    return OUTPUTS[base]


RUN = [("wide", 1), ("clz_only", 1), ("zbb32", 2), ("zbb64", 0), ("two_addresses", 0)]


@pytest.mark.parametrize(("name", "level"), some(RUN, 1, first=2))
def test_the_same_is_computed(name, level, machine_of, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    assert outcome(machine_of(name), source, level) == without_operators(MACHINES[name][0], source)


def used(machine, tmp_path):
    """Return the instructions of each function at -O2."""
    source = tmp_path / "prog.c"
    source.write_text(FUNCTIONS.replace("__attribute__((noinline)) static", ""))
    unit = Compiler(machine, Settings(level=2)).unit(str(source))
    return {f.name[1:]: [machine.record(rtl).name for rtl in f.rtls()] for f in unit.functions}


def test_one_instruction_does_it(machine_of, tmp_path):
    found = used(machine_of("zbb32"), tmp_path)
    of_bits = {"zeros": "CLZ", "end": "CTZ", "ones": "CPOP", "swap": "REV8", "mirror": "BREV"}
    expected = of_bits | {"high": "MULH", "highu": "MULHU"}
    assert {name: found[name] for name in expected} == {name: [key, "RET"] for name, key in expected.items()}
    assert found["onesll"][:3] == ["CPOP", "CPOP", "ADD"]


def test_of_the_low_half_of_a_word(machine_of, tmp_path):
    found = used(machine_of("zbb64"), tmp_path)
    expected = {
        "zeros": ["CLZW"], "ones": ["CPOPW"], "zerosll": ["CLZ"], "onesll": ["CPOP"], "swap": ["REV8", "SRAI"],
        "highll": ["MULH"], "highull": ["MULHU"], "mixedll": ["MULHSU"],
    }  # fmt: skip
    assert {name: found[name] for name in expected} == {name: [*keys, "RET"] for name, keys in expected.items()}


def test_the_real_machine_agrees(machine_of, tmp_path):
    machine = machine_of("real")
    (tmp_path / "prog.c").write_text(PROGRAM)
    program = Compiler(machine, Settings(level=2)).program([str(tmp_path / "prog.c")])
    used = {machine.record(rtl).name for function in program.functions.values() for rtl in function.rtls()}
    assert used >= MACHINES["real"][1].keys()
    found = interpret(program, capture=True)
    confirm(program, found)
