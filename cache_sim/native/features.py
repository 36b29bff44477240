"""What LLVM may use of the processor on which compiled code runs.

A file of its own, since the process of each measured run imports it, and nothing else of this package.
"""

from typing import Any


def host_features(llvm: Any) -> str:
    """Return the features of this processor, as target machines of `llvmlite.binding` take them.

    Without `vzeroupper`: LLVM puts this instruction at the end of functions whose convention is that they preserve all registers
    (`preserve_allcc`), too, and it clears the upper halves of the caller's 256-bit registers, constants among them.
    """
    return f"{llvm.get_host_cpu_features().flatten()},-vzeroupper"
