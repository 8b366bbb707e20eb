"""Values as JSON, CSV and tables write them."""

from __future__ import annotations

import json
import math

from htreval_core.metrics.catalog import METRICS

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | None


def number(value: float) -> int | float | None:
    """A JSON number: whole where it is whole, None where it is undefined."""
    if math.isnan(value) or math.isinf(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


def fraction(value: float) -> float | None:
    """A JSON fraction; None where it is undefined."""
    return None if math.isnan(value) or math.isinf(value) else float(value)


def as_json(content: JsonValue) -> str:
    """Valid JSON, for people too; a value that JSON does not know is an error of ours."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def cell(text: str) -> str:
    """Text for a spreadsheet: what would run as a formula is marked as text by an apostrophe."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def percent(value: float, digits: int = 1) -> str:
    """A fraction for people: percent, or a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{100 * value:.{digits}f}"


def figure(name: str, value: float) -> str:
    """One value as a table shows it: shares and rates in percent, correlations as they are."""
    if METRICS[name].scale == "correlation":
        return "–" if math.isnan(value) else f"{value:.3f}"
    return percent(value, 2)


def plain(text: str) -> str:
    """Text for a terminal: control characters, which could drive it, become visible."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
