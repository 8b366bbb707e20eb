"""htreval: page-level evaluation of handwritten text recognition.

The engine behind the app and the command line. It follows Vidal, Toselli, Ríos-Vila and
Calvo-Zaragoza, "End-to-End Page-Level Assessment of Handwritten Text Recognition", Pattern
Recognition 142 (2023) 109695.

>>> import htreval_core as hv
>>> page = hv.score_page("right word wrong place", "wrong place right word")
>>> page.scores.wer.errors, page.scores.bwer.errors
(4, 0)

``__init__.pyi`` lists every public name. Each is imported when it is first used, so that importing
the package, or asking the command line for help, loads no solver.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
