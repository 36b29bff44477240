"""Work in several processes ends as it does in one."""

import os

import pytest

from tests.kept_machines import load
from vpo.base import parallel
from vpo.base.errors import CannotExpress
from vpo.build import compiler
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


def test_a_mistake_is_told_as_by_one_process(monkeypatch, tmp_path):
    def fails(function, *_):
        raise CannotExpress(function.name, function.line)

    monkeypatch.setenv("EASE_CACHE", "")
    monkeypatch.setattr(compiler, "LARGE", 0)
    monkeypatch.setattr(fewer_phases, "run_phases", fails)
    (tmp_path / "f.c").write_text(SOURCE)
    with pytest.raises(UserError, match=r"f.c:1: .*_f0"):
        Compiler(load("riscv32"), Settings(2, jobs=3)).unit(str(tmp_path / "f.c"))
