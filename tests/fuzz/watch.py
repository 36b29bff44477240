"""Fuzzing that goes on for as long as it is told: `make watch MINUTES=60`.

Each round takes a generator, a machine and a seed at random, and tries some programs: on the interpreter, as host code, with
gcc, and on the real emulator where the machine has one.  What goes wrong is cut down.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz import oracles
from tests.fuzz.tally import Tally
from tests.kept_machines import load
from vpo.machines.names import machine_names

PROGRAMS = {"csmith": 12, "people": 6, "loops": 12}  # of one round, by generator
REDUCING = "180"  # seconds that cutting down one program may take
FAILED = re.compile(r"(\S+) -O(\w+) ")  # where


def machines() -> list[str]:
    """Return the machines for whose programs another compiler is here."""
    return [name for name in machine_names() if not oracles.missing(oracles.model_of(load(name), ""))]


def one_round(chance: random.Random, names: list[str], keep: Path) -> Tally:
    """Try some programs of a generator on a machine; return what became of them."""
    generator, machine, seed = chance.choice(list(PROGRAMS)), chance.choice(names), chance.randrange(1 << 31)
    log = keep / f"{generator}-{machine}-{seed}.log"
    asked = {
        "generator": generator, "machines": machine, "seeds": f"{seed}-{seed + PROGRAMS[generator] - 1}",
        "library": "1", "whole": "4", "keep": str(keep), "log": str(log),
    }  # fmt: skip
    words = [word for key, value in asked.items() for word in (f"--{key}", value)]
    ended = subprocess.run([sys.executable, "-m", "tests.fuzz.run", "--turns", "--emulate", *words], check=False)
    tally = Tally(log)
    if ended.returncode > 1:
        print(f"{generator} on {machine}: exit status {ended.returncode}", flush=True)
    if not tally.outcomes["failed"]:
        log.unlink(missing_ok=True)
    return tally


def cut_down(keep: Path, known: set[Path]) -> None:
    """Cut down each program that is kept and was not seen before."""
    for log in sorted(keep.glob("*.log")):
        generator, machine, _ = log.stem.split("-")
        for line in log.read_text().splitlines():
            entry = json.loads(line)
            program = keep / f"{generator}-{entry['seed']}" / "program.c"
            if program in known or not program.exists():
                continue
            known.add(program)
            where = FAILED.match(entry["failures"][0])
            words = [str(program), "-m", machine, "-O", where[2] if where else "2", "--library", "1", "--seconds", REDUCING]
            subprocess.run([sys.executable, "-m", "tests.fuzz.reduce", *words], check=False)


def main() -> int:
    """Try programs until the time is over; exit status 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.watch", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, help="for the same rounds again")
    parser.add_argument("--machines", help="these alone, with commas")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="folder for what fails")
    given = parser.parse_args()
    given.keep.mkdir(parents=True, exist_ok=True)
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    chance = random.Random(seed)
    names = given.machines.split(",") if given.machines else machines()
    print(f"watch --seed {seed}: {len(names)} machines", flush=True)
    end, total, known = time.monotonic() + 60 * given.minutes, Tally(), set[Path]()
    while time.monotonic() < end:
        tally = one_round(chance, names, given.keep)
        total.outcomes += tally.outcomes
        total.tried += tally.tried
        cut_down(given.keep, known)
    print(total)
    return 1 if total.outcomes["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
