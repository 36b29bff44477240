"""Layers of graphs: edges lead down, and past layers by bends."""

import itertools

from ease.pages.graphs import layout

LOOP = [(0, 1), (1, 2), (2, 1), (1, 3), (0, 3), (3, 3), (2, 4)]


def test_edges_lead_down_but_for_those_that_close_circles():
    found = layout(range(5), LOOP)
    level = {node: number for number, layer in enumerate(found.layers) for node in layer}
    assert sorted(node for node in level if node < 5) == [0, 1, 2, 3, 4]
    assert [edge for edge in LOOP if level[edge[0]] >= level[edge[1]]] == [(2, 1), (3, 3)]


def test_each_layer_that_an_edge_passes_has_a_bend():
    found = layout(range(5), LOOP)
    level = {node: number for number, layer in enumerate(found.layers) for node in layer}
    for (source, target), bends in found.bends.items():
        steps = [level[node] for node in (source, *bends, target)]
        down = 1 if steps[-1] > steps[0] else -1
        assert all(b - a == down for a, b in itertools.pairwise(steps))
    assert len(found.bends[0, 3]) == 1


def test_nodes_that_nothing_leads_to_have_a_place():
    assert layout([3, 7], []).layers == [[3, 7]]
