"""`python -m cache_sim`."""

import sys

from cache_sim.command import main

sys.exit(main())
