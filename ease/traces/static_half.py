"""The static half of a trace: what each RTL and each block of the program is, for readers that have no program."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

from ease.source_names import file_name
from ease.traces.copies import copies
from vpo.analysis.references import references
from vpo.program import Program


def static_half(program: Program) -> dict[str, Any]:
    """Return it as JSON has it; docs/traces.md says what each key means.

    Lists have an entry for each number of an RTL, those one past the last RTL of a function among them.
    """
    types: dict[str, int] = {}
    files: dict[str, int] = {}
    functions: list[list[object]] = []
    blocks: list[list[int]] = []
    kinds: list[int] = []
    lines: list[int] = []
    texts: list[str] = []
    addresses: list[int] = []
    for name, function in program.functions.items():
        first, places, fetched = program.first(name), program.addresses[name], program.fetched[name]
        file = files.setdefault(file_name(function.file), len(files))
        functions.append([name.removeprefix("_"), file, first, len(places) - 1])
        records = [program.machine.record(rtl) for rtl in function.rtls()]
        kinds += [types.setdefault(record.name, len(types)) for record in records] + [-1]
        lines += [rtl.lines[0] for rtl in function.rtls()] + [0]
        texts += [record.assembly for record in records] + [""]
        addresses += places
        for block, start in zip(function.blocks, function.block_starts(), strict=True):
            found = [reference for rtl in block.rtls for reference in references(rtl)]
            writes = sum(reference.write for reference in found)
            end = start + len(block.rtls)
            counted = sum(record.counted for record in records[start:end])
            size = sum(behind - address for address, behind in fetched[start:end])
            blocks.append([first + start, places[start], size, counted, len(found) - writes, writes])
    return {
        "types": list(types), "files": list(files), "functions": functions, "blocks": blocks, "type": kinds, "line": lines,
        "text": texts, "address": addresses, "copies": copies(program),
    }  # fmt: skip


def image_digest(program: Program, static: dict[str, Any]) -> str:
    """Return the SHA-256 of a program's code, data and addresses, whatever the names of its source files are."""
    code = [static[name] for name in ("types", "type", "text", "address")]
    digest = hashlib.sha256(json.dumps([code, sorted(program.symbols.items()), program.end]).encode())
    for address, content in program.image:
        digest.update(struct.pack("<QQ", address, len(content)) + content)
    return digest.hexdigest()
