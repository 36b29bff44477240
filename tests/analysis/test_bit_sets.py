"""Members of bit sets, few and many, in narrow and wide ones."""

import pytest

from vpo.analysis.liveness import bits


@pytest.mark.parametrize(
    "members", [[], [0], [3, 64, 65], [5, 700], range(40), range(0, 3000, 7), [*range(63, 66), 5000, *range(9000, 9020)]]
)
def test_members_ascend(members):
    assert list(bits(sum(1 << number for number in members))) == list(members)
