# SPDX-License-Identifier: BSD-3-Clause
"""Opens one large trace in ViTE and in Collscope and says what each of them took until its window stood still.

    COLLSCOPE_READING_KEEP=/tmp/e7 ./test bench --benchmark_filter=recordingMatched
    python3 tests/benchmarks/beside_vite.py build/release/app/collscope /tmp/e7/traces.otf2 [--pictures DIR]

The first line writes a trace of 10,000,000 events. With --pictures what stands on the screen at the end is kept as
vite.png and collscope.png.

A program counts as done when it used no processor for two seconds; the seconds are those before that. Needs ViTE (Debian:
vite) and Xvfb (Debian: xvfb); pictures need ImageMagick (Debian: imagemagick).
"""
import argparse
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("trace")
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
    program = os.path.abspath(given.program)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        if given.pictures:
            given.pictures.mkdir(parents=True, exist_ok=True)
        print(f"{'':10} {'seconds':>8} {'CPU s':>8} {'MiB':>8}")
        for name, command in (("Collscope", [program, "view", given.trace]), ("ViTE", ["vite", given.trace])):
            picture = str(given.pictures / f"{name.lower()}.png") if given.pictures else None
            seconds, processor, memory = watch(command, picture)
            print(f"{name:10} {seconds:8.1f} {processor:8.1f} {memory:8.0f}", flush=True)


main()
