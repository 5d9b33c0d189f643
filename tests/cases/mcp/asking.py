"""Speaks to /mcp as agents do, through the Django test client."""

from __future__ import annotations

from typing import Any

from django.test import Client

BOTH = "application/json, text/event-stream"  # what clients say they take
NEWEST = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": NEWEST, "io.modelcontextprotocol/clientCapabilities": {}}


def post(body: Any, **headers: str) -> Any:
    """Post a body as it is, or as JSON, without any word of a version."""
    client = Client(raise_request_exception=False)
    return client.post("/mcp", body, content_type="application/json", headers={"accept": BOTH, **headers})


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def ask(method: str, **params: Any) -> Any:
    """Ask by the newest version of the protocol; return the HTTP answer."""
    headers = {"mcp-protocol-version": NEWEST, "mcp-method": method}
    if name := params.get("name") or params.get("uri"):
        headers["mcp-name"] = name
    return post(request(method, **params, _meta=META), **headers)


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; return what it answers as a structure."""
    result = result_of(tool, arguments)
    assert not result["isError"], result
    told: dict[str, Any] = result["structuredContent"]
    return told


def refusal(tool: str, **arguments: Any) -> str:
    """Call a tool that refuses; return its words."""
    result = result_of(tool, arguments)
    assert result["isError"], result
    return str(result["content"][0]["text"])


def result_of(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    response = ask("tools/call", name=tool, arguments=arguments)
    assert response.status_code == 200, response.content
    result: dict[str, Any] = response.json()["result"]
    return result
