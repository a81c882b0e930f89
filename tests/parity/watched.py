"""Runs a script that is watched, and writes what it reports as lines of JSON instead of into a ring.

    watched.py OUTPUT SCRIPT
"""

import json
import runpy
import sys
import time

import sweepscope.run


class Recorder:
    """Takes the place of a ring's writer."""

    stop_requested = False
    dropped = 0

    def __init__(self, path):
        self._file = open(path, "w", buffering=1)

    def log(self, step, values=None, **more):
        if self._tracer:
            self._tracer.step_ended(step, time.time_ns())
        self._file.write(json.dumps({"step": step, "values": {**(values or {}), **more}}) + "\n")

    def event(self, kind, step, text):
        self._file.write(json.dumps({"step": step, "kind": kind, "text": text}) + "\n")

    def trace_steps(self, tracer):
        self._tracer = tracer

    def declare(self, name, unit):
        pass

    def close(self):
        return True

    def forget_in_child(self):
        pass


output = sys.argv[1]
sweepscope.run._open_writer = lambda: Recorder(output)
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
