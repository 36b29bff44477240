"""Work in several processes ends as it does in one."""

import os
import threading

import pytest

from tests.kept_machines import load
from vpo.base import parallel
from vpo.base.errors import CannotExpress
from vpo.build import ahead, compiler
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.link.assembly import assembly
from vpo.opt import driver as fewer_phases

SOURCE = "".join(f"int f{n}(int *a, int b) {{ int s = 0; while (b--) s += a[b] * {n}; return s; }}\n" for n in range(6))


def doubled(thing):
    thing.append(thing[0] * 2)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_things_are_changed_and_in_their_order(jobs):
    assert parallel.work_on([[n] for n in range(9)], doubled, jobs, len) == [[n, n * 2] for n in range(9)]


def test_the_first_error_in_order_counts():
    def work(thing):
        if thing[0] in (3, 5):
            raise ValueError(thing[0])

    with pytest.raises(ValueError, match="3"):
        parallel.work_on([[n] for n in range(9)], work, 3, lambda thing: thing[0])


def test_a_pool_that_gets_no_thread_is_a_failure_of_the_system(monkeypatch):
    def fail(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading, "_start_new_thread", fail)
    with pytest.raises(OSError, match="no thread"), parallel.workers(1) as pool:
        pool.submit(int)


def test_what_a_process_leaves_undone_is_done_here(monkeypatch):
    here, fork, started = os.getpid(), os.fork, []

    def counted():
        process = fork()
        started.append(process)
        return process

    def work(thing):
        if os.getpid() != here:
            os._exit(1)
        doubled(thing)

    monkeypatch.setattr(os, "fork", counted)
    assert parallel.work_on([[n] for n in range(9)], work, 3, len) == [[n, n * 2] for n in range(9)]
    assert len(started) == 2
    for process in started:
        with pytest.raises(ChildProcessError):  # it is not left
            os.waitpid(process, os.WNOHANG)


def test_code_is_the_same_with_any_number_of_processes(monkeypatch, tmp_path):
    monkeypatch.setenv("EASE_CACHE", "")
    monkeypatch.setattr(compiler, "LARGE", 0)
    source, machine = tmp_path / "f.c", load("riscv32")
    source.write_text(SOURCE)
    units = [Compiler(machine, Settings(2, jobs=jobs)).unit(str(source)) for jobs in (1, 3)]
    first, second = (assembly(machine, unit.functions, unit.data) for unit in units)
    assert first == second


def linked(name: str, source, jobs: int) -> tuple[str, Compiler]:
    compiler = Compiler(load(name), Settings(1, jobs=jobs))
    return compiler.linked_text(compiler.program([str(source)])), compiler


def test_the_library_is_compiled_ahead_of_the_linker(monkeypatch, tmp_path):
    """What the program needs, what that needs, and at once on a second machine; with the same result."""
    source = tmp_path / "f.c"
    source.write_text("#include <stdlib.h>\nint main(int n, char **v) { return n > 1 ? atoi(*v) : strtol(*v, 0, 0); }\n")
    made, rounds = {}, []
    monkeypatch.setattr(ahead, "work_on", lambda things, *rest: rounds.append(things) or parallel.work_on(things, *rest))
    for jobs in (1, 3):
        monkeypatch.setenv("EASE_CACHE", str(tmp_path / f"cache{jobs}"))
        for name in ("riscv32", "mips"):
            made[jobs, name], compiler = linked(name, source, jobs)
            known = {path.name for path in compiler.library_units}
            assert known == {file.path.name for files in rounds for file in files} or jobs == 1, "all, before the linker asked"
            assert name == "riscv32" or len(rounds) == (jobs > 1), "the second time it is known what is needed"
            rounds.clear()
        assert [linked(name, source, jobs)[0] for name in ("riscv32", "mips")] == [made[jobs, "riscv32"], made[jobs, "mips"]]
        assert not any(files for files in rounds), "it is in the cache"
    assert [made[1, name] for name in ("riscv32", "mips")] == [made[3, name] for name in ("riscv32", "mips")]


def test_what_fails_ahead_is_told_by_the_linker(monkeypatch, tmp_path):
    def fails(self, path):
        raise UserError([f"{path.name} fails"])

    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Compiler, "_library_unit", fails)
    (tmp_path / "f.c").write_text("#include <stdlib.h>\nint main(int n, char **v) { return atoi(v[0]) + abs(n); }\n")
    with pytest.raises(UserError, match=r"^\w+.c fails"):
        linked("riscv32", tmp_path / "f.c", 2)


def test_a_mistake_is_told_as_by_one_process(monkeypatch, tmp_path):
    def fails(function, *_):
        raise CannotExpress(function.name, function.line)

    monkeypatch.setenv("EASE_CACHE", "")
    monkeypatch.setattr(compiler, "LARGE", 0)
    monkeypatch.setattr(fewer_phases, "run_phases", fails)
    (tmp_path / "f.c").write_text(SOURCE)
    with pytest.raises(UserError, match=r"f.c:1: .*_f0"):
        Compiler(load("riscv32"), Settings(2, jobs=3)).unit(str(tmp_path / "f.c"))
