#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""strings.py [SOURCE]: lists every string that a user can see, one per line: file:line, then the text.

Strings come from the C++ files of app, engine, emulation and traces, and from resources/page/page.js. Adjacent literals are joined, as
the compiler joins them. Literals without a letter, names of include files, and names (one word such as "bound_time_s" or "--ranks",
which are part of the command line, json or csv) are left out; --all lists names as well.
"""
import pathlib
import re
import sys

FOLDERS = ("app", "engine", "emulation", "traces")
TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<raw>(?<![A-Za-z_0-9])(?:u8|u|U|L)?R"(?P<fence>[^()\\\s]*)\((?P<inside>.*?)\)(?P=fence)")
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
  | \#[ ]*include[^\n]*
""", re.S | re.X)
SCRIPT = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<raw>`(?P<inside>(?:\\.|[^`\\])*)`)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
""", re.S | re.X)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "'": "'", "\\": "\\", "0": "\0", "r": "\r"}
NAME = re.compile(r"[-\w.:/%{}<>=|@#&;*+,()\[\]^?!'$~`\"\\]*")  # one word: an identifier, a flag, a path, a format


def plain(literal):
    """The text of a literal, its escapes resolved."""
    inside = literal[literal.index(literal[-1]) + 1:-1]
    inside = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), inside)
    inside = re.sub(r"(?:\\x[0-9a-fA-F]{2})+", lambda m: bytes.fromhex(m[0].replace("\\x", "")).decode("utf-8", "replace"), inside)
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), inside, flags=re.S)


def tokens(text, script):
    """(kind, line, text) of the comments and joined strings of a file."""
    line, end, joined = 1, 0, None
    for m in (SCRIPT if script else TOKEN).finditer(text):
        line += text.count("\n", end, m.start())
        said = None if m["comment"] else m["inside"] if m["raw"] else plain(m["string"]) if m["string"] else None
        apart = script or text[end:m.start()].strip()
        if joined and (apart or said is None and not m["comment"]):
            yield ("string", *joined)
            joined = None
        if m["comment"]:
            yield ("comment", line, m[0])
        elif said is not None:
            joined = (joined[0], joined[1] + said) if joined else (line, said)
        line, end = line + m[0].count("\n"), m.end()
    if joined:
        yield ("string", *joined)


def sources(source):
    """C++ files of the program, and the script of its pages."""
    files = [f for folder in FOLDERS for f in (source / folder).rglob("*.[ch]pp")]
    return sorted(files) + [source / "resources/page/page.js"]


def is_name(text):
    return NAME.fullmatch(text.strip()) is not None


def strings(source, names=False):
    """(file, line, text) of every string with a letter in it."""
    for file in sources(source):
        for kind, line, text in tokens(file.read_text(encoding="utf-8"), file.suffix == ".js"):
            if kind == "string" and re.search(r"[^\W\d_]", text) and (names or not is_name(text)):
                yield file.relative_to(source), line, text


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--all"]
    for file, line, text in strings(pathlib.Path(words[0] if words else "."), "--all" in sys.argv):
        print(f"{file}:{line}: {' '.join(text.split())}")
