"""Results as JSON, CSV and text. Every export carries the signature.

``__init__.pyi`` lists the names. Each is imported when it is first used: a command writes one kind.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
