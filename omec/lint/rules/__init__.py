"""The rules that only ``omec lint`` has: about manifests that OME takes, and that do not do what they seem to say.

One module a rule: ``RULE`` is its documentation, ``check(context)`` yields its faults. The tables below name the
modules by code, so that a rule that is switched off is not even imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from omec.finding import Rule

if TYPE_CHECKING:
    from omec.lint.context import Context, Fault

DEFAULT: dict[str, str] = {
    "OME163": "exposure.bool_annotation",
    "OME164": "exposure.annotation_typo",
    "OME165": "exposure.serverless_annotation",
    "OME210": "inheritance.child_inherits_disabled",
    "OME211": "inheritance.merged_request_above_limit",
    "OME212": "inheritance.merged_two_probe_handlers",
    "OME213": "inheritance.merged_two_volume_sources",
    "OME214": "inheritance.merged_env_value_and_from",
    "OME215": "inheritance.child_cannot_remove",
    "OME216": "inheritance.list_replaced_drops_flags",
    "OME217": "inheritance.runner_name_differs",
    "OME218": "inheritance.isvc_args_replace_runtime_args",
    "OME220": "inheritance.merged_env_order",
    "OME221": "inheritance.merged_two_lifecycle_handlers",
    "OME222": "inheritance.merged_recreate_with_rolling",
    "OME224": "inheritance.shadowed_parent",
    "OME270": "models.name_in_both_scopes",
    "OME330": "selection.version_operator_limit",
    "OME331": "selection.size_bad_suffix",
    "OME332": "selection.size_range_inverted",
    "OME333": "selection.version_unreadable",
    "OME334": "selection.weight_zero",
    "OME335": "selection.score_not_positive",
    "OME336": "selection.entry_without_architecture",
    "OME337": "selection.entry_priority_conflict",
    "OME338": "selection.autoselect_leak",
    "OME339": "selection.autoselect_on_disabled",
    "OME340": "selection.ambiguous_autoselect",
    "OME341": "selection.rangeless_wins_tie",
    "OME342": "selection.shadowed_runtime",
    "OME344": "selection.selected_by_name",
    "OME345": "selection.version_suffix_operator",
    "OME346": "selection.empty_text",
    "OME347": "selection.format_name_required",
    "OME348": "selection.range_and_name",
    "OME350": "selection.version_operator_unknown",
    "OME360": "models.metadata_contradiction",
    "OME361": "models.vendor_metadata",
    "OME362": "models.sharded_unservable",
    "OME363": "models.hf_uri_shape",
    "OME365": "models.storage_not_downloadable",
    "OME366": "models.model_path_missing",
    "OME367": "models.model_path_relative",
    "OME368": "models.model_path_shared",
    "OME369": "models.local_path_differs",
    "OME371": "models.key_ignored",
    "OME372": "models.oci_auth",
    "OME373": "models.name_with_dot",
    "OME374": "models.label_value",
    "OME375": "models.affinity_not_in",
    "OME376": "models.affinity_preferred",
    "OME402": "containers.placeholder_invalid",
    "OME404": "containers.runner_missing",
    "OME405": "containers.sidecar_takes_service_port",
    "OME407": "containers.dangling_volume_mount",
    "OME408": "containers.leader_worker_volume",
    "OME409": "containers.duplicate_mount_path",
    "OME410": "containers.gpu_request_limit_differ",
    "OME411": "containers.request_above_limit",
    "OME412": "containers.ports_unnamed",
    "OME413": "containers.port_name_invalid",
    "OME414": "containers.no_port_declared",
    "OME415": "containers.probe_port_mismatch",
    "OME416": "containers.no_startup_probe",
    "OME417": "containers.startup_budget_short",
    "OME418": "containers.liveness_too_eager",
    "OME419": "containers.no_readiness_probe",
    "OME424": "containers.readiness_deadline_short",
    "OME425": "containers.env_ref_undefined",
    "OME427": "containers.placeholder_no_value",
    "OME428": "containers.nodeselector_conflict",
    "OME429": "containers.arch_image_mismatch",
    "OME430": "containers.missing_dshm",
    "OME431": "containers.dshm_not_memory",
    "OME432": "containers.dshm_sizelimit",
    "OME434": "containers.volume_of_model",
    "OME440": "engines.tp_exceeds_gpus",
    "OME441": "engines.tp_below_gpus",
    "OME442": "engines.gpus_without_parallelism",
    "OME443": "engines.parallelism_env_overwritten",
    "OME444": "engines.gpu_on_router",
    "OME445": "engines.port_flag_mismatch",
    "OME446": "engines.server_port_default",
    "OME447": "engines.bind_localhost",
    "OME448": "engines.model_path_unused",
    "OME450": "engines.weights_exceed_memory",
    "OME451": "engines.parallelism_flag_unknown",
    "OME509": "exposure.service_type",
    "OME534": "exposure.additional_gateways",
    "OME536": "exposure.route_timeout",
    "OME537": "exposure.router_timeout",
    "OME547": "services.hpa_without_request",
    "OME548": "services.keda_self_metric",
    "OME549": "services.keda_query_labels",
    "OME553": "exposure.ingress_domain",
    "OME554": "exposure.workers_behind_service",
    "OME577": "engines.controller_variable_foreign",
    "OME590": "containers.pod_refused",
    "OME601": "engines.override_of_reference",
    "OME800": "security.token",
    "OME801": "security.named_secret",
    "OME802": "security.url_credentials",
    "OME900": "containers.image_unpinned",
    "OME973": "services.keda_average_value",
    "OME974": "services.policy_shadowed",
    "OME975": "services.canary_without_minimum",
    "OME976": "services.mode_toplevel",
    "OME977": "services.pin_without_revision",
    "OME980": "exposure.user_service_name",
    "OME981": "exposure.load_balancer_per_component",
    "OME982": "exposure.load_balancer_public",
    "OME983": "exposure.generated_name_collision",
    "OME984": "exposure.name_too_long",
}
"""Rules that report unless the configuration switches them off: the module below this package by code."""

ON_REQUEST: dict[str, str] = {
    "OME219": "inheritance.unused_profile",
    "OME223": "inheritance.merged_formats_replaced",
    "OME343": "selection.runtime_unreachable",
    "OME349": "selection.size_range_one_bound",
    "OME364": "models.hf_revision_unpinned",
    "OME370": "models.path_outside_hostpath",
    "OME433": "containers.grace_period",
    "OME449": "engines.served_model_name",
    "OME901": "containers.trust_remote_code",
    "OME902": "containers.privileged_pod",
    "OME903": "containers.gpu_toleration_missing",
    "OME971": "hygiene.no_effect_field",
    "OME972": "hygiene.orphan_model",
    "OME978": "services.max_replicas_implicit",
    "OME979": "services.hpa_on_gpus",
}
"""Rules that report only where ``select`` names them, because they are true of many sound repositories."""


POLICIES: dict[str, str] = {
    "OME930": "policies.registry",
    "OME931": "policies.digest",
    "OME932": "policies.labels",
    "OME933": "policies.annotations",
    "OME934": "policies.forbidden_field",
    "OME935": "policies.accelerator_class",
    "OME936": "policies.namespace_gpus",
    "OME937": "policies.namespace_replicas",
    "OME938": "policies.component_replicas",
    "OME939": "policies.gated_model",
}
"""Rules that report what ``[policy]`` of the configuration does not allow, and nothing without it."""


class LintRule(NamedTuple):
    """A rule with what finds it."""

    rule: Rule
    check: Callable[[Context], Iterable[Fault]]


def load(code: str) -> LintRule:
    """The rule with this code; raises :class:`KeyError` where no module of this package has it."""
    module = import_module(f"{__name__}.{DEFAULT.get(code) or POLICIES.get(code) or ON_REQUEST[code]}")
    return LintRule(module.RULE, module.check)


def all_lint_rules() -> Iterator[LintRule]:
    """Every rule of this package, by code."""
    yield from map(load, sorted(DEFAULT | ON_REQUEST | POLICIES))
