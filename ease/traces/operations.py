"""The untargeted machine, whose instructions are the operations of the intermediate language (Spike's "amai").

Its trace at -O0 is that of a program before there is a machine: operations with their types, sources and destinations, and the
addresses of references.  The machine that is asked for gives it no more than byte order, sizes and alignments of C's types and
predefined macros, so that machines which agree in these have the same trace.

A file of its own, since it knows descriptions of machines, and traces do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from vpo.machines.machine import Machine
from vpo.machines.read.encoding import add_what_follows
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError, read_own

_FILE = Path(__file__).with_name("untargeted.yaml")
_TAKEN = ("endian", "c", "macros")
_ADDRESS = "L"  # 32 bits


def untargeted(name: str, settings: Iterable[str] = ()) -> Machine:
    """Return the untargeted machine with the data model of the machine called `name`, with `--set` changes.

    Raises what `vpo.machines.read.load.load` raises, and DescriptionError for a machine whose addresses have other than 32
    bits.
    """
    target = read_description(name, settings)
    if target.get("address") != _ADDRESS:
        raise DescriptionError(target.where("address"), "operations are those of machines with addresses of 32 bits ('L')")
    description = read_own(_FILE)
    for key in _TAKEN:
        if key in target:
            description.put_from(target, key, target[key])
    add_what_follows(description)
    return build(description)
