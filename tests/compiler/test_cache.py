"""The cache on disk: what is kept, where, and what is believed of it."""

import hashlib
import os
import pickle
import time
from dataclasses import fields, is_dataclass

import pytest

import ease.run.verify
from ease.commands.easecc import main
from ease.host.process.run import default_cache
from tests.kept_machines import load
from vpo.base import cache
from vpo.base import cache as cache_pruning
from vpo.build import compiler
from vpo.build.compiler import Compiler, Settings
from vpo.build.renewal import STATE_CLASSES
from vpo.rtl.function import UNIT_CLASSES, Function, Unit
from vpo.text import print_unit

PROGRAM = """\
double half = 0.5; int numbers[3] = {1, 2}; int *second = numbers + 1; char text[] = "text";
static int choose(int x) { switch (x) { case 1: return 7; case 2: return 9; case 3: return 2; case 4: return 5; } return x; }
int main(int count, char **words) { return choose(count) + *second + (half < count) + text[1]; }
"""
KEY = "00" * 32


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The folder of a cache of one's own."""
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_nothing_of_what_is_kept_is_lost():
    """Who adds a field to such a class and forgets it in `__reduce__` gets it back empty from the cache."""
    own = {cls for cls in UNIT_CLASSES | STATE_CLASSES if is_dataclass(cls) and "__reduce__" in vars(cls)}
    classes = own - {Function}  # which names its fields
    assert len(classes) > 6
    for cls in classes:
        values = tuple(object() for _ in fields(cls))
        assert cls(*values).__reduce__() == (cls, values), cls


def test_empty_setting_keeps_nothing_anywhere(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("EASE_CACHE", "")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.chdir(home)
    (tmp_path / "x.c").write_text("int main(void) { return 3; }\n")
    assert main([str(tmp_path / "x.c")]) == 3
    monkeypatch.setattr(ease.run.verify, "_must", lambda command: (tmp_path / "plugin.so").write_bytes(b"plugin"))
    assert ease.run.verify.plugin(tmp_path).parent == tmp_path
    assert default_cache() == ""
    assert list(home.iterdir()) == []


def test_old_entries_and_the_oldest_of_too_many_go(kept):
    names = [f"{digit}{digit}" * 32 for digit in "01234"]
    for age, name in enumerate(names):
        cache.store(name, bytes(1000))
        path = kept / "entries" / name[:2] / name
        os.utime(path, times=(path.stat().st_mtime - age * 20 * cache_pruning.DAY,) * 2)
    assert cache.load(names[1], (bytes,)) is not None  # is used now
    os.utime(kept / "pruned", times=(0, 0))
    cache.store(names[0], bytes(1000))
    assert [cache.load(name, ()) is not None for name in names] == [True, True, False, False, False]
    cache_pruning.prune(kept, 1500, time.time())
    assert sum(cache.load(name, ()) is not None for name in names) == 1


def test_folders_are_the_users_alone(kept):
    old = os.umask(0)
    try:
        cache.store(KEY, [1])
    finally:
        os.umask(old)
    folders = [path for path in kept.rglob("*") if path.is_dir()]
    assert len(folders) == 2
    assert all(path.stat().st_mode & 0o777 == 0o700 for path in folders[:1])


def test_folder_that_others_may_write_to_is_not_used(kept):
    cache.store(KEY, [1])
    assert cache.load(KEY, ()) == [1]
    for mode in (0o770, 0o702, 0o777):
        (kept / "entries").chmod(mode)
        assert cache.load(KEY, ()) is None
        assert cache.folder("entries") is None
    (kept / "entries").chmod(0o755)
    assert cache.load(KEY, ()) == [1]


def test_folder_of_somebody_else_is_not_used(kept, monkeypatch):
    cache.store(KEY, [1])
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert cache.load(KEY, ()) is None


class Evil:
    """Makes a file when it is read back."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_entries_cannot_run_code(kept, tmp_path):
    cache.store(KEY, [1])
    (entry,) = [path for path in (kept / "entries").rglob("*") if path.is_file()]
    for made in (Evil(str(tmp_path / "made")), Unit("riscv32", [Evil(str(tmp_path / "made"))])):
        data = pickle.dumps(made)
        entry.write_bytes(hashlib.sha256(data).digest() + data)
        assert cache.load(KEY, UNIT_CLASSES) is None
    assert not (tmp_path / "made").exists()


def test_units_are_read_back_whole(kept, tmp_path, monkeypatch):
    (tmp_path / "x.c").write_text(PROGRAM)
    machine = load("riscv32")
    first = Compiler(machine, Settings()).unit(str(tmp_path / "x.c"))
    monkeypatch.setattr(compiler, "compile_c", None)
    second = Compiler(machine, Settings()).unit(str(tmp_path / "x.c"))
    assert print_unit(second, machine.cells) == print_unit(first, machine.cells)


def test_an_unchanged_file_is_stored_once(kept, tmp_path, monkeypatch):
    (tmp_path / "a.c").write_text(PROGRAM)
    text = Compiler(load("riscv32"), Settings(level=1)).object_text(str(tmp_path / "a.c"))
    read, stored = list[str](), list[str]()
    monkeypatch.setattr(cache, "note_use", lambda path: read.append(os.path.basename(path)))
    monkeypatch.setattr(cache, "store", lambda name, value: stored.append(name))
    again = Compiler(load("riscv32"), Settings(level=1))
    assert again.object_text(str(tmp_path / "a.c")) == text
    assert again._object_key(text.encode()) in read  # else it would be removed as unused
    assert stored == []


def test_files_compiled_together_depend_on_each_other(kept, tmp_path, monkeypatch):
    machine = load("riscv32")
    one, two = str(tmp_path / "one.c"), str(tmp_path / "two.c")
    (tmp_path / "one.c").write_text("int number(void);\nint main(void) { return number(); }\n")

    def text(number):
        (tmp_path / "two.c").write_text(f"int number(void) {{ return {number}; }}\n")
        units = Compiler(machine, Settings(level=2)).units([one, two])
        assert [unit.file for unit in units] == [one, two]
        return print_unit(units[0], machine.cells)

    first, second = text(11), text(22)
    assert first.replace("=11;", "=22;") == second != first
    monkeypatch.setattr(compiler, "compile_c", None)
    assert text(11) == first


def test_nothing_is_stored_once_the_sources_have_changed(kept, monkeypatch):
    monkeypatch.setattr(cache, "STARTED", 0)
    monkeypatch.setattr(cache, "_SOURCES", cache._Sources())
    cache.store(KEY, [1])
    assert cache.load(KEY, ()) is None


def test_version_of_sources_is_by_content(tmp_path):
    for name, text in (("a", "x = 1\n"), ("b", "x = 1\n"), ("c", "x = 2\n")):
        (tmp_path / name).mkdir()
        source = tmp_path / name / "source.py"
        source.write_text(text)
        os.utime(source, (1, 1))
    a, b, c = (cache.code_version(tmp_path / name) for name in "abc")
    assert a == b != c


def test_library_code_of_another_place_is_still_the_library(kept, tmp_path, monkeypatch):
    """Two installations of one version share what the cache keeps."""
    own = compiler.defining_file("labs")
    other = tmp_path / own.name
    other.write_text(own.read_text())
    monkeypatch.setattr(compiler, "defining_file", lambda symbol: other)
    files = [{function.file for function in Compiler(load("riscv32"), Settings()).library("_labs").functions}]
    monkeypatch.undo()
    monkeypatch.setenv("EASE_CACHE", str(kept))
    monkeypatch.setattr(Compiler, "_tree", None)  # it is not compiled again
    files.append({function.file for function in Compiler(load("riscv32"), Settings()).library("_labs").functions})
    assert files == [{str(other)}, {str(own)}]
