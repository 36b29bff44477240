"""Memory systems in YAML files.

data: {size: 8k, line: 16, ways: 4, policy: fifo, write: through, allocate: false, prefetch: next}
instruction_tlb: {entries: 32, page: 4k, ways: full}
switch: {every: 10000, unit: work, hit: 1, miss: 10}
causes: true
delays: {width: 4, first: 2, next: 1, write: 2, buffers: 4, resume: word}
uncached: [{at: 0x10000000, size: 16k}]
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import yaml

from cache_sim import config
from cache_sim.words import blamed, format_size, parse_address, parse_count, parse_size, parse_ways

CACHE_KEYS = {
    "instruction": "I", "data": "D", "unified": "U", "second": "L2",
    "instruction_tlb": "ITLB", "data_tlb": "DTLB", "tlb": "TLB",
}  # fmt: skip
_WORDS = ("name", "policy", "write", "prefetch")  # what is a word in YAML and in a Cache


@dataclass(frozen=True, slots=True)
class _Item:
    """A node of a YAML file."""

    node: Any
    file: str

    def error(self, message: str, about: str = "") -> config.ConfigurationError:
        """Return an error at this item."""
        mark = self.node.start_mark
        return config.ConfigurationError(message, about, f"{self.file}:{mark.line + 1}:{mark.column + 1}")

    def mapping(self, needed: tuple[str, ...], more: tuple[str, ...] = ()) -> dict[str, _Item]:
        """Return the items of a mapping that must have some keys, and may have more."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error(f"expected a mapping with the keys {', '.join((*needed, *more))}")
        items: dict[str, _Item] = {}
        for key_node, value_node in self.node.value:
            key = _Item(key_node, self.file)
            name = key.word()
            if name not in (*needed, *more):
                raise key.error(f"'{name}' is none of the keys {', '.join((*needed, *more))}")
            if name in items:
                raise key.error(f"'{name}' is given twice")
            items[name] = _Item(value_node, self.file)
        for name in needed:
            if name not in items:
                raise self.error(f"'{name}' is missing", name)
        return items

    def sequence(self) -> list[_Item]:
        """Return the items of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error("expected a list")
        return [_Item(node, self.file) for node in self.node.value]

    def word(self) -> str:
        """Return the text of a scalar."""
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value:
            raise self.error("expected a word or a number")
        return str(self.node.value)

    def truth(self) -> bool:
        """Return a truth value."""
        if self.word() not in ("true", "false"):
            raise self.error(f"'{self.word()}' is neither true nor false")
        return self.word() == "true"


def parse_yaml(text: str, file: str) -> config.MemorySystem:
    """Return the memory system that the text of a file describes.

    Raises ConfigurationError, with file, line and column.
    """
    top = _compose(text, file)
    items = top.mapping((), (*CACHE_KEYS, "switch", "causes", "delays", "uncached"))
    parts: dict[str, Any] = {}
    places: dict[str, _Item] = {}
    for key, item in items.items():
        for field, value in _part(key, item).items():
            if field in parts:
                raise item.error(f"'{key}' and another key describe one cache", field)
            parts[field], places[field] = value, item
    with blamed(top, **places):
        return config.MemorySystem(**parts)


def _compose(text: str, file: str) -> _Item:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else f"{file}:1:1"
        raise config.ConfigurationError(f"not YAML: {error.problem or error.context}", place=place) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise config.ConfigurationError(f"not YAML: {str(error).splitlines()[0]}", place=f"{file}:1:1") from None
    if node is None:
        raise config.ConfigurationError(
            f"expected a mapping with some of the keys {', '.join(CACHE_KEYS)}", place=f"{file}:1:1"
        )
    return _Item(node, file)


def _part(key: str, item: _Item) -> dict[str, Any]:
    """Return the fields of a memory system that a key sets."""
    if key == "causes":
        return {"causes": item.truth()}
    if key == "switch":
        return {"switch": _switch(item)}
    if key == "delays":
        return {"delays": _delays(item)}
    if key == "uncached":
        return {"uncached": tuple(map(_piece, item.sequence()))}
    role = CACHE_KEYS[key]
    cache = _tlb(role, item) if role in config.TLBS else _cache(role, item)
    return dict.fromkeys(config.ROLES[role], cache)


def _cache(role: str, item: _Item) -> config.Cache:
    items = item.mapping(("size", "line", "ways"), ("allocate", *_WORDS))
    with blamed(item, **items):
        size, line = parse_size("size", items["size"].word()), parse_size("line", items["line"].word())
        options: dict[str, Any] = {"name": role} | _words(items)
        if "allocate" in items:
            options["allocate"] = items["allocate"].truth()
        return config.Cache(size=size, line=line, ways=parse_ways(items["ways"].word(), size // line), **options)


def _tlb(role: str, item: _Item) -> config.Cache:
    items = item.mapping(("entries", "page", "ways"), ("name", "policy"))
    with blamed(item, **items):
        entries, page = parse_count("entries", items["entries"].word()), parse_size("page", items["page"].word())
        config.demand_power_of_two("page", page)
        ways = parse_ways(items["ways"].word(), entries)
        config.demand_sets("entries", entries, ways)
        options = {"name": role} | _words(items)
        return config.Cache(size=entries * page, line=page, ways=ways, **options)


def _words(items: dict[str, _Item]) -> dict[str, Any]:
    return {name: items[name].word() for name in _WORDS if name in items}


def _switch(item: _Item) -> config.Switch:
    items = item.mapping(("every",), ("unit", "hit", "miss"))
    with blamed(item, **items):
        numbers = {name: parse_count(name, items[name].word()) for name in items if name != "unit"}
        unit = {"unit": items["unit"].word()} if "unit" in items else {}
        return config.Switch(**numbers, **unit)  # type: ignore[arg-type]


def _delays(item: _Item) -> config.Delays:
    items = item.mapping((), (*config.DELAY_NUMBERS, "resume"))
    with blamed(item, **items):
        numbers = {name: parse_count(name, items[name].word()) for name in items if name != "resume"}
        return config.Delays(**numbers, **({"resume": items["resume"].word()} if "resume" in items else {}))  # type: ignore[arg-type]


def _piece(item: _Item) -> tuple[int, int]:
    items = item.mapping(("at", "size"))
    with blamed(item, **items):
        return parse_address("at", items["at"].word()), parse_size("size", items["size"].word())


def format_yaml(system: config.MemorySystem) -> str:
    """Return the text of a file that describes a memory system."""
    keys = {role: key for key, role in CACHE_KEYS.items()}
    parts: dict[str, Any] = {}
    for cache in system.caches:
        role = config.role_of(cache, system)
        parts[keys[role]] = _plain_cache(cache, role)
    if system.switch:
        parts["switch"] = {field.name: getattr(system.switch, field.name) for field in fields(config.Switch)}
    if system.causes:
        parts["causes"] = True
    if system.delays:
        parts["delays"] = {field.name: getattr(system.delays, field.name) for field in fields(config.Delays)}
    if system.uncached:
        parts["uncached"] = [{"at": start, "size": _plain_size(size)} for start, size in system.uncached]
    return yaml.safe_dump(parts, sort_keys=False, default_flow_style=None)


def _plain_cache(cache: config.Cache, role: str) -> dict[str, Any]:
    name = {"name": cache.name} if cache.name != role else {}
    if role in config.TLBS:
        entries = cache.size // cache.line
        return {"entries": entries, "page": _plain_size(cache.line), "ways": cache.ways, "policy": cache.policy} | name
    sizes = {"size": _plain_size(cache.size), "line": _plain_size(cache.line), "ways": cache.ways}
    return sizes | {option: getattr(cache, option) for option in ("policy", "write", "allocate", "prefetch")} | name


def _plain_size(size: int) -> int | str:
    text = format_size(size)
    return size if text.isdecimal() else text
