#!/usr/bin/env python3
"""Checks that the agent, which will run on bare machines, needs neither toml++ nor hwloc, nor the rooms that do. Usage:
check_agent.py AGENT_PROGRAM."""
import subprocess
import sys

FORBIDDEN = ("tomlplusplus", "hwloc", "muparser", "Qt6", "room_sweep", "room_device", "room_expression", "room_schedule")


def main():
    needed = subprocess.run(["ldd", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    found = [line.strip() for line in needed.splitlines() if any(name in line for name in FORBIDDEN)]
    print("\n".join(found) if found else needed)
    sys.exit(1 if found else 0)


main()
