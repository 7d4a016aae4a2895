#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breaks the sources one line at a time and says which faults no test notices. By hand, not part of ./test.

    python3 tests/mutants/mutants.py                     all mutants of list.py, in a copy of HEAD that is gone afterwards
    python3 tests/mutants/mutants.py --only waits        those whose file or id contains a word
    python3 tests/mutants/mutants.py --tree DIR --build BUILD    in another clean worktree and its build folder

A mutant is a file, a piece of text that stands in it once, what stands there instead, and the test programs of its
room; the piece of text finds the line, so that a list outlives edits around it. Each mutant is built with just these
programs, which run until one of them fails: killed. A mutant that all of them pass survived, unless the list calls it
equivalent and says why. Each is put back before the next, also after Ctrl+C. In the build type that joins no files a
mutant costs the compiler one.

Exit codes: 0 at most --survivors N (3) survived; 1 more did; 2 the list does not fit the sources, a mutant does not
compile, the tree is not clean, or the tests fail without any mutant.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from list import MUTANTS  # noqa: E402

PATIENCE = 300  # seconds for one test program; a mutant that never ends is killed too


class Unfit(Exception):
    """The list, the tree or the build is not as it must be."""


def output(command, where):
    return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout


class Judge:
    def __init__(self, tree, build, prefix):
        self.tree, self.build, self.prefix = tree, build, prefix

    def compiles(self, tests):
        command = [*self.prefix, "cmake", "--build", str(self.build), "--target", *tests]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = done.stdout
        return done.returncode == 0

    def failing(self, tests):
        """The first of the programs that fails; nothing where all pass."""
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
        for test in tests:
            try:
                done = subprocess.run([str(self.build / "tests" / test), "--gtest_fail_fast", "--gtest_brief=1"], cwd=self.build,
                                      env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return f"{test} (never ends)"
            if done.returncode != 0:
                named = [line for line in done.stdout.decode(errors="replace").splitlines() if "[  FAILED  ]" in line]
                return named[0].split("]", 1)[1].split(",")[0].split(" (")[0].strip() if named else f"{test} (ends)"
        return None

    def verdict(self, mutant):
        """Puts the mutant in, builds, runs, and puts back what was there."""
        path = self.tree / mutant.file
        before = path.read_text()
        path.write_text(before.replace(mutant.old, mutant.new))
        try:
            if not self.compiles(mutant.tests):
                raise Unfit(f"{mutant} does not compile:\n{self.said[-3000:]}")
            return self.failing(mutant.tests)
        finally:
            path.write_text(before)


def fits(mutants, tree):
    """Every old text stands in its file, once."""
    stale = []
    for mutant in mutants:
        path = tree / mutant.file
        count = path.read_text().count(mutant.old) if path.is_file() else -1
        if count != 1:
            stale.append(f"{mutant}: " + ("no such file" if count < 0 else f"its text stands there {count} times"))
    if stale:
        raise Unfit("the list does not fit the sources:\n  " + "\n  ".join(stale))


def judged(judge, mutants):
    survivors = []
    unfit = []
    for number, mutant in enumerate(mutants, 1):
        began = time.monotonic()
        try:
            killer = judge.verdict(mutant)
        except Unfit as why:
            unfit.append(str(why))
            killer = "DOES NOT COMPILE"
        took = time.monotonic() - began
        if killer:
            result = f"killed by {killer}"
            if mutant.equivalent:
                result += f"; the list calls it equivalent: {mutant.equivalent}"
        elif mutant.equivalent:
            result = f"equivalent: {mutant.equivalent}"
        else:
            result = "SURVIVED"
            survivors.append(mutant)
        print(f"{number:3}/{len(mutants)} {took:5.0f} s  {mutant}\n              {result}", flush=True)
    return survivors, unfit


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="mutants whose file or texts contain this word")
    parser.add_argument("--survivors", type=int, default=3, help="as many may survive (default %(default)s)")
    parser.add_argument("--tree", type=pathlib.Path, help="clean worktree to work in instead of a copy of HEAD")
    parser.add_argument("--build", type=pathlib.Path, help="its build folder")
    parser.add_argument("--prefix", default="", help="put before every build command, e.g. 'nice' or 'flock FILE'")
    parser.add_argument("--list", action="store_true", help="only say whether the list fits, and count it")
    given = parser.parse_args()
    home = pathlib.Path(output(["git", "rev-parse", "--show-toplevel"], os.path.dirname(__file__)).strip())
    chosen = [m for m in MUTANTS if all(word in f"{m} {m.new}" for word in given.only)]
    if given.list:
        fits(chosen, given.tree or home)
        print(f"{len(chosen)} mutants fit the sources")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        tree = given.tree.resolve() if given.tree else pathlib.Path(scratch) / "tree"
        build = given.build.resolve() if given.build else tree / "build" / "mutants"
        if not given.tree:
            output(["git", "worktree", "add", "--detach", str(tree), "HEAD"], home)
        try:
            if output(["git", "status", "--porcelain", "--untracked-files=no"], tree):
                raise Unfit(f"{tree} has changes that are not committed; they could be lost")
            fits(chosen, tree)
            prefix = shlex.split(given.prefix)
            if not (build / "CMakeCache.txt").exists():
                output(["cmake", "-S", str(tree), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                        "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DCOLLSCOPE_TESTS=ON", "-DCOLLSCOPE_BENCHMARKS=OFF"], tree)
            judge = Judge(tree, build, prefix)
            tests = sorted({test for mutant in chosen for test in mutant.tests})
            if not judge.compiles(tests):
                raise Unfit(f"the tests do not compile without any mutant:\n{judge.said[-3000:]}")
            if failing := judge.failing(tests):
                raise Unfit(f"without any mutant {failing} fails")
            survivors, unfit = judged(judge, chosen)
        finally:
            if not given.tree:
                subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=home, check=False)
    for why in unfit:
        print(why, file=sys.stderr)
    print(f"{len(chosen)} mutants, {len(survivors)} survived" + "".join(f"\n  {m}" for m in survivors))
    return 2 if unfit else 1 if len(survivors) > given.survivors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unfit as why:
        print(f"mutants: {why}", file=sys.stderr)
        sys.exit(2)
