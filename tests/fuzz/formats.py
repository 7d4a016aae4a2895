# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of input that the program reads: valid ones of it, and the commands that read them.

A seed is files by their names and commands that are given them; what is spoilt are the files, or the command itself where
there are none. Words that begin with @ name a reader without a verb (readers.hpp)."""
import dataclasses
import json
import pathlib
import pickle
import re
import sys

import hostile_scripts

RING = ["allgatherv/linear-ring", "-n"]
ARCHIVES = {  # name: the run that is recorded
    "ring": [*RING, "4"],
    "torus": ["bcast/binomial-tree", "-n", "8", "--topology", "torus:2x4", "--sharing", "fair"],
    "groups": ["halfduplex-allgather/ring-belts", "-p", "2", "-q", "3"],
    "threads": ["allreduce/bruck", "-n", "5", "--on", "threads"],
    "halves": ["allreduce/butterfly", "-n", "4", "--on", "threads", "--split-phase", "--compute", "100us"],
    "uneven": ["intergroup-allgatherv/balanced", "-p", "2", "-q", "3", "--sizes", "linear", "--size", "100", "--loggp", "L=1us,o=1us"],
}
OPEN_MPI_RULES = b"2 # collectives\n7 # bcast\n2\n2 2\n0 6 0 0\n65536 3 0 8192\n16 1\n0 9 0 0\n2\n1\n2 1\n0 0x3 0 0\n"
MPICH_SELECTION = b"""{"collective=bcast": {"comm_type=intra": {"comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
  "comm_size=any": {"avg_msg_size<=100": {"algorithm=MPIR_Bcast_intra_smp": {}}, "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_nb": {}}}}}}
"""
PAPER = b"""title: Flat trees \\
    and more
text: seven = bcast/flat -n 7
item: fig1
shows: a flat tree
because: it is flat
number: rounds
  print: 6
  says: 6
  expected: 12/2
  of: rounds
  run: $seven
number: a quotient
  says: at least 1
  expected: 2
  run: bcast/flat -n 7
  over: bcast/flat -n 4
  term: p/3
panel: time
  sweep: bcast/flat -n 2..8*2 --x n --y rounds --line p-1=p-1
  mark: 8 7 seven
  curve: p-1
    says: 0.9 to 1.1
    from: 4
item: obs2
shows: its messages
because: they are drawn
picture: round 1
  run: $seven
  view: strip
  after-round: 2
  rank: 3
number: the rank that rank 2 receives from
  expected: 0
  of: peer
  message: rank 2 receives 1 in round 2
  run: $seven
"""
MPICH_VARIABLES = b"MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\nexport MPIR_CVAR_REDUCE_INTRA_ALGORITHM=smp\n"
GRAPHS = {
    "a.graphml": b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="r" for="node" attr.name="rank" attr.type="int"/>
  <key id="l" for="edge" attr.name="latency" attr.type="string"/>
  <key id="b" for="edge" attr.name="bandwidth" attr.type="string"><default>1GB/s</default></key>
  <graph id="G" edgedefault="undirected">
    <node id="s"/><node id="a"><data key="r">0</data></node><node id="b"><data key="r">1</data></node>
    <node id="c"><data key="r">2</data></node>
    <edge source="a" target="s"><data key="l">1us</data><data key="b">2.5GB/s</data></edge>
    <edge source="b" target="s"><data key="l">2us</data><data key="b">100Mbit/s</data></edge>
    <edge source="c" target="s"><data key="l">0.5us</data><data key="b">1GB/s</data></edge>
  </graph>
</graphml>
""",
    "b.xml": b"""<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="a"/></graph></graphml>
""",
    "c.dot": b"""graph net { // three of them
  node [rank="x"]; s [shape=box];
  0 [rank=0]; 1 [rank=1]; 2 [rank=2]; s [rank=""];
  0 -- s [latency="1us", bandwidth="2.5GB/s"]; 1 -- s [latency="2us" capacity="100Mbit/s"];
  subgraph cluster_a { 2 -- s [latency="0s", bandwidth="1GB/s"]; }
}
""",
    "d.gv": b"strict digraph { 0 -> 1 -> 2 -> 0; 2 -> {0 1}; edge [color=red]; }\n",
}
MODEL = b"""# a machine
title   somewhere
alpha   3.7us
beta    2.4915ns/B
gamma   0.1ns/B
eager   64KiB
source  nowhere
"""
LOGGP = b"title LogGP\nL 5us\no 1us\ng 2us\nG 1ns/B\nO 0.5ns/B\n"
RULES = b"""# operation   communicator   ranks    bytes       by what
bcast         intra          8..      64KiB..     bcast/pipelined-chain:segments=16
allgatherv    inter          *        *           intergroup-allgatherv/balanced
allreduce     intra          *        ..4KiB      native
allreduce     intra          2..64    *           allreduce/dissemination:n=2
barrier       intra          4        *           barrier/dissemination
"""
SCHEDULES = [  # as show writes them
    b"""{
  "algorithm": "allgatherv/linear-ring",
  "collective": "allgatherv",
  "ranks": 3,
  "ports": 1,
  "rounds": 2,
  "contributions": [
    {"rank":0,"bytes":16},
    {"rank":1,"bytes":8},
    {"rank":2,"bytes":0}
  ],
  "options": {"groups":1,"inside":"binomial-tree"},
  "messages": [
    {"round":0,"from":0,"to":1,"bytes":16,"ranges":[[0,16]]},
    {"round":0,"from":1,"to":2,"bytes":8,"ranges":[[16,24]]},
    {"round":0,"from":2,"to":0,"bytes":0,"ranges":[]},
    {"round":1,"from":0,"to":1,"bytes":0,"ranges":[]},
    {"round":1,"from":1,"to":2,"bytes":16,"ranges":[[0,16]]},
    {"round":1,"from":2,"to":0,"bytes":8,"ranges":[[16,24]]}
  ]
}
""",
    b"""{
  "algorithm": "allreduce/ring",
  "collective": "allreduce",
  "ranks": 3,
  "ports": 1,
  "rounds": 4,
  "contributions": [
    {"rank":0,"bytes":24},
    {"rank":1,"bytes":24},
    {"rank":2,"bytes":24}
  ],
  "options": {"segments":1,"groups":1,"inside":"binomial-tree"},
  "stages": [{"name":"combine round the ring","first":0,"rounds":2},{"name":"spread round the ring","first":2,"rounds":2}],
  "messages": [
    {"round":0,"from":0,"to":1,"bytes":8,"pieces":[{"range":[16,24],"terms":[0]}],"receive":"combine","side":"left"},
    {"round":0,"from":1,"to":2,"bytes":8,"pieces":[{"range":[0,8],"terms":[1]}],"receive":"combine","side":"left"},
    {"round":0,"from":2,"to":0,"bytes":8,"pieces":[{"range":[8,16],"terms":[2]}],"receive":"combine","side":"left"},
    {"round":1,"from":0,"to":1,"bytes":8,"pieces":[{"range":[8,16],"terms":[2,0]}],"receive":"combine","side":"left"},
    {"round":1,"from":1,"to":2,"bytes":8,"pieces":[{"range":[16,24],"terms":[0,1]}],"receive":"combine","side":"left"},
    {"round":1,"from":2,"to":0,"bytes":8,"pieces":[{"range":[0,8],"terms":[1,2]}],"receive":"combine","side":"left"},
    {"round":2,"from":0,"to":1,"bytes":8,"pieces":[{"range":[0,8],"terms":[1,2,0]}],"receive":"keep"},
    {"round":2,"from":1,"to":2,"bytes":8,"pieces":[{"range":[8,16],"terms":[2,0,1]}],"receive":"keep"},
    {"round":2,"from":2,"to":0,"bytes":8,"pieces":[{"range":[16,24],"terms":[0,1,2]}],"receive":"keep"},
    {"round":3,"from":0,"to":1,"bytes":8,"pieces":[{"range":[16,24],"terms":[0,1,2]}],"receive":"keep"},
    {"round":3,"from":1,"to":2,"bytes":8,"pieces":[{"range":[0,8],"terms":[1,2,0]}],"receive":"keep"},
    {"round":3,"from":2,"to":0,"bytes":8,"pieces":[{"range":[8,16],"terms":[2,0,1]}],"receive":"keep"}
  ],
  "final": [
    [{"range":[0,8],"terms":[1,2,0]},{"range":[8,16],"terms":[2,0,1]},{"range":[16,24],"terms":[0,1,2]}],
    [{"range":[0,8],"terms":[1,2,0]},{"range":[8,16],"terms":[2,0,1]},{"range":[16,24],"terms":[0,1,2]}],
    [{"range":[0,8],"terms":[1,2,0]},{"range":[8,16],"terms":[2,0,1]},{"range":[16,24],"terms":[0,1,2]}]
  ]
}
""",
]
TECCL = [
    b"""{"1-Epoch_Duration": 2.5e-06, "7-Flows": ["Chunk 0 from 1 traveled over 1->2 in epoch 0 via switches 0",
 "Chunk 0 from 2 traveled over 2->1 in epoch 0"], "8-Chunk paths": {"Demand at 2 for chunk 0 from 1 met by epoch 2": ["1->2 in epoch 0"],
 "Demand at 1 for chunk 0 from 2 met by epoch 2": ["2->1 in epoch 0"]}, "Solver_Time": 19.4}""",
    b"""{"6-Flows": ["Chunk 1 from 0 traveled over 0->1 with volume 1.0 in epoch 3", "Chunk 0 from 1 traveled over 1->0 with volume 1.0 in epoch 1"],
 "7-chunk paths": {"Demand at 1 for chunk 1 from 0 met by epoch 3": [], "Demand at 0 for chunk 0 from 1 met by epoch 1": []}}"""]
FOREST = [
    b"""<Algo nchunkspernode="2"><tree root="(0, 'GPU', 0)" index="0" nchunks="2" height="1"><send src="(0, 'GPU', 0)" dst="(0, 'GPU', 10)"
 path="(0, 'GPU', 0),(-1, 'IB', 0),(0, 'GPU', 10)"/></tree><tree root="(0, 'GPU', 10)" index="0" nchunks="1" height="1">
<send src="(0, 'GPU', 10)" dst="(0, 'GPU', 0)"/></tree><tree root="(0, 'GPU', 10)" index="1" nchunks="1" height="1">
<send src="(0, 'GPU', 10)" dst="(0, 'GPU', 0)"/></tree></Algo>"""]
MSCCL = [
    b"""<algo name="ring" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="1" minBytes="0">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="1">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="o" srcoff="1" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="-1" recv="-1" chan="0">
      <step s="0" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="0" deps="1" hasdep="0"/>
      <step s="1" type="cpy" srcbuf="s" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
""",
    b"""<algo name="tree" nchunksperloop="1" ngpus="3" coll="allreduce" inplace="0">
<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="1"><tb id="0" send="1" recv="1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0"/><step s="1" type="r" dstbuf="o" dstoff="0" cnt="1"/></tb></gpu>
<gpu id="1" i_chunks="1" o_chunks="1" s_chunks="1"><tb id="0" send="2" recv="0" chan="0">
<step s="0" type="rrs" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>
<tb id="1" send="0" recv="2" chan="0"><step s="0" type="rcs" dstbuf="o" dstoff="0" cnt="1"/></tb></gpu>
<gpu id="2" i_chunks="1" o_chunks="1" s_chunks="1"><tb id="0" send="1" recv="1" chan="0">
<step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1"/>
<step s="1" type="rrcs" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1"/></tb></gpu>
</algo>
""",
]
GOAL = [  # LogGOPSim's text
    b"""// problem: allgatherv n=3 sizes=3x16
num_ranks 3
rank 0 {
l1: send 16b to 1 tag 0
l2: recv 16b from 2 tag 0
l3: send 16b to 1 tag 1
l3 requires l1
l3 requires l2
l4: recv 16b from 2 tag 1
l4 requires l2
}
rank 1 {
l1: send 16b to 2 tag 0
l2: recv 16b from 0 tag 0
l3: send 16b to 2 tag 1
l3 requires l2
l4: recv 16b from 0 tag 1
l4 requires l1
}
rank 2 {
l1: send 16b to 0 tag 0
l2: recv 16b from 1 tag 0
l3: send 16b to 0 tag 1
l3 requires l2
l4: recv 16b from 1 tag 1
l4 requires l2
}
""",
    b"""num_ranks 3 /* no problem */
rank 0 { // computes
a: calc 100 cpu 1
b: send 10b to 1 tag 3 cpu 0 nic 1
b requires a
c: recv 7b from 2
c irequires b
}
rank 2 {
x1: send 7b to 0
}
rank 1 {
recv 10b from 0 tag 3
}
""",
    b"""// problem: allreduce n=2 sizes=2x8 op=sum type=int32
num_ranks 2
rank 0 {
l1: send 8b to 1
l2: recv 8b from 1
l2 requires l1
}
rank 1 {
l1: send 8b to 0
l2: recv 8b from 0
l2 requires l1
}
""",
]
SWEEP = ["sweep", "bcast/chain:fanout=2", "bcast/binomial-tree", "-n", "2..6", "--size", "1KiB..4KiB*2", "-o", "t.csv"]
RUN = ["run", "bcast/binomial-tree", "-n", "3"]
COMMANDS = [
    RUN, ["list", "topologies", "--format", "json"], ["describe", "allreduce/ring", "--format", "json"],
    ["show", "halfduplex-allgather/ring-belts", "-p", "4", "-q", "6", "--rounds", "1..3"],
    ["show", "allreduce/bruck", "-n", "5", "--format", "json"], ["show", "reduce/in-order-binary-tree", "-n", "4", "--format", "dot"],
    ["show", "alltoallv/ring", "-n", "4", "--format", "goal"], ["show", "allreduce/swing", "-n", "4", "--format", "msccl"],
    ["verify", "halfduplex-allgather/ring-streams", "-p", "2..8/2", "-q", "2..8/2"],
    ["verify", "scan/linear", "-n", "1..9", "--op", "ordered", "--format", "json"], ["tuple", "-n", "2", "-P", "8", "--format", "json"],
    ["run", "allgatherv/pipelined-ring", "-n", "7", "--sizes", "half-full", "--size", "10KiB", "--set", "block=auto", "--format", "json"],
    ["run", "bcast/pipelined-chain", "-n", "8", "--set", "segments=4", "--topology", "mesh:2x4", "--neighbours-only", "--format", "csv"],
    ["run", "reduce-scatter/ring", "-n", "6", "--topology", "fat-tree:3x2,taper=2", "--sharing", "fair", "--header", "16", "--detached", "1KiB"],
    ["run", "alltoallv/bruck", "-n", "8", "--topology", "dragonfly:2,2,2", "--sharing", "fair-weighted", "--arrival", "random:1ms,7"],
    ["run", "allreduce/circulant", "-n", "6", "--topology", "cluster:3,nics=2", "--placement", "random:3", "--slow-ranks", "1:2.5,3:4"],
    ["run", "gatherv/flat", "-n", "5", "--loggp", "L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B", "--eager", "4KiB", "--slow-links", "3-0:8"],
    ["run", "intergroup-allgatherv/segmented", "-p", "3", "-q", "2", "--size", "12", "--size-b", "120", "--ports", "2", "--progress", "lockstep"],
    ["run", "scan/recursive-doubling", "-n", "7", "--on", "threads", "--op", "max", "--type", "double", "--arrival", "ramp:10us"],
    ["run", "barrier/tree", "-n", "9", "--topology", "kautz:2,2", "--model", "alpha=1us:beta=1ns/B:gamma=0ns/B"],
    ["run", "allreduce/ring", "-n", "4", "--on", "threads", "--split-phase", "--compute", "50us", "--tests", "4", "--transport", "two-sided"],
    ["sweep", "bcast/binomial-tree", "bcast/pipelined-chain:segments=4", "-n", "2..16*2", "--size", "1KiB", "--format", "json", "--threads", "1"],
    ["sweep", "allreduce/dissemination", "-n", "9", "--set", "n=1..3", "--alpha", "1us,10us", "--format", "csv", "--threads", "1"],
    ["compare", "allgatherv/linear-ring", "allgatherv/pipelined-ring", "-n", "8", "--sizes", "broadcast", "--format", "json"],
    ["export", *RING, "5", "-o", "x.json"], ["export", *RING, "5", "-o", "x.csv"], ["export", *RING, "5", "-o", "x.otf2"],
    ["export", *RING, "4", "-o", "x.svg", "--view", "timeline", "--width", "400", "--height", "300"],
    ["rules", "bcast", "allreduce", "-n", "2..6", "--size", "8..64KiB*8", "--format", "json"],
    ["rules", "alltoallv/bruck", "alltoallv/ring", "-n", "2..5", "-o", "r.rules"],
    ["figure", "hasanov2014", "eq1", "--small", "--format", "json"], ["figure", "traff2010", "3", "-o", "f.svg", "--small"], ["figure"],
    ["sweep", "intergroup-allgatherv/two-stage", "-p", "2,4", "-q", "3,2", "--together", "p,q", "--x", "p*size", "--y", "ratio",
     "--baseline", "intergroup-allgatherv/segmented", "--line", "a=alpha*p", "--linear", "x", "--title", "t", "-o", "f.svg", "--threads", "1"],
    ["sweep", "bcast/chain", "-n", "4", "--arrival", "random:1ms", "--repeat", "3", "--formula", "--format", "csv", "--gamma-of", "max=1ns/B"],
    ["run", *RING, "4", "--trace", "x"], ["completion", "bash"], ["run", "--help"], ["help", "open"],
]
STATEMENTS = [
    "select rank, sum(wait_s) from waits group by 1 order by 2 desc limit 3",
    'select * from messages where bytes > 8 and "from" < "to"',
    "with big as (select round, max(bytes) as m from messages group by round) select avg(m), count(*) from big join rounds using (round)",
    'select a.round, b.bytes from messages a left join messages b on a."from" = b."to" where a.round in (0, 1) union select 1, 2',
    "select printf('%s %d', name, 3), hex(zeroblob(9)), typeof(null), group_concat(rank, ', ') from ranks, not_recorded",
]
SHARED_WORDS = """-n -p -q --size --size-b --sizes --root --op --type --ports --topology --placement --neighbours-only --set --on --model
--alpha --beta --bandwidth --gamma --loggp --eager --progress --sharing --header --detached --arrival --slow-ranks --slow-links
--format --rounds --rank --tables --from --to --ranks --trace --force --resume --threads --view --width --time --dark --help
regular broadcast spike half-full linear geometric sum min max ordered int32 int64 float double virtual threads mpi json csv text
--together --x --y --baseline --line --linear --title --repeat --formula --small --rows --gamma-of --sql --limit
dot goal bottleneck fair fair-weighted none lockstep free ring full torus:2x2 mesh:2x2 hypercube:2 kautz:2,1 cluster:2
fat-tree:2x2,taper=2 dragonfly:2,1,2,routing=simgrid snake round-robin block random:3 late:1,1ms ramp:1ms 3:2.5 0-1:8 1..3 2..8*2
64KiB 1us 0.4ns/B 2.5GB/s 100Mbit/s segments=4 block=auto empty=skipped n=2 fanout=3 all a.otf2""".split()


# Two GPUs of MSCCL++ that put their chunk into the output of the other one, with signals, and with packets.
PLANS = [b"""{"name": "x", "collective": "allgather", "inplace": false, "protocol": "Simple", "gpus": [%s, %s]}""" % tuple(
    b"""{"id": %d, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 1, "semaphores": [{"init_value": 1}],
 "channels": [{"channel_type": "memory", "connected_to": [%d]}],
 "remote_buffers": [{"rank": %d, "type": "%s", "access_channel_types": ["memory"]}],
 "threadblocks": [{"id": 0, "channels": [{"channel_type": "memory", "channel_ids": [0]}],
  "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}], "ops": [
  {"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}], "dst_buff": [{"type": "o", "index": %d, "size": 1}]},
  {"name": "barrier", "barrier_id": 0, "num_threadblocks": 1}, {"name": "sem_acquire", "semaphore_ids": [0]}, %s]}]}"""
    % (own, 1 - own, 1 - own, buffer, own, operations % {b"own": own, b"other": 1 - own}) for own in (0, 1))
    for buffer, operations in (
        (b"o", b"""{"name": "put", "src_buff": [{"type": "i", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0,
  "index": %(own)d, "size": 1}], "channel_ids": [0], "channel_type": "memory"},
  {"name": "signal", "channel_ids": [0], "channel_type": "memory"}, {"name": "wait", "channel_ids": [0], "channel_type": "memory"}"""),
        (b"s", b"""{"name": "ppkt", "src_buff": [{"type": "i", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0,
  "index": 0, "size": 1}], "channel_type": "memory", "tbg_info": {"tb_id": 0, "tbg_size": 1}},
  {"name": "upkt", "src_buff": [{"type": "s", "index": 0, "size": 1}], "dst_buff": [{"type": "o", "index": %(other)d, "size": 1}]}"""))]


def chakra(rank):
    """The rank of two of an allgather of 100 bytes each, as ASTRA-sim has it: length-delimited protobuf messages."""
    framed = lambda message: bytes([len(message)]) + message  # noqa: E731
    attribute = lambda name, value: b"\x52" + framed(b"\x0a" + framed(name) + b"\x38" + bytes([value]))  # noqa: E731
    node = lambda at, kind, end: framed(  # noqa: E731
        b"\x08" + bytes([at]) + b"\x18" + bytes([kind]) + (b"\x2a\x01\x00" if at else b"") + attribute(b"comm_size", 100)
        + attribute(end, 1 - rank) + attribute(b"comm_tag", 0))
    return (framed(b"\x12" + framed(b"\x0a" + framed(b"collective") + b"\xea\x01" + framed(b"allgather")))
            + node(0, 5, b"comm_dst") + node(1, 6, b"comm_src"))


CHAKRA = [chakra(0), chakra(1)]


@dataclasses.dataclass
class Seed:
    files: dict  # name: bytes
    commands: list
    spoil: list = None  # names of those files that are spoilt; all of them
    grown: object = None  # makes the one file from chance, which is not spoilt then


@dataclasses.dataclass
class Format:
    name: str
    seeds: list
    binary: bool = False
    seconds: int = 20  # of processor time that a command may take
    words: list = dataclasses.field(default_factory=list)
    bounded: bool = True  # nobody asked for long works: longer than that is a fault
    weight: int = 1  # executions of it in a turn
    spoilt_flag: str = ""  # the word behind this flag is spoilt, in place of files

    def __post_init__(self):
        found = {word for seed in self.seeds for content in seed.files.values() if not self.binary
                 for word in re.findall(rb"[\w./:-]+", content)}
        self.words = sorted(found | set(self.words)) or [b"x"]


def archives(make):
    """Archives of runs in virtual time and on threads, of the calls of a program, and of all that it may tell besides."""
    made = {}
    for name, words in ARCHIVES.items():
        made[name] = make(["run", *words, "--trace", "a"], "a")
    for name in ("torus", "uneven"):  # the same as of another tool, which are not as strict
        made[f"{name} of others"] = {file: content.replace(b"COLLSCOPE::", b"SOMEBODY::") for file, content in made[name].items()}
    made["calls"] = make(["@collect", "a", "b"], "b", make(["@records", "a"], "a"), "a")
    made["notices"] = make(["@notices", "a"], "a")
    return made


def beneath(files, folder):
    return {f"{folder}/{name}": content for name, content in files.items()}


def otf2(made):
    commands = [["open", "a"], ["open", "a", "--tables", "all", "--format", "json"], ["open", "a", "--tables", "all"],
                ["open", "a", "--format", "json"], ["open", "a", "--from", "1us", "--ranks", "0..2", "--tables", "rounds,waits"],
                ["open", "a", "--clocks", "fitted", "--tables", "clocks", "--format", "csv"], ["export", "a", "-o", "x.csv"],
                ["export", "a", "-o", "x.json", "--to", "100us"], ["export", "a", "-o", "x.otf2", "--ranks", "0,1"],
                ["export", "a", "-o", "x.svg", "--view", "timeline", "--width", "400", "--height", "300"],
                ["compare", "a", "b", "--format", "json"], ["open", "a", "--memory", "4KiB", "--tables", "links"],
                ["replay", "a"], ["replay", "a", "--alpha", "5us", "--format", "json"]]
    seeds = []
    for files in made.values():
        both = {**beneath(files, "a"), **beneath(files, "b")}
        seeds.append(Seed(both, commands, [name for name in both if name.startswith("a/")]))
    return seeds


def training_job():
    """Two ranks of the PyTorch profiler's format."""
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "scripts" / "traces"))
    from kineto_job import Job  # noqa: E402
    job = Job(ranks=2, steps=2, straggler=1)
    return {f"k/{rank}.json": json.dumps(job.document(rank)).encode() for rank in range(2)}


NCCL_LOG = b"""NCCL version 2.18.6+cuda12.1
a:1:2 [0] NCCL INFO comm 0x5 rank 0 nranks 2 cudaDev 0 busId 1a000 commId 0x7 - Init START
a:1:2 [0] NCCL INFO === System : maxBw 24.0 totalBw 48.0 ===
a:1:2 [0] NCCL INFO CPU/0 (1/1/2)
a:1:2 [0] NCCL INFO + PCI[24.0] - GPU/1A000 (0)
a:1:2 [0] NCCL INFO               + NVL[48.0] - NVS/0
a:1:2 [0] NCCL INFO + PCI[24.0] - GPU/1B000 (1)
a:1:2 [0] NCCL INFO               + NVL[48.0] - NVS/0
a:1:2 [0] NCCL INFO ==========================================
a:1:2 [0] NCCL INFO Channel 00/01 :    0   1
a:1:2 [0] NCCL INFO Ring 00 : 1 -> 0 -> 1
a:1:2 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1
a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC
a:1:2 [0] NCCL INFO comm 0x5 rank 0 nranks 2 cudaDev 0 busId 1a000 commId 0x7 - Init COMPLETE
b:3:4 [1] NCCL INFO Ring 00 : 0 -> 1 -> 0
b:3:4 [1] NCCL INFO Trees [0] -1/-1/-1->1->0
b:3:4 [1] NCCL INFO comm 0x6 rank 1 nranks 2 cudaDev 1 busId 1b000 commId 0x7 - Init COMPLETE
a:1:9 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 64 datatype 7 op 0 root 0 comm 0x5 [nranks=2] stream 0x3
a:1:9 [0] NCCL INFO AllReduce: 256 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}
"""
NCCL_FAULTS = b"""a:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 2 cudaDev 0 busId 1 commId 0xab - Init START
a:1:2 [0] NCCL INFO Ring 00 : 2 -> 1 -> 2
a:1:2 [0] NCCL INFO Ring 00 : 1 -> 2 -> 1
a:1:2 [0] NCCL INFO Trees [0] 1/1/-1->0->-1
a:1:2 [0] NCCL INFO Trees [0] -1/-1/-1->1->0
a:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 2 cudaDev 0 busId 1 commId 0xab - Init COMPLETE
a:1:2 [0] NCCL INFO AllReduce: opCount 0 count 64 datatype 7 op 0 root 0 comm 0x1 [nranks=4] stream 0x1
"""
NCCL_RESULTS = b"""# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#  Rank  0 Group  0 Pid 1 on a device 0 [0x07] GPU
#  Rank  1 Group  0 Pid 1 on a device 1 [0x0f] GPU
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1    10.10    0.10    0.10      0    10.00    0.10    0.10      0
       65536         16384     float     sum      -1    14.20    4.61    4.61      0    14.00    4.68    4.68      0
     1048576        262144     float     sum      -1    80.50   13.02   13.02      0    80.00   13.10   13.10      0
     4194304       1048576     float     sum      -1   300.10   13.97   13.97      0   301.0    13.93   13.93    N/A
"""


def flight_dumps():
    """A pickle and a json of PyTorch's Flight Recorder."""
    entry = {"record_id": 0, "profiling_name": "nccl:all_reduce", "state": "started", "process_group": ("0", "default_pg"),
             "input_sizes": [[4, 4]], "output_sizes": [[4, 4]], "input_dtypes": "float32", "output_dtypes": "float32",
             "collective_seq_id": 1, "p2p_seq_id": 0, "time_created_ns": 5, "is_p2p": False,
             "frames": [{"name": "step", "filename": "train.py", "line": 7}]}
    dump = {"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}}, "entries": [entry]}
    return [pickle.dumps(dump, protocol=2), json.dumps(dump).encode()]


def formats(make, source):
    """All of them. `make(words, folder, files, beneath)` runs a command and gives the files that it left in `folder`."""
    made = archives(make)
    topology = [["run", "bcast/binomial-tree", "-n", "3", "--topology", "graph:NAME", "--format", "json"],
                ["run", "allgatherv/linear-ring", "-n", "3", "--topology", "graph:NAME", "--sharing", "fair"],
                ["run", "bcast/chain", "-n", "3", "--topology", "graph:NAME", "--neighbours-only", "--placement", "snake"]]
    lessons = [Seed({path.name: path.read_bytes()}, [["@lesson", path.name]])
               for path in sorted((source / "resources" / "lessons").glob("*.lesson"))]
    models = [Seed({"m": words}, [["run", "bcast/binomial-tree", "-n", "5", "--model", "@m", "--format", "json"],
                                  ["run", "allreduce/ring", "-n", "5", "--model", "@m", "--sharing", "fair", "--topology", "ring"]])
              for words in (MODEL, LOGGP)]
    sizes = [Seed({"s": b"10\n2KiB\n\n0 # none\n7B\n"}, [["run", *RING, "4", "--sizes", "@s", "--format", "json"],
                                                        ["show", "gatherv/flat", "-n", "4", "--sizes", "@s", "--format", "json"]]),
             Seed({"s": b"1 2 3\n4 5 6\n7KiB 8 9\n"}, [["run", "alltoallv/ring", "-n", "3", "--sizes", "@s"]])]
    places = [Seed({"p": b"0 2 1 3 # as they stand\n5 4\n"}, [["run", "bcast/binomial-tree", "-n", "6", "--topology", topology_,
                                                              "--placement", "@p"]]) for topology_ in ("ring", "mesh:2x3")]
    part = make([*SWEEP[:4], "2..4", *SWEEP[5:]], ".", {}, "").get("t.csv", b"")
    order = b"repeats\t3\nwarm-ups\t1\ncheck\t1\nneighbours\tring\nentry\tbcast/binomial-tree\t\tbcast n=3 sizes=64 root=0\tring\t\t\nexchange\t64KiB\n"
    records = make(["@records", "a"], "a")
    scripts = [Seed({"s.lua": path.read_bytes()}, [["verify", "s.lua", "-n", "2..7"], ["run", "s.lua", "-n", "5", "--format", "json"],
                                                   ["show", "s.lua", "-n", "4", "--format", "json"], ["describe", "s.lua"],
                                                   ["export", "s.lua", "-n", "5", "-o", "x.svg"]])
               for path in sorted((source / "resources" / "scripts").glob("*.lua"))]
    schedules = [Seed({"s.json": shown}, [["verify", "s.json"], ["run", "s.json", "--format", "json"],
                                          ["run", "s.json", "--on", "threads"], ["show", "s.json", "--format", "json"],
                                          ["export", "s.json", "-o", "x.svg"]])
                 for shown in [*SCHEDULES, *TECCL]]
    schedules += [Seed({"s.json": plan}, [["verify", "s.json"], ["run", "s.json", "--pieces", "3", "--format", "json"]]) for plan in PLANS]
    schedules += [Seed({"s.0.et": CHAKRA[0], "s.1.et": CHAKRA[1]}, [["verify", "s.0.et"], ["run", "s.1.et", "--format", "json"]])]
    schedules += [Seed({"s.xml": xml}, [["verify", "s.xml"], ["run", "s.xml", "--format", "json"], ["run", "s.xml", "--on", "threads"],
                                        ["show", "s.xml", "--format", "msccl"]])
                  for xml in [*MSCCL, *FOREST]]
    schedules += [Seed({"s.goal": words}, [["verify", "s.goal"], ["run", "s.goal", "--format", "json"], ["run", "s.goal", "--on", "threads"],
                                           ["show", "s.goal", "--format", "goal"], ["show", "s.goal", "--format", "json"],
                                           ["describe", "s.goal"], ["export", "s.goal", "-o", "x.svg"]])
                  for words in GOAL]
    task = next((source / "resources" / "tasks").glob("*.task")).read_bytes()
    tasks = [Seed({"t.task": path.read_bytes(), "s.lua": b"algorithm { collective = 'bcast' }\n"}, [["grade", "t.task", "s.lua", "--memory", "1000000GiB"]],
                  ["t.task"]) for path in sorted((source / "resources" / "tasks").glob("*.task"))]
    rows = make(["figure", "hasanov2014", "eq1", "--small", "--rows", "r.csv"], ".", {}, "").get("r.csv", b"")
    return [
        Format("otf2", otf2(made), binary=True, weight=6),
        Format("index of values", [Seed(beneath(files, "a"), [["@index", "a", "SEED"]]) for files in made.values()], weight=2),
        Format("graph", [Seed({name: content}, [[word.replace("NAME", name) for word in words] for words in topology])
                         for name, content in GRAPHS.items()], weight=2),
        Format("model", models),
        Format("paper", [Seed({"p": PAPER}, [["figure", "@p"], ["figure", "@p", "1", "--format", "json"],
                                             ["figure", "@p", "obs2", "-o", "x.svg", "--force"]])]),
        Format("sizes", sizes),
        Format("placement", places),
        Format("rules", [Seed({"r": RULES}, [["@rules", "r"]])]),
        Format("tuning", [Seed({"r": words}, [["tune", "check", "r"], ["tune", "explain", "r", "bcast", "-n", "4", "--bytes", "8"],
                                              ["tune", "convert", "r", "--to", "openmpi"], ["tune", "convert", "r", "--to", "collscope"]])
                          for words in (OPEN_MPI_RULES, MPICH_SELECTION, MPICH_VARIABLES, RULES)]),
        Format("lesson", lessons),
        Format("sweep", [Seed({"t.csv.part": part[:length]}, [[*SWEEP, "--resume", "--threads", "1"]])
                         for length in (len(part), len(part) // 2)]),
        Format("rows", [Seed({"r.csv": rows}, [["figure", "hasanov2014", item, "--small", "--rows", "r.csv", "--format", "json"]
                                               for item in ("eq1", "eq2")])]),
        Format("sql", [Seed(beneath(files, "a"), [["open", "a", "--sql", statement, "--limit", "100", "--format", format_]
                                                  for statement in STATEMENTS for format_ in ("json", "csv")])
                       for files in made.values()], words=" ".join(STATEMENTS).split(), binary=True, spoilt_flag="--sql", weight=2),
        Format("settings", [Seed(make(["@settings", "s.ini"], ".", {}, ""), [["@settings", "s.ini"]])]),
        Format("order", [Seed({"o": order}, [["@order", "o"]])]),
        Format("records", [Seed(beneath(records, "a"), [["@collect", "a", "b"], ["@join", "a"]])], binary=True),
        Format("script", scripts, weight=2),
        Format("training job", [Seed(training_job(), [["open", "k"], ["open", "k", "--tables", "steps,stragglers,bandwidth"],
                                                      ["open", "k", "--tables", "all", "--format", "json"]],
                                     ["k/0.json", "k/1.json"])]),
        Format("flight recorder", [Seed({"d/rank_0": dump, "d/rank_1": dump}, [["rollcall", "d"], ["rollcall", "d", "--format", "json"]])
                                   for dump in flight_dumps()], binary=True),
        Format("log of nccl", [Seed({"n.log": NCCL_LOG}, [["open", "n.log"], ["open", "n.log", "--format", "json"], ["verify", "n.log"],
                                                          ["export", "n.log", "-o", "x.dot", "--force"],
                                                          ["export", "n.log", "-o", "x.placement", "--force"]]),
                                Seed({"n.log": NCCL_FAULTS}, [["open", "n.log"], ["verify", "n.log"]])]),
        Format("results of nccl-tests", [Seed({"r": NCCL_RESULTS}, [["calibrate", "r"], ["calibrate", "r", "--format", "json"],
                                                                    ["sweep", "allreduce/ring", "--measured", "r", "--format", "csv"]])]),
        Format("hostile script", [Seed({"s.lua": b"", "t.task": task}, [["verify", "s.lua", "-n", "2..4"], ["show", "s.lua", "-n", "3", "--format", "json"],
                                                        ["run", "s.lua", "-n", "3", "--on", "threads"], ["export", "s.lua", "-n", "3", "-o", "x.svg"],
                                                        ["grade", "t.task", "s.lua"]], grown=hostile_scripts.grown)],
               weight=2),
        Format("schedule", schedules, weight=2),
        Format("task", tasks),
        Format("command line", [Seed({}, [words]) for words in COMMANDS], words=SHARED_WORDS, bounded=False, weight=4),
    ]
