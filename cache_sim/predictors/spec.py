"""Predictors in a line, such as `btfn+bimodal:1024+bimodal:each+gshare:4k,12+ras:16+btb:512,4`.

    predictors = predictor {"+" predictor}
    predictor  = name [":" NUMBER {"," NUMBER}]

The numbers are the first fields of the predictor's dataclass; `each` is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields

from cache_sim.config import ConfigurationError
from cache_sim.predictors.predictor import Predictor
from cache_sim.predictors.predictors import (
    EACH,
    Backward,
    Bimodal,
    Gshare,
    NotTaken,
    Profile,
    ReturnStack,
    Taken,
    TargetBuffer,
)
from cache_sim.words import format_size, parse_size

UNIT = "unit"  # a field of this name is set to the unit of addresses
_EACH = "each"
_classes: dict[str, type[Predictor]] = {
    "taken": Taken, "not-taken": NotTaken, "btfn": Backward, "profile": Profile, "bimodal": Bimodal, "gshare": Gshare,
    "ras": ReturnStack, "btb": TargetBuffer,
}  # fmt: skip


def register(name: str, class_: type[Predictor]) -> None:
    """Make a predictor known by a name: a dataclass whose first fields, integers, can be given in a line.

    Raises ValueError if the name is taken, or has anything but letters, digits and hyphens.
    """
    if name in _classes:
        raise ValueError(f"there is a predictor '{name}' already")
    if not name.replace("-", "").isalnum():
        raise ValueError(f"'{name}' cannot name a predictor: a name has letters, digits and hyphens")
    _classes[name] = class_


def names() -> tuple[str, ...]:
    """Return the names of all predictors."""
    return tuple(_classes)


def load(text: str, unit: int = 1) -> dict[str, Predictor]:
    """Return the predictors of a line by how it writes them; addresses are multiples of `unit`, or one less than that.

    Raises ConfigurationError.
    """
    made: dict[str, Predictor] = {}
    for part in text.split("+"):
        predictor = _predictor(part, unit)
        name = show(predictor)
        if name in made:
            raise ConfigurationError(f"predictor {name} is given twice")
        made[name] = predictor
    return made


def show(predictor: Predictor) -> str:
    """Write a predictor as it can be given in a line.

    Raises KeyError if its class was not made known.
    """
    name = {class_: name for name, class_ in _classes.items()}[type(predictor)]
    values = [getattr(predictor, field.name) for field in _numbers(type(predictor))]
    words = [_EACH if field.name == "entries" and value == EACH else _short(value)
             for field, value in zip(_numbers(type(predictor)), values, strict=True)]  # fmt: skip
    return f"{name}:{','.join(words)}" if words else name


def _short(value: int) -> str:
    return format_size(value) if value >= 4096 else str(value)


def _predictor(part: str, unit: int) -> Predictor:
    """Make one predictor."""
    name, _, rest = part.partition(":")
    if name not in _classes:
        raise ConfigurationError(f"there is no predictor '{name}' (there are {', '.join(_classes)}, joined by +)")
    class_ = _classes[name]
    words, wanted = rest.split(",") if rest else [], _numbers(class_)
    needed = sum(field.default is MISSING for field in wanted)
    if not needed <= len(words) <= len(wanted):
        form = name + ":" * bool(wanted) + ",".join(field.name.upper() for field in wanted)
        raise ConfigurationError(f"predictor '{part}': expected {form}{_optional(wanted[needed:])}")
    try:
        given = {field.name: _number(field.name, word) for field, word in zip(wanted, words, strict=False)}
        return _make(class_, given | ({UNIT: unit} if any(field.name == UNIT for field in _fields(class_)) else {}))
    except ConfigurationError as error:
        raise ConfigurationError(f"predictor '{part}': {error.message}", error.about) from None


def _optional(rest: list[Field[int]]) -> str:
    return f", where {' and '.join(field.name.upper() for field in rest)} may be left out" if rest else ""


def _make(class_: Callable[..., Predictor], values: dict[str, int]) -> Predictor:
    return class_(**values)


def _fields(class_: type[Predictor]) -> list[Field[int]]:
    return [field for field in fields(class_) if field.init]  # type: ignore[arg-type]


def _numbers(class_: type[Predictor]) -> list[Field[int]]:
    """Return the fields of a predictor that a line gives."""
    return [field for field in _fields(class_) if field.type in (int, "int") and field.name != UNIT]


def _number(about: str, word: str) -> int:
    if (about, word) == ("entries", _EACH):
        return EACH
    if about != "entries" and word == "0":
        return 0
    return parse_size(about, word)
