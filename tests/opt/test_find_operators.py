"""What C spells out with shifts, masks and sums is found to be an operator, if it is one for all numbers."""

import random

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.algebra import binary, unary
from vpo.algebra.bit_proof import NO, YES, Proof
from vpo.algebra.values import binary as computed
from vpo.algebra.values import convert, signed
from vpo.algebra.values import unary as computed_of_one
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import RELATIONS, Const, Op, Register

ZBB32 = """
extends: riscv32
instructions:
  CLZ: {rtl: "r[d]=clz(r[s]);", asm: "clz $d,$s"}
  CTZ: {rtl: "r[d]=ctz(r[s]);", asm: "ctz $d,$s"}
  CPOP: {rtl: "r[d]=popcount(r[s]);", asm: "cpop $d,$s"}
  REV8: {rtl: "r[d]=bswap(r[s]);", asm: "rev8 $d,$s"}
  BREV: {rtl: "r[d]=brev(r[d]);", asm: "brev $d"}
  ROL: {rtl: "r[d]=rotl(r[a],r[b]);", asm: "rol $d,$a,$b"}
  ROLI: {rtl: "r[d]=rotl(r[a],n);", n: shift, asm: "roli $d,$a,$n"}
  ROR: {rtl: "r[d]=rotl(r[a],32-r[b]);", asm: "ror $d,$a,$b"}
"""
ZBB64 = """
extends: riscv64
instructions:
  CLZW: {rtl: "r[d]=sxQ(clz(trL(r[s])));", asm: "clzw $d,$s"}
  CTZW: {rtl: "r[d]=zxQ(ctz(trL(r[s])));", asm: "ctzw $d,$s"}
  CPOPW: {rtl: "r[d]=sxQ(popcount(trL(r[s])));", asm: "cpopw $d,$s"}
  REV8: {rtl: "r[d]=bswap(r[s]);", asm: "rev8 $d,$s"}
  BREV: {rtl: "r[d]=brev(r[s]);", asm: "brev $d,$s"}
  ROLW: {rtl: "r[d]=sxQ(rotl(trL(r[a]),r[b]));", asm: "rolw $d,$a,$b"}
  RORW: {rtl: "r[d]=sxQ(rotl(trL(r[a]),neg(r[b])));", asm: "rorw $d,$a,$b"}
"""
CODES = """
extends: i386
operands: {five: {constant: 0..31}}
instructions:
  POPCNT: {rtl: "r[d]=popcount(r[s]);", asm: "popcnt $s,$d", clobbers: [cc]}
  LZCNT: {rtl: "r[d]=clz(r[s]);", asm: "lzcnt $s,$d", clobbers: [cc]}
  RBIT: {rtl: "r[d]=brev(r[s]);", asm: "rbit $s,$d"}
  SWAP: {rtl: "r[d]=bswap(r[d]);", asm: "bswap $d"}
  ROTATE: {rtl: "r[d]=rotl(r[d],n);", n: five, asm: "roll $n,$d", clobbers: [cc]}
"""
FUNCTIONS = """
typedef unsigned u;
u ones(u x)
{
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = x + (x >> 4) & 0x0f0f0f0f;
    return x * 0x01010101 >> 24;
}
u ones2(u x)
{
    x = (x & 0x55555555) + (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) + (x >> 4 & 0x0f0f0f0f);
    x = (x & 0x00ff00ff) + (x >> 8 & 0x00ff00ff);
    return (x & 0xffff) + (x >> 16);
}
u near(u x)
{
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = x + (x >> 4) & 0x0f0f0f0f;
    return x * 0x01010100 >> 24;
}
u smear(u x) { x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; return x | x >> 16; }
u zeros(u x) { return ones(~smear(x)); }
u zeros2(u x) { return 32 - ones2(smear(x)); }
u end(u x) { return ones(~x & (x - 1)); }
u end2(u x) { return ones((x & -x) - 1); }
u swap(u x) { return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24; }
u swap2(u x) { x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff); return x << 16 | x >> 16; }
u mirror(u x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    return swap((x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f));
}
u odd(u x) { x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; x ^= x >> 2; x ^= x >> 1; return x & 1; }
u left(u x, int n) { return x << n | x >> 32 - n; }
u left2(u x, u n) { return x << (n & 31) | x >> (-n & 31); }
u right(u x, int n) { return x >> n | x << 32 - n; }
u right2(u x, u n) { n &= 31; return x >> n | x << (31 & -n); }
u fixed(u x) { return x << 7 | x >> 25; }
u guarded(u x) { return x ? zeros(x) : 32; }
u width(u x) { u n = 0; if (x != 0) n = 32 - zeros(x); return n; }
u turned(u x, int n) { return n ? x << n | x >> (32 - n) : x; }
u otherwise(u x) { return x ? zeros(x) : 31; }
u doubled(u x, u n) { return (x << (n & 31)) + (x >> (-n & 31)); }
u loop(u x) { u n = 0; for (; x; x >>= 1) n += x & 1; return n; }
u loop2(u x) { u n = 0; for (u i = 0; i < 32; i++) if (x >> i & 1) n++; return n; }
u added(u x, u n) { while (x) { n++; x &= x - 1; } return n; }
u loop_odd(u x) { u p = 0; while (x) { p ^= 1; x &= x - 1; } return p; }
u loop_zeros(u x) { u n = 0; if (!x) return 32; while (!(x & 0x80000000)) { x <<= 1; n++; } return n; }
u loop_zeros2(u x) { int i; for (i = 31; i >= 0; i--) if (x & 1u << i) break; return 31 - i; }
u loop_width(u x) { u n = 0; while (x) { x >>= 1; n++; } return n; }
u loop_end(u x) { u n = 0; if (x == 0) return 32; while (!(x & 1)) { x >>= 1; n++; } return n; }
u loop_mirror(u x) { u r = 0; for (int i = 0; i < 32; i++) { r = r << 1 | x & 1; x >>= 1; } return r; }
u loop_near(u x) { u n = 0; for (u i = 0; i < 31; i++) if (x >> i & 1) n++; return n; }
"""
USED = {
    "zbb32": {
        "ones": "CPOP", "ones2": "CPOP", "zeros": "CLZ", "zeros2": "CLZ", "end": "CTZ", "end2": "CTZ", "swap": "REV8",
        "swap2": "REV8", "mirror": "BREV", "odd": "CPOP", "left": "ROL", "left2": "ROL", "right": "ROR", "right2": "ROR",
        "fixed": "ROLI", "guarded": "CLZ", "width": "CLZ", "turned": "ROL", "loop": "CPOP", "loop2": "CPOP",
        "loop_odd": "CPOP", "loop_zeros": "CLZ", "loop_zeros2": "CLZ", "loop_width": "CLZ", "loop_end": "CTZ",
        "loop_mirror": "BREV",
    },
    "zbb64": {
        "ones": "CPOPW", "ones2": "CPOPW", "zeros": "CLZW", "zeros2": "CLZW", "end": "CTZW", "end2": "CTZW", "swap": "REV8",
        "mirror": "BREV", "left": "ROLW", "left2": "ROLW", "right": "RORW", "guarded": "CLZW", "width": "CLZW",
    },
    "codes": {
        "ones": "POPCNT", "ones2": "POPCNT", "zeros": "LZCNT", "zeros2": "LZCNT", "end": "RBIT", "end2": "RBIT",
        "swap": "SWAP", "mirror": "RBIT", "odd": "POPCNT", "loop": "POPCNT",
    },
}  # fmt: skip
PROGRAM = (
    FUNCTIONS
    + """
int main(void)
{
    u x = 1, sum = 0;
    for (int i = 0; i < 100; i++, x = i < 64 ? i % 2 ? x * 2 : x * 4 - 1 : x * 0x9E3779B9 + 12345) {
        sum = sum * 31 + ones(x) + 33 * ones2(x) + 1091 * near(x) + zeros(x) * 7 + zeros2(x) * 77 + end(x) * 777;
        sum = sum * 31 + end2(x) + 3 * swap(x) + 5 * swap2(x) + 7 * mirror(x) + 11 * odd(x) + 13 * fixed(x);
        sum = sum * 31 + left(x, i % 32) + 3 * left2(x, i) + 5 * right(x, i % 32) + 7 * right2(x, i) + 11 * doubled(x, i);
        u some = x & -(i & 1);
        sum = sum * 31 + loop(x) + 3 * loop2(x) + 5 * added(x, i) + 7 * loop_odd(x) + 11 * loop_near(x) + 13 * loop_mirror(x);
        sum = sum * 31 + loop_zeros(some) + 3 * loop_zeros2(some) + 5 * loop_width(some) + 7 * loop_end(some);
        sum = sum * 31 + guarded(some) + 3 * width(some) + 5 * otherwise(some) + turned(x, i % 32) + turned(x, 32 * (i & 1));
    }
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""
)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    folder = tmp_path_factory.mktemp("machines")
    for name, text in (("zbb32", ZBB32), ("zbb64", ZBB64), ("codes", CODES)):
        (folder / f"{name}.yaml").write_text(text)
    return {name: load(str(folder / f"{name}.yaml")) for name in USED}


@pytest.mark.parametrize(("name", "level"), some([("zbb32", 2), ("zbb64", 1), ("codes", 2)], 1))
def test_one_instruction_is_used(name, level, machines, tmp_path):
    (tmp_path / "a.c").write_text(FUNCTIONS)
    unit = Compiler(machines[name], Settings(level=level, inline_limit=200)).unit(str(tmp_path / "a.c"))
    found = {f.name[1:]: [machines[name].record(rtl).name for rtl in f.rtls()] for f in unit.functions}
    used = USED[name]
    assert {function: key for function, key in used.items() if key not in found[function] or len(found[function]) > 4} == {}
    assert not set(found["near"]) & set(used.values())
    assert len(found["otherwise"]) > 4
    assert not set(found["doubled"]) & set(used.values())
    assert not set(found["loop_near"]) & set(used.values())


@pytest.mark.parametrize(("name", "level"), some([("zbb32", 2), ("zbb64", 1), ("codes", 1)], 1))
def test_the_same_is_computed(name, level, machines, tmp_path):
    (tmp_path / "a.c").write_text(PROGRAM)
    usual = interpret(Compiler(load("riscv32"), Settings(level=0)).program([str(tmp_path / "a.c")]))
    found = interpret(Compiler(machines[name], Settings(level=level, inline_limit=200)).program([str(tmp_path / "a.c")]))
    assert (found.fault, found.exit_status) == (None, usual.exit_status)


ROTATIONS = """
typedef unsigned u;
u left(u x, int n) { return x << n | x >> 32 - n; }
u left2(u x, u n) { return x << (n & 31) | x >> (-n & 31); }
u left3(u x, u n) { return x << n % 32 | x >> (32 - n % 32) % 32; }
u right(u x, int n) { return x >> n | x << 32 - n; }
u hash(const u *p, int n, int k) { u h = n; for (int i = 0; i < n; i++) h = (h << k | h >> 32 - k) ^ p[i]; return h; }
u both(u x, u y, int k) { u a = x << k | x >> (32 - k), b = y >> k | y << (32 - k); return a * 3 + b; }
u other(u x, int n, int k) { return x << n | x >> 32 - k; }
u later(u x, u n) { u y = x << (n & 31), z = y / (n | 1); return z + (y | x >> (-n & 31)); }
"""
ROTATING = {"x86_64": ("ROLL", "RORL"), "i386": ("ROLL", "RORL"), "m68020": ("ROL.L", "ROR.L"), "vax": ("ROTL", "ROTL")}
ROTATED = (
    ROTATIONS
    + """
int main(void)
{
    u p[4] = {1, 0x80000001, 77, ~3u}, sum = 0, x = 12345;
    for (int i = 1; i < 100; i++, x = x * 0x9E3779B9 + i) {
        int n = i % 31 + 1;
        sum = sum * 31 + left(x, n) + 3 * left2(x, i) + 5 * left3(x, i) + 7 * right(x, n) + 11 * hash(p, 4, n);
        sum = sum * 31 + both(x, sum, n) + 3 * other(x, n, 7) + 5 * later(x, i);
    }
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""
)


@pytest.mark.parametrize("name", ROTATING)
def test_distances_are_brought_where_instructions_demand_them(name, tmp_path):
    (tmp_path / "a.c").write_text(ROTATIONS)
    unit = Compiler(machine := load(name), Settings(level=2)).unit(str(tmp_path / "a.c"))
    found = {f.name[1:]: [machine.record(rtl).name for rtl in f.rtls()] for f in unit.functions}
    left, right = ROTATING[name]
    assert [each for each in ("left", "left2", "left3", "hash") if left not in found[each]] == []
    assert right in found["right"]
    assert not {left, right} & {*found["other"]}
    assert len([each for each in found["both"] if each in (left, right)]) == 2


@pytest.mark.parametrize("name", ROTATING)
@pytest.mark.parametrize("level", [1, 2])
def test_what_is_rotated_there_is_the_same(name, level, tmp_path):
    (tmp_path / "a.c").write_text(ROTATED)
    usual = interpret(Compiler(load("riscv32"), Settings(level=0)).program([str(tmp_path / "a.c")]))
    found = interpret(Compiler(load(name), Settings(level=level)).program([str(tmp_path / "a.c")]))
    assert (found.fault, found.exit_status) == (None, usual.exit_status)


# ----------------------------------------------------------------------------------------------------------- proofs


X = Register("b", 1, "B", True)


def expression(chance, depth):
    """Return a random expression of one register of eight bits."""
    if depth == 0 or chance.random() < 0.1:
        return X if chance.random() < 0.8 else Const(chance.choice([0, 1, -1, 0x55, 0x0F, chance.randrange(256) - 128]))
    kind = chance.randrange(5)
    if kind == 0:
        return unary(chance.choice(["neg", "not", "clz", "ctz", "popcount", "brev"]), "B", expression(chance, depth - 1))
    if kind == 1:
        a, b, c, d = (expression(chance, depth - 1) for _ in range(4))
        test = Op(chance.choice([*sorted(RELATIONS)]), "", a, b)
        return Op("SEL", "B", test, c, d) if "B" in (a.type, b.type) and "B" in (c.type, d.type) else c
    if kind == 2:
        wide = unary(chance.choice(["sx", "zx"]), "W", expression(chance, depth - 1))
        return unary("tr", "B", unary("bswap", "W", wide) if wide.type else wide)
    if kind == 3:
        op, by = chance.choice(["<<", ">>", ">>u", "rotl", "*"]), Const(chance.randrange(8))
        computed = expression(chance, depth - 2) if op != "*" and depth > 1 and chance.random() < 0.5 else by
        return binary(op, expression(chance, depth - 1), computed if computed.type else by)
    return binary(chance.choice(["+", "-", "&", "|", "^"]), expression(chance, depth - 1), expression(chance, depth - 1), "B")


def value(node, x, type_="B"):
    """Return what the definition of RTLs says."""
    type_ = node.type or type_
    match node:
        case Register():
            return x
        case Const():
            return node.value & ((1 << {"B": 8, "W": 16}[type_]) - 1)
        case Op(op="SEL", args=(test, a, b)):
            return value(a if holds(test, x) else b, x, type_)
        case Op(args=(a, b)):
            return computed(node.op, type_, value(a, x, type_), value(b, x, type_))
        case Op(op="sx" | "zx" | "tr", args=(a,)):
            return convert(node.op, a.type or type_, type_, value(a, x))
    return computed_of_one(node.op, type_, value(node.args[0], x, type_))


def holds(test, x):
    a, b = (value(arg, x) for arg in test.args)
    op = {"!<": ">=", "!<=": ">", "!>": "<=", "!>=": "<"}.get(test.op, test.op)
    if not op.endswith("u"):
        a, b = signed(a, "B"), signed(b, "B")
    less, same = a < b, a == b
    more = not less and not same
    return {"<": less, "<=": not more, ">": more, ">=": not less, "==": same, "!=": not same}[op.rstrip("u")]


@pytest.mark.parametrize("highest_first", [False, True])
def test_diagrams_say_what_the_definition_says(highest_first):
    chance = random.Random(5)
    for _ in range(150):
        node = expression(chance, 4)
        if node.type != "B":
            continue
        proof = Proof(X, lambda register: None, highest_first=highest_first)
        bits = proof.number(node, "B")
        for x in range(256):
            found = 0
            for place, diagram in enumerate(bits):
                while diagram not in (NO, YES):
                    variable, low, high = proof.diagrams.nodes[diagram]
                    diagram = high if x >> (7 - variable if highest_first else variable) & 1 else low
                found |= diagram << place
            assert found == value(node, x), (node, x)


def test_sums_of_the_bits_of_64_are_proven():
    """The diagrams of a count are small where each is a part of the next."""
    number = Register("r", 1, "Q", True)

    def half_sums(node, by, mask):
        repeated = Const(signed(int.from_bytes(bytes([mask]) * 8, "big"), "Q"))
        return binary("+", *(binary("&", part, repeated, "Q") for part in (node, binary(">>u", node, Const(by), "Q"))), "Q")

    bytes_ = half_sums(half_sums(half_sums(number, 1, 0x55), 2, 0x33), 4, 0x0F)
    count = binary(">>u", binary("*", bytes_, Const(0x0101010101010101), "Q"), Const(56), "Q")
    assert Proof(number, lambda register: None).equal(count, unary("popcount", "Q", number), "Q")
