"""Phase `assign`: hard registers in the places of pseudo-registers.

`assignment` repeats: build the graph (`interference`), merge and order its nodes (`simplification`, `merging`), colour them
(`selection`), and rewrite what got no colour (`spilling`) until everything has one.  What a value costs in memory, and what
a register costs that must be saved, is in `costs`; values that are computed anew instead are found by `recomputation`.
"""
