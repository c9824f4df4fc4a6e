"""What a shell makes of scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.lint.commands.shell import script_index, simple_commands

COMMANDS = {
    "words": ("a b  c", [["a", "b", "c"]]),
    "line ends and separators": ("a\nb; c && d || e | f & g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
    "lines joined": ("serve \\\n  --tp 8 \\\r\n  --pp=2", [["serve", "--tp", "8", "--pp=2"]]),
    "quotes": ("""echo 'a $B' "c d" e\\ f """, [["echo", "a $B", "c d", "e f"]]),
    "an empty word": ("echo '' x", [["echo", "", "x"]]),
    "a comment": ("serve --tp 8 # --tp 4\nnext", [["serve", "--tp", "8"], ["next"]]),
    "a hash in a word": ("serve a#b", [["serve", "a#b"]]),
    "assigned before": ("TP=4\nserve --tp $TP", [["serve", "--tp", "4"]]),
    "exported": ("export TP=4 X=1; serve --tp ${TP}", [["serve", "--tp", "4"]]),
    "assigned for one command alone": ("TP=4 serve --tp $TP", [["serve", "--tp", "$TP"]]),
    "from the environment": ("serve --tp $GPUS", [["serve", "--tp", "2"]]),
    "a default": ("serve --tp ${TP:-8} --pp ${GPUS:-1}", [["serve", "--tp", "8", "--pp", "2"]]),
    "another form of expansion": ("serve ${GPUS%x} ${#GPUS}", [["serve", "${GPUS%x}", "${#GPUS}"]]),
    "unknown": ("serve --tp $TP", [["serve", "--tp", "$TP"]]),
    "arithmetic": ("serve --tp $((GPUS * 2))", [["serve", "--tp", "$((GPUS * 2))"]]),
    "the output of a command": ("N=$(nproc)\nserve --tp $N `x y`", [["serve", "--tp", "$N", "`x y`"]]),
    "left to Kubernetes": ("serve --tp $(PARALLELISM_SIZE)", [["serve", "--tp", "$(PARALLELISM_SIZE)"]]),
    "split where it is not quoted": ('serve $ARGS "$ARGS"', [["serve", "--a", "1", "--a 1"]]),
    "redirected": ("serve --tp 8 > /log 2>&1 < in", [["serve", "--tp", "8", "2"]]),
    "assigned where a condition decides": (
        "TP=1; if [ -n x ]; then TP=8; fi; serve --tp $TP",
        [["[", "-n", "x", "]"], ["serve", "--tp", "$TP"]],
    ),
    "open quotes": ("serve 'a b", [["serve", "a b"]]),
    "an open brace": ("serve ${A", [["serve", "${A"]]),
}


@pytest.mark.parametrize(("script", "commands"), COMMANDS.values(), ids=COMMANDS.keys())
def test_words_of_commands(script: str, commands: list[list[str]]) -> None:
    assert list(simple_commands(script, {"GPUS": "2", "ARGS": "--a 1"})) == commands


@pytest.mark.parametrize(
    ("words", "index"),
    [
        (["sh", "-c", "x"], 2),
        (["/bin/bash", "-lc", "x", "name", "1"], 2),
        (["bash", "-e", "-o", "pipefail", "-c", "x"], 5),
        (["bash", "-c", "--", "x"], 3),
        (["bash", "run.sh"], None),
        (["bash", "-c"], None),
        (["python3", "-c", "x"], None),
        ([], None),
    ],
)
def test_which_word_is_a_script(words: list[str], index: int | None) -> None:
    assert script_index(words) == index


@given(st.text(alphabet="ab=$(){}'\"`\\\n;&|<># -", max_size=40))
def test_every_text_is_read_to_its_end(script: str) -> None:
    for words in simple_commands(script, {"a": "b b"}):
        assert words
