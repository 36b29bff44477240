"""Transformations of units of the intermediate language that look at several functions at once.

They come between a front end and the expander: tail recursion becomes a loop, constant arguments go into their function,
calls are replaced by the bodies of their callees.  No machine is known here; sizes are estimates in operations.
"""

from vpo.interprocedural.inlining import Inlining as Inlining
from vpo.interprocedural.optimize import inline_across as inline_across
from vpo.interprocedural.optimize import optimize_unit as optimize_unit
from vpo.interprocedural.symbol_references import names_called as names_called
