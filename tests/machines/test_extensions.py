"""Machines with extensions: how they are named and composed, and the encodings of their instructions."""

import pytest

from ease.commands.machine.machine_command import main
from tests.kept_machines import load
from vpo.machines.names import extension_files
from vpo.machines.read.composition import files_of, read
from vpo.machines.read.load import build
from vpo.machines.read.source import DescriptionError, parts_of
from vpo.text import parse_effects

OTHER = """\
extension: other
address: L
instructions:
  TWICE: {rtl: "r[d]=(r[a]<<5)-r[d];", asm: "twice $d,$a", encoding: "ENCODING"}
"""


def with_other(folder, encoding, base="riscv32+zba"):
    """Return a machine with an extension whose instruction is encoded in some way."""
    (folder / "other.yaml").write_text(OTHER.replace("ENCODING", encoding))
    return f"{base}+{folder}/other.yaml"


def test_names():
    assert parts_of("riscv32") == ["riscv32"]
    assert parts_of("riscv32+zba+zbb") == ["riscv32", "zba", "zbb"]
    assert parts_of("c++/mine.yaml+zba+./own.yaml") == ["c++/mine.yaml", "zba", "./own.yaml"]


def test_a_machine_with_extensions():
    machine = load("riscv32+zba")
    assert machine.name == "riscv32+zba"
    assert {"SH1ADD", "SH2ADD", "SH3ADD"} <= {form.name for form in machine.recognizer.alternatives}
    assert "-march=rv32imfd_zba" in machine.toolchain.assembler
    assert "ADD.UW" in {form.name for form in load("riscv64+zba").recognizer.alternatives}
    assert [path.name for path in files_of("riscv64+zba")] == ["riscv64.yaml", "zba.yaml", "riscv32.yaml"]


@pytest.mark.parametrize("extends", ["[riscv32, zba]", "riscv32+zba"])
def test_a_description_that_extends_a_machine_with_extensions(extends, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(f"machine: mine\nextends: {extends}\ninstructions: {{SH3ADD: null}}\n")
    machine = build(read(str(file)))
    assert machine.name == "mine"
    assert {"SH1ADD", "SH3ADD"} & {form.name for form in machine.recognizer.alternatives} == {"SH1ADD"}
    assert [path.name for path in files_of(str(file))] == ["mine.yaml", "riscv32.yaml", "zba.yaml"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("riscv32+zbq", "'riscv32' has no extension 'zbq'; did you mean 'zba'? (there are "),
        ("arm+zba", "'arm' has no extensions, so no 'zba'"),
        ("riscy32+zba", "there is no machine 'riscy32'"),
    ],
)
def test_extensions_that_there_are_not(name, message, capsys):
    assert main(["show", name]) == 1
    assert message in capsys.readouterr().err


def test_an_extension_of_another_width(tmp_path, capsys):
    assert main(["show", with_other(tmp_path, "00000001", "riscv64")]) == 1
    assert "'other' goes with addresses of type L; those of 'riscv64' have Q" in capsys.readouterr().err


def test_encodings_with_a_word_in_common(tmp_path):
    message = r"other.yaml:4:10: error: instruction TWICE: 0x20002033 is SH1ADD, too"
    with pytest.raises(DescriptionError, match=message) as error:
        load(with_other(tmp_path, "001 d:9 a:5 010 d:5 0110011"))
    assert "zba.yaml" in str(error.value)


def test_encodings_apart(tmp_path):
    assert load(with_other(tmp_path, "0000000 d:5 a:5 001 d:5 1111111"))
    assert load(with_other(tmp_path, "d:4 a:5 d:5!0 01"))


def test_an_extension_is_no_machine(tmp_path):
    with_other(tmp_path, "a:1")
    with pytest.raises(DescriptionError, match="this is an extension, not a machine: -m MACHINE\\+other"):
        read(str(tmp_path / "other.yaml"))


def test_short_forms():
    machine = load("rv32imc")
    texts = ("r[8]=r[8]+r[20];", "r[8]=r[9]+r[20];", "r[20]=r[20]-r[8];", "r[9]=r[9]-r[8];", "r[8]=L[r[15]+124];",
             "r[8]=L[r[15]+128];", "r[8]=L[r[16]];", "r[20]=L[r[2]+252];")  # fmt: skip
    found = [machine.recognize(parse_effects(text, machine.cells)) for text in texts]
    assert [record.size for record in found] == [2, 4, 4, 2, 2, 4, 4, 2]


def test_a_part_for_an_instruction_that_the_machine_has():
    assert {"C.FLW", "C.FLD"} <= {form.name for form in load("riscv32+c").recognizer.alternatives}
    assert {"C.FLW", "C.FLD"}.isdisjoint(form.name for form in load("rv32imc").recognizer.alternatives)
    assert load("rv32imc").toolchain.assembler[1:] == ("-march=rv32imc", "-mabi=ilp32")
    assert load("rv32emc").toolchain.assembler[1:] == ("-march=rv32emc", "-mabi=ilp32e")


def test_extensions_of_a_machine_that_has_some():
    machine = load("rv32imc+zbb+zcb")
    assert machine.description.endswith("; with zbb, zcb")
    assert {"CLZ", "C.MUL", "C.ZEXT.H"} <= {form.name for form in machine.recognizer.alternatives}
    assert "C.ZEXT.H" not in {form.name for form in load("rv32imc+zcb").recognizer.alternatives}


def test_extensions_that_exclude_each_other():
    assert load("rv32imc+zclsd")
    with pytest.raises(DescriptionError, match=r"instruction C\.LD: 0x6000 is C\.FLW, too"):
        load("riscv32+c+zclsd")


def test_list_has_extensions(capsys):
    assert main(["list"]) == 0
    listed = capsys.readouterr().out.partition("\n\nextensions of riscv32 ")[2].splitlines()[1:]
    assert [line.split()[0] for line in listed] == [path.stem for path in extension_files()["riscv"]]


def test_registers_with_which_instructions_are_short():
    assert load("rv32imc").short_registers == {"r": frozenset(range(8, 16))}
    assert load("rv32imc+zcb+zclsd").short_registers == {"r": frozenset(range(8, 16))}
    assert load("riscv32").short_registers == {}
