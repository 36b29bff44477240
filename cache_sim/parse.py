"""What a user gives on a command line: a memory system as the name of a YAML file or as a short form, or a sweep."""

from __future__ import annotations

from pathlib import Path

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.spec_syntax import parse_short
from cache_sim.sweeps import Grid, is_sweep, parse_sweep
from cache_sim.yaml_form import parse_yaml


def load(argument: str) -> MemorySystem:
    """Return the memory system of a file that ends in .yaml or .yml, or of a short form.

    Raises ConfigurationError, OSError.
    """
    if not argument.lower().endswith((".yaml", ".yml")):
        return parse_short(argument)
    try:
        return parse_yaml(Path(argument).read_text(encoding="utf-8-sig"), argument)
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"not UTF-8 text ({error.reason})", place=f"{argument}:1:1") from None


def load_any(argument: str) -> MemorySystem | Grid:
    """Return the grid of caches of a sweep's short form, else what `load` does."""
    return parse_sweep(argument) if is_sweep(argument) else load(argument)
