"""Instructions called by name: on the machine that has them one RTL, elsewhere what they mean, with the same results."""

import pytest

from ease.run.measuring import counted_run
from tests.covering import case, some
from tests.kept_machines import NAMES, load
from tests.machines.instruction_calls import first_constants, program
from vpo.base.errors import UserError
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.callable import DescribedInstructions
from vpo.rtl import Const, Register

EXTENDED = """
machine: extended
extends: riscv32
operands:
  field: {constant: 0..31, mode: IMMED}
instructions:
  MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b"}
  BFI: {rtl: "r[d]=(r[d]&keep)|((r[s]<<at)&mask);", keep: any, at: field, mask: any, when: "keep == -1 - mask",
        asm: "bfi $d,$s,$at,$mask,$keep"}
  DIVMOD: {rtl: "r[q]=r[a]/r[b]; r[m]=r[a]%r[b];", when: "q != m", asm: "divmod $q,$m,$a,$b"}
  LWP: {rtl: "r[d]=L[r[p]]; r[p]=r[p]+4;", asm: "lwp $d,($p)+"}
  SWX: {rtl: "L[r[p]+(r[i]<<2)]=r[s];", asm: "swx $s,$p,$i"}
  SAT: {rtl: "r[d]=SEL(r[a]<-128,-128,SEL(r[a]>127,127,r[a]));", asm: "sat $d,$a"}
  CLZ: {rtl: "r[d]=clz(r[a]);", asm: "clz $d,$a"}
  BREV: {rtl: "r[d]=brev(r[a]);", asm: "brev $d,$a"}
  ROL: {rtl: "r[d]=rotl(r[a],r[b]);", asm: "rol $d,$a,$b"}
  FMAX: {rtl: "f[d]=SEL(f[a]>f[b],f[a],f[b]);", asm: "fmax $d,$a,$b"}
  CLMULH: {rtl: "r[d]=clmulh(r[a],r[b]);", asm: "clmulh $d,$a,$b"}
  MULHSU: {rtl: "r[d]=mulhsu(r[a],r[b]);", asm: "mulhsu $d,$a,$b"}
"""
PROGRAM = """
#include <ease/extended.h>
unsigned MAC(unsigned s, int a, int b) { return extended_MAC(s, a, b); }
unsigned BFI(unsigned t, unsigned i) { return extended_BFI(t, ~496, i, 4, 496); }
int DIVMOD(int a, int b, int *rest) { return extended_DIVMOD(a, b, rest); }
int LWP(const int *p) {
    void *q;
    unsigned x = extended_LWP(p, &q), y = extended_LWP(q, &q);
    return x * 100 + y + ((const int *)q - p);
}
void SWX(int *p, int i, int v) { extended_SWX(p, i, v); }
int SAT(int x) { return extended_SAT(x); }
int CLZ(unsigned x) { return extended_CLZ(x); }
unsigned BREV(unsigned x) { return extended_BREV(x); }
unsigned ROL(unsigned x, int n) { return extended_ROL(x, n); }
double FMAX(double a, double b) { return extended_FMAX(a, b); }
unsigned CLMULH(unsigned a, unsigned b) { return extended_CLMULH(a, b); }
unsigned MULHSU(unsigned a, unsigned b) { return extended_MULHSU(a, b); }
double FMADD(double a, double b, double c) { return extended_FMADD_D(a, b, c); }
int main(void) {
    int rest, t[3] = {7, 9, 11};
    if (MAC(5, -3, 9) != -22u || BFI(0xffffffff, 5) != 0xfffffe5f) return 1;
    if (DIVMOD(-100, 7, &rest) != -14 || rest != -2 || LWP(t) != 711) return 2;
    SWX(t, 2, 42);
    if (t[2] != 42 || SAT(-1000) != -128 || SAT(55) != 55 || SAT(300) != 127) return 3;
    if (CLZ(0) != 32 || CLZ(0x1234) != 19 || BREV(0x12345678) != 0x1e6a2c48) return 4;
    if (ROL(0x80000001, 4) != 0x18 || ROL(5, 0) != 5 || FMAX(2.5, -3) != 2.5 || FMAX(1, 4) != 4) return 5;
    if (CLMULH(0xdeadbeef, 0xcafebabe) != 0x5fff0846 || MULHSU(-2, 0xc0000000) != 0xfffffffe) return 6;
    return FMADD(3, 4, 5) == 17 ? 42 : 7;
}
"""
PARTNERS = {False: ("riscv32", "arm"), True: ("m68020", "sparc")}  # by byte order: machines that must mean the same
USUAL = ("riscv64",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("extended")
    (path / "extended.yaml").write_text(EXTENDED)
    (path / "program.c").write_text(PROGRAM)
    return path


@pytest.mark.parametrize("level", some([0, 1, 2, "s"], 2))
def test_each_is_one_instruction_at_each_level(folder, level):
    machine = load(str(folder / "extended.yaml"))
    compiled = Compiler(machine, Settings(level=level, check="invariants", inline_limit=0)).program(
        [str(folder / "program.c")]
    )
    for name in (line.split(":")[0].strip() for line in EXTENDED.splitlines() if 'asm: "' in line and ": {rtl" in line):
        names = [machine.record(rtl).name for block in compiled.functions[f"_{name}"].blocks for rtl in block.rtls]
        assert name in names
    assert interpret(compiled).exit_status == 42


@pytest.mark.parametrize(
    ("name", "level"),
    [
        case("riscv64", "s", usual=False),
        case("sparc", 2, usual=False),
        case("arm", 0, usual=False),
        case("vax", 1, usual=False),
        case("accumulator", 2, usual=False),
    ],
)
def test_it_means_the_same_on_other_machines(folder, name, level):
    compiled = Compiler(load(name), Settings(level=level)).program([str(folder / "program.c")])
    host, _ = counted_run(compiled)
    assert interpret(compiled).exit_status == host.exit_status == 42


@pytest.mark.parametrize("name", [case(name, usual=name in USUAL) for name in sorted(NAMES)])
def test_every_instruction_that_can_be_called_is_what_is_compiled(name, tmp_path):
    machine = load(name)
    source, calls = program(machine, name, own=True)
    assert len(calls) > 20
    path = tmp_path / "calls.c"
    path.write_text(source)
    unit = Compiler(machine, Settings(level=0)).unit(str(path))
    functions = {function.name: function for function in unit.functions}
    stacks = {register.cls for stack in machine.stacks for register in stack} | {effect.target.cls for effect in machine.pop}
    for call in calls:
        effects, alternative = call.form.effects(first_constants(call.form)), call.form.alternative
        if all(isinstance(effect.source, Register | Const) for effect in effects) or alternative.into:
            continue  # a move; what stands for two instructions
        if all(match.alternative is not alternative for match in machine.recognizer.all_matches(effects)):
            continue  # the compiler writes it as another instruction
        if stacks & {register.cls for effect in effects for register in (*effect.sets, *effect.uses)}:
            continue  # becomes instructions on the top of a stack
        rtls = [rtl.effects for rtl in functions[f"_{call.function}"].rtls()]
        matches = [match for each in rtls for match in machine.recognizer.all_matches(each)]
        assert any(match.alternative is alternative for match in matches), (call.name, rtls)


@pytest.mark.parametrize("name", [case(name, usual=name == "clipper") for name in sorted(NAMES)])
def test_every_instruction_means_the_same_elsewhere(name, tmp_path):
    machine = load(name)
    source, _ = program(machine, name)
    path = tmp_path / "calls.c"
    path.write_text(source)
    other = next(partner for partner in PARTNERS[machine.big_endian] if partner != name)
    outputs = [
        interpret(Compiler(each, Settings(level=0)).program([str(path)]), capture=True) for each in (machine, load(other))
    ]
    assert [run.fault for run in outputs] == [None, None]
    assert outputs[0].output == outputs[1].output


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("extended_BIF(x)", "extended has no instruction 'BIF'; did you mean 'BFI'?"),
        ("__builtin_insn_MULHX(x, x)", "extended has no instruction 'MULHX'; did you mean 'MULH'?"),
        ("extended_MAC(x)", "too few arguments to 'MAC': it takes (d, a, b)"),
        ("extended_DIVMOD(x, x, &x, x)", "too many arguments to 'DIVMOD': it takes (a, b, pointer to result 2)"),
        ("extended_SLLI(x, x)", "argument 2 of 'SLLI' must be a constant in 0..31"),
        ("extended_SLLI(x, 32)", "'SLLI' has no such constants: argument 2 must be a constant in 0..31"),
        ("extended_LW(x)", "argument 1 of 'LW' is an address: a pointer, not 'int'"),
        ("extended_FADD_D(&x, 1)", "argument 1 of 'FADD_D' is a number, not 'int *'"),
        ("extended_DIVMOD(x, x, x)", "argument 3 of 'DIVMOD' is where a further result goes: a pointer to a number"),
        ("extended_JAL(x)", "instruction 'JAL' of extended is not a function: it transfers control"),
        ("extended_ECALL()", "instruction 'ECALL' of extended is not a function: it asks the system"),
        (
            "__builtin_insn_of(x, y)",
            "'__builtin_insn_of' is for the headers <ease/MACHINE.h>: include one and call MACHINE_NAME(...)",
        ),
    ],
)
def test_errors(folder, call, message):
    path = folder / "wrong.c"
    path.write_text(f"#include <ease/extended.h>\nint f(int x) {{\n    return {call};\n}}\n")
    with pytest.raises(UserError) as caught:
        Compiler(load(str(folder / "extended.yaml")), Settings()).unit(str(path))
    assert str(caught.value).splitlines()[0].startswith(f"{path}:3:")
    assert f"error: {message}" in str(caught.value).splitlines()[0]


def test_headers_are_found_beside_the_file_and_in_the_folders_of_the_command_line(folder, tmp_path):
    path = tmp_path / "far.c"
    path.write_text("#if __has_include(<ease/extended.h>) && __has_builtin(__builtin_insn_MULH)\n#include <ease/extended.h>\n"
                    "int f(int x) { return extended_SAT(x); }\n#endif\n")  # fmt: skip
    near, far = (Settings(c=COptions(include_paths=paths)) for paths in ((str(folder),), ()))
    assert [f.name for f in Compiler(load("riscv32"), near).unit(str(path)).functions] == ["_f"]
    assert Compiler(load("riscv32"), far).unit(str(path)).functions == []
    path.write_text("#include <ease/extended.h>\n")
    with pytest.raises(
        UserError, match=r"no machine 'extended', and no extended.yaml beside this file or in the folders of -I"
    ):
        Compiler(load("riscv32"), far).unit(str(path))


def test_instructions_without_meaning_in_c_are_no_functions():
    functions = DescribedInstructions(load("arm")).own
    assert "a list of registers" in functions.why_none("LDM")
    assert "sets nothing that C has" in functions.why_none("CMP")
    assert "for which C has no type" in functions.why_none("ADC")
