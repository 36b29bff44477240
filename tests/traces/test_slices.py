"""A slice of a record does what the run did behind some instruction, from what is read before it is written."""

import os
import tempfile

import pytest

from ease.host.process.job import RunOptions, SystemCalls
from ease.host.process.run import run
from ease.model.run_identity import RunIdentity
from ease.records.record_file import Ending, Record, Setting, read_record, record_bytes, setting_sections
from ease.records.slice import NoSlice, replayed_slice, slice_of
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf place;
static double sum;
static int fib(int n) { if (n == 99) longjmp(place, 5); return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
    int i, *numbers = malloc(80);
    char line[40];
    if (setjmp(place)) {
        printf("back %g %d\n", sum, numbers[7]);
        return 9;
    }
    for (i = 0; i < 8; i++) {
        sum += (numbers[i] = fib(i)) * 0.5;
        if (i % 3 == 0)
            printf("%d %s", numbers[i], fgets(line, 40, stdin));
    }
    fflush(stdout);
    fib(99);
    return 1;
}
"""
GIVEN = b"a\nb\nc\n"


def joined(first, other):
    """Add counts by function."""
    return {name: [one + more for one, more in zip(counts, other[name], strict=True)] for name, counts in first.items()}


def counted(program, counts):
    """Leave out what is no instruction of its own: where a run is cut before it, it is done on both sides."""
    return {
        name: [n for n, rtl in zip(counts[name], function.rtls(), strict=True) if rtl.record is None or rtl.record.counted]
        for name, function in program.functions.items()
    }


@pytest.fixture
def recorded(programs):
    """A function that records the program on a machine, and returns it with the record."""

    def record(machine):
        program = programs(PROGRAM, machine)
        with tempfile.TemporaryFile() as file:
            result = run(program, ["prog"], RunOptions(GIVEN, capture=True, tier="fast", calls=SystemCalls(file)))
            calls = os.pread(file.fileno(), 1 << 20, 0)
        assert result.exit_status == 9
        identity = RunIdentity((), ("prog.c",), (), machine, (), "1", "0")
        return program, Record(Setting("", "", {}, ""), ("prog",), None, identity, calls, Ending(9))

    return record


def through_a_file(record, path):
    """Return a record as it comes back from a file."""
    setting = setting_sections(record.setting)
    parts = record.arguments, record.limit, record.identity, record.calls, record.ending, record.state
    path.write_bytes(record_bytes(setting, *parts))
    return read_record(str(path))


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "vax"), 1))  # sparc: register windows and delay slots
def test_a_slice_goes_on_as_the_run_did(recorded, tmp_path, capfd, machine):
    program, record = recorded(machine)
    whole = interpret(program, ["prog"], stdin=GIVEN, capture=True)
    for start in (1, 700, 2500):
        cut = through_a_file(slice_of(program, record, start), tmp_path / "slice.run")
        first = cut.state["executed"]
        assert start <= first <= start + 1  # behind a delay slot
        assert sum(len(content) // 2 for _, content in cut.state["memory"]) < 8000  # the library's tables are not in it
        capfd.readouterr()
        result, told = replayed_slice(program, cut)
        output = capfd.readouterr().out.encode()
        before = interpret(program, ["prog"], stdin=GIVEN, capture=True, limit=first)
        assert (told, result.exit_status, result.fault) == ("", 9, None)
        assert output
        assert whole.output.endswith(output)
        assert counted(program, joined(before.rtls, result.rtls)) == counted(program, whole.rtls)
        assert joined(before.taken, result.taken) == whole.taken


def test_a_slice_is_not_cut_again_nor_behind_the_end(recorded):
    program, record = recorded("riscv32")
    with pytest.raises(NoSlice, match="the run ends before"):
        slice_of(program, record, 10_000_000)
    cut = slice_of(program, record, 100, 200)
    result, _ = replayed_slice(program, cut)
    assert result.fault.kind == "limit"
    assert result.instructions == 100
    with pytest.raises(NoSlice, match="is a slice"):
        slice_of(program, cut, 150)
