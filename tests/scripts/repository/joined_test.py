#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""joined_test.py SOURCE [PROGRAM]: files that are compiled together (resources/cmake/unity_build.cmake) take no function of each
other's for their own.

Two files of a room may each have a function of one name in their unnamed namespaces. Where both can be called with the same
arguments, the compiler takes the better one without a word, as if they were one file: `trimmed(std::string)` of one for
`trimmed(std::string_view)` of another, which then points into a string that is gone.
"""
import itertools
import pathlib
import re
import sys

ROOMS = ["engine", "emulation", "traces", "app/analysis", "app/session", "app/teaching", "app/cli", "app/gui/scenes", "app/gui"]
APART = re.compile(r"/(algorithms|topologies|definitions|script)/")
BEGIN = re.compile(r"^(?!using|namespace|struct|class|template|enum|static_assert|extern|return|if |for |while |else)"
                   r"(?:\[\[[^\]]*\]\] *)?(?:[\w:<>,&*]+ +)+[&*]*([a-zA-Z_]\w*)\(")
KINDS = [  # (types that turn into each other unasked, as one word)
    (r"(std::)?string(_view)?|char\*|QString(View)?|QLatin1String|QByteArray", "text"),
    (r"(unsigned )?(bool|char|short|int|long|double|float)|(std::)?u?int\d+_t|(std::)?size_t|Bytes|qint64|qsizetype|qreal", "number"),
]


def type_of(parameter):
    """What a parameter takes, without its name, const and reference."""
    words = re.sub(r"=.*|\bconst\b|&", "", parameter).strip()
    words = re.sub(r"\b(engine|app|traces|emulation|analysis)::", "", words)
    return re.sub(r"(?<=[\w>*]) +\w+$", "", words).replace(" *", "*").strip()


def kind(words):
    """Types that turn into each other as one."""
    return next((name for pattern, name in KINDS if re.fullmatch(pattern, words)), words)


def parameters(words):
    """Those of `words`, which begin behind the bracket that opens them."""
    depth, found, part = 0, [], ""
    for sign in words:
        if sign in "(<[{":
            depth += 1
        elif sign in ")>]}":
            if sign == ")" and depth == 0:
                break
            depth -= 1
        if sign == "," and depth == 0:
            found.append(part)
            part = ""
        else:
            part += sign
    found.append(part)
    return found if found != [""] else []


def functions(text):
    """Name and types of parameters of each function in an unnamed namespace, with each number of them that it takes."""
    unnamed, at = False, 0
    for line in text.split("\n"):
        if line.startswith("namespace"):
            unnamed = line == "namespace {"
        elif line == "}  // namespace":
            unnamed = False
        elif unnamed and (begin := BEGIN.match(line)):
            all_of_them = parameters(text[at + begin.end():])
            needed = sum("=" not in one for one in all_of_them)
            types = [type_of(one) for one in all_of_them]
            for count in range(needed, len(types) + 1):
                yield begin[1], tuple(types[:count])
        at += len(line) + 1


def clashes(texts):
    """Of {path: text}: pairs of files of which one may take the other's function."""
    found = {}
    for path, text in texts.items():
        for name, types in set(functions(text)):
            found.setdefault((name, tuple(map(kind, types))), []).append((path, types))
    for (name, _), places in found.items():
        for (first, its), (second, others) in itertools.combinations(places, 2):
            if its != others:
                yield (f"{first} has {name}({', '.join(its)}) and {second} {name}({', '.join(others)}) in unnamed namespaces; "
                       "give one another name, or have it once")


def check_that_it_can_fail():
    def file(words):
        return "namespace app {\nnamespace {\n\n" + words + "\n\n}  // namespace\n}  // namespace app\n"
    def both(first, second):
        return list(clashes({"a.cpp": file(first), "b.cpp": file(second)}))
    assert both("std::string trimmed(std::string words) {}", "std::string_view trimmed(std::string_view line) {}")
    assert both("int of(const std::string& a, int b) {}", "double of(QString x, engine::Bytes bytes) {}")
    assert both("int of(const char* a, int b = 3) {}", "int of(QString other) {}")
    assert not both("int of(int a) {}", "double of(const int& b) {}"), "which the compiler refuses"
    assert not both("int of(Rank rank) {}", "int of(Round round) {}") and not both("int of() {}", "int of(int a) {}")
    assert not list(clashes({"a.cpp": "namespace app {\nint of(int a) {}\n}", "b.cpp": "namespace app {\nint of(int a) {}\n}"}))


def main(source):
    check_that_it_can_fail()
    rooms = {room: {} for room in ROOMS}
    for file in sorted(source.rglob("*.cpp")):
        path = str(file.relative_to(source))
        room = next((room for room in ROOMS if path.startswith(room + "/")), None)
        if room and not APART.search(path):
            rooms[room][path] = file.read_text(encoding="utf-8")
    assert all(len(texts) > 3 for texts in rooms.values()), {room: len(texts) for room, texts in rooms.items()}
    found = [clash for texts in rooms.values() for clash in clashes(texts)]
    print("\n".join(found) or f"{sum(map(len, rooms.values()))} files keep their functions to themselves")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
