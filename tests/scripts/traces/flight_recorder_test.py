# SPDX-License-Identifier: BSD-3-Clause
"""rollcall of Flight Recorder dumps: the verdicts that PyTorch's own analysis expects of its cases, who is missing, lost
beginnings and ranks without a dump; and pickles that are more than data are refused without being run.

Usage: flight_recorder_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
scratch = tempfile.mkdtemp(prefix="collscope-dumps-")
made = 0


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=120, text=True)


def entry(operation, sizes_in=((4, 4),), sizes_out=None, state="completed", sequence=1, group="0", description="default_pg",
          types="float32", types_out=None, line=10, created=1_700_000_000_000_000_000, transfer=0):
    return {"profiling_name": "nccl:" + operation, "state": state, "process_group": (group, description),
            "input_sizes": [list(s) for s in sizes_in],
            "output_sizes": [list(s) for s in (sizes_in if sizes_out is None else sizes_out)],
            "input_dtypes": types, "output_dtypes": types if types_out is None else types_out,
            "collective_seq_id": sequence, "p2p_seq_id": transfer, "op_id": sequence, "time_created_ns": created,
            "is_p2p": operation.split()[0] in ("send", "recv"), "retired": False,
            "frames": [{"name": "train_step", "filename": "train.py", "line": line}]}


def dumps(entries, groups=None, first=0, kind="pickle", ranks=None):
    """A folder with what each rank recorded; entries by rank, None for a rank without a dump."""
    global made
    made += 1
    folder = os.path.join(scratch, str(made))
    os.makedirs(folder)
    groups = groups or {"0": ("default_pg", list(range(len(entries))))}
    for rank, its in enumerate(entries):
        if its is None:
            continue
        dump = {"version": "2.10",
                "pg_config": {n: {"name": n, "desc": d, "ranks": str(r)} for n, (d, r) in groups.items() if rank in r},
                "entries": [dict(one, record_id=first + k) for k, one in enumerate(its)]}
        if kind == "pickle":
            with open(os.path.join(folder, f"nccl_trace_rank_{rank}"), "wb") as out:
                pickle.dump(dump, out, protocol=2)
        else:
            with open(os.path.join(folder, f"rank_{rank}.json"), "w") as out:
                json.dump(dump, out)
    return folder


def report(folder):
    done = run("rollcall", folder, "--format", "json")
    check(done.returncode == 0, f"{folder}: {done.stderr}")
    return json.loads(done.stdout)


def verdict(*entries, **more):
    """The kind of the first thing that is wrong; empty where nothing is."""
    hangs = report(dumps(list(entries), **more))["hangs"]
    return hangs[0]["kind"] if hangs else ""


# Two ranks, as in PyTorch's test_match_one_event.
reduce = entry("all_reduce")
for kind in ("pickle", "json"):
    check(verdict([reduce], [reduce], kind=kind) == "", "equal calls")
    check(verdict([reduce], [entry("all_gather")], kind=kind) == "different operations", "type mismatch")
check(verdict([entry("all_to_all")], [entry("all_to_all")]) == "", "an all_to_all of equal sums")
check(verdict([entry("all_to_all", sizes_out=((4, 5),))], [entry("all_to_all")]) == "different sizes", "all_to_all's sums")
check(verdict([reduce], [entry("all_reduce", ((5, 4),), ((4, 4),))]) == "different sizes", "input sizes")
check(verdict([reduce], [entry("all_reduce", ((4, 4),), ((5, 4),))]) == "different sizes", "output sizes")
wrong = entry("all_reduce", ((4, 4),), ((5, 4),), sequence=2)
check(verdict([wrong], [wrong]) == "different sizes", "input and output of one all_reduce")
check(verdict([entry("all_reduce", state="scheduled")], [reduce]) == "not finished by all ranks", "state mismatch")
check(verdict([entry("all_reduce", types_out="float16")], [reduce]) == "different element types", "element types")
gather = entry("gather", ((4, 4),), ((4, 4), (4, 4)))
check(verdict([gather], [entry("gather", ((4, 4),), ((),), types_out="")]) == "", "a gather's root alone has outputs")
check(verdict([gather], [entry("gather", ((4, 4),), ((4, 4),), types_out="")]) == "", "and others may have any")
# test_all_events
for operation in ("broadcast", "all_reduce", "gather", "scatter", "reduce", "allreduce_coalesced", "barrier"):
    check(verdict([entry(operation)], [entry(operation)]) == "", operation)
for operation in ("all_gather", "_all_gather_base", "all_gather_into_tensor_coalesced"):
    right, short = entry(operation, ((4, 4),), ((32,),)), entry(operation, ((4, 4),), ((31,),))
    check(verdict([right], [right]) == "", operation)
    check(verdict([short], [short]) == "different sizes", operation)
for operation in ("reduce_scatter", "_reduce_scatter_base", "reduce_scatter_tensor_coalesced"):
    right, short = entry(operation, ((4, 4),), ((8,),)), entry(operation, ((4, 4),), ((9,),))
    check(verdict([right], [right]) == "", operation)
    check(verdict([short], [short]) == "different sizes", operation)
# Operations of later versions: those that end in _v have a size of their own on each rank.
for operation, sizes in (("all_gather_single", (((4,),), ((8,),))), ("reduce_scatter_single", (((8,),), ((4,),))),
                         ("all_to_all_single", (((4,),), ((4,),))), ("all_reduce_barrier", (((1,),), ((1,),)))):
    check(verdict([entry(operation, *sizes)], [entry(operation, *sizes)]) == "", operation)
for operation, first, second, wrong in (
        ("all_gather_v", (((4,),), ((9,),)), (((5,),), ((9,),)), (((5,),), ((10,),))),
        ("reduce_scatter_v", (((9,),), ((4,),)), (((9,),), ((5,),)), (((10,),), ((5,),))),
        ("all_to_all_v_single", (((4,),), ((7,),)), (((8,),), ((5,),)), (((8,),), ((6,),)))):
    check(verdict([entry(operation, *first)], [entry(operation, *second)]) == "", operation)
    check(verdict([entry(operation, *first)], [entry(operation, *wrong)]) == "different sizes", operation)
# Libraries other than NCCL, numbers as words, and a duration and a timeout, which change nothing.
for library in ("ncclx", "gloo", "xccl"):
    first = dict(reduce, profiling_name=library + ":all_reduce", collective_seq_id="1", p2p_seq_id="0", duration_ms=0.5,
                 timeout_ms=600000, time_discovered_started_ns=None)
    check(verdict([first], [dict(first, state="started")]) == "not finished by all ranks", library)
# testBuildDB: groups of their own, coalesced operations, uneven ones, an empty coalesced call.
both = {"0": ("default_pg", [0, 1]), "1": ("sub_pg", [0])}
check(verdict([reduce, entry("all_reduce", ((5, 5),), group="1", description="sub_pg")], [reduce], groups=both) == "", "case 1")
pair = [entry("broadcast"), entry("broadcast"), entry("coalesced", ((),), ((),))]
check(verdict(pair, pair) == "", "case 3")
even = [entry("_broadcast_oop"), entry("_broadcast_oop"), entry("ALLGATHER_coalesced", ((),), ((),))]
uneven = [entry("_broadcast_oop"), entry("_broadcast_oop", ((5, 5),)), entry("ALLGATHER_coalesced", ((),), ((),))]
check(verdict(uneven, even) == "different sizes", "case 4")
ends = [entry("_reduce_oop"), entry("_reduce_oop"), entry("REDUCE_SCATTER_coalesced", ((),), ((),))]
check(verdict(ends, ends) == "", "case 5")
check(verdict([reduce], [reduce, *ends]) == "different order", "case 6")

# Who is missing: the fewest first, with where they stand.
waiting = entry("all_reduce", ((1024,),), state="started", sequence=12, line=88)
before = [entry("all_reduce", sequence=n) for n in range(1, 12)]
folder = dumps([[*before, waiting], [*before, waiting], before, [*before, waiting]])
hang = report(folder)["hangs"][0]
check((hang["kind"], hang["sequence"], hang["group"]) == ("missing ranks", 12, "0"), hang)
check([(s["ranks"], s["state"], s["sequence"]) for s in hang["sides"]] == [([2], "not called", 11), ([0, 1, 3], "started", 12)], hang)
text = run("rollcall", folder).stdout
check("default_pg (process group 0) of 4 ranks, sequence number 12: missing ranks\n"
      "  rank 2 has not called it; the last call in this group is 11, all_reduce of [4, 4] float32, completed\n"
      "      at train_step, train.py:10\n"
      "  ranks 0, 1 and 3 have started all_reduce of [1024] float32 and not finished it\n"
      "      at train_step, train.py:88\n" in text, text)

# All calls of a ring that is larger than any page.
folder = dumps([[entry("all_reduce", sequence=s, state="completed") for s in range(1, 1202)] for r in range(2)])
check(run("open", folder, "--format", "csv").stdout.count("\n") == 2403, "all calls of the rings")

# open lists the last calls of each rank, a picture of the window points to the other commands.
for kind in ("pickle", "json"):
    folder = dumps([[entry("all_reduce", sequence=s, state="completed" if s < 9 or r else "started",
                           created=1_700_000_000_000_000_000 + s * 1_000_000 + r) for s in range(1, 10 - (r == 1))] for r in range(3)], kind=kind)
    done = run("open", folder)
    check(done.returncode == 0 and "sequence number 9: missing ranks" in done.stdout and "collscope rollcall" in done.stdout,
          f"open of dumps: {done}")
    check(max(map(len, done.stdout.splitlines())) <= 100, done.stdout)
    rows = json.loads(run("open", folder, "--format", "json").stdout)["rows"]
    check([sum(row["rank"] == r for row in rows) for r in range(3)] == [9, 8, 9], f"all calls: {rows}")
    check(rows[8] == {"rank": 0, "process_group": "default_pg", "sequence": "9", "state": "started", "created_s": 0.008,
                      "frame": "train_step, train.py:10", "call": "all_reduce of [4, 4] float32"}, f"the last of rank 0: {rows[8]}")
    check(run("open", folder, "--format", "csv").stdout.count("\n") == 27, "csv")
    done = run("open", folder, "--tables", "waits")
    check(done.returncode == 2 and "has no tables" in done.stderr, f"tables of dumps: {done}")
    done = run("export", folder, "--view", "window", "-o", os.path.join(scratch, "window.png"))
    check(done.returncode == 2 and "collscope open" in done.stderr and "collscope rollcall" in done.stderr, f"picture of dumps: {done}")

# The rank that is missing in one group is stuck in another, which comes first: it began earlier.
groups = {"0": ("default_pg", [0, 1, 2, 3]), "7": ("mesh_tp", [2, 3])}
stuck = entry("all_gather", ((4,),), ((8,),), state="started", sequence=3, group="7", description="mesh_tp",
              created=1_700_000_000_000_000_000)
late = entry("all_reduce", state="started", sequence=5, created=1_700_000_001_000_000_000)
hangs = report(dumps([[late], [late], [stuck], [late]], groups=groups))["hangs"]
check([(h["group"], h["kind"]) for h in hangs] == [("7", "missing ranks"), ("0", "missing ranks")], hangs)
check([s["ranks"] for s in hangs[0]["sides"]] == [[3], [2]], hangs)

# All have started and none has finished: named last, as something else may be why.
check(verdict([waiting], [waiting]) == "not finished", "a hang within a collective")

# A ring that lost its beginning proves nothing of what it lost; a rank without a dump is named.
lost = dumps([before[5:], before[8:]], first=100)
check(report(lost)["hangs"] == [] and any("rings of ranks 0 and 1 have lost their first entries" in one for one in report(lost)["remarks"]), report(lost))
alone = report(dumps([[waiting], None, [waiting]]))
check(alone["hangs"][0]["without_dump"] == [1] and any("rank 1 has no dump" in one for one in alone["remarks"]), alone)

# Without pg_config the number of members is not known: rank 3 has no dump, and the output is right for 4.
gathered = entry("all_gather", ((4,),), ((16,),), sequence=1)
stuck = entry("all_gather", ((4,),), ((16,),), state="started", sequence=2)
hangs = report(dumps([[gathered, stuck], [gathered, stuck], [gathered], None], groups={"9": ("other", [])}))["hangs"]
check([(h["kind"], h["sequence"]) for h in hangs] == [("missing ranks", 2)], hangs)

# Version 1, of PyTorch 2.2 and 2.3: one sequence number for collectives and transfers, a number for the group, no types.
def older(one):
    kept = {key: one[key] for key in ("profiling_name", "state", "input_sizes", "output_sizes", "time_created_ns", "frames")}
    return dict(kept, seq_id=one["collective_seq_id"], pg_id=int(one["process_group"][0]), duration_ms=None)


hang = report(dumps([[older(one) for one in its] for its in ([*before, waiting], before, [*before, waiting])]))["hangs"][0]
check((hang["kind"], hang["sequence"], hang["group"]) == ("missing ranks", 12, "0"), hang)
check([(side["ranks"], side["sequence"]) for side in hang["sides"]] == [([1], 11), ([0, 2], 12)], hang)
moved = [dict(older(one), pg_id=3, seq_id=one["collective_seq_id"] + 5) for one in (reduce, waiting)]
hangs = report(dumps([moved, moved[:1]], groups={"0": ("default_pg", [0, 1]), "3": ("", [0, 1])}))["hangs"]
check([(hang["kind"], hang["sequence"], hang["group"]) for hang in hangs] == [("missing ranks", 17, "3")], hangs)

# Point-to-point transfers.
send = entry("send 0->1", state="started", transfer=4)
receive = entry("recv 1<-0", state="started", transfer=4)
check("rank 0 sends to rank 1" in report(dumps([[send], []]))["transfers"][0] and
      "has not called the recv" in report(dumps([[send], []]))["transfers"][0], "a send alone")
check("has not called" not in report(dumps([[send], [receive]]))["transfers"][0], "a send and its receive")

# What is more than data is refused, and not run.
flag = os.path.join(scratch, "ran")


class Evil:
    def __reduce__(self):
        return os.system, (f"touch {flag}",)


whole = pickle.dumps({"version": "2.10", "entries": [dict(reduce, record_id=0)], "pg_config": {}}, protocol=2)
for name, content, sentence in (
        ("evil_0", pickle.dumps({"entries": [Evil()]}, protocol=2), "a class or a function"),
        ("evil_4", pickle.dumps({"entries": [Evil()]}, protocol=4), "a class or a function"),
        ("cut_0", whole[:len(whole) // 2], "ends early"),
        ("stack_0", b"\x80\x02.", "nothing on the stack"),
        ("mark_0", b"\x80\x02u.", "no mark"),
        ("kind_0", b"\x80\x02N(K\x01e.", "wrong kind"),
        ("memo_0", b"\x80\x02h\x07.", "a reference to nothing"),
        ("large_0", b"\x80\x02X\xff\xff\xff\x7fabc", "ends early"),
        ("marks_0", b"\x80\x02" + b"(" * 11_000_000, "more than 10000000 values"),
        ("numbers_0", b"\x80\x02K\x01.", "not a Flight Recorder dump"),
        ("deep_0.json", b'{"entries": ' + b"[" * 1000, "not valid json"),
        ("name", whole, "the rank is unknown")):
    path = os.path.join(scratch, name)
    with open(path, "wb") as out:
        out.write(content)
    done = run("rollcall", path)
    check(done.returncode == 2 and sentence in done.stderr and "\n" not in done.stderr.strip(), f"{name}: {done}")
    os.remove(path)
check(not os.path.exists(flag), "a pickle was run")
# A list that holds itself, and one that is a million times in another.
for name, content in (("self_0", b"\x80\x02}(X\x07\0\0\0entries]q\0h\0au."),
                      ("bomb_0", b"\x80\x02}(X\x07\0\0\0entries](" + b"}" * 100 + b"q\x01" + b"h\x01" * 100000 + b"eu.")):
    path = os.path.join(scratch, name)
    with open(path, "wb") as out:
        out.write(content)
    check(run("rollcall", path).returncode == 0, name)
    os.remove(path)
# 60 frames of long words, by 4000 references: copied without limits they take 48 GB. And too many entries.
long = "x" * 100_000
frames = [{"name": long, "filename": long, "line": 1}] * 60
for name, entries, sentence in (("long_0", [dict(reduce, record_id=0, frames=frames)] * 4000, "more than 1 GiB"),
                                ("entries_0", [{}] * 1_000_001, "more than 1000000 entries")):
    path = os.path.join(scratch, name)
    with open(path, "wb") as out:
        pickle.dump({"version": "2.10", "entries": entries, "pg_config": {}}, out, protocol=2)
    done = run("rollcall", path)
    check(done.returncode == 2 and sentence in done.stderr, f"{name}: {done}")
    os.remove(path)
for protocol in (2, 3, 4, 5):
    path = os.path.join(scratch, "rank_0")
    with open(path, "wb") as out:
        pickle.dump({"version": "2.10", "pg_config": {"0": {"ranks": "[0]"}}, "entries": [dict(reduce, record_id=0)] * 3}, out,
                    protocol=protocol)
    check(report(path)["entries"] == 3, f"protocol {protocol}")
shutil.rmtree(scratch)
