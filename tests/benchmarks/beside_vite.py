# SPDX-License-Identifier: BSD-3-Clause
"""Says in one table what one large trace takes: the OTF2 library that hands every event to an empty callback,
Collscope that reads and matches it, its first page (collscope open), its copy for Perfetto, otf2-print that prints it to
nobody, Collscope's window, and ViTE's. Then the first page of a trace of 4096 ranks and, with --long, of 5*10^7 events.

    ./test bench --benchmark_filter=none        # builds the programs
    python3 tests/benchmarks/beside_vite.py build/release [--events 10000000] [--pictures DIR]

With --pictures what stands on the screen at the end is kept as vite.png and collscope.png; with --only collscope the
other programs are left out.

Of a window three moments are told, in seconds since its program was started: when it was on the screen, when the middle of
the screen looked as it did at the end, and when the program had used no processor for two seconds, those not counted.
Needs Xvfb (Debian: xvfb) and, unless left out, ViTE and otf2-print (Debian: vite, otf2-tools); pictures need ImageMagick (Debian: imagemagick).
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

STILL = 2.0  # seconds without any use of the processor
LONGEST = 900.0
TICK = os.sysconf("SC_CLK_TCK")
LOOK = 0.02  # seconds between two looks at the screen
WIDTH, HEIGHT = 1280, 800
MIDDLE = (slice(WIDTH * 32 // 100, WIDTH * 68 // 100), slice(HEIGHT * 12 // 100, HEIGHT * 60 // 100))


class Screen:
    """The middle of Xvfb's screen, which it keeps in a file as xwd would write it."""

    def __init__(self, folder):
        self.file = open(pathlib.Path(folder) / "Xvfb_screen0", "rb")
        header = struct.unpack(">25I", self.file.read(100))
        self.line, self.begin = header[12], header[0] + 12 * header[19]
        if header[4:6] != (WIDTH, HEIGHT) or header[11] != 32:
            sys.exit("the screen is not as it was asked for")

    def rows(self):
        columns, rows = MIDDLE
        self.file.seek(self.begin + rows.start * self.line)
        block = self.file.read((rows.stop - rows.start) * self.line)
        return [hash(block[y * self.line + 4 * columns.start:y * self.line + 4 * columns.stop])
                for y in range(rows.stop - rows.start)]


def settled(looks):
    """The first of the times since when nearly all rows have been as they were at the end."""
    last = looks[-1][1]
    since = looks[-1][0]
    for when, rows in reversed(looks):
        if sum(a == b for a, b in zip(rows, last)) < 0.97 * len(last):
            break
        since = when
    return since


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


def watch(command, picture, screen):
    """(seconds until its window is there, until its picture is, until it stands still, CPU seconds, MiB)"""
    time.sleep(0.5)  # for what stood there before to be gone
    empty = screen.rows()
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        busy_until, last, memory, looks = began, 0.0, 0.0, [(0.0, empty)]
        while time.monotonic() - busy_until < STILL and time.monotonic() - began < LONGEST:
            if process.poll() is not None:
                sys.exit(f"{command[0]} ended by itself, with code {process.returncode}")
            now = used(process.pid)
            memory = max(memory, most_memory(process.pid))
            # A tick now and then is a blinking cursor, not work.
            if now - last > 1.5 / TICK:
                busy_until, last = time.monotonic(), now
            rows = screen.rows()
            if rows != looks[-1][1]:
                looks.append((time.monotonic() - began, rows))
            time.sleep(LOOK)
        if picture:
            subprocess.run(["import", "-window", "root", picture], check=True)
        if len(looks) == 1:
            sys.exit(f"{command[0]} showed nothing")
        return looks[1][0], settled(looks), busy_until - began, used(process.pid), memory
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
        yield name, None, None, one["real_time"] / 1e3, one["cpu_time"] / 1e3, one["peak_MB"] * 1e6 / 2**20


def large_otherwise(program, folder, long):
    """Rows of first pages of other traces, which are made here."""
    subprocess.run([program, "run", "allgatherv/bruck", "-n", "4096", "--size", "64", "--trace", f"{folder}/ranks"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    made = [("4096 ranks", f"{folder}/ranks")]
    if long:
        trace = f"{folder}/long/traces.otf2"
        subprocess.run([str(pathlib.Path(program).parents[1] / "tests" / "collscope_benchmarks"), "--benchmark_filter=bareOtf2"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env=os.environ | {"COLLSCOPE_READING_EVENTS": "50000000", "COLLSCOPE_READING_KEEP": f"{folder}/long"})
        made.append(("5*10^7 events", trace))
    for name, trace in made:
        yield f"{name}, first page", *once([program, "open", trace, "--index", "none"])


def once(command):
    """The same of a program without a window that ends by itself."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with code {process.returncode}")
    return None, None, time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="folder with app/collscope and tests/collscope_benchmarks")
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--only", choices=["collscope"])
    parser.add_argument("--long", action="store_true", help="also 5*10^7 events")
    given = parser.parse_args()
    needed = {"xvfb-run": "xvfb"} | ({} if given.only else {"vite": "vite", "otf2-print": "otf2-tools"})
    missing = [package for program, package in needed.items() if shutil.which(program) is None]
    if missing:
        sys.exit(f"missing: apt install {' '.join(missing)}")
    if given.pictures and shutil.which("import") is None:
        sys.exit("--pictures needs import: apt install imagemagick")
    if "COLLSCOPE_BESIDE" not in os.environ:
        # A display of its own: nobody's windows get in between.
        with tempfile.TemporaryDirectory() as folder:
            os.environ["COLLSCOPE_BESIDE"] = folder
            screen = ["xvfb-run", "-a", "-s", f"-screen 0 {WIDTH}x{HEIGHT}x24 -fbdir {folder}"]
            sys.exit(subprocess.call(screen + [sys.executable, os.path.abspath(__file__), *sys.argv[1:]]))
    screen = Screen(os.environ["COLLSCOPE_BESIDE"])
    os.environ.pop("QT_QPA_PLATFORM", None)
    program = str(given.build.resolve() / "app" / "collscope")
    with tempfile.TemporaryDirectory() as folder:
        trace = str(pathlib.Path(folder) / "trace" / "traces.otf2")
        os.environ |= {"XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
                       "COLLSCOPE_READING_EVENTS": str(given.events),
                       "COLLSCOPE_READING_KEEP": str(pathlib.Path(trace).parent)}
        if given.pictures:
            given.pictures.mkdir(parents=True, exist_ok=True)

        def row(name, *figures):
            cells = ["" if figure is None else f"{figure:.2f}" for figure in figures[:-1]]
            print(f"{name:26} " + " ".join(f"{cell:>8}" for cell in cells) + f" {figures[-1]:8.0f}", flush=True)

        print(f"{given.events:<26,} " + " ".join(f"{title:>8}" for title in ("window", "picture", "seconds", "CPU s", "MiB")))
        for line in readers(str(given.build.resolve() / "tests" / "collscope_benchmarks")):
            row(*line)
        row("Collscope, first page", *once([program, "open", trace, "--index", "none"]))
        row("Collscope, for Perfetto", *once([program, "export", trace, "-o", f"{folder}/copy.pftrace"]))
        if not given.only:
            row("otf2-print", *once(["otf2-print", trace]))
        windows = [("Collscope", [program, "view", trace, "--index", "none"])]
        if not given.only:
            windows.append(("ViTE", ["vite", trace]))
        for name, command in windows:
            picture = str(given.pictures / f"{name.lower()}.png") if given.pictures else None
            row(f"{name}, window", *watch(command, picture, screen))
        for line in large_otherwise(program, folder, given.long):
            row(*line)


main()
