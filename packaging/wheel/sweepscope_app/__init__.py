"""Starts the programs of Sweepscope in this wheel. Qt comes from PySide6-Essentials."""

import os
import sys

from sweepscope_app import libraries


def _become(name):
    lacks = libraries.missing(name)
    if lacks:
        sys.exit(libraries.advice(name, lacks))
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    os.execv(program, [program, *sys.argv[1:]])


def sweepscope():
    _become("sweepscope")


def sweepctl():
    _become("sweepctl")
