"""One JSON object a line on standard error: time, level, logger, message, and the fields of the caller."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from omec.api.redact import redact

_ROOT = "omec.agent"


class Logger:
    """Writes events: a short fixed message, and what is special about this one as fields."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, message: str, **fields: Any) -> None:
        self._logger.debug(message, extra={"fields": fields})

    def info(self, message: str, **fields: Any) -> None:
        self._logger.info(message, extra={"fields": fields})

    def warning(self, message: str, **fields: Any) -> None:
        self._logger.warning(message, extra={"fields": fields})

    def error(self, message: str, *, traceback: bool = False, **fields: Any) -> None:
        self._logger.error(message, extra={"fields": fields}, exc_info=traceback)


def logger(module: str) -> Logger:
    """The logger of a module (``__name__``)."""
    return Logger(f"{_ROOT}.{module.removeprefix('omec.runtime_agent.')}")


def configure_logs(level: str = "info", stream: TextIO | None = None) -> None:
    """Send the agent's logs, and warnings of libraries, to ``stream`` (standard error)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_ROOT).setLevel(level.upper())


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON. Whatever looks like a token or a password is blotted out, wherever it stands."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", {})
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name.removeprefix(f"{_ROOT}."),
            "message": record.getMessage(),
            **fields,
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(_redacted(entry), ensure_ascii=False)


def _redacted(value: Any) -> Any:
    """``value`` as JSON has it, every text in it without secrets."""
    if isinstance(value, dict):
        return {str(key): _redacted(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redacted(item) for item in value]
    return value if isinstance(value, bool | int | float | None) else redact(str(value))
