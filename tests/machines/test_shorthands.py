"""Functions and abbreviations of a description: they may use others, and never themselves."""

import pytest

from vpo.machines.match.record import fill
from vpo.machines.read.patterns import check_template
from vpo.machines.read.shorthands import load_shorthands
from vpo.machines.read.source import DescriptionError, Place, parse

HERE = Place("mine.yaml", 1, 1)
TEXT = """
functions:
  clamp(x,low,high): "SEL(x<low,low,SEL(x>high,high,x))"
  sat8(x): "clamp(x,-128,127)"
  mean(a, b): "(a+b)>>1"
  negative(x): "x<0"
  below(x,limit): "x<ulimit"
abbreviations: {both: "${one} ${two}", one: "r[a]=r[b];", two: "r[b]=r[a];"}
"""


def shorthands(text):
    return load_shorthands(parse(text, "mine.yaml"))


@pytest.mark.parametrize(("used", "meant"), [
    ("r[d]=sat8(r[a]);", "r[d]=SEL(r[a]<-128,-128,SEL(r[a]>127,127,r[a]));"),
    ("r[d]=sat8(r[a]+r[b]);", "r[d]=SEL((r[a]+r[b])<-128,-128,SEL((r[a]+r[b])>127,127,(r[a]+r[b])));"),
    ("r[d]=mean(r[a],r[b])+mean(r[b],L[r[a]+4]);", "r[d]=((r[a]+r[b])>>1)+((r[b]+L[r[a]+4])>>1);"),
    ("r[d]=mean(mean(r[a],r[b]),sat8(r[c]));", "r[d]=((((r[a]+r[b])>>1)+SEL(r[c]<-128,-128,SEL(r[c]>127,127,r[c])))>>1);"),
    ("PC=negative(r[a]-r[b]),target;", "PC=(r[a]-r[b])<0,target;"),
    ("r[d]=below(r[a],5);", "r[d]=(r[a]<u5);"),
    ("r[d]=means(r[a]);", "r[d]=means(r[a]);"),
])  # fmt: skip
def test_functions_are_written_out(used, meant):
    assert shorthands(TEXT).expanded(used, HERE) == meant


def test_abbreviations_name_others():
    assert shorthands(TEXT).abbreviations["both"] == "r[a]=r[b]; r[b]=r[a];"


@pytest.mark.parametrize(("text", "place", "message"), [
    ("functions:\n  f(x): g(x)\n  g(x): h(x)+1\n  h(x): f(x)", "2:9", "function 'f' is made of itself: f -> g -> h -> f"),
    ("functions:\n  f(x): f(x)", "2:9", "function 'f' is made of itself: f -> f"),
    ("functions:\n  f(x): x+y", "2:9", "function 'f': 'y' is no parameter (x)"),
    ("functions:\n  f(x): \"x+\"", "2:", "function 'f': this is not RTL syntax"),
    ("functions:\n  f(x,x): x", "2:3", "'f(x,x)': a function is written as in"),
    ("functions:\n  f: x", "2:3", "'f': a function is written as in"),
    ("functions:\n  rotl(x): x", "2:3", "'rotl' is a function that every machine has"),
    ("functions:\n  f(x): x+1\n  g(x): \"f(x,x)\"", "3:9", "`f` has 1 operand, not 2"),
    ("functions:\n  f(x): x+1\n  g(x): \"f(x\"", "3:9", "the parenthesis is not closed"),
    ("abbreviations:\n  a: \"${b}\"\n  b: \"x${a}\"", "2:6", "abbreviation 'a' is made of itself: a -> b -> a"),
    ("functions:\n  f0(x): x+1\n" + "".join(f"  f{n}(x): f{n - 1}(x)*f{n - 1}(x)\n" for n in range(1, 40)), "", "4,096"),
])  # fmt: skip
def test_mistakes_are_told_with_their_place(text, place, message):
    with pytest.raises(DescriptionError) as caught:
        shorthands(text)
    assert f"mine.yaml:{place}" in str(caught.value)
    assert message in str(caught.value)


def test_a_dollar_stands_before_a_name():
    assert fill("cpys ${}f31,$s,${d}", {"s": "$f1", "d": "$f2"}) == "cpys $f31,$f1,$f2"
    check_template("cpys ${}f31,$s", {"s"}, HERE)
