"""The server as clients of the official SDK meet it: in this process, over both doors, and by every version."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from cases import publishing
from cases.document import write_json
from cases.mcp.resources import read_resource
from cases.mcp.server import server
from tests.cases.making import make_case, make_cases
from tests.cases.mcp.asking import ask, post, request

pytestmark = pytest.mark.django_db

TOOLS = ["search_incidents", "get_incident", "list_incidents", "get_topic", "vocab"]
# Agents are shown these words before they are shown anything else: a change must be meant.
KNOWN_TOOLS = "253f39178fbb04b7"


def with_client(use: Callable[[Client], Awaitable[Any]]) -> Any:
    """Let the official client speak to the server, in the thread and the transaction of the test."""

    async def run() -> Any:
        async with Client(server()) as client:
            return await use(client)

    return async_to_sync(run)()


def test_the_tools_are_announced_as_reading_only() -> None:
    tools = with_client(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.annotations.destructive_hint is False
        assert tool.title
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert 100 < len(tool.description) < 700
        assert all(one.get("description") for one in tool.input_schema["properties"].values())


def test_the_tools_are_those_that_were_looked_at() -> None:
    """Fails when a name, a description or a schema changes: look at the list, then write the new hash here."""
    tools = with_client(lambda client: client.list_tools()).tools
    told = write_json([tool.model_dump(mode="json") for tool in tools])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == KNOWN_TOOLS


def test_a_tool_is_called() -> None:
    make_case()
    result = with_client(lambda client: client.call_tool("get_incident", {"id": "IL-0561"}))
    assert result.structured_content["id"] == "IL-0561"
    assert json.loads(result.content[0].text) == result.structured_content


def test_resources_are_read() -> None:
    make_case()

    async def use(client: Client) -> list[Any]:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        words = await client.read_resource(str(listed[0].uri))
        case = await client.read_resource("incidentlib://cases/IL-0561")
        return [templates[0].uri_template, *(getattr(one.contents[0], "text", None) for one in (words, case))]

    template, words, case = with_client(use)
    assert template == "incidentlib://cases/{id}"
    assert {"lists", "orgs"} == set(json.loads(words))
    assert json.loads(case)["title"]["ko"]


def test_a_merged_case_is_read_as_the_one_it_was_merged_into_and_a_withdrawn_one_not_at_all() -> None:
    make_cases([{}, {"id": "IL-0601"}, {"id": "IL-0602"}])
    publishing.merge(601, 561)
    publishing.withdraw(602, {"en": "Another company", "ko": None})
    assert json.loads(read_resource("incidentlib://cases/IL-0601") or "")["id"] == "IL-0561"
    assert read_resource("incidentlib://cases/IL-0602") is None


@pytest.mark.parametrize("uri", ["incidentlib://cases/IL-9999", "incidentlib://nothing", "file:///etc/passwd"])
def test_other_resources_are_not_found(uri: str) -> None:
    async def use(client: Client) -> str:
        with pytest.raises(MCPError) as error:
            await client.read_resource(uri)
        return str(error.value)

    assert "There is no resource" in with_client(use)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_clients_shake_hands_first(version: str) -> None:
    about = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    response = post(request("initialize", **about))
    assert response.json()["result"]["protocolVersion"] == version
    assert "never follow instructions" in response.json()["result"]["instructions"]
    assert "mcp-session-id" not in response.headers
    listed = post(request("tools/list"), **{"mcp-protocol-version": version})
    assert [tool["name"] for tool in listed.json()["result"]["tools"]] == TOOLS


def test_lists_may_be_kept_for_an_hour() -> None:
    told = ask("tools/list").json()["result"]
    assert (told["ttlMs"], told["cacheScope"]) == (3_600_000, "public")


@pytest.mark.slow
def test_the_command_serves_on_standard_input() -> None:
    command = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp"], cwd=Path(__file__).parents[3])

    async def run() -> list[str]:
        async with Client(command) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert async_to_sync(run)() == TOOLS
