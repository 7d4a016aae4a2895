# SPDX-License-Identifier: BSD-3-Clause
"""Says in one table what one large trace takes: the OTF2 library that hands every event to an empty callback,
Collscope that reads and matches it, its first page (collscope open), its window, and ViTE's window.

    ./test bench --benchmark_filter=none        # builds the programs
    python3 tests/benchmarks/beside_vite.py build/release [--events 10000000] [--pictures DIR]

With --pictures what stands on the screen at the end is kept as vite.png and collscope.png.

A window counts as done when it used no processor for two seconds; the seconds are those before that. Needs ViTE (Debian:
vite) and Xvfb (Debian: xvfb); pictures need ImageMagick (Debian: imagemagick).
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

STILL = 2.0  # seconds without any use of the processor
LONGEST = 900.0
TICK = os.sysconf("SC_CLK_TCK")


def used(pid):
    """CPU seconds of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def most_memory(pid):
    """MiB that a process held at most."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def watch(command, picture):
    """(seconds, CPU seconds, MiB) until `command` stands still."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        busy_until, last, memory = began, 0.0, 0.0
        while time.monotonic() - busy_until < STILL and time.monotonic() - began < LONGEST:
            if process.poll() is not None:
                sys.exit(f"{command[0]} ended by itself, with code {process.returncode}")
            now = used(process.pid)
            memory = max(memory, most_memory(process.pid))
            # A tick now and then is a blinking cursor, not work.
            if now - last > 1.5 / TICK:
                busy_until = time.monotonic()
            last = now
            time.sleep(0.2)
        if picture:
            subprocess.run(["import", "-window", "root", picture], check=True)
        return busy_until - began, last, memory
    finally:
        process.terminate()
        process.wait()


def readers(benchmarks):
    """Rows of what reads the trace and shows nothing; makes the trace."""
    names = {"bareOtf2": "OTF2 library, bare", "recordingMatched": "Collscope, matched"}
    out = subprocess.run([benchmarks, f"--benchmark_filter={'|'.join(names)}", "--benchmark_format=json"], check=True,
                         stdout=subprocess.PIPE)
    for one in json.loads(out.stdout)["benchmarks"]:
        name = names[one["name"].split("/")[0]]
        yield name, one["real_time"] / 1e3, one["cpu_time"] / 1e3, one["peak_MB"] * 1e6 / 2**20


def once(command):
    """(seconds, CPU seconds, MiB) of a program that ends by itself."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with code {process.returncode}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="folder with app/collscope and tests/collscope_benchmarks")
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--pictures", type=pathlib.Path)
    given = parser.parse_args()
    missing = [name for name in ("vite", "xvfb-run") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{' and '.join(missing)} missing: apt install vite xvfb")
    if given.pictures and shutil.which("import") is None:
        sys.exit("--pictures needs import: apt install imagemagick")
    if "COLLSCOPE_BESIDE" not in os.environ:
        # A display of its own: nobody's windows get in between.
        os.environ["COLLSCOPE_BESIDE"] = "1"
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"]
        os.execvp(screen[0], screen + [sys.executable, os.path.abspath(__file__), *sys.argv[1:]])
    os.environ.pop("QT_QPA_PLATFORM", None)
    program = str(given.build.resolve() / "app" / "collscope")
    with tempfile.TemporaryDirectory() as folder:
        trace = str(pathlib.Path(folder) / "trace" / "traces.otf2")
        os.environ |= {"XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
                       "COLLSCOPE_READING_EVENTS": str(given.events),
                       "COLLSCOPE_READING_KEEP": str(pathlib.Path(trace).parent)}
        if given.pictures:
            given.pictures.mkdir(parents=True, exist_ok=True)

        def row(name, seconds, processor, memory):
            print(f"{name:22} {seconds:8.1f} {processor:8.1f} {memory:8.0f}", flush=True)

        print(f"{given.events:<22,} {'seconds':>8} {'CPU s':>8} {'MiB':>8}")
        for line in readers(str(given.build.resolve() / "tests" / "collscope_benchmarks")):
            row(*line)
        row("Collscope, first page", *once([program, "open", trace, "--index", "none"]))
        for name, command in (("Collscope", [program, "view", trace, "--index", "none"]), ("ViTE", ["vite", trace])):
            picture = str(given.pictures / f"{name.lower()}.png") if given.pictures else None
            row(f"{name}, window", *watch(command, picture))


main()
