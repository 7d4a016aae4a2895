#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants_fit_test.py SOURCE [PROGRAM]: every mutant of tests/mutants/list.py has its text in the sources, once, so that
the list can be run whenever somebody wants to. Whoever changes such a line changes the mutant, or puts another there."""
import pathlib
import sys

source = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(source / "tests" / "mutants"))
from mutants import MUTANTS, Unfit, fits  # noqa: E402


def unfit(mutants):
    try:
        fits(mutants, source)
        return ""
    except Unfit as why:
        return str(why)


stale = type(MUTANTS[0])(MUTANTS[0].file, "no source says this", "", ())
if "stands there 0 times" not in unfit([stale]):
    sys.exit("a mutant without its text goes unnoticed")
if why := unfit(MUTANTS):
    sys.exit(why)
same = [str(mutant) for mutant in MUTANTS if mutant.old == mutant.new]
if same:
    sys.exit(f"mutants that change nothing: {same}")
print(f"{len(MUTANTS)} mutants fit the sources")
