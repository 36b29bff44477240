"""From the intermediate language to naive legal RTLs: operations, calls, what a machine lacks."""
