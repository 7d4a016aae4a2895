#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""papers_test.py SOURCE PROGRAM [--whole]: the items of the papers, made again, equal resources/docs/papers.md.

The test makes the small form: an item with the same commands in both forms must be the same text; of another item the
verdict on each number that the small form has. With --whole, run by hand, it makes everything and compares the page.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile


def page(program, *flags):
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "papers.md"
        done = subprocess.run([program, "figure", "all", *flags, "-o", str(made)], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"figure all ended with {done.returncode}: {done.stdout[-3000:]}{done.stderr[-1000:]}"
        return made.read_text(encoding="utf-8")


def sections(text):
    """Lines of every "### item", and under "paper item" the row of its paper's table."""
    items, rows, paper, item = {}, {}, "", None
    for line in text.splitlines():
        if line.startswith("## "):
            paper, item = line[3:], None
        elif line.startswith("### "):
            item = items.setdefault(line[4:], [])
        elif item is not None:
            item.append(line)
        elif paper and line.startswith("| ") and not line.startswith("| item "):
            rows[f"{paper} {line.split(' | ')[0][2:]}"] = line
    return items, rows


def commands(lines):
    return [line for line in lines if line.startswith("collscope ")]


def differences(kept, made):
    """Of the small form, made now, from the page that is kept."""
    (kept_items, kept_rows), (made_items, made_rows) = sections(kept), sections(made)
    if list(kept_rows) != list(made_rows):
        yield from difflib.unified_diff(list(kept_rows), list(made_rows), "papers.md", "today", lineterm="")
    for name, row in made_rows.items():
        old, new = kept_items.get(name, []), made_items.get(name, [])
        if commands(old) == commands(new):
            yield from difflib.unified_diff([kept_rows.get(name), *old], [row, *new], f"papers.md {name}",
                                            f"today {name}", lineterm="")
        else:
            yield from (f"{name}: not in papers.md: {line}" for line in new
                        if line.startswith("| ") and line not in old)


def main(source, program, *flags):
    kept = (source / "resources" / "docs" / "papers.md").read_text(encoding="utf-8")
    if "--whole" in flags:
        found = list(difflib.unified_diff(kept.splitlines(), page(program).splitlines(), "papers.md", "today", lineterm=""))
    else:
        found = list(differences(kept, page(program, "--small")))
    print("\n".join(found[:200]))
    if found:
        print("Make it anew: collscope figure all -o resources/docs/papers.md --force")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve()), *sys.argv[3:]))
