"""Machines as tests want them: those of this project are built once in a process."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable

from vpo.machines.machine import Machine
from vpo.machines.names import machine_names
from vpo.machines.read import load as loading

NAMES = frozenset(machine_names())


@functools.cache
def _built(name: str) -> Machine:
    return loading.load(name)


def load(name: str, settings: Iterable[str] = ()) -> Machine:
    """Return what `vpo.machines.read.load.load` does: a machine that has been asked about no RTL yet."""
    settings = list(settings)
    return loading.load(name, settings) if settings or name not in NAMES else dataclasses.replace(_built(name))
