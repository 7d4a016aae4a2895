#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""output_files_test.py SOURCE PROGRAM: what the program writes is there whole or not at all, on full disks and under
signals too, and takes nobody's place; what it reads is a file."""
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[2])
RING = ["allgatherv/linear-ring", "-n"]


def run(*words, **more):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120, **more)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def refused(answer, sentence):
    check(answer.returncode == 2 and sentence in answer.stderr and answer.stderr.count("\n") == 1,
          f"{sentence!r} expected, not {answer.returncode} {answer.stderr!r}")


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def two_at_once(scratch):
    name = scratch / "both.json"
    writers = [subprocess.Popen([program, "export", *RING, "300", "-o", name], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    codes = sorted(writer.returncode for writer in writers)
    check(codes == [0, 2] and any("is there already" in words for words in said), f"one of two: {codes} {said}")


def full(scratch):
    """On a disk of one megabyte, where this user may make one."""
    script = f"""mount -t tmpfs -o size=1m none {scratch} || exit 77
cd {scratch}
for file in a.json a.csv; do {program} export {' '.join(RING)} 400 -o $file 2>&1; echo "code $?"; done
{program} run {' '.join(RING)} 200 --trace trace 2>&1 >/dev/null; echo "code $?"
ls -A"""
    made = subprocess.run(["unshare", "--mount", *([] if os.geteuid() == 0 else ["-r"]), "sh", "-c", script],
                          capture_output=True, text=True, timeout=120)
    if made.returncode == 77:
        print("no file system of one's own can be made here: a full disk was not tried")
        return
    lines = made.stdout.splitlines()
    for name, said, code in zip(("a.json", "a.csv"), lines[0::2], lines[1::2]):
        check(said == f"collscope: cannot write '{name}': the disk is full" and code == "code 2", made.stdout)
    check(lines[4:] == [lines[4], "code 2"] and "space" in lines[4], made.stdout)


def written(draft):
    """Whether something is in this draft; the first one only tries the folder and is removed at once."""
    try:
        return draft.stat().st_size > 0
    except FileNotFoundError:
        return False


def interrupted(scratch):
    for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        export = subprocess.Popen([program, "export", *RING, "900", "-o", scratch / "large.json"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2000):
            if any(written(draft) for draft in scratch.glob(".collscope-*")):
                break
            time.sleep(0.01)
        export.send_signal(kind)
        said = export.communicate(timeout=60)[1]
        check(export.returncode == 130 and "interrupted" in said, f"{kind}: {export.returncode} {said!r}")
        check(list(scratch.iterdir()) == [], f"{kind} left {list(scratch.iterdir())}")


def killed_sweeps(scratch):
    """A sweep that is ended again and again, by whatever signal, comes to the table of one that was left alone."""
    chance = random.Random(1)
    words = ["sweep", "bcast/binomial-tree", "bcast/chain", "-n", "2..400", "--size", "1KiB..16KiB*4", "-o"]
    begin = time.monotonic()
    check(run(*words, scratch / "whole.csv").returncode == 0, "undisturbed")
    alone = time.monotonic() - begin  # machines differ: each is ended after a part of what it would take
    kills = 0
    while not (scratch / "killed.csv").exists() and kills < 100:
        sweep = subprocess.Popen([program, *words, scratch / "killed.csv", "--resume"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            check(sweep.wait(alone * (chance.uniform(0.05, 0.4) + kills / 20)) == 0, "resumed")
        except subprocess.TimeoutExpired:
            sweep.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)))
            sweep.wait(60)
            kills += 1
    check(kills > 1, f"only {kills} were ended")
    check((scratch / "killed.csv").read_text() == (scratch / "whole.csv").read_text(), "equal after kills")
    check(sorted(os.listdir(scratch)) == ["killed.csv", "whole.csv"], os.listdir(scratch))


def interrupted_bench(_scratch):
    """Also what writes nothing."""
    for kind in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        bench = subprocess.Popen([program, "bench"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(0.3)
        bench.send_signal(kind)
        said = bench.communicate(timeout=60)[1]
        check(bench.returncode == 130 and "interrupted" in said, f"bench, {kind}: {bench.returncode} {said!r}")


def inputs(scratch):
    os.mkfifo(scratch / "pipe")
    (scratch / "large.dot").write_bytes(b"")
    os.truncate(scratch / "large.dot", 1 << 30)
    for name in ("/dev/zero", scratch / "pipe", scratch, "/proc/self/mem"):
        for words in (["--model", f"@{name}"], ["--placement", f"@{name}"]):
            refused(run("run", "bcast/flat", "-n", 4, *words), str(name))
        refused(run("run", *RING, 4, "--sizes", f"@{name}"), str(name))
    refused(run("run", "bcast/flat", "-n", 4, "--topology", f"graph:{scratch}/large.dot"), "larger than 16 MiB")
    os.mkfifo(scratch / "pipe.otf2")
    refused(run("open", scratch / "pipe.otf2"), "it is no file")


def display():
    nowhere = {key: value for key, value in os.environ.items()
               if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    for around in (nowhere, nowhere | {"DISPLAY": ":4711"}):
        refused(run("view", env=around), "view: no display")


def films(scratch):
    """ffmpeg is told of a file, whatever its name looks like."""
    tools = scratch / "tools"
    tools.mkdir()
    (tools / "ffmpeg").write_text('#!/bin/sh\nfor last; do :; done\ncat >/dev/null\necho "$last" >"${last#file:}"\n')
    (tools / "ffmpeg").chmod(0o755)
    around = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    folder = scratch / "films"
    folder.mkdir()
    for name in ("-y.mp4", "concat:a|b.mp4", "file:%d.mp4"):
        made = run("export", "bcast/flat", "-n", 3, f"--output={name}", "--seconds", 1, "--width", 200, "--height", 200,
                   cwd=folder, env=around)
        check(made.returncode == 0, f"{name}: {made.stderr}")
        told = (folder / name).read_text().strip()
        check(told.startswith(f"file:{folder.resolve()}/.collscope-"), f"{name}: ffmpeg was told {told!r}")
    check(sorted(os.listdir(folder)) == sorted(["-y.mp4", "concat:a|b.mp4", "file:%d.mp4"]), os.listdir(folder))


def main():
    for test in (two_at_once, full, interrupted, killed_sweeps, interrupted_bench, inputs, films):
        with tempfile.TemporaryDirectory() as scratch:
            test(pathlib.Path(scratch).resolve())
    display()
    with tempfile.TemporaryDirectory() as scratch:
        large = run("export", *RING, 400, "-o", f"{scratch}/a.json", preexec_fn=small_files)
        refused(large, "files may not become as large as this one (ulimit -f)")
        check(os.listdir(scratch) == [], os.listdir(scratch))
        part = run("sweep", "bcast/flat", "-n", "2..2000", "-o", f"{scratch}/a.csv", preexec_fn=small_files)
        refused(part, "it keeps the rows so far, --resume continues")
        rows = pathlib.Path(scratch, "a.csv.part").read_text()
        check(rows.endswith("\n") and rows.count("\n") > 100, "whole rows stay")
        check(run("sweep", "bcast/flat", "-n", "2..2000", "--resume", "-o", f"{scratch}/a.csv").returncode == 0, "resumed")
        check(run("sweep", "bcast/flat", "-n", "2..2000", "-o", f"{scratch}/b.csv").returncode == 0, "undisturbed")
        check(pathlib.Path(scratch, "a.csv").read_text() == pathlib.Path(scratch, "b.csv").read_text(), "equal")
    print("files appear whole or not at all")


if __name__ == "__main__":
    main()
