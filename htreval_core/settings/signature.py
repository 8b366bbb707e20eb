"""The short signature, which people quote."""

from hashlib import sha256

from htreval_core.settings.presets import PRESETS
from htreval_core.text import TextPolicy


def short_signature(signature: str) -> str:
    """A full signature for a foot or a caption: version, text, γ, and a digest of the whole.

    >>> short_signature("htreval:0.3.0|ignore-case:yes|words:unicode|gamma:1")[:-6]
    'htreval 0.3.0 · ignore-case, words unicode · γ 1 · '
    """
    parts = dict(part.partition(":")[::2] for part in signature.strip().split("|"))
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
