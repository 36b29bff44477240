"""How long the chains of values that need each other are, in all and in windows (Weaver, McIntosh-Smith 2023)."""

from ease.tools import ADDRESS, Array, Program, Table

WINDOWS = "16+64+256+1024"  # instructions
CELLS = 4194304  # of 4 bytes of memory that a value may be followed through: a power of two
PLAIN, TIMED, WINDOWED = range(3)  # ways: each instruction takes 1, or its latency; in windows
operands, first_read, first_write, behind = Array(), Array(), Array(), Array()
latency, counted = Array(), Array()
sizes, left, base, longest, loaded, result = Array(), Array(), Array(), Array(), Array(), Array()
heights, kept = Array(), Array()  # of values in registers and in memory, way by way
cell_of = Array(CELLS)  # address of a cell behind each place, and 1: open addressing
cells = 0
ways = 0
executed = 0


def instrument(program: Program) -> None:
    global ways
    if not all(word.isdecimal() and int(word) for word in WINDOWS.split("+")):
        raise ValueError(f"WINDOWS are numbers of instructions such as 16+64, not {WINDOWS}")
    windows = [int(word) for word in WINDOWS.split("+")]
    ways = WINDOWED + len(windows)
    for array in (sizes, left, base, longest, loaded, result):
        array.resize(ways)
    for way, size in enumerate(windows, WINDOWED):
        sizes[way] = left[way] = size
    numbers: dict[str, int] = {}
    listed: list[int] = []
    for array in (first_read, first_write, behind, latency, counted):
        array.resize(len(program.instructions))
    for each in program.instructions:
        first_read[each.number] = len(listed)
        listed += [numbers.setdefault(name, len(numbers)) for name in sorted(each.reads)]
        first_write[each.number] = len(listed)
        listed += [numbers.setdefault(name, len(numbers)) for name in sorted(each.writes)]
        behind[each.number] = len(listed)
        latency[each.number], counted[each.number] = each.latency, each.counted
        for reference in (reference for reference in each.references if not reference.is_write):
            reference.before(read, ADDRESS, reference.size)
        each.before(flow, each.number)
        for reference in (reference for reference in each.references if reference.is_write):
            reference.before(write, ADDRESS, reference.size)
    operands.resize(len(listed))
    for place, number in enumerate(listed):
        operands[place] = number
    heights.resize(ways * len(numbers))
    kept.resize(ways * CELLS)


def place_of(address: int) -> int:
    global cells
    cell = address // 4 + 1
    place = cell * 2654435761 // 1024 % CELLS
    while cell_of[place] != cell:
        if cell_of[place] == 0:
            cell_of[place] = cell
            cells += 1
            if cells * 2 > CELLS:
                raise ValueError("the program writes more memory than CELLS allows")
        else:
            place = (place + 1) % CELLS
    return place


def read(address: int, size: int) -> None:
    for cell in range(address // 4, (address + size + 3) // 4):
        place = place_of(cell * 4)
        for way in range(ways):
            loaded[way] = max(loaded[way], kept[place * ways + way])


def flow(number: int) -> None:
    global executed
    executed += counted[number]
    for way in range(ways):
        height = max(base[way], loaded[way])
        loaded[way] = 0
        for place in range(first_read[number], first_write[number]):
            height = max(height, heights[operands[place] * ways + way])
        height += latency[number] * counted[number] if way == TIMED else counted[number]
        for place in range(first_write[number], behind[number]):
            heights[operands[place] * ways + way] = height
        result[way] = height
        longest[way] = max(longest[way], height)
        if way >= WINDOWED:
            left[way] -= counted[number]
            if left[way] == 0:  # all that was computed is at hand in the next window
                base[way] = longest[way]
                left[way] = sizes[way]


def write(address: int, size: int) -> None:
    for cell in range(address // 4, (address + size + 3) // 4):
        place = place_of(cell * 4)
        for way in range(ways):
            kept[place * ways + way] = result[way]


def report(program: Program) -> Table:
    names = ["all, by latencies" if way == TIMED else "all" if way == PLAIN else f"{sizes[way]}" for way in range(ways)]
    order = [PLAIN, TIMED, *range(WINDOWED, ways)]
    rows = [(names[way], executed, longest[way], f"{executed / max(longest[way], 1):.2f}") for way in order]
    return Table("Chains of values that need each other", ["window", "instructions", "longest chains", "at once"], rows)
