# SPDX-License-Identifier: MIT
"""NumPy where it is installed. It is imported only when there is something to read."""

_numpy = None  # False: there is none


def numpy():
    """The module, or None."""
    global _numpy
    if _numpy is None:
        try:
            import numpy as module
        except ImportError:
            module = False
        _numpy = module
    return _numpy or None
