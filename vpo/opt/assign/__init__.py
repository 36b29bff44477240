"""Phase `assign`: hard registers in the places of pseudo-registers.

`assignment` repeats: build the graph (`interference`), merge and order its nodes (`simplification`), colour them
(`selection`), and rewrite what got no colour (`spilling`) until everything has one.  What a value costs in memory is in
`interference`, what a register costs that must be saved in `costs`; values that are computed anew instead are found by
`recomputation`.
"""
