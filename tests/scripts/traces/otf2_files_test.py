# SPDX-License-Identifier: BSD-3-Clause
"""Files as Score-P records them: opened, read and written, by operations that overlap and end in any order, are cancelled,
or never end.

What was played is compared with what the program answers, also of a copy, and of a copy of a part.

Usage: otf2_files_test.py SOURCE_DIR PROGRAM
"""
import collections
import os
import random
import subprocess
import sys
import tempfile

from otf2_archive import TICKS, Archive, answered, o, original_and_copy

program = sys.argv[2]
chance = random.Random(5)
FILES = [("/scratch/in.dat", "POSIX I/O"), ("/scratch/out.h5", "MPI I/O"), ("/scratch/out.h5", "POSIX I/O")]
MODES = (o.IO_OPERATION_MODE_READ, o.IO_OPERATION_MODE_WRITE, o.IO_OPERATION_MODE_FLUSH)
TIMES = 3000
played = []  # (rank, file, mode, begin, end or None, bytes or None where cancelled)
opened = []  # (rank, file, time)
sought = []  # likewise
locked = []  # (rank, file, when the call was entered, when it had the lock)


def rank_of(archive, rank):
    archive.tell(rank, 0, "enter", "main")
    under_way, number, now = [], 0, 10
    while now < TIMES:
        now += chance.randrange(1, 60)
        what = chance.randrange(8)
        handle = chance.randrange(3)
        if what == 0:
            archive.tell(rank, now, "IoCreateHandle", handle, o.IO_ACCESS_MODE_READ_WRITE, o.IO_CREATION_FLAG_NONE,
                         o.IO_STATUS_FLAG_NONE)
            opened.append((rank, handle, now))
        elif what == 1:
            archive.tell(rank, now, "IoDestroyHandle", handle)
        elif what == 2:
            archive.tell(rank, now, "IoSeek", handle, 0, o.IO_SEEK_FROM_START, 0)
            sought.append((rank, handle, now))
        elif what == 3 and chance.randrange(2) == 0:
            archive.tell(rank, now, "enter", "flock")
            entered, now = now, now + chance.randrange(20)
            if chance.randrange(3) == 0:
                archive.tell(rank, now, "IoTryLock", handle, o.LOCK_EXCLUSIVE)
            else:
                archive.tell(rank, now, "IoAcquireLock", handle, o.LOCK_EXCLUSIVE)
                locked.append((rank, handle, entered, now))
                archive.tell(rank, now, "IoReleaseLock", handle, o.LOCK_EXCLUSIVE)
            archive.tell(rank, now, "leave", "flock")
        elif what < 5 or not under_way:
            number += chance.randrange(1, 1 << 40)
            mode = chance.choice(MODES)
            archive.tell(rank, now, "IoOperationBegin", handle, mode, o.IO_OPERATION_FLAG_NON_BLOCKING, 4096, number)
            under_way.append((handle, mode, now, number))
        else:
            handle, mode, begin, matching = under_way.pop(chance.randrange(len(under_way)))
            if chance.randrange(6) == 0:
                archive.tell(rank, now, "IoOperationCancelled", handle, matching)
                played.append((rank, handle, mode, begin, now, None))
            else:
                moved = chance.randrange(5000)
                archive.tell(rank, now, "IoOperationTest", handle, matching)
                archive.tell(rank, now, "IoOperationComplete", handle, moved, matching)
                played.append((rank, handle, mode, begin, now, moved))
    played.extend((rank, handle, mode, begin, None, None) for handle, mode, begin, _ in under_way)
    archive.tell(rank, TIMES + 100, "leave", "main")


def expected(first, last, ranks):
    """Rows by file, of what overlaps [first, last); times in ticks."""
    rows = collections.defaultdict(lambda: {"ranks": set(), "opens": 0, "reads": 0, "writes": 0, "read_bytes": 0,
                                            "written_bytes": 0, "time_s": 0, "longest_s": None, "seeks": 0,
                                            "locks": 0, "lock_wait_s": 0})
    for rank, handle, time in opened:
        if rank in ranks and first <= time < last:
            rows[FILES[handle]]["opens"] += 1
            rows[FILES[handle]]["ranks"].add(rank)
    for rank, handle, time in sought:
        if rank in ranks and first <= time < last:
            rows[FILES[handle]]["seeks"] += 1
            rows[FILES[handle]]["ranks"].add(rank)
    for rank, handle, entered, had in locked:
        if rank in ranks and entered < last and had >= first:
            row = rows[FILES[handle]]
            row["ranks"].add(rank)
            row["locks"] += 1
            row["lock_wait_s"] += min(had, last) - max(entered, first)
    for rank, handle, mode, begin, end, moved in played:
        if rank not in ranks or begin >= last or (begin if end is None else end) < first:
            continue
        row = rows[FILES[handle]]
        row["ranks"].add(rank)
        row["reads"] += mode == o.IO_OPERATION_MODE_READ
        row["writes"] += mode == o.IO_OPERATION_MODE_WRITE
        row["read_bytes"] += (moved or 0) if mode == o.IO_OPERATION_MODE_READ else 0
        row["written_bytes"] += (moved or 0) if mode == o.IO_OPERATION_MODE_WRITE else 0
        if end is not None:
            time = min(end, last) - max(begin, first)
            row["time_s"] += time
            row["longest_s"] = max(row["longest_s"] or 0, time)
    for row in rows.values():
        row["ranks"] = len(row["ranks"])
    return dict(rows)


def found(table):
    rows = {}
    for row in table["rows"]:
        ticks = {column: None if row[column] is None else round(row[column] * TICKS)
                 for column in ("time_s", "longest_s", "lock_wait_s")}
        rows[row["file"], row["through"]] = {column: row[column] for column in
                                             ("ranks", "opens", "reads", "writes", "read_bytes", "written_bytes", "seeks", "locks")} | ticks
    return rows


def check(what, table, wanted):
    if found(table) != wanted:
        sys.exit(f"{what}: found {found(table)}\nplayed {wanted}")


archive = Archive(3)
archive.files = FILES
for one in range(3):
    rank_of(archive, one)
with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(scratch, "files")
    archive.write(folder)
    everything = expected(0, TIMES + 1000, {0, 1, 2})
    for place in original_and_copy(program, folder, os.path.join(scratch, "copy.otf2")):
        tables = answered(program, place, "files,not-recorded")
        check(place, tables["files"], everything)
        lacking = [str(row) for row in tables["not-recorded"]["rows"]]
        if any(word in row for row in lacking for word in ("IO_OPERATION", "IO_CREATE", "IO_SEEK", "_LOCK")):
            sys.exit(f"{place}: what is told of files counts as not looked at: {lacking}")
    asked = ["--from", "1us", "--to", "2us", "--ranks", "0,2"]
    part = os.path.join(scratch, "part.otf2")
    subprocess.run([program, "export", folder, "-o", part, *asked], check=True, timeout=60, capture_output=True)
    # What began before the part is cut away with its end; what ends behind it never ends there.
    inside = [(rank, handle, mode, begin, *((end, moved) if end is not None and end < 2000 else (None, None)))
              for rank, handle, mode, begin, end, moved in played if begin >= 1000]
    count, played[:] = len(played), inside
    locked[:] = [one for one in locked if 1000 <= one[3] < 2000]
    table = answered(program, part, "files")["files"]
    check("a part", table, expected(1000, 2000, {0, 2}))

print(f"{count} operations on files are those that were played, also of a copy and of a part")
