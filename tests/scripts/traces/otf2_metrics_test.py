# SPDX-License-Identifier: BSD-3-Clause
"""Metrics that other tools recorded: of every mode, together and alone, of ranks, threads, nodes and groups.

What the program answers is compared with what a plain reading of the same records comes to.

Usage: otf2_metrics_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from debians_otf2 import _otf2 as o

program = sys.argv[2]
TICKS = 1_000_000_000
START = 700
END = 100_000
MASTER, THREAD, OTHER, RECORDER = 17, 2**33, 4, 90  # locations: rank 0, its thread, rank 1, metrics of rank 1's process
WORDS = ["", "main", "Master thread", "worker", "node 7", "storage", "metrics", "one", "two", "#", "W"]
MODES = [value | timing << 4 for value in range(3) for timing in range(4) if not (value == 0 and timing > 1)]
UINT, INT, DOUBLE = o.TYPE_UINT64, o.TYPE_INT64, o.TYPE_DOUBLE

# A member for each mode, scaled by 10^-3, 2^4 or not at all.
MEMBERS = [{"mode": mode, "base": base, "power": power}
           for mode, (base, power) in zip(MODES, [(1, 0), (1, -3), (0, 4)] * len(MODES))]
SINGLE = list(range(len(MEMBERS)))   # classes of one member each
TOGETHER, NOBODYS = len(MEMBERS), len(MEMBERS) + 1
CLASSES = [[k] for k in SINGLE] + [[0, 3, 5], [2]]
INSTANCES = {  # id -> class, recorder, scope, about
    100: (1, RECORDER, o.SCOPE_SYSTEM_TREE_NODE, 0),
    101: (4, RECORDER, o.SCOPE_LOCATION_GROUP, 0),
    102: (TOGETHER, RECORDER, o.SCOPE_LOCATION, THREAD),
    103: (6, RECORDER, o.SCOPE_GROUP, 3),
}
ABOUT = {100: (None, "node 7"), 101: (0, None), 102: (0, "worker"), 103: (None, "storage")}
OF = {MASTER: (0, None), THREAD: (0, "worker"), OTHER: (1, None), RECORDER: (1, None)}

chance = random.Random(5)


def samples_at(location):
    """(time, set, values with their types), in the order of time."""
    sets = {MASTER: [*SINGLE, TOGETHER], THREAD: [TOGETHER], OTHER: [0, 2, 4], RECORDER: [*INSTANCES]}[location]
    now, all_of_it = 10, []
    for _ in range(300):
        now += chance.choice([0, 1, 7, 200])
        one = chance.choice(sets)
        members = CLASSES[INSTANCES[one][0] if one in INSTANCES else one]
        values = []
        for _ in members:
            kind = chance.choice([UINT, INT, DOUBLE])
            value = {UINT: chance.randrange(2**16), INT: chance.randrange(-9999, 9999),
                     DOUBLE: chance.uniform(-5, 5)}[kind]
            values.append((kind, value))
        all_of_it.append((now, one, values))
    return all_of_it


RECORDED = {location: samples_at(location) for location in (MASTER, THREAD, OTHER, RECORDER)}


def as_value(kind, number):
    value = o.MetricValue()
    setattr(value, {UINT: "unsigned_int", INT: "signed_int", DOUBLE: "floating_point"}[kind], number)
    return value


def write(folder):
    archive = o.Archive_Open(folder, "scorep", o.FILEMODE_WRITE, 1 << 20, 4 << 20, o.SUBSTRATE_POSIX,
                             o.COMPRESSION_NONE)
    o.Archive_SetSerialCollectiveCallbacks(archive)
    flush = o.FlushCallbacks(pre_flush=lambda *_: o.FLUSH, post_flush=None)  # to outlive the archive
    o.Archive_SetFlushCallbacks(archive, flush, None)
    o.Archive_OpenEvtFiles(archive)
    for location, records in RECORDED.items():
        writer = o.Archive_GetEvtWriter(archive, location)
        if location != RECORDER:
            o.EvtWriter_Enter(writer, None, START, 0)
        for time, one, values in records:
            o.EvtWriter_Metric(writer, None, START + time, one, [kind for kind, _ in values],
                               [as_value(*value) for value in values])
        if location == OTHER:  # a set that nobody defined
            o.EvtWriter_Metric(writer, None, START + END - 1, 555, [UINT], [as_value(UINT, 1)])
        if location != RECORDER:
            o.EvtWriter_Leave(writer, None, START + END, 0)
        o.Archive_CloseEvtWriter(archive, writer)
    o.Archive_CloseEvtFiles(archive)
    g = o.Archive_GetGlobalDefWriter(archive)
    for index, words in enumerate(WORDS):
        o.GlobalDefWriter_WriteString(g, index, words)
    o.GlobalDefWriter_WriteClockProperties(g, TICKS, START, END, o.UNDEFINED_TIMESTAMP)
    o.GlobalDefWriter_WriteSystemTreeNode(g, 0, 4, 4, o.UNDEFINED_SYSTEM_TREE_NODE)
    for process in (0, 1):
        o.GlobalDefWriter_WriteLocationGroup(g, process, 1, o.LOCATION_GROUP_TYPE_PROCESS, 0,
                                             o.UNDEFINED_LOCATION_GROUP)
    for location, name, kind, process in [(MASTER, 2, o.LOCATION_TYPE_CPU_THREAD, 0),
                                          (THREAD, 3, o.LOCATION_TYPE_CPU_THREAD, 0),
                                          (OTHER, 2, o.LOCATION_TYPE_CPU_THREAD, 1),
                                          (RECORDER, 6, o.LOCATION_TYPE_METRIC, 1)]:
        o.GlobalDefWriter_WriteLocation(g, location, name, kind, 300, process)
    o.GlobalDefWriter_WriteRegion(g, 0, 1, 1, 0, o.REGION_ROLE_FUNCTION, o.PARADIGM_COMPILER, o.REGION_FLAG_NONE, 0, 0,
                                  0)
    o.GlobalDefWriter_WriteGroup(g, 0, 0, o.GROUP_TYPE_COMM_LOCATIONS, o.PARADIGM_MPI, o.GROUP_FLAG_NONE,
                                 [MASTER, OTHER])
    o.GlobalDefWriter_WriteGroup(g, 3, 5, o.GROUP_TYPE_LOCATIONS, o.PARADIGM_UNKNOWN, o.GROUP_FLAG_NONE,
                                 [MASTER, OTHER])
    for index, member in enumerate(MEMBERS):
        o.GlobalDefWriter_WriteMetricMember(g, index, 7 + index % 2, 0, o.METRIC_TYPE_OTHER, member["mode"], DOUBLE,
                                            member["base"], member["power"], 9 + index % 2)
    for index, members in enumerate(CLASSES):
        o.GlobalDefWriter_WriteMetricClass(g, index, members, o.METRIC_ASYNCHRONOUS, o.RECORDER_KIND_UNKNOWN)
    for index, (of, recorder, scope, about) in INSTANCES.items():
        o.GlobalDefWriter_WriteMetricInstance(g, index, of, recorder, scope, about)
    o.Archive_Close(archive)


def steps(mode, samples, last):
    """(begin, end, value) of what a metric shows, times in seconds."""
    value, timing = mode & 15, mode >> 4
    by_time = {}
    for time, number in samples:
        by_time.setdefault(time, []).append(number)
    times = sorted(by_time)
    pairs = list(zip(times, times[1:]))
    seconds = 1 / TICKS
    if value == 0:
        return [(a, b, (by_time[b][-1] - by_time[a][-1]) / ((b - a) * seconds)) for a, b in pairs]
    if value == 2 and timing != 3:
        return [(a, b, sum(by_time[b]) / ((b - a) * seconds)) for a, b in pairs]
    if value == 1 and timing == 2:
        return [(a, b, by_time[b][-1]) for a, b in pairs]
    ahead = pairs + ([(times[-1], last)] if last > times[-1] else [])
    if value == 2:
        return [(a, b, sum(by_time[a]) / ((b - a) * seconds)) for a, b in ahead]
    return [(a, b, by_time[a][-1]) for a, b in ahead]


def wanted():
    rows = []
    for location, records in RECORDED.items():
        last = END if location != RECORDER else records[-1][0]
        for one in {record[1] for record in records}:
            members = CLASSES[INSTANCES[one][0] if one in INSTANCES else one]
            rank, about = ABOUT.get(one, OF[location])
            for place, member in enumerate(members):
                described = MEMBERS[member]
                scale = (10.0 if described["base"] == 1 else 2.0) ** described["power"]
                samples = [(time, values[place][1] * scale) for time, of, values in records if of == one]
                its = steps(described["mode"], samples, last)
                integral = sum((b - a) / TICKS * value for a, b, value in its)
                span = sum(b - a for a, b, _ in its) / TICKS
                row = {"metric": WORDS[7 + member % 2], "rank": rank, "about": about, "samples": len(samples),
                       "last": samples[-1][1]}
                if its:
                    row |= {"least": min(step[2] for step in its), "most": max(step[2] for step in its),
                            "integral": integral, "mean": integral / span}
                rows.append(row)
    return rows


def alike(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-6)
    return a == b


with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(scratch, "measured")
    write(folder)
    for archive in (folder, os.path.join(scratch, "copy.otf2")):
        asked = subprocess.run([program, "open", archive, "--tables", "metrics,not-recorded", "--format", "json"],
                               capture_output=True, text=True, timeout=60)
        if asked.returncode != 0:
            sys.exit(f"{archive} does not open: {asked.stderr}")
        answer = json.loads(asked.stdout)
        if archive == folder and "1 record of metrics is left out" not in asked.stdout:
            sys.exit("nothing is said of a set of metrics that is not defined")
        if "looked at by nothing" in asked.stdout:
            sys.exit("metrics count as what nothing looks at")
        found = answer["tables"]["metrics"]["rows"]
        left = list(found)
        for row in wanted():
            match = next((one for one in left if all(alike(one.get(key), value) for key, value in row.items())), None)
            if match is None:
                sys.exit(f"{archive}: nothing like {row} in\n" + "\n".join(map(str, left)))
            left.remove(match)
        if left:
            sys.exit(f"{archive}: nobody recorded {left}")
        if archive == folder:
            subprocess.run([program, "export", folder, "-o", os.path.join(scratch, "copy.otf2")], check=True, timeout=60,
                           capture_output=True)

print("metrics of every mode are what a plain reading comes to, also of a copy")
