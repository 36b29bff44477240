"""Heat maps can be read: words on the darkest cells, and titles longer than the cells."""

import pytest

from ease.reports.pictures import TITLE_LETTER, HeatMap
from ease.reports.render import picture


def luminance(colour):
    """Of #rrggbb, as WCAG 2.2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("value", [-0.5, -0.2, 0.0, 0.3, 0.5])
def test_black_is_read_on_every_cell(value):
    colour = HeatMap("misses", ["a"], ["x", "y", "z"], [[-0.5, value, 0.5]]).colour(value)
    assert (luminance(colour) + 0.05) / 0.05 >= 4.5


def test_the_title_has_room():
    title = "misses of the data cache: change in per cent; across: cache, down: level, machine; all 12 programs"
    map_ = HeatMap(title, ["a"], ["x"], [[0.1]])
    assert map_.size[0] > TITLE_LETTER * len(title)
    assert f'width="{map_.size[0]}"' in picture(map_)
