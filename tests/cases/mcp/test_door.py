"""What stands before the tools: who may ask, how much, and that nothing anybody sends makes it fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from cases.mcp import door
from tests.cases.making import make_case
from tests.cases.mcp.asking import META, NEWEST, ask, post, request

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"])
def test_only_post_is_taken(method: str) -> None:
    response = Client().generic(method, "/mcp")
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8000", 200),
        ("http://localhost:8000", 200),
        ("http://evil.example", 403),
        ("http://127.0.0.1.evil.example:8000", 403),
        ("https://127.0.0.1:8000", 403),
        ("http://127.0.0.1:9999", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_pages_of_other_sites_may_not_ask(origin: str, status: int) -> None:
    response = post(request("ping"), origin=origin, host="localhost:8000")
    assert response.status_code == status
    assert "Access-Control-Allow-Origin" not in response.headers


def test_a_foreign_host_is_refused() -> None:
    response = post(request("ping"), host="evil.example")
    assert (response.status_code, response.headers["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, -32700),
        ("{", 400, -32700),
        ("\x00", 400, -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', 400, -32700),
        ('{"jsonrpc":"2.0","id":NaN,"method":"ping"}', 400, -32700),
        ("[" * 50_000, 400, -32700),
        ("[]", 400, -32600),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),
        ("null", 400, -32600),
        ('"ping"', 400, -32600),
    ],
)
def test_what_is_no_message_is_refused(body: str, status: int, code: int) -> None:
    response = post(body)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response.headers["Cache-Control"] == "no-store"


def test_deep_nesting_is_refused() -> None:
    inner: Any = 1
    for _level in range(door.DEEPEST - 1):
        inner = [inner]
    assert post(request("ping", deep=inner)).status_code == 400
    assert "nested" in post(request("ping", deep=inner)).json()["error"]["message"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": {}, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []},
        {"jsonrpc": "2.0", "id": 1},
    ],
)
def test_broken_messages_are_refused(message: dict[str, Any]) -> None:
    response = post(message)
    assert response.status_code == 400
    assert response.json()["error"]["message"]


def test_large_bodies_are_refused_unread() -> None:
    large = request("ping", text="a" * door.LARGEST)
    response = post(large)
    assert (response.status_code, response.json()["error"]["code"]) == (413, -32600)


def test_other_kinds_of_body_are_refused() -> None:
    response = Client().post("/mcp", {"a": "b"}, headers={"accept": "application/json"})
    assert response.status_code == 400
    plain = Client().post("/mcp", json.dumps(request("ping")), content_type="text/plain")
    assert plain.status_code in {400, 415}


def test_who_takes_no_json_is_told_so() -> None:
    assert post(request("ping"), accept="text/html").status_code == 406


@pytest.mark.parametrize("version", ["2099-01-01", "1", "x" * 500, "2026-07-28\u00e9"])
def test_an_unknown_version_of_the_protocol_is_refused(version: str) -> None:
    response = post(request("tools/list", _meta=META), **{"mcp-protocol-version": version})
    assert response.status_code == 400
    assert response.json()["error"]["message"]


def test_headers_that_contradict_the_body_are_refused() -> None:
    headers = {"mcp-protocol-version": NEWEST, "mcp-method": "tools/call", "mcp-name": "vocab"}
    response = post(request("tools/list", _meta=META), **headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


def test_unknown_methods_and_tools_are_refused() -> None:
    assert ask("tools/delete").status_code == 404
    unknown = ask("tools/call", name="publish", arguments={})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (400, -32602)
    assert "There are: search_incidents," in unknown.json()["error"]["message"]


def test_there_are_no_streams() -> None:
    response = ask("subscriptions/listen", notifications={})
    assert (response.status_code, response.json()["error"]["code"]) == (404, -32601)


def test_what_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "LONGEST", 0)
    response = post(request("ping"))
    assert response.status_code == 400
    assert "There are no streams here" in response.json()["error"]["message"]


def test_who_asks_too_often_waits(settings: Settings) -> None:
    settings.API_RATE, settings.SEARCH_RATE = 100, 2
    responses = [ask("tools/call", name="search_incidents", arguments={"q": "dns"}) for _time in range(5)]
    assert [one.status_code for one in responses[:2]] == [200, 200]
    late = next(one for one in responses if one.status_code == 429)
    assert 1 <= int(late.headers["Retry-After"]) <= 60
    assert ask("tools/call", name="vocab", arguments={}).status_code == 200


def test_a_failure_of_the_server_is_told_in_json(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door, "_scope", lambda _request: 1 / 0)
    response = post(request("ping"))
    assert (response.status_code, response.json()["error"]["code"]) == (500, -32603)
    assert "division" not in response.content.decode()
    assert "ZeroDivisionError" in caplog.text


def test_it_sets_no_cookie_and_is_kept_nowhere() -> None:
    make_case()
    response = ask("tools/call", name="get_incident", arguments={"id": "IL-0561"})
    assert not response.cookies
    assert response.headers["Cache-Control"] == "no-store"


# Anything at all

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
METHODS = st.sampled_from(
    ["tools/list", "tools/call", "resources/read", "initialize", "ping", "server/discover", "subscriptions/listen"]
)
NAMES = st.sampled_from(["search_incidents", "get_incident", "list_incidents", "get_topic", "vocab"])
ARGUMENTS = st.dictionaries(
    st.sampled_from(["q", "id", "list", "slug", "language", "limit", "cursor", "component", "date_after", "detail"])
    | st.text(max_size=5),
    JSON,
    max_size=4,
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "id": JSON, "method": METHODS | st.text()},
    optional={"params": JSON | st.fixed_dictionaries({"name": NAMES, "arguments": ARGUMENTS | JSON, "uri": JSON})},
)
VERSIONS = st.sampled_from(["", NEWEST, "2025-11-25", "2024-11-05", "nonsense"])
ANY_REQUEST = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ANY_REQUEST
@given(message=JSON | MESSAGES, version=VERSIONS)
def test_no_message_makes_it_fail(message: Any, version: str, caplog: pytest.LogCaptureFixture) -> None:
    response = post(json.dumps(message), **({"mcp-protocol-version": version} if version else {}))
    assert response.status_code < 500
    assert "Traceback" not in response.content.decode()
    assert "Traceback" not in caplog.text


@ANY_REQUEST
@given(name=NAMES, arguments=ARGUMENTS)
def test_no_argument_makes_a_tool_fail(name: str, arguments: Any, caplog: pytest.LogCaptureFixture) -> None:
    response = post(json.dumps(request("tools/call", name=name, arguments=arguments)))
    assert response.status_code < 500
    assert "Traceback" not in caplog.text
