# SPDX-License-Identifier: BSD-3-Clause
"""How a valid input is spoilt: bytes, numbers and words of text, lines. All chance comes from the `random.Random` given."""
import re

NUMBER = re.compile(rb"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
WORD = re.compile(rb"[A-Za-z_][\w-]*|\d+(?:\.\d+)?|\S")
EXTREMES = [b"0", b"1", b"-1", b"2", b"255", b"256", b"65536", b"2147483647", b"2147483648", b"-2147483648", b"4294967295",
            b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"18446744073709551615",
            b"18446744073709551616", b"1e308", b"1e309", b"1e-320", b"-0.0", b"nan", b"inf", b"-inf", b"0.5", b"1e18", b"1e19",
            b"0x10", b"+1", b"", b" ", b"1" * 400, b"0." + b"3" * 400, b"1..8", b"1,2", b"1e", b"1 2"]
STRANGE = [b"\0", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\x1b[31m", b"\r\n", b"\xef\xbb\xbf", b"\x7f", b"\t", b"'", b'"',
           b"\\", b"%s%n", b"../", b"&lt;", b"&#0;", b"\xe2\x80\xae", b"@", b":", b"=", b",", b"..", b"#", b"[", b"]", b"*", b"-"]
TELLING = [0, 1, 2, 3, 5, 6, 7, 8, 9, 127, 128, 254, 255]


def flip(chance, data):
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]


def telling(chance, data):
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.choice(TELLING)]) + data[at + 1:]


def cut(chance, data):
    return data[:chance.randrange(len(data))]


def insert(chance, data):
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.choice(TELLING)]) * chance.choice((1, 1, 2, 8, 100)) + data[at:]


def erase(chance, data):
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 65):]


def move(chance, data):
    at, length = chance.randrange(len(data)), chance.randrange(1, 65)
    to = chance.randrange(len(data) + 1)
    return data[:to] + data[at:at + length] + data[to:]


def word_of_memory(chance, data):
    """A whole number as memory or OTF2 (a length, then as many bytes) holds it."""
    at = chance.randrange(len(data))
    length = chance.choice((1, 2, 4, 8))
    number = chance.choice((0, 1, 2 ** (8 * length) - 1, 2 ** (8 * length - 1), 2 ** (8 * length - 1) - 1,
                            chance.randrange(2 ** (8 * length))))
    bytes_ = number.to_bytes(length, chance.choice(("little", "big")))
    if chance.random() < 0.5:
        return data[:at] + bytes([length]) + bytes_ + data[at + 1 + chance.choice((0, length)):]
    return data[:at] + bytes_ + data[at + length:]


def replaced(chance, data, pattern, by):
    found = list(pattern.finditer(data))
    if not found:
        return insert(chance, data)
    at = chance.choice(found)
    return data[:at.start()] + by(at.group()) + data[at.end():]


def number(chance, data):
    def near(old):
        return str(int(float(old)) + chance.choice((-1, 1))).encode() if chance.random() < 0.3 else chance.choice(EXTREMES)
    return replaced(chance, data, NUMBER, near)


def word(chance, data, words):
    return replaced(chance, data, WORD, lambda old: chance.choice(words))


def added(chance, data, words):
    return replaced(chance, data, WORD, lambda old: old + chance.choice((b"", b" ", b"=", b":")) + chance.choice(words))


def swapped(chance, data):
    found = list(WORD.finditer(data))
    if len(found) < 2:
        return data
    a, b = sorted(chance.sample(found, 2), key=lambda match: match.start())
    return data[:a.start()] + b.group() + data[a.end():b.start()] + a.group() + data[b.end():]


def strange(chance, data):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(STRANGE) + data[at:]


def often(chance, data):
    """A word or a line a great many times."""
    pieces = data.splitlines(keepends=True) if chance.random() < 0.5 else [match.group() for match in WORD.finditer(data)]
    at = chance.randrange(len(data) + 1)
    return data[:at] + (chance.choice(pieces) if pieces else b"x") * chance.choice((2, 10, 300, 5000)) + data[at:]


def lines(chance, data):
    rows = data.splitlines(keepends=True)
    if not rows:
        return data
    at, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    kind = chance.randrange(4)
    if kind == 0:
        rows[at], rows[other] = rows[other], rows[at]
    elif kind == 1:
        del rows[at]
    elif kind == 2:
        rows.insert(other, rows[at])
    else:
        rows[at] = rows[at].rstrip(b"\n")
    return b"".join(rows)


BINARY = [flip, flip, telling, telling, cut, insert, erase, move, word_of_memory, word_of_memory]
TEXT = [flip, telling, cut, insert, erase, move, number, number, number, swapped, strange, often, lines, lines]


def spoilt(chance, data, words=()):
    """`words`: those of a text's language; without them the input is binary."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 2, 4))):
        if not data:
            data = b"x"
        kind = chance.randrange(len(TEXT) + 4) if words else None
        if kind is None:
            data = chance.choice(BINARY)(chance, data)
        elif kind < len(TEXT):
            data = TEXT[kind](chance, data)
        else:
            data = (word if kind % 2 else added)(chance, data, words)
    return data[:1 << 20]


def spoilt_command(chance, command, words):
    """Words of a command line: left out, doubled, exchanged, other numbers in them, or spoilt as texts are."""
    command = list(command)
    for _ in range(chance.choice((1, 1, 2))):
        at = chance.randrange(len(command))
        kind = chance.randrange(9)
        if kind == 0 and len(command) > 1:
            del command[at]
        elif kind == 1:
            command.insert(chance.randrange(1, len(command) + 1), chance.choice(words))
        elif kind == 2:
            command[at] = chance.choice(words)
        elif kind == 3:
            command[at] = text(spoilt(chance, data(command[at]), [word.encode() for word in words]))
        elif kind == 4:
            flag = chance.choice(words)
            command += [flag, chance.choice(words)] if flag.startswith("--") else [command[at]]
        else:
            numbered = [i for i, word in enumerate(command) if NUMBER.search(data(word))]
            if numbered:
                at = chance.choice(numbered)
                few = chance.random() < 0.8
                command[at] = text(replaced(chance, data(command[at]), NUMBER,
                                            lambda old: b"%d" % chance.randrange(40) if few else chance.choice(EXTREMES)))
    return command


def data(word):
    return word.encode(errors="surrogateescape")


def text(content):
    """As a word of a command line can be."""
    return content.replace(b"\0", b"")[:4000].decode(errors="surrogateescape")
