"""A replay does what the recorded run did, anywhere and measured in any way, or says where it differs."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ease.records.record_file import MAGIC, decoded, read_record, record_bytes, setting_sections
from tests.covering import case
from tests.fuzz.damage import sections_of
from vpo.base.errors import UserError
from vpo.machines.names import machine_names

ROOT = Path(__file__).parents[2]
SAMPLES = json.loads((ROOT / "samples/samples.json").read_text())
TRIED = ("queens", "riscv32")
MEASURED = ("-show", "all", "-cache", "I:1k,16,1+D:1k,16,2", "-predict", "bimodal:64", "-timing")
FILES = """
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    char line[80];
    FILE *file = fopen("input.txt", "r");
    while (fgets(line, sizeof line, file))
        printf("read %s", line);
    fclose(file);
    file = fopen("output.txt", "w");
    fprintf(file, "%ld\\n", (long)time(0));
    fclose(file);
    dup2(1, 2);
    fprintf(stderr, "%d\\n", getchar());
    return 7;
}
"""


def run(folder, *words, **options):
    """Run easecc or ease in a folder; return status, output and messages."""
    module = "ease.commands." + ("easecc" if words[0] == "easecc" else "ease_command")
    command = [sys.executable, "-m", module, *map(str, words[1:])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, cwd=folder, env=environment, check=False, **options)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def recorded(tmp_path):
    """Record a program in a folder that is gone when it is replayed; return the file, and what the run came to."""

    def record(text, *words, arguments=(), given=b""):
        folder = tmp_path / "home"
        folder.mkdir()
        (folder / "prog.c").write_text(text)
        (folder / "input.txt").write_text("one\ntwo\n")
        done = run(folder, "easecc", *words, "-record", tmp_path / "it.run", "prog.c", "--", *arguments, input=given)
        shutil.rmtree(folder)
        return tmp_path / "it.run", done

    return record


@pytest.mark.parametrize(("sample", "machine"), [case(s, m, usual=(s, m) == TRIED) for s in SAMPLES for m in machine_names()])
def test_samples_measure_the_same_when_they_are_replayed(tmp_path, sample, machine):
    how = SAMPLES[sample]
    given = b"" if how["stdin"] is None else (ROOT / how["stdin"]).read_bytes()
    own = ("-m", machine, f"samples/{sample}.c", "--", *how["args"])
    live = run(ROOT, "easecc", *MEASURED, *own, input=given)
    plain = run(ROOT, "easecc", "-record", tmp_path / "it.run", *own, input=given)
    assert plain[:2] == live[:2] == (how["exit"], (ROOT / how["expected"]).read_bytes())
    assert run(tmp_path, "ease", "replay", "it.run", *MEASURED) == live
    assert run(tmp_path, "ease", "replay", "it.run") == plain


def test_files_clock_and_descriptors_come_from_the_record(tmp_path, recorded):
    file, live = recorded(FILES, "-m", "riscv32", given=b"A")
    assert live == (7, b"read one\nread two\n65\n", b"")
    assert run(tmp_path, "ease", "replay", file) == live
    assert sorted(path.name for path in tmp_path.iterdir()) == ["it.run"]
    (tmp_path / "input.txt").write_text("other\n")
    assert run(tmp_path, "ease", "replay", file) == live


def test_a_run_that_is_repeated_from_the_cache_is_recorded_alike(tmp_path):
    (tmp_path / "prog.c").write_text('#include <stdio.h>\nint main(int n, char **v) { printf("%s", v[1]); return n; }\n')
    for name, how in (("first", ()), ("second", ()), ("third", ("-measure",)), ("fourth", ("-measure",))):
        words = ("easecc", *how, "-record", f"{name}.run", "prog.c", "--", "a")
        assert run(tmp_path, *words)[:2] == (2, b"a")
    records = [(tmp_path / f"{name}.run").read_bytes() for name in ("first", "second", "third", "fourth")]
    assert records[0] == records[1]
    assert records[2] == records[3]
    assert run(tmp_path, "easecc", "-record", "other.run", "prog.c", "--", "b")[1] == b"b"
    assert run(tmp_path, "ease", "replay", "other.run")[:2] == (2, b"b")


def changed(file, **changes):
    """Write a record again with other parts."""
    record = replace(read_record(str(file)), **changes)
    setting = setting_sections(record.setting)
    content = record_bytes(setting, record.arguments, record.limit, record.identity, record.calls, record.ending)
    file.write_bytes(content)


def test_the_first_call_that_differs_is_told_with_its_instruction(tmp_path, recorded):
    text = '#include <unistd.h>\nint main(void) { write(1, "ab", 2); write(1, "cd", 2); return 0; }\n'
    file, _ = recorded(text, "-m", "riscv32", "-measure")
    calls = read_record(str(file)).calls
    events = list(decoded(calls))
    second = events[1]
    events[1] = replace(second, read=(replace(second.read[0], content=bytes(8)),))
    changed(file, calls=b"".join(event.encoded() for event in events))
    status, output, errors = run(tmp_path, "ease", "replay", file)
    assert (status, output) == (1, b"ab")
    found = re.match(rb".*: error: at instruction (\d+), system call 2: write is given other bytes at 0x\w+\n$", errors)
    changed(file, calls=calls)
    limits = int(found[1]) - 1, int(found[1])  # the last one that is too small, and one that lets the program write
    assert [run(tmp_path, "ease", "replay", file, "-limit", limit)[1] for limit in limits] == [b"ab", b"abcd"]
    events[1] = replace(second, arguments=(2, *second.arguments[1:]))
    changed(file, calls=b"".join(event.encoded() for event in events))
    assert b"system call 2: write(1, " in run(tmp_path, "ease", "replay", file, "-measure")[2]
    changed(file, calls=b"".join(event.encoded() for event in events[:1]))
    assert b"system call 2: write(1, " in run(tmp_path, "ease", "replay", file)[2]


@pytest.mark.parametrize("times", [0, 2])
def test_system_calls_that_are_missing_or_there_twice_are_told(recorded, times):
    file, _ = recorded("int main(void) { return 3; }\n", "-m", "riscv32")
    parts = sections_of(file.read_bytes())
    (number,) = [number for number, part in enumerate(parts) if part.startswith(b"CALL")]
    parts[number : number + 1] = [parts[number]] * times
    file.write_bytes(MAGIC + b"".join(parts))
    with pytest.raises(UserError, match="system calls of"):
        read_record(str(file))


def test_a_record_that_is_cut_short_or_damaged_is_told(tmp_path, recorded, capsys):
    from ease.commands.ease_command import main

    file, _ = recorded("int main(void) { return 3; }\n", "-m", "riscv32")
    content = file.read_bytes()
    damaged = [content[: len(content) * part // 100] for part in range(100)]
    for part in range(100):
        place = len(content) * part // 100
        damaged.append(content[:place] + bytes([content[place] ^ 1 << part % 8]) + content[place + 1 :])
    for text in (*damaged, content + b"x", b"", content[:7] + b"\1" + content[8:]):
        file.write_bytes(text)
        assert main(["replay", str(file)]) == 1
        assert capsys.readouterr().err.startswith(f"{file}: error: ")
    file.write_bytes(content)
    assert run(tmp_path, "ease", "replay", file)[0] == 3


def test_windows_slices_and_sizes_by_command(tmp_path, recorded, capfd):
    from ease.commands.ease_command import main

    file, _ = recorded("int main(void) { int i, n = 0; for (i = 0; i < 50; i++) n += i & 3; return n; }\n", "-m", "riscv32")
    assert main(["replay", str(file), "-window", "20,30", "-warmup", "10", "-show", "path-length"]) == 0
    assert "30" in capfd.readouterr().err
    assert main(["replay", str(file), "-slice", "100", "-o", str(tmp_path / "slice.run")]) == 0
    assert main(["replay", str(tmp_path / "slice.run")]) == main(["replay", str(file)]) == 73
    assert main(["replay", str(tmp_path / "slice.run"), "-cache", "D:1k,16,1"]) == 1
    assert "measure a -window of the whole record" in capfd.readouterr().err
    assert main(["replay", str(file), "-info"]) == 0
    assert "without the state at the start" in capfd.readouterr().out
    for wrong in (["-window", "1"], ["-slice", "3"], ["-m", "vax"], ["-window", "1,2", "-limit", "3"], ["-nonsense"]):
        assert main(["replay", str(file), *wrong]) == 2


@pytest.mark.thorough
def test_a_trace_of_a_replay_is_that_of_a_live_run(tmp_path, recorded):
    how = ("-trace", "execution", "-trace-to", tmp_path / "it.trace")
    file, live = recorded(FILES, *how, "-m", "riscv32", given=b"A")
    trace = (tmp_path / "it.trace").read_bytes()
    assert run(tmp_path, "ease", "replay", file, *how) == live
    assert (tmp_path / "it.trace").read_bytes() == trace
    assert len(trace) > 2000


def test_a_reader_that_goes_away_ends_a_replay_as_it_ended_the_run(tmp_path, recorded):
    text = '#include <stdio.h>\nint main(void) { for (int i = 0; i < 99999; i++) printf("%d\\n", i); return 3; }\n'
    file, live = recorded(text, "-m", "riscv32")
    assert live[0] == 3
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "ease.commands.ease_command", "replay", file]
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_leaves_no_record(tmp_path):
    (tmp_path / "prog.c").write_text("int main(void) { return 3; }\n")
    status, _, errors = run(tmp_path, "easecc", "-record", "/dev/full", "prog.c")
    assert (status, errors) == (1, b"easecc: /dev/full: No space left on device\n")
