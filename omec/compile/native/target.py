"""The cluster that the output is for."""

from __future__ import annotations

import msgspec

from omec.compile.native.defaults import CHART_DEFAULTS, NativeDefaults


class Target(msgspec.Struct, frozen=True):
    """``platform`` is ``ome`` where OME's manager runs, else ``kubernetes``; ``defaults`` are the operator's for
    OMENative components.
    """

    platform: str = "ome"
    ome_version: str = "1.3"
    defaults: NativeDefaults = CHART_DEFAULTS
