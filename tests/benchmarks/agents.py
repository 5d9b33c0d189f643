"""What agents wait for: the tools of the MCP server, through the whole of the product but the network."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.test import Client

from cases.document import case_id
from cases.models import Case

from .measuring import cpu_milliseconds, milliseconds, percentile, report

CALLS = 100
GOAL = 60  # milliseconds, for get_incident


def measure() -> None:
    numbers = list(Case.objects.order_by("-number").values_list("number", flat=True)[:CALLS])
    ask("vocab")
    times = [milliseconds(partial(ask, "get_incident", id=case_id(number))) for number in numbers]
    worst = percentile(times, 95)
    report("get_incident by MCP, p95 by the clock", f"{worst:.1f} ms", f"<= {GOAL} ms", met=worst <= GOAL)
    for name, arguments in (
        ("get_incident", {"id": case_id(numbers[0])}),
        ("search_incidents", {"q": "network timeout"}),
        ("list_incidents", {"domain": ["networking"]}),
        ("get_topic", {"list": "domain", "slug": "networking"}),
        ("vocab", {"list": "component"}),
    ):
        cost = cpu_milliseconds(partial(ask, name, **arguments), rounds=3, calls=10)
        report(f"{name} by MCP, CPU", f"{cost:.1f} ms")


def ask(tool: str, **arguments: Any) -> None:
    """Call a tool as clients of the handshake era do; an answer that is an error would not be worth measuring."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    response = Client().post("/mcp", message, content_type="application/json", headers={"accept": "application/json"})
    if response.json()["result"]["isError"]:
        raise RuntimeError(response.content)
