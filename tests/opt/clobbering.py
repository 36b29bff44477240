"""The plain interpreter, but what an instruction clobbers holds something else afterwards."""

from vpo.interpret.plain import PlainInterpreter
from vpo.interpret.result import Result, run_with_streams
from vpo.program import Program


def spoilt(value):
    """Return another value; for a condition code, which is two values, one for which other conditions hold."""
    if not isinstance(value, tuple):
        return value ^ 0x55
    first, second = value
    return (0, 0) if first != second and first + second & 1 else (int(first <= second), int(first > second))


class Clobbering(PlainInterpreter):
    """One run of a program in which nothing survives in a clobbered register."""

    def execute(self, rtl):
        """Execute one RTL and spoil what it clobbers."""
        going = super().execute(rtl)
        for register in self.machine.clobbers(rtl.effects):
            self.state.write(register, spoilt(self.state.read(register)))
        return going


def interpret_clobbering(program: Program, limit: int) -> Result:
    """Run a program; return what it did."""
    return run_with_streams(lambda streams: Clobbering(program, (), streams, (), limit, None).run(), None, True)
