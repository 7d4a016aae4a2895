# SPDX-License-Identifier: BSD-3-Clause
"""What is written for Perfetto is Protocol Buffers of its format: protoc reads it back, and it tells what the json tells.

Usage: perfetto_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from otf2_archive import Archive

source, program = sys.argv[1:3]
if shutil.which("protoc") is None:
    print("skipped: protoc is not there (Debian: protobuf-compiler)")
    sys.exit(77)


def run(*words, **more):
    return subprocess.run(words, capture_output=True, timeout=240, **more)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def parsed(lines):
    """Messages of protoc's text form as lists of (name, value), where a value is words or such a list."""
    fields = []
    for line in lines:
        if line == "}":
            break
        if line.endswith(" {"):
            fields.append((line[:-2], parsed(lines)))
        else:
            name, value = line.split(": ", 1)
            fields.append((name, value))
    return fields


def one(fields, name, otherwise=None):
    found = [value for key, value in fields if key == name]
    check(len(found) <= 1, f"{name} is there {len(found)} times")
    return found[0] if found else otherwise


def words(quoted):
    """The bytes that protoc quotes, as words."""
    plain = re.sub(rb"\\([0-7]{3})|\\(.)",
                   lambda m: bytes([int(m[1], 8)]) if m[1] else {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(m[2], m[2]),
                   quoted[1:-1].encode())
    return plain.decode("utf-8")


def slices_of_protobuf(file):
    with open(file, "rb") as bytes_in:
        decoded = run("protoc", "--decode", "perfetto.protos.Trace", "-I", os.path.join(source, "traces", "export"),
                      "perfetto.proto", stdin=bytes_in)
    check(decoded.returncode == 0, decoded.stderr)
    text = decoded.stdout.decode()
    check(not re.search(r"^\s*\d+[:{ ]", text, re.M), "fields that are not in perfetto.proto")
    trace = parsed(iter(line.strip() for line in text.splitlines()))
    kinds = "event_categories", "event_names", "debug_annotation_names"
    sequences = {}  # the words that each has told since it began anew
    tracks, open_slices, slices, instants, flows = {}, {}, [], [], {"flow_ids": {}, "terminating_flow_ids": {}}
    told = []
    for name, packet in trace:
        check(name == "packet", name)
        track = one(packet, "track_descriptor")
        if track:
            process = one(track, "process")
            title = words(one(process, "process_name") if process else one(track, "name"))
            tracks[one(track, "uuid")] = (tracks.get(one(track, "parent_uuid"), ()) + (title,))
            continue
        sequence, flags = one(packet, "trusted_packet_sequence_id"), one(packet, "sequence_flags")
        check(flags == "3" or (flags == "2" and sequence in sequences), "a sequence begins with nothing known")
        if flags == "3":
            sequences[sequence] = {kind: {} for kind in kinds}
        known = sequences[sequence]
        for kind, entries in one(packet, "interned_data", []):
            check(one(entries, "iid") not in known[kind], "a number given twice")
            known[kind][one(entries, "iid")] = words(one(entries, "name"))
        told.append((int(one(packet, "timestamp")), packet, known))
    # As Perfetto does: by time, and what is told first comes first.
    for time, packet, known in sorted(told, key=lambda each: each[0]):
        event = one(packet, "track_event")
        track = one(event, "track_uuid")
        if one(event, "type") == "TYPE_SLICE_END":
            begin, entry = open_slices[track].pop()
            slices.append((tracks[track], begin, time - begin) + entry)
            continue
        args = {}
        for key, value in event:
            if key == "debug_annotations":
                kind, shown = [each for each in value if each[0] != "name_iid"][0]
                args.setdefault(known["debug_annotation_names"][one(value, "name_iid")], []).append(
                    {"int_value": int, "bool_value": lambda v: v == "true", "string_value": words}[kind](shown))
        category = one(event, "category_iids")
        title = known["event_names"][one(event, "name_iid")]
        entry = (title, known["event_categories"][category] if category else "", str(sorted(args.items())))
        for kind, ends in flows.items():
            if one(event, kind) is not None:
                ends[int(one(event, kind), 0)] = (tracks[track], time)
        if one(event, "type") == "TYPE_INSTANT":
            instants.append((tracks[track], time, title))
        else:
            open_slices.setdefault(track, []).append((time, entry))
    check(not any(open_slices.values()), "slices that never end")
    return sorted(slices), sorted(instants), flows


def slices_of_json(file):
    with open(file, encoding="utf-8") as text:
        events = json.load(text)["traceEvents"]
    processes, rows = {}, {}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "M":
            rows[event["pid"], event["tid"]] = event["args"]["name"]
    slices, instants, flows = [], [], {"s": {}, "f": {}}

    def track(event):
        row = event["pid"], event["tid"]
        return processes.get(event["pid"], f"process {event['pid']}"), rows.get(row, f"row {event['tid']}")

    def nanoseconds(microseconds):
        return int(round(microseconds * 1e6)) // 1000

    for event in events:
        if event["ph"] == "X":
            begin = nanoseconds(event["ts"])
            args = {key: [value] for key, value in event.get("args", {}).items()}
            slices.append((track(event), begin, nanoseconds(event["ts"] + event["dur"]) - begin, event["name"],
                           event.get("cat", ""), str(sorted(args.items()))))
        elif event["ph"] == "i":
            instants.append((track(event), nanoseconds(event["ts"]), event["name"]))
        elif event["ph"] in flows:
            flows[event["ph"]][event["id"]] = track(event)
    return sorted(slices), sorted(instants), flows


def agree(name, *trace):
    with tempfile.TemporaryDirectory() as scratch:
        files = [os.path.join(scratch, "x" + ending) for ending in (".pftrace", ".json")]
        for file in files:
            wrote = run(program, "export", *trace, "-o", file)
            check(wrote.returncode == 0, wrote.stderr)
        slices, instants, flows = slices_of_protobuf(files[0])
        wanted, moments, arrows = slices_of_json(files[1])
        check(len(slices) > 0 and len(slices) == len(wanted), f"{name}: {len(slices)} slices, not {len(wanted)}")
        for ours, theirs in zip(slices, wanted):
            check(ours == theirs, f"{name}: {ours} is told as {theirs} in json")
        check([each for each in instants if each[0] != ("about the trace",)] == moments, f"{name}: instants differ")
        for kind, same in (("flow_ids", "s"), ("terminating_flow_ids", "f")):
            check({key: track for key, (track, _) in flows[kind].items()} == arrows[same], f"{name}: arrows differ")
        again = run(program, "export", *trace, "-o", files[0])
        check(again.returncode == 2 and b"is there already" in again.stderr, again.stderr)
        print(f"{name}: {len(slices)} slices, {len(flows['flow_ids'])} arrows, "
              f"{os.path.getsize(files[0])} bytes instead of {os.path.getsize(files[1])}")


def many_calls():
    """More calls of one rank than are told at once, some of which lie within others."""
    archive = Archive(2)
    for rank, calls in ((0, 33_000), (1, 40)):
        for i in range(calls):
            at = 100 * i
            inside = [(at + 20, "enter", "inner"), (at + 30, "leave", "inner")] if i % 1000 == 7 else []
            archive.call(rank, f"work {i % 90}", at, at + 90, *inside)
    with tempfile.TemporaryDirectory() as folder:
        archive.write(folder)
        agree("many calls", os.path.join(folder, "scorep.otf2"))


agree("two ports", "allreduce/bruck", "-n", "5", "--ports", "2")
many_calls()
shared = os.environ.get("COLLSCOPE_SHARED_TRACES", os.path.join(source, "..", "shared", "traces"))
found = 0
for folder in ("pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"):
    for root, _, names in os.walk(os.path.join(shared, folder)):
        for anchor in (name for name in names if name.endswith(".otf2")):
            agree(folder, os.path.join(root, anchor))
            found += 1
print(f"{found} traces of other tools" if found else "the traces of other tools are not there: only our own was looked at")
