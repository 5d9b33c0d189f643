"""Texts that try to be more than texts wherever a case is written out."""

HOSTILE = (
    r"""</script><script>alert(1)</script><img src=x onerror=alert(1)> & &lt; {x} }{ $a$ % # _under_ ~ ^ \back """
    r""""q" 'a' [link](javascript:alert(1)) ![image](https://evil.example/x) *bold* __init__ `code <b>` 2 < 3 """
    r"""| cell @misc{x, ]]>"""
)
# What a line of Markdown may begin with.
LINES = [
    "# heading", "## ", "#", "> quoted", "- item", "-", "+ item", "* item", "1. item", "12) item", "---", "===", "***",
    "___", "```", "~~~", "    code", "\u00a0# no-break", "| a | b |", "<div>", "[a]: https://evil.example", "&nbsp;",
    "``double``", "`", "\\", "trailing \\", "`a` `b", "a_b_c", "_a_", "C#", "1.5 seconds", "<https://evil.example>",
    "&#35; entity", "~~gone~~", "!", "` x `",
]  # fmt: skip
