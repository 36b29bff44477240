"""Files of traces: the path of a program, the addresses that do not follow from it, and how all references come from that."""
