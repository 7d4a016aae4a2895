# SPDX-License-Identifier: BSD-3-Clause
"""Commands of the program one after the other, all in one process (tests/fuzz/serve.cpp): starting the program takes
twenty times as long as most commands."""
import os
import pathlib
import struct
import subprocess
import tempfile

IN_THE_SERVER = 0


class Commands:
    def __init__(self, program):
        """`program` is collscope as it was built; the server is built beside it."""
        self.folder = tempfile.TemporaryDirectory()
        self.work = pathlib.Path(self.folder.name) / "work"
        self.work.mkdir()
        server = pathlib.Path(program).resolve().parents[1] / "tests" / "collscope_fuzzed"
        self.server = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, *words):
        """The exit code, what it printed and what it said on stderr."""
        encoded = [os.fsencode(str(word)) for word in (self.work, IN_THE_SERVER, *words)]
        self.server.stdin.write(struct.pack("i", len(encoded)) + b"".join(struct.pack("i", len(w)) + w for w in encoded))
        self.server.stdin.flush()
        answer = self.server.stdout.read(16)
        if len(answer) < 16:
            raise AssertionError(f"the server ended with {self.server.wait()} in {' '.join(words)}")
        code = os.waitstatus_to_exitcode(struct.unpack("4i", answer)[1])
        return code, *(pathlib.Path(f"{self.work}.{stream}").read_text(encoding="utf-8") for stream in ("out", "err"))
