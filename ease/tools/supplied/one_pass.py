"""Misses and lines written back of caches of all sizes and ways, by one pass (Mattson 1970; Thompson, Smith 1989)."""

from ease.tools import ADDRESS, Array, Program, Table

POLICY = "lru"  # lru, mru or lfu: stack policies; fifo and random are none, and opt wants a trace (cache-sim --policy)
SETS = "64+128+256+512+1024+2048+4096"  # numbers of sets, all powers of two, ascending
KIND = "data"  # data, instructions or unified
LINE = 16  # bytes of a line
WAYS = 4  # caches have 1 to so many
LRU, MRU, LFU = range(3)
policy = 0
sets, first = Array(), Array()  # of each level: its number of sets, and the first place of its stacks
tags, dirty, when = Array(), Array(), Array()  # in each place a line and 1, the fewest ways in which it is dirty, its last use
uses = Array(bits=32)  # of each line, for lfu
distances, cleaned = Array(), Array()  # of each level: accesses that were not on top, and writes that made a line dirty
accesses = 0


def instrument(program: Program) -> None:
    global policy
    if POLICY not in ("lru", "mru", "lfu"):
        raise ValueError(f"POLICY is lru, mru or lfu, not {POLICY}: fifo and random are no stack policies")
    policy = ("lru", "mru", "lfu").index(POLICY)
    numbers = [int(word) for word in SETS.split("+") if word.isdecimal() and int(word)]
    if not numbers or any(each & (each - 1) for each in numbers) or "+".join(map(str, sorted(set(numbers)))) != SETS:
        raise ValueError(f"SETS are powers of two, ascending, such as 64+128, not {SETS}")
    for array, length in ((sets, 1), (first, 1), (distances, WAYS + 2), (cleaned, WAYS + 2)):
        array.resize(len(numbers) * length)
    uses.resize((1 << 32) // LINE if POLICY == "lfu" else 1)
    for level, number in enumerate(numbers):
        sets[level], first[level] = number, sum(numbers[:level]) * WAYS
    for array in (tags, dirty, when):
        array.resize(sum(numbers) * WAYS)
    for instruction in program.instructions if KIND != "data" else ():
        instruction.before(refer, instruction.address, instruction.size, 0)
    for reference in program.references if KIND != "instructions" else ():
        reference.before(refer, ADDRESS, reference.size, int(reference.is_write))


def refer(address: int, size: int, write: int) -> None:
    for line in range(address // LINE, (address + size + LINE - 1) // LINE):
        access(line, write)


def access(line: int, write: int) -> None:
    global accesses
    accesses += 1
    if policy == LFU:
        uses[line % len(uses)] += 1
    for level in range(len(sets)):
        top = first[level] + line % sets[level] * WAYS
        if tags[top] == line + 1 and (write == 0 or dirty[top] == 1):
            return  # so it is with more sets
        distance = 0
        while distance < WAYS and tags[top + distance] != line + 1 and tags[top + distance] != 0:
            distance += 1
        behind = distance
        fewest = WAYS + 1
        if distance < WAYS and tags[top + distance] == line + 1:
            fewest = max(dirty[top + distance], distance + 1)
        else:
            distance = WAYS
        distances[level * (WAYS + 2) + distance] += 1
        cleaned[level * (WAYS + 2) + fewest] += write
        for place in range(top + 1, top + behind):
            if stays(top, place):
                exchange(top, place)
        if 0 < behind < WAYS:
            exchange(top, top + behind)
        tags[top] = line + 1
        dirty[top] = 1 if write else fewest
        when[top] = accesses


def stays(place: int, other: int) -> int:
    if policy != LFU:
        return policy == LRU
    more = uses[(tags[place] - 1) % len(uses)] - uses[(tags[other] - 1) % len(uses)]
    return when[place] > when[other] if more == 0 else more > 0


def exchange(place: int, other: int) -> None:
    tag = tags[place]
    ways = dirty[place]
    last = when[place]
    tags[place] = tags[other]
    dirty[place] = dirty[other]
    when[place] = when[other]
    tags[other] = tag
    dirty[other] = ways
    when[other] = last


def report(program: Program) -> Table:
    rows = []
    for level in range(len(sets)):
        stacks = range(first[level], first[level] + sets[level] * WAYS, WAYS)
        left = [max(dirty[top + depth], depth + 1) for top in stacks for depth in range(WAYS) if tags[top + depth]]
        misses = made = 0
        for ways in range(WAYS, 0, -1):
            misses += distances[level * (WAYS + 2) + ways]
            made += cleaned[level * (WAYS + 2) + ways + 1]
            written = made - sum(fewest <= ways for fewest in left)
            rows.append((sets[level] * ways * LINE, ways, accesses, misses, written))
    return Table(f"Caches ({KIND}), {POLICY}", ["size", "ways", "accesses", "misses", "written back"], sorted(rows))
