#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""readme_test.py SOURCE PROGRAM [--refresh]: program output quoted in README.md and resources/docs is the current output.

A quotation stands between two comments, the first of which names the command:

    <!-- quoted: ./run list algorithms --format markdown -->
    ...
    <!-- end -->

Code fences around it are kept, and so is a first line "$ ./run ..." in them, which shows the command to readers. --refresh writes the
current output into the files. Links must point to existing files, files named in `backquotes` must exist, and the commands in all ```sh
blocks must work (except those that open a window, and papers.md, which figure writes). The index of the documents links to each of them.
The list of decisions has a row for every number, and no two decisions have the same one. Limits stated in pages are those of the sources
(TOLD).
"""
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

QUOTED = re.compile(r"(<!-- quoted: \./run (?P<words>.+?) -->\n)(?P<text>.*?)(<!-- end -->)", re.S)
EXAMPLES = re.compile(r"```sh\n(.*?)```", re.S)
SCRIPT = re.compile(r"```lua\n(.*?)```", re.S)
PATIENCE = 280  # seconds for one command, on a machine with other work: "verify all" takes most
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
NAMED = re.compile(r"`((?:engine|emulation|traces|app|tests|resources)/[\w./-]+\.\w+)`")

TOLD = [  # (page, words with the number in them, source, the constant there)
    ("questions.md", r"At most ([\d,]+) messages of a selection", "app/analysis/selection/trace_selection.hpp", "mostMessages"),
    ("questions.md", r"and ([\d,]+) different\s+collectives", "app/analysis/trace/trace_analysis.cpp", "mostLooks"),
    ("reading-traces.md", r"A message counts as ([\d,]+) bytes for the first page", "app/analysis/selection/trace_selection.hpp", "sizeOfPage{.message"),
    ("reading-traces.md", r"a rank's part in a collective as ([\d,]+) and", "app/analysis/selection/trace_selection.hpp", "sizeOfPage{.message = 210, .part"),
    ("reading-traces.md", r"first page and ([\d,]+) bytes for tables", "app/analysis/selection/trace_selection.hpp", "sizeOfTables{.message"),
    ("reading-traces.md", r"in a collective as [\d,]+ and ([\d,]+) bytes", "app/analysis/selection/trace_selection.hpp", "sizeOfTables{.message = 380, .part"),
    ("guide.md", r"A run of more than ([\d,]+) messages is not recomputed", "app/gui/settings/run_settings.cpp", "fewMessages"),
    ("guide.md", r"with more than ([\d,]+) ranks, neighbours share a mark", "app/gui/scenes/graph_layout/network_shape.cpp", "mostDrawn"),
    ("guide.md", r"For a chain of more than ([\d,]+) messages", "app/gui/scenes/run/run_chains.cpp", "mostInChain"),
    ("guide.md", r"fewer points in time, at most ([\d,]+) rounds", "app/gui/page/run_narrative.cpp", "mostTold"),
    ("guide.md", r"rounds, ([\d,]+) ranks and blocks", "app/gui/page/run_narrative.cpp", "mostParts"),
    ("guide.md", r"ranks and blocks and ([\d,]+)\s+messages", "app/gui/page/run_narrative.cpp", "mostListed"),
    ("guide.md", r"beyond ([\d,]+) messages it has no sliders", "app/gui/page/page_parameter_grid.cpp", "mostTurned"),
    ("networks.md", r"remaining nodes \(up to ([\d,]+) nodes", "emulation/networks/ring_embedding.cpp", "mostNodes"),
]


def today(program, words, old):
    arguments = [program, *shlex.split(words)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"./run {words} ended with {done.returncode}: {done.stderr.strip()}"
    lines = "".join(line.rstrip() + "\n" for line in done.stdout.strip("\n").splitlines())
    shown = f"$ ./run {words}\n" if old.startswith("```\n$ ") else ""
    return f"```\n{shown}{lines}```\n" if old.startswith("```") else lines


def stale(text, program):
    """Pairs of what stands there and what should."""
    return [(m["text"], now) for m in QUOTED.finditer(text) if (now := today(program, m["words"], m["text"])) != m["text"]]


def failing(text, program, scripts):
    """Examples that do not work, carried out in their order in a folder with a copy of the schedule scripts and the script shown before them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "bin").mkdir()
        (folder / "bin" / "collscope").symlink_to(program)
        (folder / "run").symlink_to(program)
        shutil.copytree(scripts, folder / "resources" / "scripts")
        if shown := SCRIPT.search(text):
            (folder / "mine.lua").write_text(shown[1], encoding="utf-8")
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        for line in "".join(EXAMPLES.findall(text)).replace("\\\n", " ").splitlines():
            if re.match(r"(\./run|collscope) view |(?!\./run|collscope)", line):
                continue
            done = subprocess.run(["bash", "-c", f"exec {line}"], capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=folder,
                                  env={**os.environ, "PATH": path})
            if done.returncode != 0 or not (done.stdout or done.stderr or ">" in line):
                yield f"{line} ended with {done.returncode}: {done.stderr.strip()}"


def misnumbered(listed, files):
    """What is wrong with the list of decisions, given the titles of those that there are by file."""
    rows = {row[1]: row for row in re.finditer(r"^\| (\d{3}) \| (?:\[(.+)\]\((.+)\)|never given) \|$", listed, re.M)}
    for name, title in sorted(files.items()):
        row, number = rows.get(name[:3]), name[:3]
        if len([other for other in files if other.startswith(number)]) > 1:
            yield f"{name}: another decision has the number {number}"
        elif not row or (row[3], f"# {number} {row[2]}") != (name, title):
            yield f"README.md of the decisions has no row for {name} with the title '{title}'"
    for number, row in rows.items():
        if row[3] and row[3] not in files:
            yield f"README.md of the decisions leads to {row[3]}, which is not there"
    last = max(files, default="000")[:3]
    for number in range(1, int(last)):
        if f"{number:03}" not in rows:
            yield f"README.md of the decisions does not say why there is no {number:03}"


def decisions(source):
    folder = source / "resources" / "decisions"
    files = {f.name: f.read_text(encoding="utf-8").splitlines()[0] for f in folder.glob("[0-9]*.md")}
    listed = (folder / "README.md").read_text(encoding="utf-8")
    assert len(files) > 10, f"only {len(files)} decisions"
    assert list(misnumbered(listed, files | {"001-again.md": "# 001 Again"})), "a number given twice was not noticed"
    assert list(misnumbered(listed, files | {"999-last.md": "# 999 Last"})), "a decision outside the list was not noticed"
    assert list(misnumbered(listed.replace("| 001 |", "| 0001 |"), files)), "a missing row was not noticed"
    return list(misnumbered(listed, files))


def quoted(file, program, refresh):
    """The stale quotations of `file`, told or renewed."""
    text = file.read_text(encoding="utf-8")
    assert len(QUOTED.findall(text)) == text.count("<!-- quoted:"), f"a quotation in {file} has no proper end"
    found = stale(text, program)
    if refresh:
        file.write_text(QUOTED.sub(lambda m: m[1] + today(program, m["words"], m["text"]) + m[4], text), encoding="utf-8")
        return found
    for old, new in found:
        print("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), file.name, "today")))
    return found


def astray(source, file, text):
    """Where links and names of files lead nowhere."""
    yield from (f"{file.name} links to {link}, which is not there" for link in LINK.findall(text) if not (file.parent / link).exists())
    yield from (f"{file.name} names {name}, which is not there" for name in NAMED.findall(text) if not (source / name).exists())


def mistold(source, told=TOLD):
    """Limits of which a page tells another number than the sources."""
    for page, words, file, constant in told:
        said = re.search(words, " ".join((source / "resources/docs" / page).read_text(encoding="utf-8").split()))
        meant = re.search(rf"\b{re.escape(constant)} = ([\d']+)[;,}}]", (source / file).read_text(encoding="utf-8"))
        assert said and meant, f"{page} does not tell {constant}, or {file} lacks it"
        if said[1].replace(",", "") != meant[1].replace("'", ""):
            yield f"{page} tells {said[1]} where {constant} of {file} is {meant[1]}"


def main(source, program, refresh):
    readme = source / "README.md"
    every = [readme, *sorted((source / "resources/docs").glob("*.md"))]
    files = [file for file in every if "<!-- quoted:" in file.read_text(encoding="utf-8")]
    assert readme in files, "the README quotes nothing"
    found = [one for file in files for one in quoted(file, program, refresh)]
    if refresh:
        print(f"{len(found)} quotations renewed")
        return 0
    text = readme.read_text(encoding="utf-8")
    assert len(list(astray(source, readme, "[a](gone.md) `engine/gone.hpp` `engine/run/run.hpp`"))) == 2, "a lost file was not noticed"
    assert list(mistold(source, [(*TOLD[0][:3], "mostParts")])), "a limit that is told wrong was not noticed"
    pages = [*every, *sorted((source / "resources/decisions").glob("*.md"))]
    faults = [fault for file in pages for fault in astray(source, file, file.read_text(encoding="utf-8"))] + decisions(source)
    faults += mistold(source)
    index = (source / "resources/docs/README.md").read_text(encoding="utf-8")
    faults += [f"the index of the documents has no link to {file.name}" for file in every[1:]
               if file.name != "README.md" and f"]({file.name})" not in index]
    faults += [f"{file.name}: {fault}" for file in every
               if file.name != "papers.md" for fault in failing(file.read_text(encoding="utf-8"), program, source / "resources" / "scripts")]
    print("\n".join(faults))
    planted = QUOTED.sub(lambda m: m[1] + m["text"] + "stale\n" + m[4], text, count=1)
    assert len(stale(planted, program)) > 0, "a planted stale line was not noticed"
    if found:
        print("Quotations are stale; renew them with: python3 tests/scripts/repository/readme_test.py . build/release/app/collscope --refresh")
    return 1 if found or faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve()), "--refresh" in sys.argv[3:]))
