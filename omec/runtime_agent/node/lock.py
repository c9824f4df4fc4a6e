"""One agent at a time works on the models' directory of a node."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_NAME = ".omec-agent.lock"


class NodeLock:
    """The lock in ``root``; ``problem`` says why it is not held, and is empty where it is."""

    def __init__(self, root: str) -> None:
        self._root = Path(root)
        self._descriptor: int | None = None
        self.problem = "the models' directory is not locked yet"

    def take(self) -> bool:
        """Hold the directory for this process, if nobody else does and it can be written to; whether it is held."""
        if self._descriptor is not None:
            return True
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._root / _NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self.problem = f"the models' directory cannot be used: {error}"
            log.warning("models' directory cannot be used", error=str(error))
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.problem = "another agent works on this node's models"
            os.close(descriptor)
            return False
        self._descriptor, self.problem = descriptor, ""
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
