"""Studies: what they say of a run is what other means find out about it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import pytest

from cache_sim.config import Delays
from ease import Program
from ease.commands.studies.experiment_command import main
from ease.lab.experiments.studies import STUDIES, memory_studies
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOURCE = r"""
static struct { int here[512], between[1536], there[512], more[2560]; } all;
static void put(int *p, int a) { p[0] = a; p[1] = a; p[2] = a; p[3] = a; p[4] = a; p[5] = a; p[6] = a; p[7] = a; }
int main(void) {
    int round, i, sum = 0;
    for (round = 0; round < 6; round++) {
        for (i = 0; i < 512; i++)
            sum += all.here[i] + all.there[i] * 3;
        for (i = 0; i < 512; i += 8)
            put(all.here + i, sum + all.more[i * 5]);
    }
    return sum & 127;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("studies") / "program.c"
    path.write_text(SOURCE)
    return str(path)


def asked(source, machine, study, *words):
    """Ask a study's question of the program in this process; return the answer and the options."""
    linked = Compiler(load(machine), Settings(level=1)).program([source])
    parser = argparse.ArgumentParser()
    STUDIES[study].arguments(parser)
    options = parser.parse_args(words)
    STUDIES[study].check(options)

    def measured(system=None, *, predict=None, timing=False):
        return Program(linked).measure(cache=system, predict=predict, timing=timing)

    return STUDIES[study].ask(measured, options), options, linked


@pytest.fixture(scope="module")
def timing(source):
    words = ["--cache", str(BENCHMARKS / "i486-memory.yaml")]
    answer, options, _ = asked(source, str(BENCHMARKS / "i486.yaml"), "memory-timing", *words)
    return answer, memory_studies.configurations(options), options


def test_blocks_and_types_are_those_that_the_interpreter_executes(source):
    mix, _, linked = asked(source, "riscv32", "instruction-mix")
    locality = asked(source, "riscv32", "locality")[0]
    result = interpret(linked, ["program"])
    types, blocks, with_code = Counter(), [], 0
    for name, function in linked.functions.items():
        counts = iter(result.rtls[name])
        for block in function.blocks:
            executed = [(linked.machine.record(rtl), next(counts)) for rtl in block.rtls]
            with_code += any(record.counted for record, _ in executed)
            blocks.append(sum(count for record, count in executed if record.counted))
            types.update({record.name: 0 for record, _ in executed})
            for record, count in executed:
                types[record.name] += count * record.counted
    assert mix["types"] == {name: count for name, count in types.items() if count}
    blocks = sorted((count for count in blocks if count), reverse=True)
    assert locality["instructions"] == sum(blocks) == sum(mix["types"].values())
    assert locality["executed"] == len(blocks)
    assert locality["blocks"] == with_code
    few = locality["making"]["90"]
    assert sum(blocks[:few]) >= 0.9 * sum(blocks) > sum(blocks[: few - 1])


def test_delay_slots_count_to_the_block_of_their_branch(source):
    _, _, linked = asked(source, "sparc", "instruction-mix")
    run = Program(linked).measure()
    assert run.table("blocks").total("dynamic") == run.instructions


def test_a_counter_of_its_own_for_each_branch_tells_how_few_are_wrong(source):
    answer = asked(source, "riscv32", "prediction")[0]
    each = answer["predictors"]["bimodal:each"]
    assert 0 < answer["making_most"] < answer["branches"]
    assert each["making_most"] <= answer["branches"]
    assert each["mispredicted"] < answer["executed"] / 10  # loops


def test_one_run_has_the_misses_of_each_cache(source):
    answer, _, linked = asked(source, "riscv32", "multi-cache", "--caches", "sweep+D+size:1k-4k+line:16+ways:1-2")
    alone = Program(linked).measure(cache="D:4k,16,2").measurement.memory
    assert answer["misses"]["D:4k,16,2"] == alone.results.caches[0].misses.total
    assert len(answer["misses"]) == 6


@pytest.mark.parametrize("by", ["group", "mode"])
def test_classes_sum_to_all_references_and_misses(source, by):
    answer, _, linked = asked(source, "riscv32", "reference-classes", "--cache", "I:1k,16,1+D:1k,16,1", "--by", by)
    memory = Program(linked).measure(cache="I:1k,16,1+D:1k,16,1").measurement.memory
    (classes,) = answer.values()
    assert sum(each["misses"] for each in classes.values()) == memory.results["D"].misses.total
    made = memory.results.references
    assert sum(each["references"] for each in classes.values()) == made.read + made.write
    assert len(classes) > 1


@pytest.mark.thorough
def test_the_memory_system_is_varied(timing):
    varied = memory_studies.system_of(memory_studies.base(timing[2]), (32, 2, 3))
    assert (varied.data.line, varied.data.ways, varied.delays) == (32, 2, Delays(buffers=3, resume="word"))
    assert varied.unified


def test_longer_lines_miss_less_and_keep_the_bus_busy(timing):
    answer, varied, _ = timing
    lines = [answer[memory_studies.title(each)] for each in varied["line"]]
    instructions = [row["instruction_misses"] for row in lines]
    assert instructions[0] > instructions[1] > max(instructions[2:])
    assert lines[0]["read_misses"] > lines[1]["read_misses"] > lines[2]["read_misses"]
    full = [row["buffers_full"] for row in lines]
    assert full == sorted(full)
    assert full[0] < full[-1]


def test_more_ways_and_more_buffers_cost_no_more(timing):
    answer, varied, _ = timing
    ways = [answer[memory_studies.title(each)] for each in varied["ways"]]
    assert ways[1]["cycles"] <= ways[2]["cycles"] <= ways[3]["cycles"]
    buffers = [answer[memory_studies.title(each)] for each in varied["buffers"]]
    assert buffers[0]["buffers_full"] < buffers[1]["buffers_full"] < buffers[2]["buffers_full"]
    assert buffers[0]["cycles"] < buffers[1]["cycles"] < buffers[2]["cycles"]
    assert len({row["read_misses"] for row in buffers}) == 1


def test_one_command_prints_a_study_with_picture_and_json(source, tmp_path, capfd):
    picture, values = tmp_path / "a.svg", tmp_path / "a.json"
    words = ["reference-classes", "-O1", "-q", "-j1", "-m", "riscv32", "--cache", "D:1k..2k,16,1", "--svg", str(picture)]
    assert main([*words, "--json", str(values), source]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[4].split()[:3] == ["class", "references", "D:1k,16,1"]
    found = json.loads(values.read_text())["reference-classes"]["riscv32"]["program"]
    row = next(line.split() for line in lines if line.startswith("read variables"))
    assert row[2] == f"{found['D:1k,16,1']['read variables']['references']:,}"
    assert "read variables" in picture.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["prediction", "--predict", "none"], "no predictor 'none'"),
        (["memory-timing", "--cache", "U:1k,16,1"], "write buffers"),
        (["multi-cache", "--caches", "sweep+U+size:7"], "power of two"),
    ],
)
def test_what_is_wrong_is_told_before_anything_runs(source, words, message, capfd):
    assert main([*words, "-q", "-m", "riscv32", source]) == 1
    assert message in capfd.readouterr().err
