"""What a POSIX shell makes of a script, as far as that is certain without running it.

Only the words of simple commands matter here. Expansions whose value is known are filled in; every other one stays in
the word as it is written, so that whoever reads the word sees that its value is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_BRACED = re.compile(r"([A-Za-z_]\w*)(?::?([-=+?])(.*))?", re.DOTALL)
_ENDS = "\n;&|()"
_BLANK = " \t\r"
_KEYWORDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until", "while"})
_DECLARING = frozenset({"declare", "export", "local", "readonly", "typeset"})


def simple_commands(script: str, variables: Mapping[str, str]) -> Iterator[list[str]]:
    """The words of each simple command of ``script``, in order; assignments count for the commands behind them.

    ``variables`` are those of the environment. A variable that is assigned where a condition or loop decides has no
    certain value any more.
    """
    known = dict(variables)
    depth = 0
    for words in _split(script, known):
        while words and words[0] in _KEYWORDS:
            depth += words[0] in ("if", "while", "until")
            depth -= words[0] in ("fi", "done")
            words.pop(0)
        if words and words[0] in ("for", "case", "esac"):
            depth += 1 if words[0] != "esac" else -1
            continue
        while words and (assignment := _ASSIGNMENT.fullmatch(words[0])):
            words.pop(0)
            _assign(known, assignment, certain=depth == 0 and not words, temporary=bool(words))
        if words and words[0] in _DECLARING:
            for word in words[1:]:
                if assignment := _ASSIGNMENT.fullmatch(word):
                    _assign(known, assignment, certain=depth == 0, temporary=False)
        elif words:
            yield words


def _assign(known: dict[str, str], assignment: re.Match[str], *, certain: bool, temporary: bool) -> None:
    name, value = assignment[1], assignment[2]
    if temporary:
        return
    if certain and "$" not in value and "`" not in value:
        known[name] = value
    else:
        known.pop(name, None)


def _split(script: str, known: Mapping[str, str]) -> Iterator[list[str]]:
    """The words between the ends of commands; each command is split when the one before has been seen to."""
    reader = _Reader(script)
    while not reader.done:
        words = reader.command(known)
        if words:
            yield words


class _Reader:
    """Reads words off a script."""

    def __init__(self, script: str) -> None:
        self._text = script.replace("\\\r\n", "\\\n")
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at >= len(self._text)

    def command(self, known: Mapping[str, str]) -> list[str]:
        words: list[str] = []
        while not self.done:
            character = self._text[self._at]
            if self._text.startswith("\\\n", self._at):
                self._at += 2
            elif character in _BLANK:
                self._at += 1
            elif character in _ENDS:
                self._at += 1
                return words
            elif character == "#":
                self._at = self._find("\n", self._at)
            elif character in "<>":
                self._redirection(known)
            else:
                words += self._word(known)
        return words

    def _redirection(self, known: Mapping[str, str]) -> None:
        while not self.done and self._text[self._at] in "<>&":
            self._at += 1
        while not self.done and self._text[self._at] in _BLANK:
            self._at += 1
        if not self.done and self._text[self._at] not in _ENDS:
            self._word(known)

    def _word(self, known: Mapping[str, str]) -> list[str]:
        """The next word; several where an expansion that is not quoted has blanks in it."""
        word, pieces, quoted = "", [], False
        while not self.done:
            character = self._text[self._at]
            if character in _BLANK or character in _ENDS or character in "<>":
                break
            if character == "'":
                end = self._find("'", self._at + 1)
                word, quoted = word + self._text[self._at + 1 : end], True
                self._at = end + 1
            elif character == '"':
                word, quoted = word + self._double(known), True
            elif character == "\\":
                if self._text[self._at + 1 : self._at + 2] != "\n":
                    word += self._text[self._at + 1 : self._at + 2]
                self._at += 2
            elif character in "$`":
                value, certain = self._expansion(known)
                parts = value.split() if certain else [value]
                if len(parts) > 1:
                    pieces += [word + parts[0], *parts[1:-1]]
                    word = parts[-1]
                else:
                    word += "".join(parts)
            else:
                word += character
                self._at += 1
        return [*pieces, word] if word or quoted or pieces else []

    def _double(self, known: Mapping[str, str]) -> str:
        word = ""
        self._at += 1
        while not self.done and self._text[self._at] != '"':
            character = self._text[self._at]
            if character == "\\":
                following = self._text[self._at + 1 : self._at + 2]
                word += (
                    following if following in ('"', "\\", "$", "`") else "" if following == "\n" else f"\\{following}"
                )
                self._at += 2
            elif character in "$`":
                word += self._expansion(known)[0]
            else:
                word += character
                self._at += 1
        self._at += 1
        return word

    def _expansion(self, known: Mapping[str, str]) -> tuple[str, bool]:
        """The text of the expansion that begins here, and whether it is its value rather than what is written."""
        start = self._at
        if self._text[start] == "`":
            self._at = self._find("`", start + 1) + 1
            return self._text[start : self._at], False
        following = self._text[start + 1 : start + 2]
        if following == "(":
            self._at = self._closing(start + 1, "(", ")")
            return self._text[start : self._at], False
        if following == "{":
            self._at = self._closing(start + 1, "{", "}")
            return _braced(self._text[start : self._at], known)
        name = _NAME.match(self._text, start + 1)
        if name is None:
            self._at = start + 1 + len(following)
            return self._text[start : self._at], False
        self._at = name.end()
        return (known[name[0]], True) if name[0] in known else (f"${name[0]}", False)

    def _closing(self, start: int, opening: str, closing: str) -> int:
        depth = 0
        for index in range(start, len(self._text)):
            depth += (self._text[index] == opening) - (self._text[index] == closing)
            if depth == 0:
                return index + 1
        return len(self._text)

    def _find(self, text: str, start: int) -> int:
        found = self._text.find(text, start)
        return len(self._text) if found < 0 else found


def _braced(text: str, known: Mapping[str, str]) -> tuple[str, bool]:
    """``${NAME}`` and its forms with a default."""
    match = _BRACED.fullmatch(text[2:-1])
    if match is None:
        return text, False
    name, operator, default = match[1], match[2], match[3]
    if name in known and operator != "+":
        return known[name], True
    if operator in ("-", "=") and "$" not in default and "`" not in default:
        # What is not set here may still be set when the pod runs; the default is what the author expects.
        return default.strip("\"'"), True
    return text, False


def script_index(words: Sequence[str]) -> int | None:
    """Which of ``words`` is the script that a shell gets with ``-c``; ``None`` where they start no shell with one."""
    if not words or words[0].rpartition("/")[2] not in ("sh", "bash", "dash", "ash", "zsh"):
        return None
    index = 1
    while index < len(words) and words[index].startswith(("-", "+")):
        option = words[index]
        if not option.startswith("--") and "c" in option[1:]:
            index += 1
            index += index < len(words) and words[index] == "--"
            return index if index < len(words) else None
        index += 2 if option in ("-o", "+o", "-O", "--rcfile") else 1
    return None
