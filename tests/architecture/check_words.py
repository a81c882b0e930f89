#!/usr/bin/env python3
"""Checks what people read (string literals of the product, README, docs) for phrases that a native speaker of the field would not
use. Usage: check_words.py SOURCE_FOLDER. Exit code 1 and a line per phrase."""
import pathlib
import re
import sys

# phrase (a regular expression, whole words) -> what to write instead
FORBIDDEN = {
    r"whoever|somebody|nobody": "name who it is, or use the passive",
    r"who asks|is told|are told|was told": "say what the program does: prints, reports, shows",
    r"looks? on(?! )|looks on only": "is read-only",
    r"of its own|of their own": "its own …",
    r"but for": "except",
    r"so many": "a number, or \"as many as\"",
    r"whole numbers?": "integer",
    r"stands? still": "stalled",
    r"its turn|their turn": "queued",
    r"under way": "running",
    r"how many(?:ieth)?, at most|at once, at most": "max …",
    r"goes? with|go along with": "applies to, belongs to",
    r"put beside|stand beside|lies? beside": "next to",
    r"shall": "will, must, or an imperative",
    r"thereby|therefrom|thereof|whereof|wherein": "by it, from it, of it",
    r"in vain": "without success",
    r"takes? (?:it|them) back": "undo",
    r"gives? way": "is replaced by",
    r"a command of yours": "your own command",
    r"which device when": "schedule",
    r"the line (?:to|with) the engine|line to the engine": "connection",
    r"needs a look": "needs attention",
    r"(?<!there )is no (?:number|integer|step|name|file|folder|decision|option|address|message|retry|proof)": "is not a …",
    r"so long as": "as long as",
    r"the latter|the former": "name the thing",
    r"has to be made|is to be": "must be",
    r"(?:keeps?|kept|runs?|ran|running|continues?|go(?:es)? on) to (?:its|their) ends?": "run to completion, finish",
    r"sign of life": "activity",
    r"over there": "on the other machine, or name it",
    r"did not end (?:in|within)": "did not finish in",
    r"once there is a connection": "when the connection is back",
    r"lies? nowhere|may not hold": "say what is wrong",
    r"goes on|went on|go on": "continues",
    r"what (?:it|they) (?:has|have) (?:tried|reported|seen|learned)": "name the thing",
    r"(?:looked|looks?) at (?:again|it|them)": "checked, viewed, read",
    r"as many (?:of|samples|trials) (?:as|of)": "the same number of",
    r"a (?:program|class|folder|master connection) of (?:yours|your own)": "your own …",
    r"nothing (?:new )?starts": "no trial starts",
    r"is of another (?:version|shape)": "has a different …",
}
PATTERN = {re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): instead for phrase, instead in FORBIDDEN.items()}
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def product_strings(path):
    """(line, text) of each string literal that people may read. Adjacent literals are joined, as the compiler does."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^\s*(#include|///?|\*).*$", lambda m: " " * len(m.group(0)), text, flags=re.MULTILINE)
    text = re.sub(r"(?<!:)//.*$", "", text, flags=re.MULTILINE)
    joined, begin, end = "", 0, -1
    for match in LITERAL.finditer(text):
        if end >= 0 and text[end:match.start()].strip(" \n\t") == "":
            joined += match.group(1)
        else:
            if joined:
                yield text.count("\n", 0, begin) + 1, joined
            joined, begin = match.group(1), match.start()
        end = match.end()
    if joined:
        yield text.count("\n", 0, begin) + 1, joined


def document_lines(path):
    """(line, text) without code."""
    isCode = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            isCode = not isCode
        elif not isCode:
            yield number, re.sub(r"`[^`]*`", "", line)


def breaches(source):
    files = [p for top in ("core", "app", "ui") for p in sorted((source / top).rglob("*.cpp")) + sorted((source / top).rglob("*.h"))]
    texts = [(path, product_strings) for path in files]
    texts += [(path, document_lines) for path in [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]
              if path.exists()]
    for path, reader in texts:
        for number, text in reader(path):
            if "CREATE TABLE" in text:
                continue
            for pattern, instead in PATTERN.items():
                found = pattern.search(text)
                if found:
                    yield f"{path.relative_to(source)}:{number}: \"{found.group(0)}\": write: {instead}"


def main():
    found = list(breaches(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "no forbidden phrases")
    sys.exit(1 if found else 0)


main()
