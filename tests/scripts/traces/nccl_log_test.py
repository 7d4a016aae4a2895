# SPDX-License-Identifier: BSD-3-Clause
"""Debug logs of NCCL as its versions 2.4 to 2.23 and later write them: rings, trees, connections, choices and calls that were
made up come back; broken rings and trees are found; networks and placements run.

Usage: nccl_log_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
scratch = tempfile.mkdtemp(prefix="collscope-nccl-")


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=120, text=True)


def path(name):
    return os.path.join(scratch, name)


def binary_tree(n):
    """Parents of a binary tree in which odd places are leaves, and place 0 is the root."""
    parents = [-1] * n
    for place in range(1, n):
        low = place & -place
        up = (place ^ low) | (low << 1)
        parents[place] = up if up < n else place ^ low
    return parents


def double_tree(n):
    """The two trees over hosts: the second is the mirror image of the first, or shifted by one host where n is odd."""
    first = binary_tree(n)
    second = [0] * n
    for place, parent in enumerate(first):
        there = (place + 1) % n if n % 2 else n - 1 - place
        second[there] = -1 if parent < 0 else (parent + 1) % n if n % 2 else n - 1 - parent
    return first, second


class Job:
    """Ranks on hosts, `rings` rings, and twice as many channels, as NCCL makes them."""

    def __init__(self, hosts, each, rings=2, seed=1):
        chance = random.Random(seed)
        self.hosts, self.each, self.ranks = hosts, each, hosts * each
        self.order, self.parent, self.children = [], [], []
        chains = [[h * each + r for r in chance.sample(range(each), each)] for h in range(hosts) for _ in range(1)]
        trees = double_tree(hosts)
        for channel in range(2 * rings):
            turn = channel % rings
            chain = [its[turn:] + its[:turn] for its in chains]
            order = [rank for its in chain for rank in its]
            zero = order.index(0)
            self.order.append(order[zero:] + order[:zero])
            parent = [-1] * self.ranks
            for its in chain:
                for above, below in zip(its, its[1:]):
                    parent[below] = above
            for host, up in enumerate(trees[channel // rings]):
                if up >= 0:
                    parent[chain[host][0]] = chain[up][0]
            self.parent.append(parent)
            self.children.append([[c for c in range(self.ranks) if parent[c] == r] for r in range(self.ranks)])

    def tree(self, channel, rank, version):
        down = (self.children[channel][rank] + [-1] * 3)[:3]
        words, up = "/".join(map(str, down)), self.parent[channel][rank]
        if version < 5:
            return f"{up}->{rank}->{words}"
        if version < 8:
            return f"{words}->{rank}->{up}|{up}->{rank}->{words}"
        return f"{words}->{rank}->{up}"

    def lines(self, version=18, graph=True, commId="0x1f2e", handle=0x5500, pid=100, before="", host="node", short=False,
              complete=True):
        """Lines of each rank, as one process for each writes them."""
        all_lines = []
        for rank in range(self.ranks):
            prefix = f"{before}{host}{rank // self.each}:{pid + rank}:{pid + rank + 5000} [{rank % self.each}] NCCL INFO "
            comm = f"comm {hex(handle + rank)} rank {rank} nranks {self.ranks} cudaDev {rank % self.each} busId 1a000"
            mine = []
            if version >= 16:
                mine.append(f"{comm} commId {commId} - Init START")
            mine.append("Setting affinity for GPU 0 to ffff")
            if rank == 0:
                for channel, order in enumerate(self.order):
                    width = len(str(self.ranks - 1)) if version >= 23 else 3
                    words = f"Channel {channel:02d}/{len(self.order):02d} :" + ("" if version >= 23 else " ")
                    if version < 5:
                        words = f"Channel {channel:02d} : "
                    shown = order if version >= 23 else order[:20]
                    words += "".join(f" {r:{width}d}" for r in shown)
                    if version >= 23 and len(words) > 127:
                        words = words[:124] + "..."
                    mine.append(words)
            for channel, order in enumerate(self.order):
                at = order.index(rank)
                if graph and version >= 9:
                    mine.append(f"Ring {channel:02d} : {order[at - 1]} -> {rank} -> {order[(at + 1) % self.ranks]}")
            trees = "".join(f" [{c}] {self.tree(c, rank, version)}" for c in range(len(self.order)))
            if not short or rank % 2 == 0:
                mine.append("Trees" + trees[:1023])
            for channel, order in enumerate(self.order):
                to = order[(order.index(rank) + 1) % self.ranks]
                near = to // self.each == rank // self.each
                way = "via P2P/CUMEM" if near else "[send] via NET/IB/0/GDRDMA"
                word = f"Ring {channel:02d}" if version < 8 else f"Channel {channel:02d}" + ("/0" if version >= 14 else "")
                mine.append(f"{word} : {rank}[{rank % self.each}] -> {to}[{to % self.each}] {way}")
            if complete:
                mine.append(comm + (f" commId {commId}" if version >= 16 else "") + " - Init COMPLETE")
            all_lines.append([prefix + words for words in mine])
        return all_lines


def mixed(lists, seed=3):
    """Lines of several processes in one stream; each keeps its own order."""
    chance, lists, out = random.Random(seed), [list(reversed(one)) for one in lists if one], []
    while lists:
        one = chance.randrange(len(lists))
        out.append(lists[one].pop())
        if not lists[one]:
            lists.pop(one)
    return out


def write(name, lines, version="2.18.6+cuda12.1"):
    with open(path(name), "w") as out:
        out.write(f"NCCL version {version}\nsome other program says hello\n" + "\n".join(lines) + "\n")
    return path(name)


def opened(file):
    ran = run("open", file, "--format", "json")
    check(ran.returncode == 0, f"open {file}: {ran.stderr}")
    return json.loads(ran.stdout)


def compare(job, its):
    check(its["ranks"] == job.ranks, "number of ranks")
    for ring in its["rings"]:
        check(ring["whole"] and all(job.order[c] == ring["order"] for c in ring["channels"]), f"ring {ring}")
    check(sorted(c for ring in its["rings"] for c in ring["channels"]) == list(range(len(job.order))), "channels of rings")
    for tree in its["trees"]:
        for c in tree["channels"]:
            check([(-1 if tree["parents"][str(r)] is None else tree["parents"][str(r)]) for r in range(job.ranks)]
                  == job.parent[c], f"tree of channel {c}")
            check(tree["root"] == job.parent[c].index(-1), "root")
    check(sorted(c for tree in its["trees"] for c in tree["channels"]) == list(range(len(job.order))), "channels of trees")


# Rings and trees of every version come back, whatever stands before the lines and however processes mix.
for version in (4, 6, 8, 12, 18, 24):
    for hosts, each in ((1, 4), (2, 2), (3, 4), (4, 2), (5, 1), (8, 2)):
        job = Job(hosts, each, seed=version * 10 + hosts)
        before = {12: "(Worker pid=7, ip=10.0.0.1) ", 18: "[1,0]<stdout>:", 24: "[2026-01-01 10:00:00] "}.get(version, "")
        name = write(f"v{version}-{hosts}x{each}", mixed(job.lines(version, before=before)), f"2.{version}.1+cuda12.1")
        its = opened(name)
        check(its["version"] == f"2.{version}.1+cuda12.1" and len(its["communicators"]) == 1, "one communicator")
        compare(job, its["communicators"][0])
        if version >= 16:
            check(its["communicators"][0]["id"] == "0x1f2e", "id")
        ran = run("verify", name)
        check(ran.returncode == 0 and "each passes all" in ran.stdout and "each spans all" in ran.stdout, ran.stdout + ran.stderr)
        check((hosts > 1) == ("complementary" in ran.stdout) and "not complementary" not in ran.stdout, ran.stdout)
        check(all(one["via"] == ("P2P/CUMEM" if one["from"] // each == one["to"] // each else "NET/IB/0/GDRDMA")
                  for one in its["communicators"][0]["connections"]), "transports")

# More ranks than rank 0 lists: by neighbours; without them the ring is not claimed.
job = Job(8, 8, rings=1)
its = opened(write("many", mixed(job.lines(18))))["communicators"][0]
compare(job, its)
for version, cut in ((18, 20), (24, None)):
    name = write(f"cut{version}", mixed(job.lines(version, graph=False)))
    ring = opened(name)["communicators"][0]["rings"][0]
    check(not ring["whole"] and ring["order"] == job.order[0][:len(ring["order"])], "a ring that is cut")
    check(len(ring["order"]) == (cut or len(ring["order"])) and 10 < len(ring["order"]) < 64, "what is left of it")
    ran = run("verify", name)
    check(ran.returncode == 0 and "not checked" in ran.stdout, ran.stdout)
    ran = run("export", name, "-o", path(f"cut{version}.placement"))
    check(ran.returncode == 2 and "INIT,GRAPH" in ran.stderr, ran.stderr)

# Several communicators at once: by their ids, and by their order where there are none.
world, halves = Job(2, 4, seed=5), [Job(2, 2, seed=6), Job(2, 2, seed=7)]
lines = [first + second for first, second in zip(world.lines(18, commId="0xaa"),
                                                 halves[0].lines(18, commId="0xbb", handle=0x7700, pid=100)
                                                 + halves[1].lines(18, commId="0xcc", handle=0x8800, pid=104))]
its = {one["id"]: one for one in opened(write("several", mixed(lines)))["communicators"]}
check(set(its) == {"0xaa", "0xbb", "0xcc"}, "ids")
compare(world, its["0xaa"])
compare(halves[0], its["0xbb"])
compare(halves[1], its["0xcc"])
first, second = Job(2, 2, seed=8), Job(2, 2, rings=1, seed=9)
its = opened(write("no-ids", mixed([a + b for a, b in zip(first.lines(12), second.lines(12, handle=0x9900))])))["communicators"]
check(len(its) == 2, "two without ids")
compare(first, its[0])
compare(second, its[1])

# A job that hangs while it starts: no line tells that it is complete.
job = Job(2, 2)
compare(job, opened(write("hangs", mixed(job.lines(12, complete=False))))["communicators"][0])

# What is broken is found.
def broken(name, change, words, version=18):
    lines = mixed(Job(2, 4, seed=11).lines(version))
    ran = run("verify", write(name, [change(line) for line in lines]))
    check(ran.returncode == 1 and words in ran.stdout, f"{name}: {ran.stdout}{ran.stderr}")


order = Job(2, 4, seed=11).order[0]
broken("short-ring", lambda line: line.replace(f"Ring 00 : {order[2]} -> {order[3]} -> {order[4]}",
                                               f"Ring 00 : {order[2]} -> {order[3]} -> {order[0]}"),
       f"rank {order[3]} sends to rank {order[0]}")
tree = Job(2, 4, seed=11)
leaf = next(r for r in range(8) if not tree.children[0][r])
broken("two-roots", lambda line: line.replace(f"[0] -1/-1/-1->{leaf}->{tree.parent[0][leaf]}", f"[0] -1/-1/-1->{leaf}->-1"),
       "tree of channel 0")
same = Job(4, 2, seed=12)
same.parent[2:], same.children[2:] = same.parent[:2], same.children[:2]
ran = run("verify", write("same-trees", mixed(same.lines(18))))
check(ran.returncode == 1 and "not complementary" in ran.stdout, ran.stdout)

# A rank without Trees: not checked, no failure.
ran = run("verify", write("half", mixed(Job(2, 2).lines(18, short=True))))
check(ran.returncode == 0 and "the log has 2 of 4 ranks; not checked" in ran.stdout, ran.stdout)

# Algorithms, protocols and calls, of both spellings.
job = Job(1, 4)
lines = mixed(job.lines(18))
for k in range(3):
    for rank in range(4):
        lines.append(f"node0:{100 + rank}:9{rank} [0] NCCL INFO AllReduce: opCount {k:x} sendbuff 0x7f00 recvbuff 0x7f00 count 1024 "
                     f"datatype 7 op 0 root 0 comm {hex(0x5500 + rank)} [nranks=4] stream 0x55")
    lines.append("node0:100:90 [0] NCCL INFO 4096 Bytes -> Algo 0 proto 1 time 11.5")
    lines.append("node0:100:90 [0] NCCL INFO AllGather: 65536 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..1}")
its = opened(write("choices", lines))
check(its["communicators"][0]["calls"] == [{"operation": "AllReduce", "bytes": 4096, "calls": 3, "ranks": 4}], "calls")
check([(one["operation"], one["bytes"], one["algorithm"], one["protocol"], one["last_channel"], one["calls"])
       for one in its["choices"]] == [(None, 4096, "TREE", "LL128", None, 3), ("AllGather", 65536, "RING", "SIMPLE", 1, 3)],
      f"choices {its['choices']}")
text = run("open", path("choices")).stdout
check("LL128" in text and "0..1" in text and "AllReduce" in text and max(map(len, text.splitlines())) <= 100, text)

# A network and a placement that the emulator takes: a ring runs along NCCL's ring.
job = Job(2, 4, rings=1, seed=13)
name = write("net", mixed(job.lines(18)))
check(run("export", name, "-o", path("net.dot")).returncode == 0, "network")
check(run("export", name, "-o", path("net.placement")).returncode == 0, "placement")
with open(path("net.placement")) as file:
    places = [int(w) for line in file for w in line.split("#")[0].split()]
check(places == job.order[0], "the placement is the ring")
ran = run("run", "allreduce/ring", "-n", "8", "--topology", "graph:" + path("net.dot"), "--placement", "@" + path("net.placement"),
          "--neighbours-only", "--format", "json")
check(ran.returncode == 0, ran.stderr)
check(json.loads(ran.stdout)["rounds"] == 14, "neighbours in the ring need no relays")
check(run("export", name, "-o", path("net.png")).returncode == 2, "a picture of a log")
check(run("export", name, "-o", path("net.dot")).returncode == 2, "an existing file")

# Hosts as NCCL found them: links and bandwidths; what leads nowhere is left out.
topology = """=== System : maxBw 24.0 totalBw 48.0 ===
CPU/0 (1/1/2)
+ PCI[24.0] - PCI/1000 (1000c01010000000)
              + PCI[24.0] - GPU/{0} ({1})
                            + NVL[48.0] - NVS/0
              + PCI[24.0] - GPU/{2} ({3})
                            + NVL[48.0] - NVS/0
              + PCI[24.0] - NIC/5000
                            + NET[12.5] - NET/0 (0/0/12.500000)
=========================================="""
job = Job(2, 2, rings=1)
lists = job.lines(18)
for rank, one in enumerate(lists):
    prefix = one[0].split("NCCL INFO ")[0] + "NCCL INFO "
    first = rank // 2 * 2
    one[1:1] = [prefix + line for line in topology.format("1A000", first, "1B000", first + 1).splitlines()]
name = write("hosts", mixed(lists))
check(run("export", name, "-o", path("hosts.dot")).returncode == 0, "network of hosts")
with open(path("hosts.dot")) as file:
    dot = file.read()
check(dot.count("bandwidth=\"48GB/s\"") == 4 and dot.count("bandwidth=\"12.5GB/s\"") == 4 and "CPU" not in dot, dot)
# Rank 0 sends to rank 2 over the network at 12.5 GB/s, then both to their neighbours at 48 GB/s, 1 MiB each.
ran = run("run", "bcast/binomial-tree", "-n", "4", "--size", "1MiB", "--topology", "graph:" + path("hosts.dot"), "--alpha", "0ns",
          "--bandwidth", "100GB/s", "--format", "json")
check(ran.returncode == 0, ran.stderr)
time = json.loads(ran.stdout)["time_s"]
check(abs(time / (2**20 / 12.5e9 + 2**20 / 48e9) - 1) < 0.01, f"time on the hosts' network: {time}")

# Unlike lines and files are refused, or skipped.
with open(path("empty"), "w") as out:
    out.write("host:1:2 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n")
ran = run("open", path("empty"))
check(ran.returncode == 2 and "NCCL_DEBUG_SUBSYS" in ran.stderr and ran.stderr.count("\n") == 1, ran.stderr)
damaged = [line[:random.Random(k).randrange(len(line))] for k, line in enumerate(mixed(Job(2, 4).lines(18)))]
check(run("open", write("damaged", damaged)).returncode in (0, 2), "lines that end early")
hostile = ["h:1:2 [0] NCCL INFO Channel 00/01 : 99999999999999999999 1", "h:1:2 [0] NCCL INFO Trees [9999999] 1/2/3->4->5",
           "h:1:2 [0] NCCL INFO Trees [0] 1/2->->", "h:1:2 [0] NCCL INFO Ring 00 : -7 -> 1 -> 2",
           "h:1:2 [0] NCCL INFO comm 0x1 rank 5 nranks 999999999 - Init COMPLETE",
           "h:1:2 [0] NCCL INFO + PCI[nan] - GPU/0 (7)", "h:1:2 [0] NCCL INFO -5 Bytes -> Algo 99 proto 99"]
check(run("open", write("hostile", hostile)).returncode == 2, "nothing to read in it")

# Programs, documents and binaries with NCCL's words are no logs, alone or in a folder.
os.makedirs(path("sources"))
for name, content in (("make.py", b'prefix = f"{host}:{pid}:{tid} [0] NCCL INFO "\nlines = ["h:1:2 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1"]\n'),
                      ("notes.md", b"Lines such as `h:1:2 [0] NCCL INFO Channel 00/01 : 0 1` have NCCL version ');\n"),
                      ("program", b"\x7fELF\0\0\nh:1:2 [0] NCCL INFO Channel 00/01 : 0 1\n"),
                      ("log.txt", b"NCCL INFO Channel 00/01 : 0 1\n")):
    with open(path("sources/" + name), "wb") as out:
        out.write(content)
    ran = run("open", path("sources/" + name))
    check(ran.returncode == 2 and "is not a trace" in ran.stderr, name + ran.stdout + ran.stderr)
check(run("open", path("sources")).returncode == 2, "a folder of sources")
# Lines may begin with words of a launcher, and need not be among the first.
with open(path("sources/output"), "w") as out:
    out.write("epoch 1\n" * 30000 + "[1,0]<stdout>:node-1.cluster:17:18 [0] NCCL INFO Channel 00/01 :    0   1\n" * 2)
check("Debug log of NCCL: 1 communicator" in run("open", path("sources")).stdout, run("open", path("sources")).stdout)

# A handle that a later communicator has again.
lines = []
for ranks in (4, 2, 4):
    job = Job(1, ranks, rings=1)
    lines += [line for one in job.lines(12) for line in one]
    for rank in range(ranks):
        prefix = f"node0:{100 + rank}:{5100 + rank} [{rank}] NCCL INFO "
        lines.append(prefix + f"AllReduce: opCount 0 count 256 datatype 7 op 0 root 0 comm {hex(0x5500 + rank)} [nranks={ranks}] stream 0x1")
        if ranks == 2:
            lines.append(prefix + f"AllReduce: opCount 0 count 512 datatype 7 op 0 root 0 comm {hex(0x5500 + rank)} [nranks=4] stream 0x1")
        lines.append(prefix + f"comm {hex(0x5500 + rank)} rank {rank} nranks {ranks} cudaDev 0 busId 1 - Destroy COMPLETE")
its = opened(write("handles", lines))
check([[(c["bytes"], c["calls"], c["ranks"]) for c in one["calls"]] for one in its["communicators"]]
      == [[(1024, 1, 4)], [(1024, 1, 2)], [(1024, 1, 4)]] and its["unassigned_lines"] == 2, f"calls of a handle: {its}")

# Ranks of four digits cover each other in the columns of old versions: not checked, and not shown.
listed = "Channel 00/02 : " + " " * 80
for i, rank in enumerate([0] + list(range(1199, 1180, -1))):
    listed = listed[:16 + 4 * i] + " %3d" % rank + listed[20 + 4 * i:] if rank < 1000 else listed[:16 + 4 * i] + (" %3d" % rank)[:4] + listed[20 + 4 * i:]
prefix = "node0:1:2 [0] NCCL INFO "
comm = "comm 0x1 rank 0 nranks 1200 cudaDev 0 busId 1 commId 0xab - Init "
name = write("columns", [prefix + comm + "START", prefix + listed.rstrip(), prefix + comm + "COMPLETE"])
check(all(not ring["order"] for ring in opened(name)["communicators"][0]["rings"]), "ranks that lost a digit")
ran = run("verify", name)
check(ran.returncode == 0 and "not checked" in ran.stdout, ran.stdout)

# Trees that NCCL cut with the prefix, at any place of the last one.
for pad in range(20):
    lines = []
    for rank in range(200):
        prefix = f"{'n' * pad}{rank // 8:04d}:{100000 + rank}:{200000 + rank} [{rank % 8}] NCCL INFO "
        below = f"{rank + 1}/-1/-1" if rank < 199 else "-1/-1/-1"
        text = prefix + "Trees" + "".join(f" [{c}] {below}->{rank}->{rank - 1}" for c in range(48))
        comm = f"comm 0x1 rank {rank} nranks 200 cudaDev 0 busId 1 commId 0xab - Init "
        lines += [prefix + comm + "START", text[:1023], prefix + comm + "COMPLETE"]
    ran = run("verify", write("cut-trees", lines))
    # All trees are one chain, so that they are not complementary; but none has a wrong child.
    check("has the child" not in ran.stdout and "not checked" in ran.stdout, f"trees cut with a prefix of {pad}: {ran.stdout}")

# Ranks that do not exist, and children that occur twice, are faults of the log.
def log_of(n, lines):
    comm = f"h:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks {n} cudaDev 0 busId 1 commId 0xab - Init "
    return [comm + "START"] + ["h:1:2 [0] NCCL INFO " + line for line in lines] + [comm + "COMPLETE"]


ran = run("verify", write("outside", log_of(2, ["Ring 00 : 2 -> 1 -> 2", "Ring 00 : 1 -> 2 -> 1"])))
check(ran.returncode == 1 and "rank 2 is none of ranks 0..1" in ran.stdout, ran.stdout + ran.stderr)
chain = [f"Trees [0] {f'{r + 1}/{r + 1}/-1' if r < 59 else '-1/-1/-1'}->{r}->{r - 1}" for r in range(60)]
ran = run("verify", write("children", log_of(60, chain)))
check(ran.returncode == 1 and "has the child 1 twice" in ran.stdout, ran.stdout + ran.stderr)

# Thousands of communicators: the first ones in words, all of them in json.
lines = []
for k in range(10000):
    for rank in range(2):
        comm = f"h:{rank}:2 [{rank}] NCCL INFO comm {hex(k + 1)} rank {rank} nranks 2 cudaDev 0 busId 1 commId {hex(k + 7)} - Init "
        lines += [comm + "START", f"h:{rank}:2 [{rank}] NCCL INFO Ring 00 : {1 - rank} -> {rank} -> {1 - rank}", comm + "COMPLETE"]
ran = run("verify", write("thousands", lines))
check(ran.returncode == 0 and "9992 more communicators, 0 of them broken" in ran.stdout and ran.stdout.count("\n") < 30, ran.stdout[-300:])

# A topology alone, and one that ends early.
prefix = "h:1:2 [0] NCCL INFO "
tops = [prefix + line for line in topology.format("1A000", 0, "1B000", 1).splitlines()]
check(opened(write("alone", tops))["communicators"][0]["ranks"] == 2, "ranks of a topology")
job = Job(1, 2)
lists = job.lines(18)
for one in lists:
    one[1:1] = [one[0].split("NCCL INFO ")[0] + "NCCL INFO " + line for line in topology.format("1A000", 0, "1B000", 1).splitlines()[:-1]]
compare(job, opened(write("early", mixed(lists)))["communicators"][0])

# The output of a launcher beside traces, dumps and schedules is no log.
os.makedirs(path("job"))
with open(path("job/rank-0.json"), "w") as out:
    json.dump({"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": []}, out)
shutil.copy(path("early"), path("job/slurm.out"))
check("Debug log of NCCL" not in run("open", path("job")).stdout, "a job folder opens as a job")

# A folder of logs, one for each process (NCCL_DEBUG_FILE).
os.makedirs(path("folder"))
job = Job(2, 2)
for rank, lines in enumerate(job.lines(24)):
    with open(path(f"folder/debug.node.{rank}"), "w") as out:
        out.write("\n".join(lines) + "\n")
compare(job, opened(path("folder"))["communicators"][0])
shutil.rmtree(scratch)
