#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pictures_test.py SOURCE PROGRAM: every SVG that is written is well-formed and does nothing, whatever the names in it are.

Names of parts come from a script, names of regions from a trace of a C++ program.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import browser

SCRIPT = "<script xmlns='http://www.w3.org/2000/svg'>document.documentElement.setAttribute('done','yes')</script>"
NAMES = [SCRIPT, "]]></desc>" + SCRIPT, "\"><image href='x' onerror='document.documentElement.setAttribute(1)'/>",
         "operator<< <std::pair<int&, char const*>&&>", "\x01\x1b[31m\u202enever", "&amp; &lt; &undefined; &#0;", "<!-- -- <![CDATA["]
RUN_VIEWS = ("poster", "network", "timeline", "strip", "holdings", "bounds", "idle", "links", "matrix", "window")
TRACE_VIEWS = ("poster", "timeline", "tracks", "where", "when", "waits", "matrix", "window")
HARMLESS = re.compile(r"#|data:image/png;base64,")


def lua(name):
    quoted = "".join(f"\\{byte}" if byte < 32 or byte > 126 else "\\" + chr(byte) if chr(byte) in "\"\\" else chr(byte)
                     for byte in name.encode())
    return f"""algorithm {{ collective = "allgatherv", title = "{quoted}", idea = "{quoted}", source = "{quoted}",
 parts = {{ {{ name = "{quoted}", rounds = function() return n - 1 end, turn = function(rank, round)
  send((rank + 1) % n, block((rank - round) % n))
  receive((rank - 1) % n, block((rank - round - 1) % n)) end }} }} }}
"""


def trace(folder):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "traces"))
    try:
        from otf2_archive import Archive
    except ImportError as why:
        print(f"no trace is written: {why}")
        return None
    archive = Archive(2)
    for rank in range(2):
        time = 0
        for name in NAMES:
            archive.call(rank, name, time, time + 900_000)
            time += 1_000_000
        archive.call(rank, "MPI_Barrier", time, time + 500_000 - rank, (time, "MpiCollectiveBegin"),
                     (time + 400_000, "MpiCollectiveEnd", 0, 7, 0, 0, 0))
    archive.write(str(folder))
    return folder


def judge(file):
    """What is wrong with a picture."""
    try:
        root = xml.etree.ElementTree.parse(file).getroot()
    except xml.etree.ElementTree.ParseError as why:
        yield f"is not well-formed: {why}"
        return
    for element in root.iter():
        kind = element.tag.rpartition("}")[2]
        if kind in ("script", "foreignObject", "iframe", "animate", "set", "a"):
            yield f"has a <{kind}>"
        for name, value in element.attrib.items():
            bare = name.rpartition("}")[2].lower()
            if bare.startswith("on") or (bare == "href" and not HARMLESS.match(value)):
                yield f"has {bare}={value[:60]!r}"


def main(program):
    failures, written = [], []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        inputs = []
        for number, name in enumerate(NAMES):
            script = scratch / f"a{number}.lua"
            script.write_text(lua(name))
            views = RUN_VIEWS if number == 0 else RUN_VIEWS[number:number + 3] + ("poster",)
            inputs += [([str(script), "-n", "3"], view, number) for view in views]
        if recorded := trace(scratch / "trace"):
            inputs += [([str(recorded)], view, "trace") for view in TRACE_VIEWS]
        for words, view, number in inputs:
            picture = scratch / f"{number}-{view}.svg"
            done = subprocess.run([program, "export", *words, "--view", view, "-o", str(picture)], capture_output=True, text=True)
            if done.returncode == 2 and not picture.exists():
                continue  # no such view of it
            if done.returncode != 0:
                failures.append(f"{number}, {view}: code {done.returncode}: {done.stderr[-200:]}")
                continue
            written.append(picture)
            failures += [f"name {number}, {view}: it {fault}" for fault in judge(picture)]
        if len(written) < 20:
            failures.append(f"only {len(written)} pictures were written")
        if browser.find():
            with browser.Browser(800, 600) as page:
                for picture in written:
                    page.open(picture.as_uri())
                    if page.get("document.documentElement.hasAttribute('done') || document.scripts.length > 0"):
                        failures.append(f"{picture.name} runs a script")
    print("\n".join(failures) or f"{len(written)} pictures are well-formed and do nothing")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[2]).resolve())))
