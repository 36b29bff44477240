"""The forms of instructions that no C program reaches, by machine, for tests that see which are used."""

from functools import cache

from tests.kept_machines import load
from vpo.machines.advice.unreachable import unreachable_forms


@cache
def unreachable(name):
    """Return the numbers of the forms that no program reaches on a machine."""
    return {one.form.order for one in unreachable_forms(load(name))}
