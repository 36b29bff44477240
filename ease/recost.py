"""What a kept run costs on a machine with other latencies or sizes, without running it again.

The program is compiled for the changed machine.  If the code is the same, all counts are, too, and what is computed from them
equals a rerun.  If the compiler makes other code, only a rerun can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ease.characterise import characterise
from ease.results import Measurement
from ease.static_kinds import Kind, StaticProgram
from ease.static_program import describe
from ease.store.database import StoreError
from ease.store.kept_run import KeptRun, texts_of
from ease.timing.estimate import estimate
from vpo.program import Program


def recosted(kept: KeptRun, program: Program, sets: Sequence[str]) -> Measurement:
    """Return the measurement of a run on the machine that a program is compiled for, from the counts of the run.

    What caches did is left out if sizes differ, since addresses do then.  Raises StoreError if the code is not the same.
    """
    run = kept.measurement
    counts, identity, before = run.counts, run.identity, run.program
    assert counts is not None
    assert identity is not None
    assert before is not None
    known = describe(program)
    texts = texts_of(known, program)
    if not _is_same_code(before, known) or _instructions(before, kept.texts) != _instructions(known, texts):
        raise StoreError(
            "the compiler makes other code for the changed machine, or the source has changed: measure again, with "
            + identity.command + "".join(f" --set {setting}" for setting in sets)
        )
    sizes_differ = [kind.size for kind in before.kinds] != [kind.size for kind in known.kinds]
    timed = run.timing is not None or program.machine.timing.stated
    delayed = run.memory is not None and run.memory.results.system.delays is not None
    return Measurement(
        known.machine, characterise(known, counts), run.exit_status, run.partial, run.fault,
        None if sizes_differ or delayed else run.memory,
        prediction=None if sizes_differ else run.prediction, timing=estimate(program, counts) if timed else None,
        exact=run.exact, program=known, counts=counts,
        identity=replace(identity, changes=(*identity.changes, *sets), words=(*identity.words, *with_sets(sets))),
    )  # fmt: skip


def with_sets(sets: Sequence[str]) -> list[str]:
    """Return settings as words of a command line."""
    return [word for setting in sets for word in ("--set", setting)]


def _is_same_code(before: StaticProgram, after: StaticProgram) -> bool:
    """Return whether two programs are the same but for sizes and latencies."""
    if list(before.functions) != list(after.functions):
        return False
    kinds = [_bare(kind) for kind in before.kinds], [_bare(kind) for kind in after.kinds]
    for one, other in zip(before.functions.values(), after.functions.values(), strict=True):
        if any(getattr(one, name) != getattr(other, name) for name in ("lines", "blocks", "branches", "ends")):
            return False
        if [kinds[0][number] for number in one.kinds] != [kinds[1][number] for number in other.kinds]:
            return False
    return True


def _instructions(program: StaticProgram, texts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the RTLs of a program, function by function."""
    return [texts[number][0] for function in program.functions.values() for number in function.kinds]


def _bare(kind: Kind) -> Kind:
    return replace(kind, size=0, latency=0)
