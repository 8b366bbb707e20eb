"""Signatures: the full one, which pins everything, and the short one, which people quote."""

import unicodedata
from hashlib import sha256

from htreval_core.errors import ConfigError
from htreval_core.settings.presets import PRESETS
from htreval_core.settings.reading import ReadPolicy
from htreval_core.settings.scoring import TIE_RULES, Settings
from htreval_core.settings.version import __version__
from htreval_core.text import TextPolicy


def short_signature(signature: str) -> str:
    """A full signature for a foot or a caption: version, text, γ, and a digest of the whole.

    >>> short_signature("htreval:0.3.0|ignore-case:yes|words:unicode|gamma:1")[:-6]
    'htreval 0.3.0 · ignore-case, words unicode · γ 1 · '
    """
    parts = _parts(signature)
    usual = TextPolicy().as_text()
    changed = {key: parts[key] for key in usual if parts.get(key, usual[key]) != usual[key]}
    said = [key if value == "yes" else f"{key} {value}" for key, value in changed.items()]
    named = [
        f"as {name}" for name, preset in PRESETS.items()
        if changed and preset.settings.policy.as_text() == usual | changed
    ]  # fmt: skip
    text = (named or [", ".join(said) or "as written"])[0]
    digest = sha256(signature.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"htreval {parts.get('htreval', '?')} · {text} · γ {parts.get('gamma', '?')} · {digest}"


def read_signature(signature: str) -> tuple[Settings, tuple[str, ...]]:
    """The settings that a signature pins, and what about it cannot be repeated here.

    Returns:
        The settings; and sentences on a version or Unicode data that differ from the ones here.

    Raises:
        ConfigError: it is no signature of this tool, or pins a character mapping or rules of
            reading order, whose file it cannot hold.
    """
    parts = _parts(signature)
    if not parts.get("htreval"):
        raise ConfigError(f"{signature[:60]!r}: no full signature of htreval; copy the whole line")
    if parts.get("orders", "file") != "file":
        raise ConfigError(
            "the signature pins rules of reading order, which it cannot hold; give the same "
            "switches one by one, and the file of rules itself"
        )
    try:
        resamples, _, seed = parts["bootstrap"].partition("/")
        solver = {rule: name for name, rule in TIE_RULES.items()}[parts["ties"]]
        settings = Settings(
            gamma=parts["gamma"],
            policy=TextPolicy.of_text(parts),
            reading=ReadPolicy.of_text(parts),
            solver=solver,
            resamples=int(resamples),
            seed=int(seed),
            trace=parts.get("trace", "refined"),  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as error:
        raise ConfigError(f"the signature is damaged at {error}; copy the whole line") from None
    notes = []
    for name, here in (("htreval", __version__), ("unicode", unicodedata.unidata_version)):
        if parts.get(name) != here:
            notes.append(f"made with {name} {parts.get(name)}, here is {here}: values may differ")
    if "clusters" in parts:
        notes.append("its intervals and tests are over clusters of pages, which it cannot hold")
    return settings, tuple(notes)


def _parts(signature: str) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in signature.strip().split("|"))
