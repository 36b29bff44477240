"""What tests of traces share."""

import io
import tempfile

import pytest

from cache_sim.traces.trace_file import TraceFile
from ease.host.process.job import RunOptions
from ease.traces.traced_run import traced_run
from vpo.interpret.fast.interpreter import interpret


class Observer:
    """Notes every reference that the interpreter makes."""

    def __init__(self):
        self.seen = []

    def fetch(self, address, size):
        self.seen.append((2, address, size))

    def data(self, address, size, write):
        self.seen.append((int(write), address, size))


def regenerated(trace, **options):
    """Return the references of a trace as tuples."""
    return [
        row
        for events in trace.events(**options)
        for row in zip(events.kinds.tolist(), events.addresses.tolist(), events.sizes.tolist(), strict=True)
    ]


@pytest.fixture(scope="session")
def traced():
    """A function that traces a program: the bytes of its trace, the counts of the run."""

    def run(program, *arguments, data=True, facts=None, **options):
        with tempfile.TemporaryFile() as file:  # the child process writes to it, too
            given = RunOptions(capture=True, **options)
            result, counts = traced_run(program, ["program", *arguments], file, data, facts, given)
            file.seek(0)
            return file.read(), result, counts

    return run


def trace_of(content):
    """Return the trace in some bytes, which is read once."""
    return TraceFile(io.BytesIO(content))


def observed(program, *arguments, **options):
    """Return what the interpreter refers to."""
    observer = Observer()
    interpret(program, ["program", *arguments], observer=observer, capture=True, **options)
    return observer.seen
