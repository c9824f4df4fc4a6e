"""Which server a container starts, and with which options.

The way from ``command`` and ``args`` to the options is that of the cluster: the kubelet fills in ``$(NAME)``, the entry
point of a known image stands before lone ``args``, a shell reads the script that follows ``-c``, and the server's own
parser reads the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from omec.finding import FieldPath
from omec.lint.commands import engines
from omec.lint.commands.engines import Engine
from omec.lint.commands.shell import script_index, simple_commands

PARALLELISM = "$(PARALLELISM_SIZE)"

_REFERENCE = re.compile(r"\$(?:\$|\((\w[\w.-]*)\))")
_SET_BY_OME = frozenset({"MODEL_PATH", "PARALLELISM_SIZE"})
_ALL = ("$@", "$*")
"""All arguments of a script."""
_PYTHON = re.compile(r"(?:.*/)?python[0-9.]*")
_MODULES: Mapping[str, Engine] = {
    "sglang.launch_server": engines.SGLANG,
    "sglang_router.launch_router": engines.ROUTER,
    "tensorrt_llm.commands.serve": engines.TENSORRT_LLM,
    "vllm.entrypoints.api_server": engines.VLLM,
    "vllm.entrypoints.openai.api_server": engines.VLLM,
}
_PROGRAMS: Mapping[tuple[str, ...], Engine] = {
    ("sglang", "serve"): engines.SGLANG,
    ("smg", "launch"): engines.ROUTER,
    ("trtllm-serve",): engines.TENSORRT_LLM,
    ("vllm", "serve"): engines.VLLM,
}
_ENTRY_POINTS: Mapping[str, tuple[str, ...]] = {"vllm/vllm-openai": ("vllm", "serve")}
"""What images start where a container has only ``args``; older releases of vLLM start the same server by its module."""


class Word(NamedTuple):
    """A word of a command line, and the string of the container that it stands in."""

    text: str
    at: FieldPath


class Option(NamedTuple):
    """An option of a server: its ``name`` as written, its value (``None`` for a flag), and the string with it."""

    name: str
    value: str | None
    at: FieldPath


class Server(NamedTuple):
    """A server that a container starts: ``options`` by meaning, the last one of each.

    ``model`` is the model as a word of its own. ``open`` says that some words are not known before the pod runs, so
    that an option which is not here may be there all the same.
    """

    engine: Engine
    options: Mapping[str, Option]
    model: Word | None
    open: bool

    def value(self, what: str) -> str | None:
        option = self.options.get(what)
        return None if option is None else option.value

    def number(self, what: str) -> int | None:
        """The number that the option says, ``None`` where there is no option or its value is open."""
        value = (self.value(what) or "").strip()  # as the parsers of Python have it
        return int(value) if value.isascii() and value.isdigit() else None


class CommandLine(NamedTuple):
    """What a container is started with: the servers that were recognised, and whether a shell starts them."""

    servers: tuple[Server, ...]
    shell: bool
    text: str

    @property
    def server(self) -> Server | None:
        """The only server; ``None`` where there is none, or several."""
        return self.servers[0] if len(self.servers) == 1 else None


def command_line(container: Mapping[str, Any]) -> CommandLine:
    """What the container ``container`` is started with."""
    variables = _variables(container)
    words = [*_filled(container, "command", variables)]
    args = [*_filled(container, "args", variables)]
    if not words and args:
        words = [Word(text, ("args", 0)) for text in _entry_point(str(container.get("image") or ""), args[0].text)]
    words += args
    servers: list[Server] = []
    index = script_index([word.text for word in words])
    if index is None:
        servers += _servers(words)
    else:
        script, arguments = words[index], words[index + 2 :]  # the word between is the name of the script
        for command in simple_commands(script.text, variables):
            servers += _servers(
                [part for word in command for part in (arguments if word in _ALL else [Word(word, script.at)])]
            )
    return CommandLine(tuple(servers), index is not None, " ".join(word.text for word in words))


def _variables(container: Mapping[str, Any]) -> dict[str, str]:
    """The variables with a value that is written; each sees those before it."""
    known: dict[str, str] = {}
    for item in container.get("env") or ():
        name, value = str(item.get("name")), item.get("value")
        known.pop(name, None)
        if isinstance(value, str) and item.get("valueFrom") is None and name not in _SET_BY_OME:
            known[name] = expanded(value, known)
    return known


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """``text`` as the kubelet fills it in; references to other variables stay."""
    if "$" not in text:
        return text
    return _REFERENCE.sub(lambda found: "$" if found[1] is None else variables.get(found[1], found[0]), text)


def _filled(container: Mapping[str, Any], field: str, variables: Mapping[str, str]) -> Iterator[Word]:
    for index, text in enumerate(container.get(field) or ()):
        yield Word(expanded(str(text), variables), (field, index))


def _entry_point(image: str, first: str) -> tuple[str, ...]:
    if not first.startswith("-") and (first in ("vllm", "bash", "sh") or _PYTHON.fullmatch(first)):
        return ()
    repository, slash, last = image.partition("@")[0].rpartition("/")
    name = repository + slash + last.partition(":")[0]
    return next((words for suffix, words in _ENTRY_POINTS.items() if name.endswith(suffix)), ())


def _servers(words: Sequence[Word]) -> Iterator[Server]:
    """The server that a command starts, be it by way of ``exec``, ``env``, ``numactl``, ``mpirun`` and the like."""
    texts = [word.text for word in words]
    for index, text in enumerate(texts):
        engine, length = _engine_at(texts, index, text)
        if engine is not None:
            yield _server(engine, words[index + length :])
            return


def _engine_at(texts: Sequence[str], index: int, text: str) -> tuple[Engine | None, int]:
    """The server whose start begins at ``index``, and how many words name it."""
    if _PYTHON.fullmatch(text):
        for offset, word in enumerate(texts[index + 1 :], start=1):
            if word == "-m":
                module = texts[index + offset + 1 : index + offset + 2]
                return _MODULES.get(module[0] if module else ""), offset + 2
            if not word.startswith("-"):
                break
        return None, 0
    program = text.rpartition("/")[2]
    for name, engine in _PROGRAMS.items():
        if program == name[0] and tuple(texts[index + 1 : index + len(name)]) == name[1:]:
            return engine, len(name)
    return None, 0


def _server(engine: Engine, words: Sequence[Word]) -> Server:
    options: dict[str, Option] = {}
    model: Word | None = None
    is_open = False
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if not word.text.startswith("-") or word.text == "-":
            # An unknown option may take the word behind it, so only one at the start is certainly the model.
            model = word if model is None and index == 1 else model
            is_open = is_open or (word.text.startswith("$") and not _follows_option(words, index - 1))
            continue
        name, assigned, value = word.text.partition("=")
        if "$" in name:
            is_open = True
        if " " in name and not assigned:
            # argparse takes "--tp 8" in one word for no option at all.
            continue
        what = engines.meaning(engine, name)
        if what is None:
            continue
        if not engines.takes_value(what):
            options[what] = Option(name, None, word.at)
        elif assigned:
            options[what] = Option(name, value, word.at)
        elif index < len(words):
            options[what] = Option(name, words[index].text, words[index].at)
            index += 1
    if engine is engines.TENSORRT_LLM and model is not None and model.text in ("serve", "disaggregated"):
        model = words[1] if len(words) > 1 and not words[1].text.startswith("-") else None
    return Server(engine, options, model, is_open or engines.CONFIG in options)


def _follows_option(words: Sequence[Word], index: int) -> bool:
    """Whether the word may be the value of an option before it, or is the model at the start."""
    return index == 0 or (words[index - 1].text.startswith("-") and "=" not in words[index - 1].text)
