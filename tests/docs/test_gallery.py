"""The gallery shows what its commands write."""

from tests.docs.blocks import Step, parts
from tests.docs.gallery import PAGE, SHOWN


def test_each_picture_is_written_by_a_command():
    commands = " ".join(part.command for part in parts(PAGE.read_text()) if isinstance(part, Step))
    shown = {name.split("/")[0] for name in SHOWN.findall(PAGE.read_text())}
    assert shown
    assert {name for name in shown if name not in commands.split()} == set()
