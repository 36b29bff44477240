"""Actions in processes of their own: all are answered, whatever one of them does."""

import os
import time

from tests.fuzz.child import each_in_child, in_child


def act(item):
    """Answer, or do what the item stands for."""
    if item == 2:
        os._exit(1)
    if item == 4:
        while True:
            pass
    if item == 5:
        raise ValueError("five")
    return {"failures": [], "item": item, "process": os.getpid()}


def test_an_action_that_crashes_or_does_not_end_costs_no_other():
    answers = dict(each_in_child(act, range(1, 7), 0.5))
    assert [answers[item].get("item") for item in range(1, 7)] == [1, None, 3, None, None, 6]
    assert answers[2]["failures"] == answers[4]["failures"] == ["no answer after 0.5 s, or a crash"]
    assert answers[5]["failures"] == ["ValueError: five"]
    assert answers[1]["process"] != answers[3]["process"] != answers[6]["process"]


def test_time_in_which_others_use_the_processor_does_not_count():
    assert in_child(lambda: {"failures": [str(time.sleep(0.3))]}, 0.1) == {"failures": ["None"]}
