"""The report of tests/gpu/prove, as JSON and as Markdown: a section of docs/gpu.md."""

import dataclasses
import json

from runner import NOT_PROVED, PROVED, SKIPPED

TITLE = {"cuda": "Proof on a GPU", "cpu": "Rehearsal on the CPU: proves nothing about GPUs"}
MARKS = {PROVED: "yes", NOT_PROVED: "**no**", SKIPPED: "not tried"}
VERB = {"cuda": "proved", "cpu": "rehearsed"}


def text_of(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def markdown(device, machine, results):
    count = {state: sum(result.state == state for result in results) for state in MARKS}
    lines = [f"## {TITLE[device]}", ""]
    lines += [f"Checks {VERB[device]}: {count[PROVED]}, failed: {count[NOT_PROVED]}, not tried: {count[SKIPPED]}.", ""]
    lines += ["| machine | |", "| --- | --- |", *(f"| {cell(name)} | {cell(value)} |" for name, value in machine.items()), ""]
    lines += [f"| check | {VERB[device]} | seconds | figures |", "| --- | --- | --- | --- |"]
    for result in results:
        figures = "; ".join(f"{name} {text_of(value)}" for name, value in result.figures.items())
        lines.append(f"| {cell(result.title)} | {MARKS[result.state]} | {result.seconds:.1f} | {cell(figures)} |")
    open_ends = [result for result in results if result.state != PROVED]
    if open_ends:
        lines += ["", f"### What was not {VERB[device]}, and why", ""]
    for result in open_ends:
        lines.append(f"- **{result.title}** ({'failed' if result.state == NOT_PROVED else 'not tried'}): {result.reason}")
        if result.log:
            lines += ["", "  ```", *(f"  {line}" for line in result.log), "  ```", ""]
    return "\n".join(lines) + "\n"


def write(folder, device, machine, results):
    """Replaces report.json and report.md in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    checks = [dataclasses.asdict(each) for each in results]
    content = json.dumps({"title": TITLE[device], "device": device, "machine": machine, "checks": checks}, indent=1) + "\n"
    for name, text in (("report.json", content), ("report.md", markdown(device, machine, results))):
        new = folder / (name + ".new")
        new.write_text(text)
        new.replace(folder / name)
