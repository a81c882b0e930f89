# SPDX-License-Identifier: MIT
"""Python imports this at its start if Sweepscope watches a command: its folder is the first in PYTHONPATH. When the script
imports torch, sweepscope.watch follows. Nothing here may keep a script from starting."""

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


class _TorchLoader:
    """Loads torch as `inner` does, and watches it then."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def create_module(self, spec):
        return self._inner.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._inner
        self._inner.exec_module(module)
        try:
            from sweepscope import watch

            watch.install(module)
        except Exception as error:
            print("sweepscope: this script is not watched: {!r}".format(error), file=sys.stderr)


class _TorchFinder:
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _TorchLoader(spec.loader)
        return spec


def _run_other():
    """Python imports one sitecustomize only; the system's or the user's own comes second."""
    elsewhere = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("SWEEPSCOPE_RING"):
    sys.meta_path.insert(0, _TorchFinder())
_run_other()
