"""What measuring costs, how near host code is to native code, and what other tools cost.

    python benchmarks/overhead.py [--quick] [--modes counts,icache] [--peers [qemu,gcc]] [--all] [--programs samples,fft]

A mode's time is that of the same program, as host code, without measuring: all modes and plain runs take turns, and the
shortest time of each counts.  benchmarks/README.md says how to read the tables; `--help` lists the options.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import make_inputs
from modes import MODES, SYSTEMS, Costs, Failed, Mode, Run, least, plain
from peers import PEERS, Peer, Process, start_seconds
from programs import INDEXES, QUICK, Subject, chosen, subject
from sweep import SweepCost, sweep_cost

from ease.run.verify import ToolMissing
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load

PLAIN = "plain"
Ratios = dict[str, float]  # by program


@dataclass
class Times:
    """Of one program, by mode or peer: the shortest times in seconds, of the program itself and to compile it."""

    run: dict[str, float] = field(default_factory=dict)
    compile: dict[str, float] = field(default_factory=dict)
    sweep: SweepCost | None = None
    least: Ratios = field(default_factory=dict)  # by mode, over the plain time, if hits cost nothing


@dataclass(frozen=True)
class Plan:
    """What is measured, and how often."""

    modes: list[Mode]
    peers: list[Peer]
    repeat: int
    compiles: int
    peer_repeat: int
    floor: Costs | None = None


def mean(values: Iterable[float]) -> float:
    """Return the geometric mean."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def smaller(times: dict[str, float], name: str, seconds: float) -> None:
    """Keep the shortest time."""
    times[name] = min(seconds, times.get(name, seconds))


class Bench:
    """Measures one program after the other, in folders of its own."""

    def __init__(self, plan: Plan, compiler: Compiler, folder: Path) -> None:
        self.plan, self.compiler, self.folder = plan, compiler, folder
        self.missing: dict[str, str] = {}  # modes and peers that cannot run, and why
        self.starts: dict[str, float] = {}

    @cached_property
    def inputs(self) -> Path:
        """The folder of the samples' inputs."""
        make_inputs.write(self.folder / "inputs")
        return self.folder / "inputs"

    def cache(self, way: str) -> str:
        """Return a folder for compiled code, so that nobody finds what another way compiled."""
        return str(self.folder / "host" / way)

    def measure(self, name: str) -> Times:
        """Measure a program.

        Raises Failed.
        """
        program = subject(name, self.compiler, lambda: self.inputs)
        times = Times()
        ways, outputs = self._warm(program, times)
        processes = self._start(program, outputs[PLAIN])
        for turn in range(self.plan.repeat):
            for way, run in ways.items():
                smaller(times.run, way, run(program, cache=self.cache(way)).run_seconds)
            for peer, process in processes.items() if turn < self.plan.peer_repeat else ():
                smaller(times.run, peer, max(process.seconds() - self.starts[peer], 1e-4))
        if self.plan.floor is not None:
            for way in SYSTEMS.keys() & ways:
                times.least[way] = least(program, SYSTEMS[way], times.run[PLAIN], self.plan.floor)
        if "sweep" in ways:
            repeat = -(-self.plan.repeat // 3)
            times.sweep = sweep_cost(program, times.run[PLAIN], times.run["sweep"], repeat, self.cache("sweep"))
        return times

    def _warm(self, program: Subject, times: Times) -> tuple[dict[str, Run], dict[str, bytes]]:
        """Compile for every mode and run once; return how to run again, and what was printed."""
        ways = {PLAIN: plain, **{mode.name: mode.run for mode in self.plan.modes if mode.name not in self.missing}}
        outputs = {}
        for way, run in ways.items():
            result = run(program, cache=self.cache(way))  # an empty one
            smaller(times.compile, way, result.compile_seconds)
            outputs[way] = result.output
            if result.output != outputs[PLAIN]:
                raise Failed(f"{program.name}: prints something else with {way}")
        for _ in range(1, self.plan.compiles):
            for way, run in ways.items():
                smaller(times.compile, way, run(program, cache="").compile_seconds)
        return ways, outputs

    def _start(self, program: Subject, output: bytes) -> dict[str, Process]:
        """Build what peers run, and run it once."""
        processes = {}
        for peer in self.plan.peers:
            if peer.name in self.missing:
                continue
            try:
                if peer.name not in self.starts:
                    folder = self.folder / "nothing" / peer.name
                    self.starts[peer.name] = start_seconds(peer, self.compiler, folder, 2 * self.plan.repeat)
                process = Process(peer, program, self.folder / program.name / peer.name)
            except ToolMissing as error:
                self.missing[peer.name] = str(error)
                continue
            process.seconds()
            if process.output != output:
                raise Failed(f"{program.name}: prints something else with {peer.name}")
            processes[peer.name] = process
        return processes


# ------------------------------------------------------------------------------------------------------------- tables


def ratios(table: Mapping[str, Times], of: str, to: str, compiling: bool = False) -> Ratios:
    """Return the times of one way over those of another, by program."""
    pairs = {name: times.compile if compiling else times.run for name, times in table.items()}
    return {name: times[of] / times[to] for name, times in pairs.items()}


def worst_of(found: Ratios) -> str:
    """Return the largest ratio and whose it is."""
    name = max(found, key=lambda key: found[key])
    return f"{found[name]:.2f} {name}"


def asked(mean_: float, found: Ratios, mode: Mode) -> str:
    """Say whether a mode is as fast as the project asks."""
    if not mode.ask:
        return ""
    return "yes" if mean_ <= mode.ask and (not mode.limit or max(found.values()) <= mode.limit) else "no"


def print_modes(table: Mapping[str, Times], modes: Iterable[Mode], missing: Mapping[str, str]) -> None:
    """Print what modes cost."""
    print(f"\n{'mode':<14}{'what':<44}{'ask':>6}{'limit':>7}{'mean':>7}  {'worst':<18}{'met':<5}{'compile':>8}")
    for mode in modes:
        head = f"{mode.name:<14}{mode.what:<44}{mode.ask or '':>6}{mode.limit or '':>7}"
        if mode.name in missing:
            print(head, missing[mode.name])
            continue
        found, compiled = ratios(table, mode.name, PLAIN), ratios(table, mode.name, PLAIN, compiling=True)
        mean_ = mean(found.values())
        print(f"{head}{mean_:>7.2f}  {worst_of(found):<18}{asked(mean_, found, mode):<5}{mean(compiled.values()):>8.2f}")
    sweeps = [times.sweep for times in table.values() if times.sweep]
    if sweeps:
        print(
            f"\nsweep: {mean(max(cost.nanoseconds, 1e-3) for cost in sweeps):.2f} ns for each reference to data (5 or less), "
            f"{mean(cost.factor for cost in sweeps):.1f} times faster than separate runs (7 or more)"
        )


def print_floor(table: Mapping[str, Times]) -> None:
    """Print the least that modes can cost where misses cost what they do."""
    for way in dict.fromkeys(way for times in table.values() for way in times.least):
        found = {name: times.least[way] for name, times in table.items()}
        print(f"\n{way} if hits cost nothing: {mean(found.values()):.2f}, most {worst_of(found)}")
        print("  ".join(f"{name} {ratio:.2f}" for name, ratio in found.items()))


def print_peers(table: Mapping[str, Times], plan: Plan, missing: Mapping[str, str]) -> None:
    """Print how fast peers are, and how many times faster we are."""
    print(f"\n{'peer':<14}{'what':<48}{'over plain':>10}   ours is faster by: mean, least (mode)")
    modes = [PLAIN, *(mode.name for mode in plan.modes if mode.name not in missing)]
    for peer in plan.peers:
        head = f"{peer.name:<14}{peer.what:<48}"
        if peer.name in missing:
            print(f"{head}  {missing[peer.name]}")
            continue
        words = []
        for rival in (mode for mode in peer.rivals if mode in modes):
            found = ratios(table, peer.name, rival)
            words.append(f"{mean(found.values()):.2f}, {min(found.values()):.2f} ({rival})")
        print(f"{head}{mean(ratios(table, peer.name, PLAIN).values()):>10.2f}   {'; '.join(words)}")


def print_programs(table: Mapping[str, Times], plan: Plan, missing: Mapping[str, str]) -> None:
    """Print the ratios of each program."""
    every = [mode.name for mode in plan.modes] + [peer.name for peer in plan.peers]
    names = [name for name in every if name not in missing]
    width = max(map(len, ["program", *table])) + 2
    print(f"\n{'program':<{width}}{'plain, s':>9}" + "".join(f"{name:>14}" for name in names))
    for program, times in table.items():
        row = "".join(f"{times.run[name] / times.run[PLAIN]:>14.3f}" for name in names)
        print(f"{program:<{width}}{times.run[PLAIN]:>9.4f}{row}")
    if plan.modes:
        print(f"\n{'program':<{width}}{'compile, s':>10}" + "".join(f"{name:>14}" for name in names if name in MODES))
        for program, times in table.items():
            row = "".join(f"{times.compile[name] / times.compile[PLAIN]:>14.2f}" for name in names if name in MODES)
            print(f"{program:<{width}}{times.compile[PLAIN]:>10.2f}{row}")


# ------------------------------------------------------------------------------------------------------- command line


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    peers = ",".join(peer.name for peer in PEERS)
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help=f"to try things out: {', '.join(QUICK)}, three repetitions")
    made.add_argument("--modes", default=",".join(MODES), help="default: %(default)s")
    made.add_argument("--peers", nargs="?", const=peers, default="", help=f"also {peers}, or those named")
    made.add_argument("--programs", default=",".join(INDEXES), help="names, 'samples', 'kernels'; default: %(default)s")
    made.add_argument("--all", action="store_true", help="also print the ratios of each program")
    made.add_argument("--floor", metavar="NS,NS", help="also what misses cost at least, mispredicted or without branches")
    made.add_argument("--json", metavar="FILE", help="also write all times")
    made.add_argument("--repeat", type=int, help="timed runs of each program in each mode; default 7")
    made.add_argument("--peer-repeat", type=int, help="of peers, default 3")
    made.add_argument("--compiles", type=int, help="times that each is compiled, default 2")
    made.add_argument("-m", dest="machine", default="riscv32")
    made.add_argument("-O", dest="level", type=int, default=2, choices=(0, 1, 2))
    return made


def pick(words: str, known: Mapping[str, Mode] | Mapping[str, Peer], what: str) -> list[str]:
    """Return the names in a list of them; leave if one is unknown."""
    names = [word for word in words.split(",") if word]
    for name in names:
        if name not in known:
            sys.exit(f"overhead.py: there is no {what} '{name}' (there are {', '.join(known)})")
    return names


def plan_of(options: argparse.Namespace) -> Plan:
    """Return what the command line asks for."""
    peers = {peer.name: peer for peer in PEERS}
    return Plan(
        [MODES[name] for name in pick(options.modes, MODES, "mode")],
        [peers[name] for name in pick(options.peers, peers, "peer")],
        options.repeat or (3 if options.quick else 7),
        options.compiles or (1 if options.quick else 2),
        options.peer_repeat or (1 if options.quick else 3),
        Costs(*map(float, options.floor.split(","))) if options.floor else None,
    )


def show_progress(text: str) -> None:
    """Show where we are, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{text:<30}\r", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Measure and print the tables."""
    options = parser().parse_args()
    plan = plan_of(options)
    try:
        names = chosen(QUICK if options.quick else options.programs.split(","))
    except KeyError as error:
        sys.exit(f"overhead.py: there is no program {error}")
    table: dict[str, Times] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        bench = Bench(plan, Compiler(load(options.machine), Settings(level=options.level)), Path(temporary))
        for number, name in enumerate(names, 1):
            show_progress(f"{number}/{len(names)} {name}")
            table[name] = bench.measure(name)
        show_progress("")
    print(f"{options.machine} -O{options.level}, {len(names)} programs, shortest of {plan.repeat}, over plain host code")
    print_modes(table, plan.modes, bench.missing)
    print_floor(table)
    if plan.peers:
        print_peers(table, plan, bench.missing)
    if options.all:
        print_programs(table, plan, bench.missing)
    if options.json:
        Path(options.json).write_text(json.dumps({name: asdict(times) for name, times in table.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
