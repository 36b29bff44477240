"""All that is selected by what instructions compute, one after the other: values, branches and addresses, cells, two results.

A file of its own, since each of these builds on the one before, and most machines need the first two only.
"""

from __future__ import annotations

from vpo.opt.selection.choosing_regions import merge_followers
from vpo.opt.selection.cover import Cover, Uses
from vpo.opt.state import FunctionState


def cover_values(state: FunctionState) -> None:
    """Let one instruction compute what several do, by what they mean."""
    if state.function.stage != "ssa":
        return
    values, *uses, cells, _ = state.machine.sought
    if cells.exist or state.machine.doubles:
        merge_followers(state, ())  # what is looked for there stands in one block, as the rounds of an unrolled loop may
    Cover(state, values).run()
    if uses[0].exist:
        from vpo.opt.selection.cover_branches import cover_branches  # machines with such branches only

        cover_branches(state)
    if any(each.exist for each in uses):
        Uses(state, values).run()
    if cells.exist:
        from vpo.opt.selection.cover_cells import cover_cells  # hardly any machine needs it

        cover_cells(state)
    if state.machine.doubles:
        from vpo.opt.selection.choose_pairs import choose_pairs  # likewise

        choose_pairs(state)
        from vpo.opt.selection.cover_doubles import cover_doubles  # and with this

        cover_doubles(state)
