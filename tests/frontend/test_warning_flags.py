"""Which warnings the options of a command line choose."""

import pytest

from vpo.frontend.warnings.flags import DEFAULT, NOTHING, in_groups, read_options
from vpo.frontend.warnings.table import RECORDS

ON = [
    ("", "int-conversion", True),
    ("", "format", False),
    ("-Wall", "format", True),
    ("-Wall", "sign-compare", False),
    ("-Wextra", "sign-compare", True),
    ("-W", "sign-compare", True),
    ("-Wall -Wno-all", "format", False),
    ("-Wno-format -Wall", "format", False),
    ("-Wformat=2", "format", True),
    ("-Wunused", "unused-label", True),
    ("-Wall -Wno-unused", "unused-label", False),
    ("-Werror=format", "format", True),
    ("-w -Wall", "int-conversion", False),
    ("-Wall -Wmystery -Wl,-z -Wno-mystery -pedantic", "format", True),
    ("-Wall -Werror=stringop-overflow -Wno-error=use-after-free -Wno-missing-field-initializers", "format", True),
]


@pytest.mark.parametrize(("words", "flag", "expected"), ON)
def test_what_is_shown(words, flag, expected):
    assert (flag in read_options(words.split()).shown) == expected


ERRORS = [
    ("-Werror", "int-conversion", True),
    ("-Werror", "format", False),
    ("-Wall -Werror", "format", True),
    ("-Werror -Wno-error", "int-conversion", False),
    ("-Werror", "attribute-warning", False),
    ("-Werror=attribute-warning", "attribute-warning", True),
    ("-Wall -Werror -Wno-error=format", "format", False),
    ("-Wno-error=format -Wall -Werror", "format", False),
    ("-Werror=format", "int-conversion", False),
    ("-Werror=format -Wno-format", "format", False),
]


@pytest.mark.parametrize(("words", "flag", "expected"), ERRORS)
def test_what_is_an_error(words, flag, expected):
    assert (flag in read_options(words.split()).errors) == expected


def test_groups():
    assert read_options([]) == DEFAULT
    assert read_options(["-w"]) == NOTHING
    everything = in_groups("constraint", "default", "all", "extra", "alone")
    assert everything == set(RECORDS)
    assert read_options(["-pedantic"]) == DEFAULT
