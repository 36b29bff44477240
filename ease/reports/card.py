"""A card: the verdict on a change as one small picture, with bars around zero, to be shown to others."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

WIDTH = 640  # pixels
LABELS, ZERO, LONGEST = 170, 400, 150  # where names of bars end and bars begin, and how long the longest is
BETTER, WORSE = "#1b7f5c", "#b3432b"  # both 4.5:1 against white, and apart for those who do not tell red from green by hue
COLUMNS, NOTE_COLUMNS = 84, 92  # characters of a line
MOST = 12  # bars
GAP = 6


@dataclass(frozen=True, slots=True)
class Bar:
    """A change as a part of what was there before: below 0 is less, which is better; `shown` is its text."""

    name: str
    change: float
    shown: str


@dataclass(frozen=True)
class Card:
    """What a card says: of what, the verdict's sentence, bars, against what, and what else is worth a line."""

    title: str
    sentence: str
    all_bars: Sequence[Bar]
    base: str
    all_notes: Sequence[str] = ()

    @cached_property
    def bars(self) -> Sequence[Bar]:
        """The bars, those that change most if there are too many."""
        chosen = sorted(self.all_bars, key=lambda bar: -abs(bar.change))[:MOST]
        return [bar for bar in self.all_bars if bar in chosen]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the sentence."""
        return textwrap.wrap(self.sentence.replace(" %", "\N{NO-BREAK SPACE}%"), COLUMNS)

    @cached_property
    def notes(self) -> list[str]:
        """The lines below the bars."""
        return [line for note in self.all_notes for line in textwrap.wrap(note, NOTE_COLUMNS, subsequent_indent="  ")]

    @property
    def bars_at(self) -> int:
        """Where the bars begin, from above."""
        return 66 + 19 * len(self.lines) + 8

    @property
    def notes_at(self) -> int:
        """Where the notes begin."""
        return self.bars_at + 22 * len(self.bars) + 44

    @property
    def height(self) -> int:
        """The height of the card."""
        return self.notes_at + 17 * len(self.notes) + 4

    def length(self, bar: Bar) -> float:
        """Return the length of a bar."""
        most = max((abs(each.change) for each in self.bars), default=0.0)
        return round(LONGEST * abs(bar.change) / most, 1) if most else 0.0

    def left(self, bar: Bar) -> float:
        """Return where a bar begins."""
        return ZERO - self.length(bar) if bar.change < 0 else ZERO

    def end(self, bar: Bar) -> float:
        """Return where the text of a bar stands."""
        return self.left(bar) - GAP if bar.change < 0 else ZERO + self.length(bar) + GAP


def card(title: str, sentence: str, bars: Iterable[Bar], base: str, notes: Sequence[str] = ()) -> str:
    """Return a card as SVG."""
    from ease.reports.render import environment

    made = Card(title, sentence, tuple(bars), base, notes)
    template = environment().get_template("card.svg.j2")
    return str(template.render(card=made, width=WIDTH, labels=LABELS, zero=ZERO, better=BETTER, worse=WORSE))
