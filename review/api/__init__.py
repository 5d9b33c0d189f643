"""Drafts by program, below /api/desk/: a token lets a script read drafts, start cases, save revisions and submit them.

There is no address here for deciding or publishing. The acts are those of the desk (workflow), so every rule holds.
"""
