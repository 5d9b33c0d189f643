"""Serves the MCP tools on standard input and output, for an agent on the same machine."""

from __future__ import annotations

from typing import Any

import anyio
from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand
from django.db import close_old_connections


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = []  # nothing but the protocol may be written to standard output

    def handle(self, *_args: Any, **_options: Any) -> None:
        anyio.run(_serve)


async def _serve() -> None:
    from mcp.server.stdio import stdio_server  # noqa: PLC0415  (takes half a second, and only this command needs it)

    from cases.mcp.server import server  # noqa: PLC0415

    async def with_live_connection(ctx: Any, call_next: Any) -> Any:
        """Do for each message what Django does for each request: an agent may be silent for hours."""
        await sync_to_async(close_old_connections)()
        return await call_next(ctx)

    server().middleware.append(with_live_connection)
    async with stdio_server() as (read, write):
        await server().run(read, write, server().create_initialization_options())
