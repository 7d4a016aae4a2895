# SPDX-License-Identifier: BSD-3-Clause
"""Iterations that a trace tells itself: by markers of moments and of spans, by parameters within calls or in one.

Usage: otf2_markers_test.py SOURCE_DIR PROGRAM
"""
import os
import sys
import tempfile

from otf2_archive import TICKS, Archive, answered, o, original_and_copy

program = sys.argv[2]
BEGINS = [100, 300, 500, 900, 1000]
END = 1200


def turns():
    """(begin, end) of each."""
    return list(zip(BEGINS, BEGINS[1:] + [END]))


def base(within=None, each=None):
    """Two ranks; rank 1 is 10 later in all. Three calls of `work` in every turn, which repeats more often."""
    archive = Archive(2)
    for rank in (0, 1):
        late = 10 * rank
        archive.tell(rank, 0, "enter", "main")
        for number, (begin, end) in enumerate(turns()):
            if within:
                archive.tell(rank, begin + late, "enter", within)
            if each:
                archive.tell(rank, begin + late, *each(number))
            for part in range(3):
                at = begin + late + part * 30
                archive.call(rank, "work", at, at + 25)
            if within:
                archive.tell(rank, end + late - 5, "leave", within)
        archive.call(rank, "MPI_Barrier", END + late, END + 20, (END + late, "MpiCollectiveBegin"),
                     (END + 20, "MpiCollectiveEnd", o.COLLECTIVE_OP_BARRIER, 7, o.UNDEFINED_UINT32, 0, 0))
        archive.tell(rank, END + 30, "leave", "main")
    return archive


def check(name, archive, by, wanted, names):
    """`wanted`: (begin, longest) of each iteration."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "told")
        archive.write(folder)
        for which in original_and_copy(program, folder, os.path.join(scratch, "copy.otf2")):
            table = answered(program, which, "iterations")["iterations"]
            found = [(round(row["begin_s"] * TICKS), round(row["duration_s"] * TICKS)) for row in table["rows"]]
            if found != wanted or [row["name"] for row in table["rows"]] != names:
                sys.exit(f"{name}, {which}: {found} for {wanted}, {table}")
            if by and not any(by in remark for remark in table["remarks"]):
                sys.exit(f"{name}, {which}: does not say that {by} tells iterations: {table['remarks']}")


plain = base()
for number, begin in enumerate(BEGINS):
    plain.markers.append((begin, 0, "steps", "iteration", None, f"step {number}"))
plain.markers.append((50, 0, "notes", "remark", None, "only one"))
check("moments", plain, "the marker iteration",
      [(begin, after - begin) for begin, after in zip(BEGINS, BEGINS[1:] + [END + 20])],
      [f"step {number}" for number in range(5)])

spans = base()
for rank in (0, 1):
    for number, (begin, end) in enumerate(turns()):
        spans.markers.append((begin + 7 * rank, end - begin - 20 + 5 * rank, "phases", "", rank,
                              ["read", "build", "solve", "check", "write"][number]))
check("spans of ranks", spans, "the marker phases", [(begin, end - begin - 15) for begin, end in turns()],
      ["read", "build", "solve", "check", "write"])

rising = base("step", lambda number: ("ParameterInt", 0, number - 2))
rising.parameters = [("iter", o.PARAMETER_TYPE_INT64)]
check("a parameter of calls", rising, "the parameter iter", [(begin, end - begin - 5) for begin, end in turns()],
      [str(number - 2) for number in range(5)])

loose = base(None, lambda number: ("ParameterUnsignedInt", 0, 10 * number))
loose.parameters = [("time step", o.PARAMETER_TYPE_UINT64)]
check("a parameter in one call", loose, "the parameter time step",
      [(begin, after - begin) for begin, after in zip(BEGINS, BEGINS[1:] + [END + 30])],
      [str(10 * number) for number in range(5)])

words = base("part", None)
words.parameters = [("phase", o.PARAMETER_TYPE_STRING)]
WORDS = ["read", "build", "solve", "check", "write"]
for rank in (0, 1):
    records, number = [], 0
    for record in words.records[rank]:
        records.append(record)
        if record[1:] == ("enter", "part"):
            records.append((record[0], "ParameterString", 0, words.string(WORDS[number])))
            number += 1
    words.records[rank] = records
check("phases", words, "the parameter phase", [(begin, end - begin - 5) for begin, end in turns()], WORDS)

falling = base("step", lambda number: ("ParameterInt", 0, number % 2))
falling.parameters = [("odd", o.PARAMETER_TYPE_INT64)]
with tempfile.TemporaryDirectory() as scratch:
    falling.write(os.path.join(scratch, "told"))
    remarks = answered(program, os.path.join(scratch, "told"), "iterations")["iterations"]["remarks"]
    if not any("the first call of every iteration that all ranks make is main/step" in remark for remark in remarks):
        sys.exit(f"a parameter that does not rise is no iteration: {remarks}")

print("iterations are those that markers and parameters tell, also of a copy")
