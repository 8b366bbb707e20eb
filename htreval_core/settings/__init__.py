"""Every setting: how files are read, how text counts, how pages are scored."""

from htreval_core.settings.file import read_settings_file, settings_of_toml, settings_toml
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
from htreval_core.settings.reading import READ_SWITCHES, Limits, ReadPolicy
from htreval_core.settings.scoring import (
    TIE_RULES,
    Settings,
    Solver,
    Trace,
    exact_gamma,
    gamma_text,
)
from htreval_core.settings.signature import short_signature

__all__ = [
    "PRESETS", "READ_SWITCHES", "TIE_RULES", "Limits", "OrderRules", "PageRule", "Preset",
    "ReadPolicy", "RegionRule", "Settings", "Solver", "Trace", "exact_gamma", "gamma_text",
    "mapping_pairs", "orders_of_text", "orders_toml", "read_mapping", "read_orders",
    "read_settings_file", "settings_of_toml", "settings_toml",
    "short_signature",
]  # fmt: skip
