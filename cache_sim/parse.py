"""What a user gives on a command line: a memory system as the name of a YAML file or as a short form, or a sweep.

The short form, in a line, comes first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cache_sim import config, policies
from cache_sim.sweeps import Grid, is_sweep, parse_sweep
from cache_sim.words import Word, blamed, format_pieces, format_size, parse_count, parse_pieces, parse_size, parse_ways

# ----------------------------------------------------------------------------------------------------------------------
# Memory systems in a line, such as `I:1k,16,1+D:8k,16,4,fifo,prefetch+L2:64k,32,8+switch:10000`.
#
#     system = part {"+" part}
#     part   = ("I" | "D" | "U" | "L2") ":" SIZE "," LINE "," WAYS {"," option}
#            | ("ITLB" | "DTLB" | "TLB") ":" ENTRIES "x" PAGE "," WAYS ["," policy]
#            | "switch:" NUMBER ["i"] {"," ("hit" | "miss") "=" NUMBER}
#            | "causes"
#            | "delays" [":" name "=" value {"," name "=" value}]
#            | "uncached:" ADDRESS "," SIZE {"," ADDRESS "," SIZE}
#     option = policy | "back" | "through" | "allocate" | "noallocate" | "prefetch"
#
# WAYS is a number or `full`.


_OPTIONS: dict[str, tuple[str, Any]] = {
    "back": ("write", "back"),
    "through": ("write", "through"),
    "allocate": ("allocate", True),
    "noallocate": ("allocate", False),
    "prefetch": ("prefetch", "next"),
}


def parse_short(text: str) -> config.MemorySystem:
    """Return the memory system of a short form.

    Raises ConfigurationError, with a pointer to the place.
    """
    parts: dict[str, Any] = {}
    words: dict[str, Word] = {}
    whole = Word(text, 0, len(text))
    for word in whole.split("+"):
        for name, value in _part(word).items():
            if name in parts:
                raise word.error(f"there is one for this already: {words[name]}")
            parts[name], words[name] = value, word
    with blamed(whole, **words):
        return config.MemorySystem(**parts)


def _part(word: Word) -> dict[str, Any]:
    """Return the fields of a memory system that a part sets."""
    name, value = word.partition(":")
    role = str(name)
    if str(word) == "causes":
        return {"causes": True}
    if role == "switch":
        return {"switch": _switch(word, value)}
    if role == "delays":
        return {"delays": _delays(word, value)}
    if role == "uncached":
        return {"uncached": parse_pieces(value)}
    if role in config.ROLES:
        cache = _tlb(role, word, value) if role in config.TLBS else _cache(role, word, value)
        return dict.fromkeys(config.ROLES[role], cache)
    raise name.error(
        f"'{role}': expected one of {', '.join(config.ROLES)}, switch, delays, uncached (each with ':' and numbers), or causes"
    )


def _cache(role: str, word: Word, value: Word) -> config.Cache:
    words = value.split(",")
    if len(words) < 3:
        raise value.error("expected SIZE,LINE,WAYS as in 8k,16,4")
    size, line, ways = words[:3]
    options = _options(words[3:])
    with blamed(word, size=size, line=line, ways=ways):
        bytes_, line_bytes = parse_size("size", str(size)), parse_size("line", str(line))
        return config.Cache(role, bytes_, line_bytes, parse_ways(str(ways), bytes_ // line_bytes), **options)


def _options(words: list[Word]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word in words:
        choice = ("policy", str(word)) if str(word) in policies.names() else _OPTIONS.get(str(word))
        if choice is None:
            raise word.error(f"'{word}' is no option: there are {', '.join((*policies.names(), *_OPTIONS))}")
        if choice[0] in options:
            raise word.error(f"{choice[0]} is given twice")
        options[choice[0]] = choice[1]
    return options


def _tlb(role: str, word: Word, value: Word) -> config.Cache:
    reach, *rest = value.split(",")
    if not 1 <= len(rest) <= 2 or "x" not in str(reach):
        raise value.error("expected ENTRIESxPAGE,WAYS and perhaps a policy, as in 32x4k,full,lru")
    entries, page = reach.partition("x")
    options = _options(rest[1:])
    if options.keys() - {"policy"}:
        raise rest[1].error("a TLB has no choice of writing, allocation or prefetching")
    with blamed(word, entries=entries, page=page, ways=rest[0]):
        number, page_bytes = parse_count("entries", str(entries)), parse_size("page", str(page))
        config.demand_power_of_two("page", page_bytes)
        associativity = parse_ways(str(rest[0]), number)
        config.demand_sets("entries", number, associativity)
        return config.Cache(role, number * page_bytes, page_bytes, associativity, **options)


def _switch(word: Word, value: Word) -> config.Switch:
    every, *rest = value.split(",")
    words = {"every": every}
    for part in rest:
        name, number = part.partition("=")
        if str(name) not in ("hit", "miss") or str(name) in words:
            raise part.error("expected hit=NUMBER or miss=NUMBER, each once")
        words[str(name)] = number
    with blamed(word, **words):
        costs = {name: parse_count(name, str(number)) for name, number in words.items() if name != "every"}
        unit = "instructions" if str(every).endswith("i") else "work"
        return config.Switch(parse_count("every", str(every).removesuffix("i")), unit, **costs)


def _delays(word: Word, value: Word) -> config.Delays:
    words: dict[str, Word] = {}
    for part in value.split(",") if str(value) else []:
        name, given = part.partition("=")
        if str(name) not in (*config.DELAY_NUMBERS, "resume") or str(name) in words or not str(given):
            raise part.error(f"expected NAME=VALUE, each once: {', '.join(config.DELAY_NUMBERS)} or resume")
        words[str(name)] = given
    with blamed(word, **words):
        numbers = {name: parse_count(name, str(given)) for name, given in words.items() if name != "resume"}
        return config.Delays(**numbers, **{name: str(given) for name, given in words.items() if name == "resume"})  # type: ignore[arg-type]


def format_short(system: config.MemorySystem) -> str:
    """Return the short form of a memory system.

    Raises ValueError if there is none, because a cache has another name than its role.
    """
    parts = [_format_cache(cache, system) for cache in system.caches]
    if system.switch:
        parts.append(_format_switch(system.switch))
    if system.delays:
        parts.append(_format_delays(system.delays))
    if system.uncached:
        parts.append(format_pieces(system.uncached))
    return "+".join(parts + ["causes"] * system.causes)


def _format_cache(cache: config.Cache, system: config.MemorySystem) -> str:
    role = config.role_of(cache, system)
    if cache.name != role:
        raise ValueError(f"no short form has a cache named {cache.name}: it is {role}")
    if role in config.TLBS:
        numbers = f"{cache.size // cache.line}x{format_size(cache.line)},{cache.ways}"
    else:
        numbers = f"{format_size(cache.size)},{format_size(cache.line)},{cache.ways}"
    default = config.Cache(role, cache.size, cache.line, cache.ways)
    options = [cache.policy] * (cache.policy != default.policy)
    options += [word for word, (name, value) in _OPTIONS.items() if getattr(cache, name) == value != getattr(default, name)]
    return f"{role}:{','.join([numbers, *options])}"


def _format_switch(switch: config.Switch) -> str:
    default = config.Switch(switch.every)
    costs = [f",{name}={getattr(switch, name)}" for name in ("hit", "miss") if getattr(switch, name) != getattr(default, name)]
    return f"switch:{switch.every}{'i' * (switch.unit == 'instructions')}{''.join(costs)}"


def _format_delays(delays: config.Delays) -> str:
    default = config.Delays()
    names = [name for name in (*config.DELAY_NUMBERS, "resume") if getattr(delays, name) != getattr(default, name)]
    return "delays" + ":" * bool(names) + ",".join(f"{name}={getattr(delays, name)}" for name in names)


# ----------------------------------------------------------------------------------------------------------------------
# What a user gives on a command line: a memory system as the name of a YAML file or as a short form, or a sweep.


def load(argument: str) -> config.MemorySystem:
    """Return the memory system of a file that ends in .yaml or .yml, or of a short form.

    Raises ConfigurationError, OSError.
    """
    if not argument.lower().endswith((".yaml", ".yml")):
        return parse_short(argument)
    try:
        from cache_sim.yaml_form import parse_yaml  # only files of YAML wait for its library

        return parse_yaml(Path(argument).read_text(encoding="utf-8-sig"), argument)
    except UnicodeDecodeError as error:
        raise config.ConfigurationError(f"not UTF-8 text ({error.reason})", place=f"{argument}:1:1") from None


def load_any(argument: str) -> config.MemorySystem | Grid:
    """Return the grid of caches of a sweep's short form, else what `load` does."""
    return parse_sweep(argument) if is_sweep(argument) else load(argument)
