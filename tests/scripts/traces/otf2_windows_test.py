# SPDX-License-Identifier: BSD-3-Clause
"""One-sided communication as Score-P records it: epochs of general active target, and locks of windows.

What ranks wait is known from how it was played, and compared with what the program answers, also of a copy.

Usage: otf2_windows_test.py SOURCE_DIR PROGRAM
"""
import collections
import os
import random
import sys
import tempfile

from otf2_archive import TICKS, Archive, answered, o, original_and_copy

program = sys.argv[2]
chance = random.Random(3)
WINDOW, ORIGINS, TARGET = 0, 2, 3  # groups: 2 is that of the origins, 3 that of the target
waited = collections.defaultdict(int)  # (kind, rank) -> ticks


def waits(kind, rank, begin, end):
    if end > begin:
        waited[kind, rank] += end - begin


def epoch(archive, now, blocks):
    """Rank 0 opens its window to 1 and 2, who put; what waits for the post is `blocks`. Returns when all are done."""
    posted = now[0] + chance.randrange(200)
    archive.call(0, "MPI_Win_post", posted, posted + 1, (posted, "RmaGroupSync", 0, WINDOW, ORIGINS))
    completes = []
    for rank in (1, 2):
        start = now[rank] + 2 * chance.randrange(60) + rank
        begun = max(start, posted) + 2 if blocks == "start" else start + 2
        waits("late post", rank, start, min(begun, posted))
        archive.call(rank, "MPI_Win_start", start, begun, (start, "RmaGroupSync", 0, WINDOW, TARGET))
        put = begun + 2 * chance.randrange(30)
        there = max(put, posted) + 2 if blocks == "put" else put + 2
        waits("early transfer", rank, put, min(there, posted))
        archive.call(rank, "MPI_Put", put, there, (put, "RmaPut", WINDOW, 0, 800, 1))
        complete = there + 2 * chance.randrange(40)
        done = max(complete, posted) + 2
        if posted > begun:
            waits("late post", rank, complete, posted)
        archive.call(rank, "MPI_Win_complete", complete, done, (done, "RmaGroupSync", 3, WINDOW, TARGET))
        completes.append((complete, there))
        now[rank] = done
    last, operated = max(completes)
    wait = posted + 1 + chance.randrange(150)
    if chance.randrange(2):  # a test that is not true ends nothing
        archive.call(0, "MPI_Win_test", wait, wait + 1, (wait + 1, "RmaGroupSync", 0, WINDOW, ORIGINS))
        wait += 2
    closed = max(wait, last) + 1
    waits("early wait", 0, wait, min(closed, operated))
    waits("late complete", 0, max(wait, operated), last)
    archive.call(0, "MPI_Win_wait", wait, closed, (closed, "RmaGroupSync", 3, WINDOW, ORIGINS))
    now[0] = closed


def locks(archive, now, before):
    """Ranks 1 and 2 lock the window of rank 0, one after the other; who unlocks may return after the next one has it.

    `before`: when the lock became free, and when the call that freed it ended; so is what is returned.
    """
    for rank in sorted((1, 2), key=lambda rank: now[rank]):
        free, freed = before
        asked = now[rank] + chance.randrange(9)
        has = max(asked, free) + 1
        waits("window lock contention", rank, asked, min(has, freed))
        archive.call(rank, "MPI_Win_lock", asked, has, (asked, "RmaRequestLock", WINDOW, 0, 5, o.LOCK_EXCLUSIVE))
        archive.call(rank, "MPI_Get", has + 1, has + 2, (has + 1, "RmaGet", WINDOW, 0, 80, 1))
        unlock = has + 9 + chance.randrange(90)
        before = unlock + chance.randrange(3), unlock + 3 + chance.randrange(9)
        archive.call(rank, "MPI_Win_unlock", unlock, before[1], (before[1], "RmaReleaseLock", WINDOW, 0, 5))
        now[rank] = before[1]
    return before


def lock_all(archive, now, before):
    """Rank 2 locks all while rank 1 has the lock of rank 0 alone, or rank 1 wants that while rank 2 has all."""
    ALL = o.UNDEFINED_UINT32
    alone = (0, 5, o.LOCK_EXCLUSIVE), (0, 5), "MPI_Win_lock", "MPI_Win_unlock"
    every = (ALL, 0, o.LOCK_SHARED), (ALL, 0), "MPI_Win_lock_all", "MPI_Win_unlock_all"
    whose = chance.sample([(1, alone), (2, every)], 2)
    for rank, (asked, let_go, lock, unlock) in whose:
        free, freed = before
        begin = max(now[rank], free) if rank == whose[0][0] else now[rank] + chance.randrange(9)
        has = max(begin, free) + 1
        waits("window lock contention", rank, begin, min(has, freed))
        archive.call(rank, lock, begin, has, (begin, "RmaRequestLock", WINDOW, *asked))
        archive.call(rank, "MPI_Get", has + 1, has + 2, (has + 1, "RmaGet", WINDOW, 0, 80, 1))
        end = has + 9 + chance.randrange(90)
        before = end + chance.randrange(3), end + 3
        archive.call(rank, unlock, end, before[1], (before[1], "RmaReleaseLock", WINDOW, *let_go))
        now[rank] = before[1]
    return before


played = Archive(3)
played.groups = [[1, 2], [0]]
played.windows = 1
clock = [10, 10, 10]
free_again = (0, 0)
for name in ("main",):
    for one in range(3):
        played.tell(one, 0, "enter", name)
for turn in range(30):
    epoch(played, clock, ("start", "put", "complete")[turn % 3])
    free_again = lock_all(played, clock, locks(played, clock, free_again))
end = max(clock) + 5
for one in range(3):
    played.tell(one, end, "leave", "main")
if len({kind for kind, _ in waited}) != 5:
    sys.exit(f"not every kind of wait was played: {waited}")
with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(scratch, "windows")
    played.write(folder)
    for archive in original_and_copy(program, folder, os.path.join(scratch, "copy.otf2")):
        tables = answered(program, archive, "waits,causes,not-recorded")
        found = {(row["wait"], row["rank"]): round(row["time_s"] * TICKS) for row in tables["waits"]["rows"]}
        if found != dict(waited):
            sys.exit(f"{archive}: found {found}\nplayed {dict(waited)}")
        total = sum(row["time_s"] for row in tables["causes"]["rows"]) * TICKS
        if abs(total - sum(waited.values())) > 1:
            sys.exit(f"{archive}: causes come to {total}, waits to {sum(waited.values())}")
        if any("one-sided" in str(row) for row in tables["not-recorded"]["rows"]):
            sys.exit(f"{archive}: one-sided operations count as not looked at: {tables['not-recorded']}")

print(f"{len(waited)} sums of waits at windows are those that were played, also of a copy")
