# SPDX-License-Identifier: MIT
"""Sentences for stderr."""

import os


def complain(text):
    """Print a line. Not through sys.stderr: what that cannot write it tries again at the end, and Python exits with 120."""
    try:
        os.write(2, (text + "\n").encode(errors="replace"))
    except OSError:  # stderr is closed
        pass
