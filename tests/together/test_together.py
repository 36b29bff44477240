"""Programs that share a machine: equal to the interpreter's references, merged, translated and simulated one by one."""

import io
import json
import random
import tempfile
from collections import Counter, deque
from dataclasses import asdict

import pytest

from cache_sim.coherence import Processors
from cache_sim.config import ConfigurationError
from cache_sim.parse import load
from cache_sim.predictors.predictors import load as load_predictors
from cache_sim.reference import Simulator
from cache_sim.results import Kind
from cache_sim.traces.kernel import Kernel
from cache_sim.traces.trace_file import TraceFile
from ease.commands.ease_command import main
from ease.host.process.job import RunOptions
from ease.lab.together.page_table import parse_policy
from ease.lab.together.processors import Coherent, run_at_once
from ease.lab.together.study import Machine, all_together, predicting, run_together
from ease.traces.traced_run import traced_run
from tests.covering import some
from tests.traces.conftest import observed
from tests.traces.programs import ENDING, FAULTING
from vpo.interpret.fast.interpreter import interpret

SYSTEMS = ("I:256,16,1+D:512,16,2,through+L2:2k,32,4+TLB:4x256,4", "U:1k,16,2+causes")
QUANTA = (7, 100, 700)


class PlainMemory:
    """Frames given out by the words of docs/together.md."""

    def __init__(self, policy, page, colours):
        self.policy, self.page, self.colours = policy, page, colours
        self.frames, self.used = {}, []
        self.random = random.Random(int(policy.partition(":")[2] or 0))

    def frame(self, process, page):
        if (process, page) not in self.frames:
            self.used.append(self.choose(page))
            self.frames[process, page] = self.used[-1]
        return self.frames[process, page]

    def choose(self, page):
        if self.policy == "sequential":
            return len(self.used)
        if self.policy == "coloured":
            return next(frame for frame in range(page % self.colours, 1 << 32, self.colours) if frame not in self.used)
        while (frame := self.random.randrange((1 << 32) // self.page - 1)) in self.used:
            pass
        return frame


def numbers(value, path=()):
    """Return the numbers of results by where they stand in them, misses by site left out."""
    found = Counter()
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple) else ()
    for name, part in parts:
        if name not in ("system", "cache", "sites"):
            found.update({(*path, name): part} if isinstance(part, int) else numbers(part, (*path, name)))
    return found


def plainly(references, quantum, system, memory):
    """Return the switches, and the numbers of results, of each program."""
    simulator, waiting = Simulator(system), [deque(seen) for seen in references]
    before = numbers(asdict(simulator.results()))
    switches, totals = [0] * len(references), [Counter() for _ in references]
    last = None
    while any(waiting):
        for process, rest in enumerate(waiting):
            if not rest:
                continue
            left, fetched = quantum, 0
            while rest and (rest[0][0] != 2 or left):
                kind, address, size = rest.popleft()
                left, fetched = left - (kind == 2), fetched + (kind == 2)
                while size:
                    part = min(size, memory.page - address % memory.page)
                    frame = memory.frame(process, address // memory.page)
                    simulator.refer(Kind(kind), frame * memory.page + address % memory.page, part)
                    address, size = address + part, size - part
            now = numbers(asdict(simulator.results()))
            now_added = {key: count - before[key] for key, count in now.items()} | {("instructions",): fetched}
            totals[process].update(now_added)
            switches[process] += last not in (None, process)
            before, last = now, process
    return switches, totals


def trace_of(program):
    with tempfile.TemporaryFile() as file:
        traced_run(program, ["program"], file, options=RunOptions(capture=True))
        file.seek(0)
        return file.read()


@pytest.mark.parametrize(("machine", "page"), some([("riscv32", 64), ("vax", 64), ("riscv32", 1024)], 1))
def test_programs_together_are_what_the_interpreter_refers_to(programs, machine, page):
    texts = ENDING["longjmp"], FAULTING["null pointer"], ENDING["longjmp"]
    every = [programs(text, machine) for text in texts]
    references, contents = [observed(program) for program in every], [trace_of(program) for program in every]
    crossing = [row for row in references[0] if row[1] // page != (row[1] + row[2] - 1) // page]
    crosses = machine == "vax"
    assert bool(crossing) == crosses
    for number, policy in enumerate(("sequential", "coloured", "random:5")):
        text, quantum = SYSTEMS[(number + crosses) % 2], QUANTA[number]
        system, colours = load(text), 512 // page or 1
        traces = [TraceFile(io.BytesIO(content)) for content in contents]
        shares = run_together(traces, quantum, Machine(system, parse_policy(policy), page))
        expected = plainly(references, quantum, system, PlainMemory(policy, page, colours))
        assert ([share.switches for share in shares], [numbers(asdict(share.results)) for share in shares]) == expected
        assert numbers(asdict(all_together(shares))) == sum(expected[1], Counter())
        assert max(expected[0]) > 1


def test_what_is_uncached_is_none_of_the_caches_business(programs):
    every = [programs(text, "riscv32") for text in (ENDING["longjmp"], ENDING["exit deep in calls"])]
    layout, system = every[0].machine.layout, load(SYSTEMS[0])
    stack, contents = ((layout.stack_low, layout.stack_size),), [trace_of(program) for program in every]
    machine = Machine(system, parse_policy("sequential"), 4096, uncached=stack)
    shares = run_together([TraceFile(io.BytesIO(content)) for content in contents], 100, machine)
    all_of = [observed(program) for program in every]
    references = [[row for row in rows if row[0] == 2 or not 0 <= row[1] - stack[0][0] < stack[0][1]] for rows in all_of]
    assert [len(rows) for rows in references] != [len(rows) for rows in all_of]
    expected = plainly(references, 100, system, PlainMemory("sequential", 4096, 1))
    assert ([share.switches for share in shares], [numbers(asdict(share.results)) for share in shares]) == expected
    apart = Machine(load("I:256,16,1+D:512,16,2"), parse_policy("sequential"), 4096, uncached=stack)
    traces = [TraceFile(io.BytesIO(content)) for content in contents]
    at_once = run_at_once(traces, 100, Coherent(apart, "msi", (0, 1), layout.stack_low))
    data = [sum(each.accesses for each in caches if each.cache.name == "D") for caches in at_once.caches]
    assert data == [share.results["D"].accesses.total for share in shares]


def test_policies_that_are_not_compiled_are_simulated_plainly(programs, monkeypatch):
    content = trace_of(programs(ENDING["exit deep in calls"], "riscv32"))

    def run():
        traces = [TraceFile(io.BytesIO(content)) for _ in range(2)]
        shares = run_together(traces, 50, Machine(load(SYSTEMS[0]), parse_policy("random:1"), 4096))
        return [numbers(asdict(share.results)) for share in shares]

    compiled = run()
    monkeypatch.setattr("ease.lab.together.study.POLICIES", ())
    assert run() == compiled


SOURCE = """
#include <stdio.h>
#include <stdlib.h>
int cells[1000];
int main(int argc, char **argv) {
    int i, k, s = 0;
    for (k = 0; k < atoi(argv[1]); k++) for (i = 0; i < 1000; i++) s += cells[i]++;
    printf("%s %d\\n", argv[1], s);
    return argc - 2;
}
"""


def test_the_command_tells_what_switches_cost(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.c").write_text(SOURCE)
    words = ["together", "-quantum", "1k,20k", "-m", "riscv32", "-cache", "U:8k,16,4", "walk.c", "walk.c", "--svg", "a.svg"]
    assert main([*words, "--json", "a.json", "--", "5", "--", "9", "x"]) == 1
    shown = capfd.readouterr().out
    assert shown.startswith("5 10000\n9 36000\nriscv32, ")
    found = json.loads((tmp_path / "a.json").read_text())
    assert [entry["quantum"] for entry in found["together"]] == [1000, 20000]
    misses = [
        [program["results"]["caches"]["U"]["misses"]["read"] for program in programs]
        for programs in (found["alone"], *(entry["programs"] for entry in found["together"]))
    ]
    assert misses[1][0] > misses[2][0] > misses[0][0]
    assert (tmp_path / "a.svg").read_text().count("<svg") == 1
    first = shown.partition("riscv32,")[2]
    main([*words, "--", "5", "--", "9", "x"])
    assert capfd.readouterr().out.partition("riscv32,")[2] == first


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["-cache", "U:1k,16,1"], 2, "-quantum N is needed"),
        (["-quantum", "10"], 2, "-cache SPEC is needed"),
        (["-quantum", "0", "-cache", "U:1k,16,1"], 2, "'0' is no number of instructions"),
        (["-quantum", "10", "-cache", "U:1k,16,1", "--flush"], 2, "--flush needs -predict"),
        (["-quantum", "10", "-cache", "U:1k,16,1+switch:100"], 1, "here there are other programs"),
        (["-quantum", "10", "-cache", "U:1k,16,1", "--pages", "random"], 1, "no policy 'random'"),
        (["-quantum", "10", "-cache", "U:1k,16,1", "--page", "100"], 2, "'100' is no power of two"),
        (["-quantum", "10", "-cache", "U:1k,16,1", "--", "1", "--", "2"], 2, "arguments of 2 programs, but there are 1"),
    ],
)
def test_mistakes_are_told(tmp_path, capsys, words, status, said):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    assert main(["together", str(tmp_path / "a.c"), *words]) == status
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


class Branches:
    """Notes fetches (None) and branches (address, target, outcome) in order."""

    def __init__(self):
        self.seen = []

    def fetch(self, address, size):
        self.seen.append(None)

    def data(self, address, size, write):
        pass

    def transfer(self, kind, address, target, outcome):
        if kind == "branch":
            self.seen.append((address, target, outcome))

    def called(self, back):
        pass


@pytest.mark.parametrize(("machine", "flushes"), some([("riscv32", False), ("vax", True)], 1))
def test_shared_predictors_predict_what_the_interpreter_decides(programs, machine, flushes):
    every = [programs(text, machine) for text in (ENDING["longjmp"], FAULTING["null pointer"], ENDING["exit deep in calls"])]
    shared = predicting("btfn+bimodal:8+gshare:64,4", flushes, every)
    traces = [TraceFile(io.BytesIO(trace_of(program))) for program in every]
    shares = run_together(traces, 70, Machine(load(SYSTEMS[0]), parse_policy("sequential"), 4096, shared))
    waiting = []
    for program in every:
        watch = Branches()
        interpret(program, ["program"], observer=watch, transfers=watch, capture=True)
        waiting.append(deque(watch.seen))
    predictors, wrong = list(load_predictors(shared.spec, shared.unit).values()), [[0, 0, 0] for _ in every]
    executed, last = [0] * len(every), None
    while any(waiting):
        for number, rest in enumerate(waiting):
            if rest and flushes and last not in (None, number):
                predictors = list(load_predictors(shared.spec, shared.unit).values())
            last = number if rest else last
            left = 70
            while rest and (rest[0] is not None or left):
                event = rest.popleft()
                left -= event is None
                if event is not None:
                    executed[number] += 1
                    for place, predictor in enumerate(predictors):
                        wrong[number][place] += predictor.predict(*event[:2]) != event[2]
                        predictor.update(*event)
    assert [share.branches for share in shares] == executed
    assert [list(share.mispredicted) for share in shares] == wrong
    assert min(executed) > 0
    assert sum(wrong[0]) > 0
    with pytest.raises(ConfigurationError, match="share predictors of branches"):
        predicting("ras:4", False, every)


def test_a_kernel_executes_what_calls_switches_and_interrupts_ask_for(programs):
    every = [programs(text, "riscv32") for text in (ENDING["longjmp"], ENDING["exit deep in calls"])]
    contents = [trace_of(program) for program in every]
    kernel = Kernel(call=70, switch=30, interrupt=11, every=90)

    def run(spec, kernel):
        traces = [TraceFile(io.BytesIO(content)) for content in contents]
        return run_together(traces, 100, Machine(load(spec), parse_policy("sequential"), 4096, kernel=kernel))

    large = "U:1m,16,16"  # nobody takes anybody's place there
    without, (*own, of_kernel) = run(large, None), run(large, kernel)
    assert own == list(without)
    calls = sum(len(TraceFile(io.BytesIO(content)).calls) for content in contents)
    executed = sum(share.results.instructions for share in own)
    interrupts, switches = (executed - 1) // 90, sum(share.switches for share in own)
    assert min(calls, interrupts, switches) > 0
    assert of_kernel.results.instructions == 70 * calls + 30 * switches + 11 * interrupts
    small = "U:1k,16,1"
    more = [share.results.caches[0].misses.total for share in run(small, kernel)[:2]]
    assert sum(more) > sum(share.results.caches[0].misses.total for share in run(small, None))


def test_the_command_has_a_row_for_the_kernel(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.c").write_text(SOURCE)
    words = ["together", "-quantum", "10k", "-m", "riscv32", "-cache", "U:8k,16,4", "--kernel", "call=500", "walk.c", "walk.c"]
    assert main([*words, "--json", "a.json", "-predict", "bimodal:64", "--", "5", "--", "9"]) == 0
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["programs"] == ["1 walk", "2 walk", "kernel"]
    assert found["kernel"].startswith("call=500,switch=500,")
    assert [len(entry["programs"]) for entry in found["together"]] == [3]
    assert main([*words[:-2], "walk.c", "--", "5"]) == 0
    assert "kernel" in capfd.readouterr().out
    assert main([*words[:-3], "call=no", "walk.c"]) == 1
    assert "says nothing of a kernel" in capfd.readouterr().err


@pytest.mark.parametrize("shares", [False, True])
def test_processors_refer_to_what_the_interpreter_does(programs, shares):
    every = [programs(ENDING[name], "riscv32") for name in ("longjmp", "exit deep in calls", "longjmp")]
    traces, system, page = [TraceFile(io.BytesIO(trace_of(program))) for program in every], load("I:256,16,1+D:512,16,2"), 64
    low, first = every[0].machine.layout.stack_low, (0, 1, 0) if shares else (0, 1, 2)
    ran = run_at_once(traces, 7, Coherent(Machine(system, parse_policy("sequential"), page), "mesi", first, low))
    processors, memory = Processors(system, "mesi", 3), PlainMemory("sequential", page, 0)
    waiting, executed = [deque(observed(program)) for program in every], [0, 0, 0]
    while any(waiting):
        for number, rest in enumerate(waiting):
            left = 7 if sum(map(bool, waiting)) > 1 else 1 << 30
            while rest and (rest[0][0] != 2 or left):
                kind, address, size = rest.popleft()
                left, executed[number] = left - (kind == 2), executed[number] + (kind == 2)
                frame = memory.frame(first[number] if address < low else number, address // page)
                processors.refer(number, Kind(kind), frame * page + address % page, size)
    assert ran.instructions == tuple(executed)
    assert list(ran.caches) == processors.results()
    assert (sum(each.taken for caches in ran.caches for each in caches) > 0) == shares


def test_the_command_runs_processors(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.c").write_text(SOURCE)
    words = ["together", "-quantum", "50", "-m", "riscv32", "-cache", "U:8k,16,4+L2:32k,32,4", "--coherent", "msi", "--share"]
    assert main([*words, "walk.c", "walk.c", "--json", "a.json", "--kernel", "default", "--", "1", "--", "1"]) == 0
    found = json.loads((tmp_path / "a.json").read_text())
    assert (found["protocol"], found["shares"]) == ("msi", [0, 0])
    (turns,) = found["together"]
    one, other = (program["caches"]["U"] for program in turns["programs"])
    assert one["again"] > 100 < other["again"]
    assert turns["shared"]["accesses"] == sum(each[name] for each in (one, other) for name in ("misses", "written"))
    shown = capfd.readouterr().out
    assert "Private caches" in shown
    assert "Shared level" in shown
    for wrong, status in ((["--coherent", "moesi"], 1), (["--share"], 2), (["--coherent", "msi", "--svg", "x.svg"], 2)):
        assert main([*words[:-3], *wrong, "walk.c"]) == status
