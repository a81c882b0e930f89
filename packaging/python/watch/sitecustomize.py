# SPDX-License-Identifier: MIT
"""Python imports this at its start if Sweepscope watches a command: its folder is the first in PYTHONPATH. When the script
imports torch, sweepscope.watch follows. Nothing here may keep a script from starting."""

import importlib.machinery
import importlib.util
import os
import sys
import time

_HERE = os.path.dirname(os.path.abspath(__file__))
_UNWATCHED = "SWEEPSCOPE_UNWATCHED"  # set for the children of a process that reported a failure


def report_failure(text):
    """Write to the agent's log, once per rank and its children, that the script is not watched; if that is impossible, to
    stderr."""
    if _UNWATCHED in os.environ:
        return
    os.environ[_UNWATCHED] = "1"
    now = time.time()
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
    line = "{}.{:09d}Z warning watch: rank {}: {}\n".format(seconds, int(now % 1 * 1e9), os.environ.get("RANK", "0"), text)
    try:
        log = os.open(os.path.join(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"], "agent.log"),
                      os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        try:
            os.write(log, line.encode(errors="replace"))
        finally:
            os.close(log)
    except Exception:
        _print("sweepscope: " + text)


def _print(text):
    """To stderr, as sweepscope.complaint does, which may not be found."""
    try:
        os.write(2, (text + "\n").encode(errors="replace"))
    except OSError:
        pass


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
            sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _TorchFinder)]
            from sweepscope import watch

            watch.install(module, report_failure)
        except Exception as error:
            report_failure("this script is not watched: {!r}".format(error))


class _TorchFinder:
    """Stays until torch is imported: libraries look for it before."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        try:
            for finder in sys.meta_path:
                spec = None if finder is self else finder.find_spec(name, path, target)
                if spec is not None:
                    if spec.loader is not None:
                        spec.loader = _TorchLoader(spec.loader)
                    return spec
        except Exception as error:
            report_failure("this script is not watched: {!r}".format(error))
        return None


def _run_other():
    """Python imports one sitecustomize only; the system's or the user's own comes second."""
    elsewhere = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("SWEEPSCOPE_RING") and _UNWATCHED not in os.environ:
    sys.meta_path.insert(0, _TorchFinder())
_run_other()
