# SPDX-License-Identifier: BSD-3-Clause
"""Archives as Score-P would write them, of records that a test has in lists, and what the program answers of them."""
import json
import shutil
import subprocess
import sys

from debians_otf2 import _otf2 as o

TICKS = 1_000_000_000
START = 1000


class Archive:
    """Ranks with one thread each, whose location is ten times the rank and one.

    `records[rank]` are (time, call, ...): "enter" and "leave" with the name of a region, else the ending of a function of
    EvtWriter with what it is given behind the time.
    """

    def __init__(self, ranks):
        self.records = [[] for _ in range(ranks)]
        self.groups = []      # of world ranks
        self.windows = 0      # of the world
        self.parameters = []  # (name, type)
        self.files = []       # (name, interface); handle i is of file i
        self.markers = []     # (time, duration, group, category, rank or None, text)
        self.strings = []

    def string(self, words):
        if words not in self.strings:
            self.strings.append(words)
        return self.strings.index(words)

    def tell(self, rank, time, what, *rest):
        self.records[rank].append((time, what, *rest))

    def call(self, rank, region, begin, end, *inside):
        """A call from `begin` to `end`; `inside`: records (time, what, ...) within it."""
        self.tell(rank, begin, "enter", region)
        for time, what, *rest in inside:
            self.tell(rank, time, what, *rest)
        self.tell(rank, end, "leave", region)

    def write(self, folder):
        archive = o.Archive_Open(folder, "scorep", o.FILEMODE_WRITE, 1 << 20, 4 << 20, o.SUBSTRATE_POSIX,
                                 o.COMPRESSION_NONE)
        o.Archive_SetSerialCollectiveCallbacks(archive)
        flush = o.FlushCallbacks(pre_flush=lambda *_: o.FLUSH, post_flush=None)  # to outlive the archive
        o.Archive_SetFlushCallbacks(archive, flush, None)
        o.Archive_OpenEvtFiles(archive)
        regions, end = [], 0
        for rank, records in enumerate(self.records):
            writer = o.Archive_GetEvtWriter(archive, 10 * rank + 1)
            for time, what, *rest in records:
                end = max(end, time)
                if what in ("enter", "leave"):
                    if rest[0] not in regions:
                        regions.append(rest[0])
                    function = o.EvtWriter_Enter if what == "enter" else o.EvtWriter_Leave
                    function(writer, None, START + time, regions.index(rest[0]))
                else:
                    getattr(o, "EvtWriter_" + what)(writer, None, START + time, *rest)
            o.Archive_CloseEvtWriter(archive, writer)
        o.Archive_CloseEvtFiles(archive)
        g = o.Archive_GetGlobalDefWriter(archive)
        names = {name: self.string(name) for name in
                 ["", "machine", "Master thread", "MPI_COMM_WORLD", *regions, *[name for name, _ in self.parameters],
                  *[words for file in self.files for words in file],
                  *[f"MPI Rank {rank}" for rank in range(len(self.records))]]}
        for index, words in enumerate(self.strings):
            o.GlobalDefWriter_WriteString(g, index, words)
        o.GlobalDefWriter_WriteClockProperties(g, TICKS, START, end + 1, o.UNDEFINED_TIMESTAMP)
        o.GlobalDefWriter_WriteSystemTreeNode(g, 0, names["machine"], names["machine"], o.UNDEFINED_SYSTEM_TREE_NODE)
        for rank, records in enumerate(self.records):
            o.GlobalDefWriter_WriteLocationGroup(g, rank, names[f"MPI Rank {rank}"], o.LOCATION_GROUP_TYPE_PROCESS, 0,
                                                 o.UNDEFINED_LOCATION_GROUP)
            o.GlobalDefWriter_WriteLocation(g, 10 * rank + 1, names["Master thread"], o.LOCATION_TYPE_CPU_THREAD,
                                            len(records), rank)
        for index, name in enumerate(regions):
            paradigm = o.PARADIGM_MPI if name.startswith("MPI_") else o.PARADIGM_USER
            o.GlobalDefWriter_WriteRegion(g, index, names[name], names[name], names[""], o.REGION_ROLE_FUNCTION, paradigm,
                                          o.REGION_FLAG_NONE, names[""], 0, 0)
        ranks = range(len(self.records))
        o.GlobalDefWriter_WriteGroup(g, 0, names[""], o.GROUP_TYPE_COMM_LOCATIONS, o.PARADIGM_MPI, o.GROUP_FLAG_NONE,
                                     [10 * rank + 1 for rank in ranks])
        o.GlobalDefWriter_WriteGroup(g, 1, names[""], o.GROUP_TYPE_COMM_GROUP, o.PARADIGM_MPI, o.GROUP_FLAG_NONE,
                                     list(ranks))
        for index, group in enumerate(self.groups):
            o.GlobalDefWriter_WriteGroup(g, 2 + index, names[""], o.GROUP_TYPE_COMM_GROUP, o.PARADIGM_MPI,
                                         o.GROUP_FLAG_NONE, group)
        o.GlobalDefWriter_WriteComm(g, 7, names["MPI_COMM_WORLD"], 1, o.UNDEFINED_COMM, o.COMM_FLAG_NONE)
        for window in range(self.windows):
            o.GlobalDefWriter_WriteRmaWin(g, window, names[""], 7, o.RMA_WIN_FLAG_NONE)
        for index, (name, kind) in enumerate(self.parameters):
            o.GlobalDefWriter_WriteParameter(g, index, names[name], kind)
        for index, (name, through) in enumerate(self.files):
            o.GlobalDefWriter_WriteIoParadigm(g, index, names[through], names[through], o.IO_PARADIGM_CLASS_SERIAL,
                                              o.IO_PARADIGM_FLAG_NONE, [], [], [])
            o.GlobalDefWriter_WriteIoRegularFile(g, 300 + index, names[name], 0)
            o.GlobalDefWriter_WriteIoHandle(g, index, names[""], 300 + index, index, o.IO_HANDLE_FLAG_NONE,
                                            o.UNDEFINED_COMM, o.UNDEFINED_IO_HANDLE)
        if self.markers:
            writer = o.Archive_GetMarkerWriter(archive)
            kinds = []
            for time, duration, group, category, rank, text in self.markers:
                if (group, category) not in kinds:
                    kinds.append((group, category))
                    o.MarkerWriter_WriteDefMarker(writer, len(kinds) - 1, group, category, o.SEVERITY_NONE)
                scope = o.MARKER_SCOPE_GLOBAL if rank is None else o.MARKER_SCOPE_LOCATION
                o.MarkerWriter_WriteMarker(writer, START + time, duration, kinds.index((group, category)), scope,
                                           0 if rank is None else 10 * rank + 1, text)
            o.Archive_CloseMarkerWriter(archive, writer)
        o.Archive_Close(archive)


def answered(program, archive, tables):
    """The rows of tables by their names, and their remarks."""
    asked = subprocess.run([program, "open", archive, "--tables", tables, "--format", "json"], capture_output=True,
                           text=True, timeout=60)
    if asked.returncode != 0:
        sys.exit(f"{archive} does not open: {asked.stderr}")
    return json.loads(asked.stdout)["tables"]


def original_and_copy(program, folder, copy):
    """Both, of which the second is written by the program, such that OTF2's own tool knows all that it names."""
    subprocess.run([program, "export", folder, "-o", copy], check=True, timeout=60, capture_output=True)
    if shutil.which("otf2-print"):
        printed = subprocess.run(["otf2-print", "--show-all", copy], capture_output=True, text=True, timeout=60, check=False)
        if printed.returncode or printed.stderr or "INVALID" in printed.stdout:
            invalid = [line for line in printed.stdout.splitlines() if "INVALID" in line]
            sys.exit(f"otf2-print of the copy: {printed.returncode} {printed.stderr!r} {invalid[:4]}")
    return folder, copy
