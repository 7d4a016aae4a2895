#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""words_test.py SOURCE [PROGRAM]: no text uses a word that resources/docs/style.md retires.

Searched are documents, lessons, tasks, examples and templates, the strings and comments of the C++ files of app, engine, emulation and
traces, and the script of exported pages. The list of words and their replacements is the table of the style page. KEPT names strings
that files of users contain; an entry that is no longer needed is an error.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import strings  # noqa: E402

STYLE = "resources/docs/style.md"
GENERATED = {"papers.md", "style.md"}
SPACED = re.compile(r"\d %(?=$|[ .,;:)\"])(?! [\w(])", re.M)  # a blank before %, but no remainder of a division
# In strings only: an error names what is unknown, not found or does not exist.
IMPLIED = re.compile(r"\b[Tt]here (?:is|are) no (?!(?:need|room|limit)\b)")
BETWEEN = r"(?:\s+(?:(?://[/<!]*|#+|\*|--)(?=\s)\s*)?)"  # words of a phrase may stand on two lines, of comments as well
KEPT = {("app/gui/settings/session_file.cpp", "own time")}


def retired(page):
    """{phrase: replacement} of the table under "Retired words"."""
    table = page[page.index("## Retired words"):]
    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", table, re.M)
    return {phrase: instead for phrases, instead in rows for phrase in re.findall(r"`([^`]+)`", phrases)}


def pattern(phrases):
    """One expression for all phrases: whole words, the first letter in either case."""
    def one(phrase):
        first, *rest = phrase.split(" ")
        words = [f"[{first[0].lower()}{first[0].upper()}]{re.escape(first[1:])}", *(re.escape(word) for word in rest)]
        return BETWEEN.join(words)
    longest = sorted(phrases, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(" + "|".join(one(phrase) for phrase in longest) + r")(?![\w-])")


def blank(text):
    """Spaces of the same length, line ends kept."""
    return re.sub(r"[^\n]", " ", text)


def prose(text):
    """A document without what is not its own words: program output, code, text in backquotes, links."""
    text = re.sub(r"<!-- quoted: .*?<!-- end -->", lambda m: blank(m[0]), text, flags=re.S)
    text = re.sub(r"^```.*?^```", lambda m: blank(m[0]), text, flags=re.S | re.M)
    return re.sub(r"``?[^`\n]+`?`|\]\([^)\n]*\)", lambda m: blank(m[0]), text)


def unquoted(comment):
    """A comment without the output that it quotes."""
    return re.sub(r'"[^"\n]*"', lambda m: blank(m[0]), comment)


def documents(source):
    """(file, text) of everything that is written for readers outside of the code."""
    folders = ("docs", "decisions", "examples", "templates", "lessons", "tasks", "models", "papers", "scripts")
    files = [source / "README.md", *(f for folder in folders for f in sorted((source / "resources" / folder).iterdir()) if f.is_file())]
    for file in files:
        if file.name not in GENERATED:
            text = file.read_text(encoding="utf-8")
            yield file.relative_to(source), prose(text) if file.suffix == ".md" else text
    changes = (source / "resources/changelog.md").read_text(encoding="utf-8")
    current = re.match(r".*?^## .*?(?=^## |\Z)", changes, re.S | re.M)  # the title and the newest version
    yield pathlib.Path("resources/changelog.md"), prose(current[0] if current else changes)


def code(source):
    """(file, line, kind, text) of comments, consecutive ones joined, and strings."""
    for file in strings.sources(source):
        name, run = file.relative_to(source), None
        for kind, line, text in strings.tokens(file.read_text(encoding="utf-8"), file.suffix == ".js"):
            if kind == "comment":
                if run and line == run[0] + run[1].count("\n") + 1:
                    run = (run[0], run[1] + "\n" + text)
                    continue
                if run:
                    yield name, run[0], "comment", unquoted(run[1])
                run = (line, text)
            elif not strings.is_name(text):
                yield name, line, "string", text
        if run:
            yield name, run[0], "comment", unquoted(run[1])


def found(text, words, listed, line=1):
    """(line, phrase) of each retired word in a text."""
    for m in words.finditer(text):
        phrase = re.sub(BETWEEN, " ", m[1])
        yield line + text.count("\n", 0, m.start()), phrase if phrase in listed else phrase[0].lower() + phrase[1:]


def main(source):
    listed = retired((source / STYLE).read_text(encoding="utf-8"))
    words = pattern(listed)
    assert len(listed) > 40, f"only {len(listed)} retired words in {STYLE}"
    for phrase in listed:
        spread = "\n/// ".join([phrase[0].upper() + phrase[1:]][0].split(" "))
        assert [p for _, p in found(f"x\n// {spread}.", words, listed)] == [phrase], f"'{phrase}' was not noticed"
    assert not list(found(prose("`under way`\n<!-- quoted: ./run x -->\nunder way\n<!-- end -->"), words, listed))
    hits = [(file, line, phrase, "") for file, text in documents(source) for line, phrase in found(text, words, listed)]
    strings_seen, unused = 0, set(KEPT)
    for file, line, kind, text in code(source):
        strings_seen += kind == "string"
        for at, phrase in found(text, words, listed, line):
            if kind == "string" and (str(file), phrase) in KEPT:
                unused.discard((str(file), phrase))
            else:
                hits.append((file, at, phrase, f" ({kind})"))
    texts = [(file, 1, "", text) for file, text in documents(source)] + [(f, n, f" ({k})", t) for f, n, k, t in code(source)]
    listed["blank before %"] = "5%"
    hits += [(file, first + text.count("\n", 0, m.start()), "blank before %", where)
             for file, first, where, text in texts for m in SPACED.finditer(text)]
    listed["there is no"] = "unknown X; X not found; X does not exist"
    hits += [(file, line, "there is no", " (string)") for file, line, kind, text in code(source)
             if kind == "string" and IMPLIED.search(text)]
    assert IMPLIED.search("x: there is no file y") and not IMPLIED.search("there is not enough memory")
    assert SPACED.search("by 5" + " %.") and not SPACED.search("(rank + 1) % n")
    assert strings_seen > 5000, f"only {strings_seen} strings were found in the code"
    for file, line, phrase, where in hits:
        print(f"{file}:{line}: '{phrase}'{where}: use {listed[phrase]}")
    for file, phrase in sorted(unused):
        print(f"{file}: no string has '{phrase}' any more: remove the entry from KEPT")
    return 1 if hits or unused else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
