"""A tool that is everywhere: what it computes depends on each call, its arguments, and the order of all."""

from ease.tools import ADDRESS, NUMBER, RESULT, TAKEN, TARGET, VALUE, Array, argument, register

MASK = 0xFFFFFFFF
hashed = 1
calls = Array(20)
last = Array(64, bits=32, fill=3)
small = Array(16, bits=8)


def instrument(program):
    for function in program.functions:
        function.before(note, 0, register(program.stack_pointer))
        function.after(note, 1, function.number)
    for block in program.blocks:
        block.before(note, 2, block.number)
        block.after(note, 3, block.number)
        for edge in block.edges:
            edge.before(note, 4, edge.target.number)
    for instruction in program.instructions:
        instruction.before(note, 5, instruction.number)
        if instruction.is_branch:
            instruction.before(note, 6, TAKEN)
        if instruction.transfer in ("indirect jump", "indirect call", "return"):
            instruction.before(note, 7, TARGET)
        if instruction.transfer in ("", "call", "indirect call"):
            instruction.after(note, 8, register(program.stack_pointer))
    for reference in program.references:
        reference.before(note, 9 + reference.is_write, ADDRESS)
        if reference.has_after:
            reference.after(note, 11 + reference.is_write, VALUE)
        reference.before(both, ADDRESS, VALUE)
    for call in program.system_calls:
        call.before(note, 13, argument(1))
        call.after(both, NUMBER, RESULT)


def note(kind, value):
    global hashed
    calls[kind] += 1
    hashed = (hashed * 31 + kind * 7 + (value & MASK) % 1009) & MASK


def both(first, second):
    global hashed
    low = first & 63
    if last[low] != second & MASK and not (first % 3 == 0 or second == 1):
        last[low] = second & MASK
        hashed = (hashed ^ first) & MASK
    elif 1 < second < 1 << 20:
        hashed = (hashed - second // 7 - (-second) // 9 + (-second) % 5) & MASK
    for step in range(low & 3):
        small[step] += second >> step
        if step == 2 and first & 128:
            break
    count = 3
    while count > 0:
        count -= 1
        if small[count] & 1:
            continue
        calls[14] += smaller(count, 2)


def smaller(a, b):
    if a < b:
        return a
    return b if b < 2 else max(a, b) - 1
