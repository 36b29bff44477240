"""Whether JSON that was read from a file has the parts that it must have."""

from __future__ import annotations

from typing import Any

COUNT = range(1 << 63)
ADDRESS = range(1 << 64)


def misfit(value: Any, shape: Any, where: str = "it") -> str:
    """Return what is wrong with a value, empty if nothing is.

    A shape is a type, a range of whole numbers, a tuple of shapes of which one fits, a list of one shape, which all elements
    of a list have, a list of several shapes, which are those of its elements, or a dictionary: the shapes of keys that must be
    there, or may be if their names end in `?`.
    """
    match shape:
        case range():
            fits = type(value) is int and value in shape
        case tuple():
            fits = any(not misfit(value, one) for one in shape)
        case dict():
            return _misfit_of_keys(value, shape, where) if isinstance(value, dict) else f"{where} is no JSON object"
        case list():
            if not isinstance(value, list) or len(shape) not in (1, len(value)):
                return f"{where} is no list of the length it must have"
            shapes = shape * len(value) if len(shape) == 1 else shape
            parts = zip(value, shapes, strict=True)
            return next((wrong for part, one in parts if (wrong := misfit(part, one, f"a part of {where}"))), "")
        case _:
            fits = type(value) is shape or (value is None and shape is None)
    return "" if fits else f"{where} is not what it can be"


def _misfit_of_keys(value: dict[str, Any], shape: dict[str, Any], where: str) -> str:
    for name, one in shape.items():
        key = name.removesuffix("?")
        if key in value:
            wrong = misfit(value[key], one, f"'{key}'")
            if wrong:
                return wrong
        elif key == name:
            return f"{where} has no '{key}'"
    return ""
