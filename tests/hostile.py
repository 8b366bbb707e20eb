"""Texts that a page, a terminal, a spreadsheet or a disk could take for more than text."""

import unicodedata

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "handler": "<img/src=x/onerror=alert(1)>",
    "style": "<style>*{display:none}</style>",
    "frame": "<iframe/srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'>",
    "picture": "![i](http://127.0.0.2/i.png)", "link": "[a](javascript:alert(1))",
    "latex": r"$\def\x{\x\x}\x$", "emoji": ":smile: :material/home: :red[x]",
    "ansi": "\x1b[31mred\x1b]0;title\x07", "right to left": "\u202eabc\u2066def",
    "no width": "a" + "\u200b\u200d\u2060" * 300,
    "marks": "Z" + "\u0301\u0323" * 300,
    "template": "%{customdata} {{x}} ${x}",
    "formula": '=HYPERLINK("http://127.0.0.2","x")',
    "command": "+cmd|'/c_calc'!A0",
    "long": "x" * 4_000,
}  # fmt: skip
"""Whatever a file may hold as a word, or be called."""

NAMES = HOSTILE | {
    "returns": "all good\rsystem,forged,wer,0,1,0.0",
    "new line": "a\n::error::forged\n##[error]forged",
    "percent": "%0A::warning::forged",
    "eight-bit control": "\x9b31mred\x9d0;title\x9c",
    "backspace": "visible\x08\x08\x08\x7f",
    "half a character": "a\ud800b",
    "separators": "a\u2028b\u2029c\x85d",
    "no character": "a\uffffb\ufffe",
    "quotes": '"a\',\'b"",;|',
    "tab formula": "\t=1+1", "new line formula": "\n=1+1", "wide formula": "\uff1d1+1",
    "at": "@SUM(1+1)", "xml": "]]></testsuite><!--", "tex": r"\\input{x}%&_^~#",
    "climbs": "../../../etc/passwd", "rooted": "/etc/passwd", "drive": "C:\\x\\..\\con",
    "device": "con", "dots": "..", "hidden": ".profile", "end": "name. ", "one case": "Page",
    "other case": "pAGE", "tags": "a\U000e0041\U000e0042\U000e007f", "hebrew": "שלום (a) 12",
}  # fmt: skip
"""Whatever a page or a system may be called: in a table a name may hold any character."""


def check_shown(text: str) -> None:
    """Nothing in it drives a terminal or turns the direction of what stands beside it."""
    bad = {
        char
        for char in text
        if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    assert not bad
