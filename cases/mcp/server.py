"""The server that the official SDK runs: how the tools and resources are announced and called.

Importing this takes half a second, so nothing does before it is needed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.utils import translation
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp_types import Tool as ToolTold

from cases.document import write_json
from cases.document.problems import printable
from cases.queries import Refused

from .resources import CASE, SCHEME, VOCABULARY, read_resource
from .schemas import schema_of
from .shapes import NOTICE
from .tools import TOOLS, Tool

VERSION = "1.0"
JSON = "application/json"
INSTRUCTIONS = (
    "IncidentLib is a public library of production incidents of cloud and internet services, told from the providers' "
    "own sources in English and Korean, with what broke, how it was noticed, how it was repaired and what was learned. "
    "Everything here only reads. Describe trouble to search_incidents, browse by category with list_incidents, read "
    "with get_incident, ask get_topic for figures, and vocab for the words that arguments take. Cite incidents by "
    f"their url. {NOTICE}"
)
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
FOR_AN_HOUR = CacheHint(ttl_ms=3_600_000, scope="public")

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


@cache
def server() -> Server[Any]:
    return Server(
        "incidentlib",
        version=VERSION,
        title="IncidentLib",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": FOR_AN_HOUR, "resources/list": FOR_AN_HOUR, "resources/templates/list": FOR_AN_HOUR},
        get_tool_input_schema=_input_schema,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
    )


# Tools


@cache
def _told(tool: Tool) -> ToolTold:
    return ToolTold(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.arguments),
        output_schema=schema_of(tool.answer, mode="serialization"),
        annotations=READS,
    )


def _input_schema(name: str) -> dict[str, Any] | None:
    return _told(TOOLS[name]).input_schema if name in TOOLS else None


async def _list_tools(_context: ServerRequestContext[Any], _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[_told(tool) for tool in TOOLS.values()])


async def _call_tool(_context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
    tool = TOOLS.get(params.name)
    if tool is None:
        known = ", ".join(TOOLS)
        raise MCPError(INVALID_PARAMS, f"There is no tool {printable(params.name)!r}. There are: {known}.")
    return await _in_thread_of_request(lambda: _called(tool, params.arguments or {}))


def _called(tool: Tool, arguments: dict[str, Any]) -> CallToolResult:
    """Call a tool. What was asked wrongly, and that we failed, are results that the agent reads; no text is logged."""
    start, outcome = time.perf_counter(), "answered"
    try:
        told = tool.call(arguments)
        return CallToolResult(content=[_text(write_json(told))], structured_content=told)
    except Refused as refused:
        outcome = "refused"
        # What the API calls by its address has a name here.
        return CallToolResult(content=[_text(str(refused).replace("/api/vocab", "The tool vocab"))], is_error=True)
    except Exception:  # noqa: BLE001  (an agent is told, whatever it was)
        outcome = "failed"
        _log.exception("The tool %s failed", tool.name)
        return CallToolResult(content=[_text("The library failed; the failure has been noted.")], is_error=True)
    finally:
        _log.info("tool %s %s in %.0f ms", tool.name, outcome, (time.perf_counter() - start) * 1000)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


# Resources


async def _list_resources(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListResourcesResult:
    words = Resource(
        uri=VOCABULARY,
        name="vocabulary",
        title="The vocabulary",
        description="All controlled words with names, definitions and counts, in both languages.",
        mime_type=JSON,
    )
    return ListResourcesResult(resources=[words])


async def _list_templates(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    case = ResourceTemplate(
        uri_template=f"{SCHEME}cases/{{id}}",
        name="case",
        title="One incident",
        description="The whole record of an incident in both languages, as /api/cases/{id} gives it.",
        mime_type=JSON,
    )
    return ListResourceTemplatesResult(resource_templates=[case])


async def _read_resource(_context: ServerRequestContext[Any], params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    text = await _in_thread_of_request(lambda: read_resource(uri))
    if text is None:
        message = f"There is no resource {printable(uri)!r}: there are {VOCABULARY} and {CASE}IL-0560 and the like."
        raise MCPError(INVALID_PARAMS, message, {"uri": uri})
    return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text=text, mime_type=JSON)])


async def _in_thread_of_request(run: Callable[[], Result]) -> Result:
    """Run what asks the database in the thread that the request came in by, which has the connection."""

    def in_english() -> Result:
        with translation.override("en"):
            return run()

    return await sync_to_async(in_english, thread_sensitive=True)()
