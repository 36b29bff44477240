"""What comes out of a store is what went in, whatever happens meanwhile."""

import multiprocessing
import os
import re
import signal
import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text
from ease.store.database import SCHEMA, VERSION, StoreError, asking, reading, writing
from ease.store.loading import entries, load_run
from ease.store.saving import save
from vpo.machines.names import machine_names
from vpo.machines.read.composition import read_file
from vpo.machines.read.load import full_text, load
from vpo.machines.read.source import find


def saved(path, *runs):
    """Keep runs, and return them as a store has them."""
    with writing(str(path)) as connection:
        numbers = [save(connection, run) for run in runs]
    with reading(str(path)) as connection:
        return [load_run(connection, number) for number in numbers]


@pytest.mark.parametrize(
    ("machine", "simulators"), [("riscv32", ""), ("riscv32", "memory"), ("riscv32", "sweep"), ("sparc", ""), ("m68020", "")]
)
def test_a_run_comes_back_as_it_was(kept, tmp_path, machine, simulators):
    run = kept(machine, simulators=simulators)
    (found,) = saved(tmp_path / "a.ease", run)
    assert found.measurement == run.measurement
    assert (found.texts, found.sources, found.description) == (run.texts, run.sources, run.description)
    assert as_text(found.measurement) == as_text(run.measurement)
    assert as_dictionary(found.measurement) == as_dictionary(run.measurement)


def test_a_program_is_kept_once(kept, tmp_path):
    saved(tmp_path / "a.ease", kept(), kept(), kept(level=2))
    with reading(str(tmp_path / "a.ease")) as connection:
        assert connection.execute("SELECT count(*) FROM program").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM machine").fetchone() == (1,)
        assert [entry.identity.level for entry in entries(connection)] == ["1", "1", "2"]


def test_questions_sum_to_the_total_and_change_nothing(kept, tmp_path):
    (run,) = saved(tmp_path / "a.ease", kept())
    with asking(str(tmp_path / "a.ease")) as connection:
        found = connection.execute("SELECT sum(executed) FROM executed WHERE run = 1 AND counted").fetchone()
        assert found == (run.measurement.characteristics.instructions.dynamic,)
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute("DELETE FROM run")


@pytest.mark.parametrize("machine", machine_names())
def test_a_description_that_is_kept_says_the_same(tmp_path, machine):
    file = tmp_path / "kept.yaml"
    file.write_text(full_text(machine))
    first = read_file(find(machine))
    for about_other_files in ("extends", "extensions"):  # these are no longer beside it
        first.pop(about_other_files, None)
    assert read_file(file) == first


def test_a_description_is_kept_with_its_changes(tmp_path):
    file = tmp_path / "kept.yaml"
    file.write_text(full_text("riscv32", ["registers.r.count=16"]))
    assert load(str(file)).classes["r"].count == 16


def keep_saving(path, run, ready):
    ready.set()
    while True:
        with writing(path) as connection:
            save(connection, run)


def test_a_writer_that_is_killed_leaves_whole_runs(kept, tmp_path):
    path, run = str(tmp_path / "a.ease"), kept()
    context = multiprocessing.get_context("fork")
    for wait in (0.0, 0.003, 0.01, 0.02, 0.05):
        ready = context.Event()
        writer = context.Process(target=keep_saving, args=(path, run, ready))
        writer.start()
        ready.wait(60)
        time.sleep(wait)
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
    saved(path, run)
    with reading(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        runs = [load_run(connection, entry.number) for entry in entries(connection)]
    assert all(found.measurement == run.measurement for found in runs)


def save_some(path, run):
    for _ in range(3):
        with writing(path) as connection:
            save(connection, run)


def test_writers_wait_for_each_other(kept, tmp_path):
    path = str(tmp_path / "a.ease")
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=save_some, args=(path, kept())) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 8
    with reading(path) as connection:
        assert len(list(entries(connection))) == 24


def test_what_goes_wrong_in_the_middle_leaves_nothing(kept, tmp_path):
    path = str(tmp_path / "a.ease")
    saved(path, kept())
    with pytest.raises(ValueError, match="single runs"):
        saved(path, kept(level=2), replace(kept(), measurement=kept().measurement + kept().measurement))
    with reading(path) as connection:
        assert len(list(entries(connection))) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda path: path.write_bytes(b"no store at all" * 100), "this is no store of measurements"),
        (lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), "damaged or cut short"),
        (lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 99"), "the store has version 99"),
        (lambda path: sqlite3.connect(path).execute("PRAGMA application_id = 7"), "a database, but no store"),
    ],
)
def test_another_file_is_refused(kept, tmp_path, change, message):
    path = tmp_path / "a.ease"
    saved(path, kept())
    change(path)
    with pytest.raises(StoreError, match=message), reading(str(path)) as connection:
        load_run(connection, 1)


def test_a_full_disk_is_told(kept, tmp_path):
    path = str(tmp_path / "a.ease")
    saved(path, kept())

    def fill():
        with writing(path) as connection:
            connection.execute("PRAGMA max_page_count = 1")  # no more than there are
            save(connection, kept("m68020"))

    with pytest.raises(StoreError, match="disk is full"):
        fill()
    with reading(path) as connection:
        assert len(list(entries(connection))) == 1


def test_a_store_of_version_1_is_brought_up_to_date(kept, tmp_path):
    path, run = tmp_path / "a.ease", kept()
    saved(path, run)
    with writing(str(path)) as connection:
        connection.execute("ALTER TABLE block DROP COLUMN label")
        connection.execute("DROP TABLE point")
        connection.execute("DROP TABLE constant")
        connection.execute("PRAGMA user_version = 1")
    (found,) = saved(path, kept(level=2))
    assert found.measurement == kept(level=2).measurement
    with reading(str(path)) as connection:
        old = load_run(connection, 1).measurement
    shared = [name for name, report in REPORTS.items() if report.about == "characteristics" and name != "constants"]
    assert as_text(old, shared) == as_text(run.measurement, shared)
    assert old.characteristics.constants == {}
    assert {function.labels for function in old.program.functions.values()} == {()}


def test_the_page_is_about_this_version():
    page, schema = (Path(__file__).parents[2] / "docs" / "store.md").read_text(), SCHEMA.read_text()
    assert re.findall(r"version (\d+) \(`PRAGMA user_version`", page) == [str(VERSION)]
    assert schema.startswith(f"-- Version {VERSION} of the tables")
    told = {name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert set(re.findall(r"^CREATE TABLE (\w+)", schema, re.MULTILINE)) <= told
