"""The MCP server: five tools that read the library, for agents. The official SDK speaks the protocol.

It is loaded with the first request (server.py), because it takes half a second; door.py stands before it.
"""
