# SPDX-License-Identifier: BSD-3-Clause
"""Writes training jobs as the PyTorch profiler (Kineto) writes them, whose every number is known before.

Each step takes `period`. In it a rank computes in aten::mm for `compute`, all_reduces `hidden_bytes` beside that for
`hidden`, and then `exposed_bytes` after it for `exposed`, which begins when the last rank has come. The straggler computes
`delay` longer in every step of `late_steps`. Times are microseconds; the clock of rank r is ahead by offsets[r], and
gains drift[r] parts in a million on top of that. Collectives end on each rank up to `jitter` later than at once. `ring`: alpha in microseconds and beta in ns per byte; all_reduces then
take what a ring of them does. `pairs`: likewise, of two more all_reduces between ranks 2k and 2k + 1 at the end of a step.
`simple`: likewise, of two more all_reduces of all ranks by the protocol SIMPLE; `noise`: their times and those of the
exposed ones vary by this share, on all ranks alike.
"""
import gzip
import json
import os
import random

KERNELS = {
    "new": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "old": "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
    "rocm": "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)",
}


class Job:
    def __init__(self, ranks=8, steps=10, straggler=5, delay=3000, late_steps=None, offsets=None, style="new", host=False,
                 drift=None, ring=None, pairs=None, jitter=0, simple=None, noise=0):
        self.ranks, self.steps, self.straggler, self.delay, self.style, self.host = ranks, steps, straggler, delay, style, host
        self.late_steps = set(range(steps)) if late_steps is None else set(late_steps)
        self.offsets = offsets or [0] * ranks
        self.drift = drift or [0] * ranks
        self.period, self.compute, self.hidden, self.exposed = 20000, 8000, 2000, 1000
        self.hidden_elements, self.exposed_elements = 1 << 20, 1 << 22
        self.pairs, self.jitter, self.simple, self.noise = pairs, jitter, simple, noise
        if ring:
            self.hidden, self.exposed = (self.ring_time(4 * n, *ring) for n in (self.hidden_elements, self.exposed_elements))

    def noisy(self, time, step, k):
        return round(time * (1 + self.noise * random.Random(97 * step + k).uniform(-1, 1)), 3)

    def ring_time(self, size, alpha, beta):
        """Microseconds of a ring."""
        return round(2 * (self.ranks - 1) * (alpha + size / self.ranks * beta * 1e-3), 3)

    def seen(self, rank, time):
        """On the clock of the rank."""
        return round(time + self.offsets[rank] + time * self.drift[rank] * 1e-6, 3)

    def delayed(self, rank, step):
        return self.delay if rank == self.straggler and step in self.late_steps else 0

    def comms(self, elements, sequence):
        facts = {"Collective name": "allreduce", "In msg nelems": elements, "Out msg nelems": elements,
                 "Group size": self.ranks, "dtype": "Float", "Process Group Name": "0",
                 "Process Group Description": "default_pg",
                 "Process Group Ranks": str(list(range(self.ranks))) if self.ranks <= 30 else
                 "[" + ", ".join(map(str, range(30))) + ", ...]",
                 "Global rank start": 0, "Global rank stride": 1, "Seq": sequence}
        if self.style == "old":
            return {}
        if self.style == "unsequenced":
            del facts["Seq"]
        if self.style == "2.1":
            facts = {key: facts[key] for key in ("Collective name", "In msg nelems", "Out msg nelems", "Group size", "dtype")}
        return facts

    @staticmethod
    def of_kernel(facts):
        """What Kineto copies of the metadata of record_param_comms to the kernel."""
        return {key: value for key, value in facts.items() if not key.startswith("Global rank")}

    def events(self, rank):
        pid, gpu = 1000 + rank, rank % 8
        host = {"pid": pid, "tid": pid}
        correlation = 0
        late = random.Random(rank)

        def x(category, name, begin, duration, where, **args):
            return {"ph": "X", "cat": category, "name": name, "ts": self.seen(rank, begin),
                    "dur": round(self.seen(rank, begin + duration) - self.seen(rank, begin), 3),
                    **where, "args": args}

        kernel = KERNELS.get(self.style, KERNELS["new"])
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": pid, "ts": 0, "args": {"name": "thread (pt_main_thread)"}}
        for step in range(self.steps):
            t0 = 1000 + step * self.period
            extra = self.delayed(rank, step)
            yield x("user_annotation", f"ProfilerStep#{step}", t0, self.period, host, **{"External id": 1 + step})
            if self.host:  # the straggler loads data longer, before it launches anything
                yield x("cpu_op", "DataLoader.next", t0 + 1, 49 + extra, host)
            shift = extra if self.host else 0
            length = self.compute + (0 if self.host else extra)
            begin = t0 + 100 + shift
            launches = [("aten::mm", "void gemm<float>(float*)", 7, begin, length, {})]
            if not self.host:
                launches.append(("c10d::allreduce_", kernel, 20, t0 + 200, self.hidden,
                                 self.comms(self.hidden_elements, 2 * step + 1)))
            last = t0 + 100 + self.compute + (self.delay if step in self.late_steps else 0)
            launches.append(("c10d::allreduce_", kernel, 20, begin + length, last + self.noisy(self.exposed, step, 0) - (begin + length),
                             self.comms(self.exposed_elements, 2 * step + 2)))
            if self.pairs:
                first = rank // 2 * 2
                of_pair = {"Group size": 2, "Process Group Name": str(1 + first), "Process Group Description": "pair",
                           "Process Group Ranks": str([first, first + 1]), "Global rank start": first}
                alpha, beta = self.pairs
                for k, elements in enumerate((1 << 18, 1 << 20)):
                    launches.append(("c10d::allreduce_", kernel, 20, t0 + self.period - 4000 + 1500 * k,
                                     round(2 * (alpha + 4 * elements / 2 * beta * 1e-3), 3),
                                     {**self.comms(elements, 2 * step + k + 1), **of_pair}))
            if self.simple:
                for k, elements in enumerate((1 << 22, 1 << 24)):
                    launches.append(("c10d::allreduce_", kernel.replace("LL", "SIMPLE"), 20, t0 + self.period - 7000 + 1000 * k,
                                     self.noisy(self.ring_time(4 * elements, *self.simple), step, 1 + k),
                                     self.comms(elements, 10_000 + 2 * step + k)))
            for k, (operation, name, stream, at, duration, facts) in enumerate(launches):
                correlation += 1
                called = t0 + 60 + shift + 8 * k
                yield x("cpu_op", operation, called, 7, host)
                if facts or operation.startswith("c10d"):
                    yield x("cpu_op", "record_param_comms", called + 1, 5, host, **facts)
                    yield x("user_annotation", "nccl:all_reduce", called + 1.5, 4, host,
                            **({"Input Dims": [[self.exposed_elements if k == len(launches) - 1 else self.hidden_elements]],
                                "Input type": ["float"]} if self.style == "old" else {}))
                yield x("cuda_runtime", "cudaLaunchKernel", called + 2, 2, host, correlation=correlation)
                if stream == 20:
                    duration += self.jitter * late.random()
                yield x("kernel", name, at, duration, {"pid": gpu, "tid": stream}, device=gpu, stream=stream,
                        correlation=correlation, **self.of_kernel(facts))
                yield {"ph": "s", "id": correlation, "pid": pid, "tid": pid, "ts": at, "cat": "ac2g", "name": "ac2g"}

    def document(self, rank):
        info = {"backend": "nccl", "rank": rank, "world_size": self.ranks}
        # A group of all ranks has an empty list; the profiler on demand writes the list as words, behind the events.
        if self.style == "new":
            info["pg_config"] = [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl",
                                  "pg_size": self.ranks, "ranks": []}]
        if self.style == "on demand":
            info["pg_config"] = [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl",
                                  "pg_size": self.ranks, "ranks": str(list(range(self.ranks)))}]
        document = {"schemaVersion": 1, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1732000000000000000}
        if self.style != "on demand":
            document["distributedInfo"] = info
        document["traceEvents"] = [*self.events(rank), {"ph": "i", "s": "g", "name": "Record Window End", "pid": "",
                                                        "tid": "", "ts": self.steps * self.period + 2000, "args": {}}]
        if self.style == "on demand":
            document["distributedInfo"] = {**info, "nccl_version": "unknown"}
        return document

    def write(self, folder, ranks=None, compressed=False, name="trace_{}"):
        os.makedirs(folder, exist_ok=True)
        for rank in range(self.ranks) if ranks is None else ranks:
            # Names tell nothing: the rank is in the file.
            path = os.path.join(folder, name.format((rank * 7 + 3) % 1009) + ".json")
            words = json.dumps(self.document(rank), indent=1)
            if compressed:
                with gzip.open(path + ".gz", "wt", compresslevel=1) as out:
                    out.write(words)
            else:
                with open(path, "w") as out:
                    out.write(words)

    # What is right.
    def times(self, rank, step):
        """duration, compute, exposed, hidden, idle in microseconds"""
        extra, last = self.delayed(rank, step), self.delay if step in self.late_steps else 0
        compute = self.compute + (0 if self.host else extra)
        exposed = self.exposed + last - extra
        hidden = 0 if self.host else self.hidden
        return self.period, compute, exposed, hidden, self.period - compute - exposed
