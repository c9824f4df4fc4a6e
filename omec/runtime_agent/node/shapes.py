"""Which GPU a node has, for engines that are built for one (reference 07 §7.5)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from omec.runtime_agent.node.model import NodeModel

_LABELS = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
_VARIABLE = "INSTANCE_TYPE_MAP"
_TENSORRT, _SERVING = "tensorrtllm", "Serving"

_DEFAULT_GPUS = {
    "BM.GPU.A10.4": "A10",
    "BM.GPU.A100-v2.8": "A100-80G",
    "BM.GPU4.8": "A100-40G",
    "BM.GPU.B4.8": "A100-40G",
    "BM.GPU.H100.8": "H100",
    "BM.GPU.H100-NC.8": "H100",
    "BM.GPU.H200.8": "H200",
    "BM.GPU.H200-NC.8": "H200",
    "BM.GPU.B200.8": "B200",
    "p5.48xlarge": "H100",
    "Standard_ND96isr_H100_v5": "H100",
    "a3-highgpu-8g": "H100",
    "gd-8xh100ib-i128": "H100",
    "gd-8xh200ib-i128": "H200",
    "gd-8xl40-i128": "L40",
    "gpu-h100-sxm": "H100",
    "gpu-h200-sxm": "H200",
    "gpu-b200-sxm": "B200",
    "gpu-l40s": "L40S",
}


def wanted_gpu(model: NodeModel, labels: Mapping[str, str]) -> str:
    """The GPU for which files of ``model`` are wanted on a node with ``labels``; empty where all files are.

    ``INSTANCE_TYPE_MAP`` (JSON) takes the place of the usual table; an unlisted instance type stands for itself.
    """
    spec = model.body.get("spec") or {}
    kind = (spec.get("additionalMetadata") or {}).get("type", _SERVING)
    if model.scheme != "OCI" or (spec.get("modelFormat") or {}).get("name") != _TENSORRT or kind != _SERVING:
        return ""
    instance = next((labels[key] for key in _LABELS if labels.get(key)), "")
    return _gpus().get(instance, instance)


def _gpus() -> Mapping[str, str]:
    try:
        given = json.loads(os.environ.get(_VARIABLE, ""))
    except ValueError:
        return _DEFAULT_GPUS
    return {str(key): str(value) for key, value in given.items()} if isinstance(given, dict) else _DEFAULT_GPUS
