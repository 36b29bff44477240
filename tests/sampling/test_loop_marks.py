"""Regions between loops are what was chosen, and are found again on another machine and at another level."""

import pytest
from sampled_programs import measured
from test_phases import INPUT, PROGRAM

from cache_sim.config import ConfigurationError
from ease.model.sampling import parse_sample
from ease.run.measuring import measured_run
from ease.sampling.marked_regions import loops_of, read_marks
from ease.sampling.sampled_run import sampled_run
from tests.covering import some
from vpo.system.faults import HostError


@pytest.fixture(scope="module")
def marked(programs, tmp_path_factory):
    """A run on one machine that leaves marks, its program and the file."""
    file = tmp_path_factory.mktemp("marks") / "regions.json"
    program = programs(PROGRAM, "riscv32", 1)
    spec = f"phases:every=5k,clusters=6,samples=3,warm=all,loops,marks={file}"
    result, found = measured(sampled_run, program, parse_sample(spec), spec, stdin=INPUT)
    return program, file, result, found


def test_regions_begin_and_end_at_loops(marked):
    program, file, result, found = marked
    whole = measured(measured_run, program, stdin=INPUT)
    assert result.output == whole[0].output
    executed = whole[1].characteristics.instructions.dynamic
    regions = read_marks(str(file))
    assert found.sampling.instructions == executed
    assert found.sampling.samples == len(regions) > 6
    weighted = sum(region.scale for region in regions) * found.sampling.measured / len(regions)
    assert weighted == pytest.approx(executed, rel=0.3)
    reads = sum(count.dynamic for kind, count in whole[1].characteristics.references.items() if kind.direction == "read")
    estimate = next(each for each in found.sampling.estimates if each.name == "reads an instruction")
    assert abs(estimate.value - reads / executed) <= max(estimate.half, 0.02 * estimate.value)
    known = {*loops_of(program).values()}
    marks = [mark for region in regions for mark in (region.begin, region.end) if mark is not None]
    assert {mark.loop for mark in marks} <= known
    assert {mark.loop.function for mark in marks} >= {"fill", "sum", "mix"}


@pytest.mark.thorough
@pytest.mark.parametrize(("machine", "level"), some([("sparc", 1), ("riscv32", 1), ("riscv32", 0)], 1))
def test_regions_are_found_again(programs, marked, machine, level):
    """The same parts of the source are executed in them: each loop of the program as often, in each of its regions."""
    program, file, first, found = marked
    other = programs(PROGRAM, machine, level)
    spec = f"marks:file={file},warm=all"
    result, again = measured(sampled_run, other, parse_sample(spec), spec, stdin=INPUT)
    assert (result.exit_status, result.output) == (first.exit_status, first.output)
    assert again.sampling.samples == found.sampling.samples
    if (machine, level) == ("riscv32", 1):
        assert again.counts.rtls == found.counts.rtls
        assert again.sampling.estimates == found.sampling.estimates
    rounds = [_rounds(*each) for each in ((program, found.counts), (other, again.counts))]
    assert rounds[0].keys() == rounds[1].keys()
    for loop, number in rounds[0].items():
        assert abs(rounds[1][loop] - number) <= 0.01 * number + 40, loop


def _rounds(program, counts):
    """How often control came to each loop."""
    starts = {name: function.block_starts() for name, function in program.functions.items()}
    return {loop: counts.rtls[name][starts[name][block]] for (name, block), loop in loops_of(program).items()}


def test_marks_of_another_program_are_refused(programs, marked, tmp_path):
    _, file, _, _ = marked
    spec = f"marks:file={file}"
    with pytest.raises(ConfigurationError, match=r"the program has no loop 1 at program\.c:\d+ in"):
        measured(sampled_run, programs("int main(void) { return 0; }", "riscv32", 1), parse_sample(spec), spec)
    with pytest.raises(HostError, match=r"\d+ of \d+ regions were found"):
        measured(sampled_run, programs(PROGRAM, "riscv32", 1), parse_sample(spec), spec, stdin=INPUT[:3])
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": 1}')
    with pytest.raises(ConfigurationError, match="has no marks of a run"):
        measured(sampled_run, programs(PROGRAM, "riscv32", 1), parse_sample(f"marks:file={wrong}"), spec)
    for text, message in (
        ("phases:every=1k,loops,warm=5", "with loops, there is only warm=all"),
        ("phases:every=1k,marks=x", "marks=FILE needs loops"),
        ("marks:warm=all", "file=FILE is missing"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            parse_sample(text)
