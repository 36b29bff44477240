"""One measure says what somebody may have meant, in C, in descriptions and on command lines."""

import pytest

from vpo.base.suggestions import suggested


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("fob", "fib", "fib"), ("raed", "read", "read"), ("conter", "counter", "counter"), ("palce", "place", "place"),
        ("x", "y", ""), ("read", "read", ""), ("ab", "cd", ""), ("execution", "exec", ""), ("magic", "main", ""),
    ],
)  # fmt: skip
def test_what_was_meant(word, known, meant):
    assert suggested(word, [known], "nothing") == (f"; did you mean '{meant}'?" if meant else "nothing")
