"""Every setting: how files are read, how text counts, how pages are scored."""

from htreval_core.settings.mapping import mapping_pairs, read_mapping
from htreval_core.settings.orders import (
    OrderRules,
    PageRule,
    RegionRule,
    orders_of_text,
    orders_toml,
    read_orders,
)
from htreval_core.settings.presets import PRESETS, Preset
from htreval_core.settings.reading import Level, Limits, Order, ReadPolicy, TextAs
from htreval_core.settings.scoring import (
    TIE_RULES,
    Settings,
    Solver,
    Trace,
    exact_gamma,
    gamma_text,
    read_signature,
)

__all__ = [
    "PRESETS",
    "TIE_RULES",
    "Level",
    "Limits",
    "Order",
    "OrderRules",
    "PageRule",
    "Preset",
    "ReadPolicy",
    "RegionRule",
    "Settings",
    "Solver",
    "TextAs",
    "Trace",
    "exact_gamma",
    "gamma_text",
    "mapping_pairs",
    "orders_of_text",
    "orders_toml",
    "read_mapping",
    "read_orders",
    "read_signature",
]
