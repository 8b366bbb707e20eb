"""The evaluation bundle on disk: a folder NAME.htreval. See docs/run-format.md.

As of the whole package, names are listed in ``__init__.pyi`` and imported when they are used: the
command line knows what a bundle is called without loading what opens one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
