# SPDX-License-Identifier: BSD-3-Clause
"""What another tool recorded opens: sparse locations, translated communicators, messages begun and completed apart.

Usage: otf2_foreign_test.py SOURCE_DIR PROGRAM
"""
import csv
import os
import subprocess
import sys
import tempfile

from debians_otf2 import _otf2 as o

program = sys.argv[2]
TICKS = 1_000_000  # a microsecond each
START = 5_000      # of the first event
PLACES = [2**40 + 3, 7, 99, 5]  # rank -> location
THREAD = 1         # a location that is no rank
WORLD, PAIR, SELF, ACROSS = range(4)
WINDOW = 5         # of PAIR
# Peers of PAIR are ranks 3 and 1; ACROSS joins ranks 0, 2 with ranks 1, 3.

WANTED = [  # from, to, bytes, send begin and end, receive begin and end [us]
    (0, 0, 1, 10, 13, 11, 12),
    (0, 1, 100, 19, 21, 14, 33),  # from when the call was entered, whenever that was recorded
    (0, 1, 200, 21, 23, 15, 32),
    (2, 3, 30, 49, 51, 48, 53),
    (3, 1, 10, 40, 41, 39, 42),
]


def events(writer, rank):
    def at(time):
        return START + time

    def call(begin, end, record):
        o.EvtWriter_Enter(writer, None, at(begin), 0)
        record()
        o.EvtWriter_Leave(writer, None, at(end), 0)

    if rank == 0:
        o.EvtWriter_Enter(writer, None, at(0), 1)
        o.EvtWriter_MpiIsend(writer, None, at(10), 0, SELF, 0, 1, 70)
        o.EvtWriter_MpiIrecvRequest(writer, None, at(11), 71)
        o.EvtWriter_MpiIrecv(writer, None, at(12), 0, SELF, 0, 1, 71)
        o.EvtWriter_MpiIsendComplete(writer, None, at(13), 70)
        call(19, 21, lambda: o.EvtWriter_MpiSend(writer, None, at(20), 1, WORLD, 4, 100))
        call(21, 23, lambda: o.EvtWriter_MpiSend(writer, None, at(22), 1, WORLD, 4, 200))
        o.EvtWriter_Leave(writer, None, at(100), 1)
    if rank == 1:  # completes the later receive first
        o.EvtWriter_MpiIrecvRequest(writer, None, at(14), 1)
        o.EvtWriter_MpiIrecvRequest(writer, None, at(15), 2)
        o.EvtWriter_MpiIrecv(writer, None, at(32), 0, WORLD, 4, 200, 2)
        o.EvtWriter_MpiIrecv(writer, None, at(33), 0, WORLD, 4, 100, 1)
        call(39, 43, lambda: o.EvtWriter_MpiRecv(writer, None, at(42), 0, PAIR, 0, 10))
    if rank == 2:
        o.EvtWriter_MpiIrecvRequest(writer, None, at(5), 9)
        o.EvtWriter_MpiRequestCancelled(writer, None, at(6), 9)
        call(49, 51, lambda: o.EvtWriter_MpiSend(writer, None, at(50), 1, ACROSS, 0, 30))
        call(60, 61, lambda: o.EvtWriter_MpiSend(writer, None, at(60), 0, WORLD, 9, 77))  # nobody receives it
    if rank == 0:  # what nothing looks at is counted and named
        o.EvtWriter_RmaPut(writer, None, at(101), 0, 1, 64, 5)
        o.EvtWriter_RmaPut(writer, None, at(101), 0, 1, 64, 6)
        o.EvtWriter_RmaGet(writer, None, at(101), 0, 1, 8, 7)
        o.EvtWriter_RmaOpCompleteBlocking(writer, None, at(102), 0, 5)
        o.EvtWriter_ParameterInt(writer, None, at(103), 0, 17)
        o.EvtWriter_BufferFlush(writer, None, at(104), at(105))
    if rank == 3:
        call(40, 41, lambda: o.EvtWriter_MpiSend(writer, None, at(40), 1, PAIR, 0, 10))
        call(48, 54, lambda: o.EvtWriter_MpiRecv(writer, None, at(53), 1, ACROSS, 0, 24))  # the sender says 30
    if rank in (0, 3):  # making a communicator is no collective that moves anything
        o.EvtWriter_MpiCollectiveBegin(writer, None, at(110))
        o.EvtWriter_MpiCollectiveEnd(writer, None, at(111), o.COLLECTIVE_OP_CREATE_HANDLE, WORLD,
                                     o.UNDEFINED_UINT32, 0, 0)
    if rank in (1, 3):  # a fence is a barrier of its window; rank 1 comes late
        o.EvtWriter_RmaCollectiveBegin(writer, None, at(140 if rank == 1 else 120))
        o.EvtWriter_RmaCollectiveEnd(writer, None, at(141), o.COLLECTIVE_OP_BARRIER, o.RMA_SYNC_LEVEL_PROCESS, WINDOW,
                                     o.UNDEFINED_UINT32, 0, 0)


def define(writer, counts):
    nothing, name, send, main = range(4)
    for index, words in enumerate(["", "a name", "MPI_Send", "main"]):
        o.GlobalDefWriter_WriteString(writer, index, words)
    o.GlobalDefWriter_WriteClockProperties(writer, TICKS, START, 100, o.UNDEFINED_TIMESTAMP)
    o.GlobalDefWriter_WriteSystemTreeNode(writer, 0, name, name, o.UNDEFINED_SYSTEM_TREE_NODE)
    o.GlobalDefWriter_WriteLocationGroup(writer, 0, name, o.LOCATION_GROUP_TYPE_PROCESS, 0, o.UNDEFINED_LOCATION_GROUP)
    for place in [THREAD, *sorted(PLACES)]:
        o.GlobalDefWriter_WriteLocation(writer, place, name, o.LOCATION_TYPE_CPU_THREAD, counts.get(place, 0), 0)
    for region, (words, paradigm) in enumerate([(send, o.PARADIGM_MPI), (main, o.PARADIGM_COMPILER)]):
        o.GlobalDefWriter_WriteRegion(writer, region, words, words, nothing, o.REGION_ROLE_FUNCTION, paradigm,
                                      o.REGION_FLAG_NONE, nothing, 0, 0)
    kinds = [o.GROUP_TYPE_COMM_LOCATIONS] + 4 * [o.GROUP_TYPE_COMM_GROUP] + [o.GROUP_TYPE_COMM_SELF]
    for group, (kind, members) in enumerate(zip(kinds, [PLACES, [0, 1, 2, 3], [3, 1], [0, 2], [1, 3], []])):
        o.GlobalDefWriter_WriteGroup(writer, group, name, kind, o.PARADIGM_MPI, o.GROUP_FLAG_NONE, members)
    for comm, group in [(WORLD, 1), (PAIR, 2), (SELF, 5)]:
        o.GlobalDefWriter_WriteComm(writer, comm, name, group, o.UNDEFINED_COMM, o.COMM_FLAG_NONE)
    o.GlobalDefWriter_WriteRmaWin(writer, WINDOW, name, PAIR, o.RMA_WIN_FLAG_NONE)
    o.GlobalDefWriter_WriteInterComm(writer, ACROSS, name, 3, 4, WORLD, o.COMM_FLAG_NONE)


def record(folder):
    archive = o.Archive_Open(folder, "scorep", o.FILEMODE_WRITE, 1 << 20, 4 << 20, o.SUBSTRATE_POSIX,
                             o.COMPRESSION_NONE)
    o.Archive_SetSerialCollectiveCallbacks(archive)
    flush = o.FlushCallbacks(pre_flush=lambda *_: o.FLUSH, post_flush=None)
    o.Archive_SetFlushCallbacks(archive, flush, None)
    o.Archive_OpenEvtFiles(archive)
    counts = {}
    for rank, place in enumerate(PLACES):
        writer = o.Archive_GetEvtWriter(archive, place)
        events(writer, rank)
        counts[place] = o.EvtWriter_GetNumberOfEvents(writer)
        o.Archive_CloseEvtWriter(archive, writer)
    o.Archive_CloseEvtFiles(archive)
    define(o.Archive_GetGlobalDefWriter(archive), counts)
    o.Archive_Close(archive)


with tempfile.TemporaryDirectory() as scratch:
    folder, table = os.path.join(scratch, "foreign"), os.path.join(scratch, "messages.csv")
    record(folder)
    opened = subprocess.run([program, "open", folder], capture_output=True, text=True, timeout=60)
    asked = subprocess.run([program, "open", folder, "--tables", "not-recorded"], capture_output=True, text=True, timeout=60)
    fence = subprocess.run([program, "open", folder, "--clocks", "recorded", "--tables", "waits", "--format", "csv"],
                           capture_output=True, text=True, timeout=60).stdout
    exported = subprocess.run([program, "export", folder, "-o", table], capture_output=True, text=True, timeout=60)
    if opened.returncode != 0 or opened.stderr or exported.returncode != 0:
        sys.exit(f"{folder} does not open: {opened.stderr}{exported.stderr}")
    remarks = ["rounds were not recorded", "message contents were not recorded",
               "messages with only one half were left out: 1 sends, 0 receives",
               "1 record of the completion of one-sided operations (1 RMA_OP_COMPLETE_BLOCKING) are in the trace and looked "
               "at by nothing here",
               "1 buffer flush (1 BUFFER_FLUSH)", "1 collective;",
               "1 message has another size at the receiver than at the sender: rank 2 sent 30 B and rank 3 got 24 B"]
    summary = subprocess.run([program, "open", folder, "--format", "csv"], capture_output=True, text=True, timeout=60)
    said = " ".join((opened.stdout + asked.stdout).split())
    missing = [remark for remark in remarks if remark not in said]
    times = ["send_begin_s", "send_end_s", "receive_begin_s", "receive_end_s"]
    with open(table, newline="", encoding="utf-8") as rows:
        rows = list(csv.DictReader(rows))
        found = [(int(row["from"]), int(row["to"]), int(row["bytes"]), *(round(float(row[t]) * 1e6) for t in times))
                 for row in rows]
    rounds = {row["round"] for row in rows} | {row["rounds"] for row in csv.DictReader(summary.stdout.splitlines())}

if rounds != {""}:
    sys.exit(f"rounds were not recorded, and csv says {rounds}")
late = [row.split(",") for row in fence.splitlines() if row.startswith("wait at barrier,")]
if [(row[1], round(float(row[3]) * 1e6), row[5]) for row in late] != [("3", 20, "1")]:
    sys.exit(f"a fence is not waited at: {fence}")
if " 2 calls of collectives were recorded" not in said:  # the two parts of the fence
    sys.exit("a handle that is made counts as a collective")
if found != WANTED or missing:
    sys.exit(f"found  {found}\nwanted {WANTED}\nnot said: {missing}")
print("a foreign archive opens with all of its messages")
