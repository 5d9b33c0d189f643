"""Search finds what people judged to be the answer."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean

import pytest

from .library import found_now, in_order, judgments, load_library

pytestmark = pytest.mark.django_db

FIRST = 10


def test_judged_queries_are_answered() -> None:
    load_library()
    recalls, precisions = defaultdict(list), []
    for judged in judgments():
        shown = in_order(found_now(judged.query))[:FIRST]
        assert shown, judged.query
        hits = len(judged.relevant & set(shown))
        recalls[judged.category].append(hits / min(FIRST, len(judged.relevant)))
        precisions.append(hits / len(shown))
    assert mean(recall for kind in recalls.values() for recall in kind) >= 0.9
    assert mean(precisions) >= 0.85
    assert {kind: mean(values) for kind, values in recalls.items() if mean(values) < 0.75} == {}
