#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""includes_test.py SOURCE: each file includes what it names, itself or through what it includes.

Files of a room are compiled together (resources/cmake/unity_build.cmake), where one includes for the next. Alone, as in a Debug
build, such a file does not compile. Looked at are the types and functions that our headers have at the begin of a line:
types wherever they are named, functions where a namespace is named before their call, and, in .cpp files, those of the
same namespace and folder, or one above it, that nothing else of the name can be meant by.
"""
import collections
import pathlib
import re
import sys

ROOMS = ["engine", "emulation", "traces", "app"]
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+)", re.M)
TYPE = re.compile(r"^(?:template <[^\n]*>\n)?(?:class|struct|enum class|using)\s+(?:\[\[\w+\]\]\s*)?([A-Z]\w+)\b(?!;)", re.M)
FUNCTION = re.compile(r"^(?!using|return|class|struct|namespace|#)[\w:][\w:<>,&* \[\]]*[ &*>](\w+)\([^;{}]*\)[^;{}]*[;{]", re.M)
NAMED = re.compile(r"(?<![\w.>:])((?:\w+::)*)([A-Za-z_]\w+)\b(\(?)")
CALLED = re.compile(r"(?<![\w.>:~])([a-z]\w+)\(")
FLOW = re.compile(r"\b(?:return|else|throw|case|do)\b")
OTHER = r"\b(?:class|struct|enum|enum class|using|typename|class\.\.\.|typename\.\.\.)\s+(?:\w+::)*{}\b"


def without_words(text):
    """Without comments and what is said."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//[^\n]*", "", text))


class Sources:
    def __init__(self, texts):
        self.code = {path: without_words(text) for path, text in texts.items()}
        self.included = {path: INCLUDED.findall(text) for path, text in texts.items()}
        self.known = {}
        self.within = {path: set(NAMESPACE.findall(code)) for path, code in self.code.items()}
        self.types, self.functions = collections.defaultdict(set), collections.defaultdict(set)
        self.spaces = {path: {word for name in NAMESPACE.findall(code) for word in name.split("::")}
                       for path, code in self.code.items()}
        for path, code in self.code.items():
            if path.endswith(".hpp"):
                for name in TYPE.findall(code):
                    self.types[name].add(path)
                for name in FUNCTION.findall(code):
                    self.functions[name].add(path)

    def reached(self, path):
        """What the file includes, itself among it."""
        if path not in self.known:
            seen, left = set(), [path]
            while left:
                one = left.pop()
                if one not in seen:
                    seen.add(one)
                    left += self.included.get(one, [])
            self.known[path] = seen
        return self.known[path]

    def has_other(self, path, name):
        """Whether the name is that of something else there: a forward declaration, a parameter of a template, a nested type."""
        pattern = re.compile(OTHER.format(name))
        return any(pattern.search(self.code.get(one, "")) for one in self.reached(path))

    def lacking(self, path):
        for before, name, calls in sorted(set(NAMED.findall(self.code[path]))):
            declared = self.types.get(name, set()) | (self.functions.get(name, set()) if before and calls else set())
            inside = before.removesuffix("::").split("::")[-1]
            if before:
                declared = {one for one in declared if inside in self.spaces[one]}
            reached = self.reached(path)
            if not declared or declared & reached or name.isupper():
                continue
            # A name of another room is somebody else's, such as Qt's: whoever means ours includes that room.
            rooms = {pathlib.PurePath(one).parent for one in reached}
            if any(pathlib.PurePath(one).parent in rooms for one in declared) and not self.has_other(path, name):
                yield f"{path} names {before}{name}, but does not include {' or '.join(sorted(declared))}"


    def sees(self, path, header):
        """Whether names of the header's namespace need no other name before them in the file."""
        return any(its == own or its.startswith(own + "::") for its in self.within[path] for own in self.within[header])

    def lacking_functions(self, path):
        if not path.endswith(".cpp"):
            return
        code, reached = self.code[path], self.reached(path)
        for name in sorted(set(CALLED.findall(code))):
            declared = {one for one in self.functions.get(name, ())
                        if self.sees(path, one) and pathlib.PurePath(one).parent in pathlib.PurePath(path).parents}
            if not declared or self.functions[name] & reached:
                continue
            own = re.search(rf"[\w>&*\]]\s+[&*]?(?:\w+::)*{name}\(", FLOW.sub("", code)) or re.search(rf"\b{name}\b\s*[={{;,)]", code)
            member = any(re.search(rf"\b{name}\(", self.code[one]) for one in reached
                         if one in self.code and one != path and self.sees(path, one))
            if not own and not member:
                yield f"{path} calls {name}, but does not include {' or '.join(sorted(declared))}"


def check_that_it_can_fail():
    texts = {"a/one.hpp": "namespace n {\nstruct Thing {\n};\nThing make(int size);\n}", "a/two.hpp": "struct Other {};",
             "a/good.cpp": '#include "a/one.hpp"\nThing good() { return n::make(3); }',
             "a/far.cpp": '#include "a/good.cpp"\nThing far();', "a/forward.cpp": "struct Thing;\nThing* some();",
             "a/template.cpp": "template <class Thing>\nThing any();", "a/words.cpp": '// Thing\nauto a = "Thing";',
             "a/stranger.cpp": "auto a = QDir::Thing; auto b = x.make(3) + n::make;",
             "a/deeper/same.cpp": 'namespace n {\nvoid f() {\n    make(3);\n}\n}',
             "a/deeper/member.cpp": 'namespace n {\nvoid make(int);\nvoid f() {\n    make(3);\n}\n}',
             "a/type.cpp": '#include "a/two.hpp"\nThing bad();', "a/function.cpp": '#include "a/two.hpp"\nauto a = n::make(3);'}
    sources = Sources(texts)
    assert [path for path in texts if list(sources.lacking_functions(path))] == ["a/deeper/same.cpp"]
    assert [path for path in texts if list(sources.lacking(path))] == ["a/type.cpp", "a/function.cpp"], \
        [fault for path in texts for fault in sources.lacking(path)]


def main(source):
    check_that_it_can_fail()
    files = [file for room in ROOMS for file in sorted((source / room).rglob("*.[ch]pp"))]
    assert len(files) > 500, f"only {len(files)} files"
    sources = Sources({str(file.relative_to(source)): file.read_text(encoding="utf-8") for file in files})
    found = [fault for path in sources.code for fault in [*sources.lacking(path), *sources.lacking_functions(path)]]
    print("\n".join(found) or f"{len(files)} files include what they name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
