#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""format_test.py SOURCE [PROGRAM]: the sources are as .clang-format says; names those that are not.

clang-format lays out C++ differently from version to version: only the version of Debian 12 is asked.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

VERSION = "14"
SKIPPED = 77


def formatter():
    """The program of the right version, or nothing."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and re.search(rf"version {VERSION}\.", subprocess.run([path, "--version"], capture_output=True, text=True,
                                                                      check=True).stdout):
            return path
    return None


def sources(folder):
    """C++ files that git knows or would add; in a copy without git, those of the rooms."""
    asked = ["git", "-C", str(folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.cpp", "*.hpp"]
    listed = subprocess.run(asked, capture_output=True, text=True, check=False) if shutil.which("git") else None
    if listed and listed.returncode == 0:
        files = [folder / name for name in listed.stdout.split("\0") if name]
    else:
        files = [f for room in ("engine", "emulation", "traces", "app", "tests") for f in (folder / room).rglob("*.[ch]pp")]
    return sorted({f for f in files if f.exists()})


def differing(program, style, files):
    """Those that the program would write otherwise, and what it says of them."""
    size = max(1, len(files) // (4 * (os.cpu_count() or 1)))
    parts = [files[i:i + size] for i in range(0, len(files), size)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = "".join(pool.map(lambda part: subprocess.run([program, f"--style=file:{style}", "--dry-run", *part],
                                                            capture_output=True, text=True, check=True).stderr, parts))
    return list(dict.fromkeys(re.findall(r"^(.+?):\d+:\d+: warning: code should be clang-formatted", said, re.M)))


def main(source):
    program = formatter()
    if not program:
        print(f"skipped: clang-format {VERSION} is not installed")
        return SKIPPED
    style = source / ".clang-format"
    with tempfile.TemporaryDirectory() as folder:
        planted = pathlib.Path(folder) / "planted.cpp"
        planted.write_text("int  f( ){return 0 ;}\n")
        assert differing(program, style, [planted]) == [str(planted)], "a badly laid out file was not noticed"
    files = sources(source)
    assert len(files) > 20, f"only {len(files)} sources under {source}"
    found = [pathlib.Path(f).relative_to(source) for f in differing(program, style, files)]
    if not found:
        print(f"{len(files)} files are laid out as .clang-format says")
        return 0
    print(f"{len(found)} of {len(files)} files are not laid out as .clang-format says, first:")
    print("\n".join(f"  {f}" for f in found[:10]))
    print(f"put right with: clang-format-{VERSION} -i {' '.join(map(str, found[:10]))}")
    return 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
