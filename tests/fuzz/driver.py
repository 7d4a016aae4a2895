# SPDX-License-Identifier: BSD-3-Clause
"""One execution after the other, each in a fresh folder, and the judgement of what it did."""
import dataclasses
import json
import os
import pathlib
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import time

from mutations import data, spoilt, spoilt_command, text

MOST_MEMORY = 3 << 20  # KiB, of which the sanitizers take a good part
GRACE = 15  # seconds in which an interrupted command has to end
DECOYS = {"decoy.csv": b"a,b\n1,2\n", "x": b"not yours", "x.json": b"{}", "decoys/deep/decoy.otf2": b"", "t.csv": b"mine"}
SENTENCE = re.compile(r"collscope: [^\n\x00-\x1f\x7f]+\n")
SANITIZER = re.compile(r"(?:ERROR: AddressSanitizer|runtime error:|UndefinedBehavior|LeakSanitizer|==\d+==)[^\n]*")
PLACE = re.compile(r"#\d+ 0x[0-9a-f]+ in (.+?) ([^\s]*?/(?:app|engine|emulation|traces)/[\w/.]+:\d+)")


@dataclasses.dataclass
class Result:
    files: dict
    command: list
    code: object
    seconds: float
    said: str
    findings: list


def same(kind, what):
    """Two findings of one kind have the same: numbers and quoted words do not matter."""
    return f"{kind}: " + re.sub(r"0x[0-9a-f]+|'[^']*'|(?<![:.\w])-?\d+(?:\.\d+)?", "_", what)[:300]


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def tree(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = pathlib.Path(at) / name
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


class Driver:
    def __init__(self, program, folder, seed):
        self.program, self.folder, self.seed = program, folder, seed
        self.work, self.temporary = folder / "work", folder / "tmp"
        folder.mkdir()
        (folder / "home").mkdir(mode=0o500)
        (folder / "runtime").mkdir(mode=0o700)
        self.start()

    def start(self):
        home = str(self.folder / "home")
        environment = {"HOME": home, "PATH": home, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(self.folder / "cache"),
                       "XDG_CONFIG_HOME": home, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8",
                       "ASAN_OPTIONS": "detect_leaks=0:handle_abort=1:max_allocation_size_mb=4096:allocator_may_return_null=0",
                       "UBSAN_OPTIONS": "print_stacktrace=1"}
        self.server = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                                       env=environment)

    def number(self, patience):
        if not select.select([self.server.stdout], [], [], patience)[0]:
            return None
        return struct.unpack("i", self.server.stdout.read(4))[0]

    def run(self, words, seconds, bounded):
        """How it ended (a code, or the name of a signal), what was too much, and what it took [s]."""
        words = [str(self.work), str(seconds if bounded else 1000), *words]
        encoded = [word.encode(errors="surrogateescape") for word in words]
        self.server.stdin.write(struct.pack("i", len(encoded)) + b"".join(struct.pack("i", len(w)) + w for w in encoded))
        self.server.stdin.flush()
        process = self.number(None)
        excess, interrupted = "", None
        while (status := self.number(0.05 if excess or interrupted else 0.2)) is None:
            try:
                memory = int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * 4
                ticks = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
            except (OSError, IndexError):
                continue
            used = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            if memory > MOST_MEMORY:
                excess = "it takes more memory than 3 GiB"
            elif bounded and used > seconds:
                excess = f"it takes longer than {seconds} s of processor time"
            elif not bounded and used > seconds and interrupted is None:
                os.kill(process, signal.SIGTERM)
                interrupted = used
            elif interrupted is not None and used > interrupted + GRACE:
                excess = f"it does not end within {GRACE} s when it is interrupted"
            if excess:
                os.kill(process, signal.SIGKILL)
        took = self.number(None) / 1000
        self.number(None)
        how = os.waitstatus_to_exitcode(status)
        return (signal.Signals(-how).name if how < 0 else how), excess, took, interrupted is not None

    def make(self, words, folder, files=None, beneath=""):
        """What a command leaves in `folder`, given files in the folder `beneath`."""
        self.clear()
        write(self.work, {f"{beneath}/{name}": content for name, content in (files or {}).items()})
        how, excess, _, _ = self.run(words, 100, True)
        assert how == 0 and not excess, f"{words}: {how} {self.said()}"
        return tree(self.work / folder)

    def clear(self):
        for folder in (self.work, self.temporary):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def said(self):
        return (self.folder / "work.err").read_text(errors="surrogateescape")

    def execute(self, kind, number):
        chance = random.Random(f"{self.seed}:{kind.name}:{number}")
        seed = chance.choice(kind.seeds)
        command = [str(chance.randrange(1_000_000_000)) if word == "SEED" else word for word in chance.choice(seed.commands)]
        files = dict(seed.files)
        names = [name for name in seed.spoil or files if name not in DECOYS]
        if seed.grown:
            files["s.lua"] = seed.grown(chance)
        elif not files:
            command = spoilt_command(chance, command, kind.words)
        elif kind.spoilt_flag:
            at = command.index(kind.spoilt_flag) + 1
            command[at] = text(spoilt(chance, data(command[at]), [data(word) for word in kind.words]))
        elif "@index" not in command:
            # Files in the folder itself, such as anchors and definitions, are few and matter most.
            few = [name for name in names if name.count("/") <= 1]
            name = chance.choice(few if few and chance.random() < 0.5 else names)
            if chance.random() < 0.02 and len(names) > 1:
                del files[name]
            else:
                files[name] = spoilt(chance, files[name], () if kind.binary else kind.words)
        self.clear()
        before = {**DECOYS, **files} if "t.csv.part" not in files else {**{n: c for n, c in DECOYS.items() if n != "t.csv"}, **files}
        write(self.work, before)
        how, excess, seconds, interrupted = self.run(command, kind.seconds, kind.bounded)
        said = self.said()
        findings = list(self.judged(command, how, excess, said, before, interrupted))
        if self.server.poll() is not None:
            self.start()
        return Result(before, command, how, seconds, said, findings)

    def judged(self, command, how, excess, said, before, interrupted):
        if excess:
            yield excess
            return
        if spoken := SANITIZER.search(said):
            place = PLACE.search(said)
            yield f"{spoken.group().split('==')[-1]} in {place.group(2).split('/')[-1] if place else 'nobody knows'}"
            return
        if not isinstance(how, int):
            yield f"{how} ends it: {said[-200:]!r}"
            return
        if how not in (0, 1, 2, 130) or (how == 130) != interrupted and how == 130:
            yield f"it ends with {how}"
        if how == 1 and "defect in this program" in said:
            yield said.strip()
        if how == 2 and not SENTENCE.fullmatch(said):
            yield f"refused with other than one sentence: {said[:200]!r}"
        yield from self.left(command, how, before)
        if how == 0 and "json" in command and command[command.index("json") - 1] == "--format" and command[0] != "help" \
                and not {"-h", "--help"} & set(command):
            yield from self.json()

    def json(self):
        def none(word):
            raise ValueError(f"{word} is no number")
        try:
            json.loads((self.folder / "work.out").read_bytes().decode(), parse_constant=none)
        except ValueError as why:
            yield f"no json: {why}"

    def left(self, command, how, before):
        after = tree(self.work)
        asked = "--force" in command
        kept = [file for flag, file in zip(command, command[1:]) if flag == "--rows"]  # goes on in it
        for name, content in before.items():
            ours = name.endswith((".part", ".index", ".rec", ".ini")) or asked and not name.startswith("decoy") or name in kept
            if after.get(name) != content and not ours:
                yield f"{name} is {'changed' if name in after else 'gone'}"
        new = sorted(set(after) - set(before))
        drafts = [name for name in new if name.split("/")[-1].startswith(".collscope-")]
        if drafts:
            yield "a draft is left"
        elif new and how == 2 and not any(name.endswith((".part", ".index")) for name in new):
            yield f"refused, and yet it left {re.sub(r'[0-9]+', '_', new[0])}"
        for path in self.temporary.iterdir():
            yield f"{re.sub(r'[0-9]+', '_', path.name)} is left in the folder for temporary files"

    def keep(self, result, what, folder):
        write(folder / "work", result.files)
        (folder / "command").write_text(repr(result.command) + "\n")
        (folder / "said").write_text(f"{what}\nended with {result.code}\n\n{result.said}", errors="surrogateescape")
