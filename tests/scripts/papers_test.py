#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""papers_test.py SOURCE PROGRAM: every figure, table, equation and claim of the papers, made whole, is what
resources/docs/papers.md says. About a minute of processor time.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile


def main(source, program):
    kept = source / "resources" / "docs" / "papers.md"
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "papers.md"
        done = subprocess.run([program, "figure", "all", "-o", str(made)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"figure all ended with {done.returncode}: {done.stderr[-1000:]}"
        old, new = (file.read_text(encoding="utf-8").splitlines(True) for file in (kept, made))
    found = list(difflib.unified_diff(old, new, "papers.md", "today"))
    print("".join(found[:200]))
    if found:
        print("Make it anew: collscope figure all -o resources/docs/papers.md --force")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())))
