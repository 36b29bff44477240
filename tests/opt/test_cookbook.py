"""docs/cookbook.md: each instruction is used in all three ways in which C says what it does.

`pytest --bless` writes the numbers of instructions into the page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.machines.machine import Machine

PAGE = Path(__file__).parents[2] / "docs" / "cookbook.md"
ENTRY = re.compile(
    r"^### (?P<name>[\w.]+):.*?```yaml\n(?P<entry>.*?)```\n\n```c\n(?P<code>.*?)```\n\n"
    r"(?P<counts>Instructions at `-O2`: [^\n]*)",
    re.MULTILINE | re.DOTALL,
)
ENTRIES = {match["name"]: match for match in ENTRY.finditer(PAGE.read_text())}
OPERANDS = re.search(r"^operands:\n((?:  .*\n)+)", PAGE.read_text(), re.MULTILINE)
NOT_AT_LEVEL_1 = {
    "SAD",
    "BFLY",
    "USAD8",
    "DBNZ",
    "BDNZ",
    "LOOP",
    "BDZ",
    "LWZU",
    "INSB",
    "ADD16",
}  # no calls are inlined there, loops do not count down, and small structures lie in memory


def test_there_are_enough():
    assert len(ENTRIES) >= 60
    assert all(len(re.findall(r"\bf[123]\(", match["code"])) >= 3 for match in ENTRIES.values())


def machine_of(entry: str, folder: Path, base: str = "riscv32") -> Machine:
    assert OPERANDS is not None
    named = [line for line in OPERANDS[1].splitlines() if re.search(rf"\b{line.split(':')[0].strip()}\b", entry)]
    lines = [f"extends: {base}", *(["operands:", *named] if named else []), "instructions:", f"  {entry}"]
    (folder / "more.yaml").write_text("\n".join(lines))
    return load(str(folder / "more.yaml"))


def instructions(machine: Machine, level: int, source: Path) -> dict[str, list[str]]:
    """Return the names of the instructions of each function."""
    unit = Compiler(machine, Settings(level)).unit(str(source))
    functions = [function for function in unit.functions if re.fullmatch(r"_f\d", function.name)]
    return {function.name[1:]: [machine.record(rtl).name for rtl in function.rtls()] for function in functions}


def not_used(entry: str, found: dict[str, list[str]]) -> list[str]:
    """Return the functions without one of the instructions that an entry describes."""
    wanted = entry.split(":")[0].split()
    return [function for function, names in found.items() if not set(wanted).intersection(names)]


@pytest.mark.parametrize("name", some(ENTRIES, len(ENTRIES) // 5, first=1))
def test_it_is_used(name, tmp_path, monkeypatch, request):
    monkeypatch.setenv("EASE_CACHE", "")
    match, source = ENTRIES[name], tmp_path / "a.c"
    source.write_text(match["code"])
    machine = machine_of(match["entry"], tmp_path)
    found = instructions(machine, 2, source)
    assert not_used(match["entry"], found) == []
    before = instructions(load("riscv32"), 2, source)
    counts = [", ".join(str(len(each[f"f{n}"])) for n in (1, 2, 3)) for each in (before, found)]
    told = f"Instructions at `-O2`: {counts[0]} become {counts[1]}."
    if request.config.getoption("--bless") and told != match["counts"]:
        text = PAGE.read_text()
        at = text.index(match["counts"], text.index(f"### {name}:"))
        PAGE.write_text(text[:at] + told + text[at + len(match["counts"]) :])
    else:
        assert told == match["counts"]


@pytest.mark.parametrize("name", some([name for name in ENTRIES if name not in NOT_AT_LEVEL_1][::4], 6, first=2))
def test_it_is_used_at_level_1(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(ENTRIES[name]["code"])
    machine = machine_of(ENTRIES[name]["entry"], tmp_path)
    found = instructions(machine, 1, tmp_path / "a.c")
    assert not_used(ENTRIES[name]["entry"], found) == []


@pytest.mark.parametrize(("name", "base"), [("MAX", "arm"), ("ABSDIFF", "sparc"), ("CLIP", "sparc"), ("BALL", "sparc")])
def test_it_is_used_beside_condition_codes(name, base, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(ENTRIES[name]["code"])
    machine = machine_of(ENTRIES[name]["entry"], tmp_path, base)
    assert not_used(ENTRIES[name]["entry"], instructions(machine, 2, tmp_path / "a.c")) == []
