"""vpo: a retargetable compiler back end that works on register transfer lists."""

import time

STARTED = time.time_ns()  # before any source of the compiler is read: see `vpo.base.cache`
