"""Rules about a service that cannot be written, whatever its own manifest says."""

from __future__ import annotations

from omec.finding import Rule, Severity

BROKEN_INPUT = Rule(
    code="OME290",
    slug="uses-broken-object",
    severity=Severity.ERROR,
    summary="An InferenceService uses a runtime or model whose manifest has an error",
    why="The API server would refuse the runtime or the model, so what the service would run on is not known.",
    fix="Correct the object that the finding names.",
    source="reference 09 A2",
    bad='runner: {name: ome-container, imge: "registry.example.com/sglang:v1"}\n',
    good='runner: {name: ome-container, image: "registry.example.com/sglang:v1"}\n',
)

RUNTIME_OPEN = Rule(
    code="OME291",
    slug="runtime-open",
    severity=Severity.ERROR,
    summary="Which runtime a service gets hangs on a manifest that cannot be read or has an error",
    why=(
        "Once that manifest is corrected, OME may choose another runtime. A service rendered with the second best "
        "until then would move its pods twice."
    ),
    fix="Correct the manifest that the finding names, or name the service's runtime in spec.runtime.",
    source="reference 01 §2",
    bad=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  autoSelect: true\n"
        "  priority: high\n"
    ),
    good=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  autoSelect: true\n"
        "  priority: 2\n"
    ),
)

OPERATOR_CONFIG_OPEN = Rule(
    code="OME018",
    slug="operator-config-open",
    severity=Severity.ERROR,
    summary="A service cannot be rendered because the operator's settings are not known",
    why=(
        "inferenceservice-config decides replica bounds, grace periods and exposure of every service. With other "
        "values in their place, every workload of the repository would roll."
    ),
    fix="Correct the ConfigMap inferenceservice-config, or the file that may hold it.",
    source="OME docs: guides/operate-ome/configure-the-controller",
    bad=('data:\n  ingress: \'{"ingressGateway": "a/b", "ingressService": "c", "disableIngressCreation": tru}\'\n'),
    good=('data:\n  ingress: \'{"ingressGateway": "a/b", "ingressService": "c", "disableIngressCreation": true}\'\n'),
)

REFUSED_OBJECT = Rule(
    code="OME590",
    slug="object-refused",
    severity=Severity.ERROR,
    summary="A rendered object is one that the API server would refuse",
    why=(
        "OME would try to create the object again and again, and the service would never get its pods. omec compile "
        "checks every object against the schema and the rules of the API server of kubernetes-version before it writes "
        "any; omec lint asks for the rules, about the pods of every runtime as well."
    ),
    fix="Correct the field in the InferenceService or in the runtime that it comes from.",
    source="reference 04 §22",
    bad="runner:\n  ports: [{containerPort: 80800}]\n",
    good="runner:\n  ports: [{containerPort: 8080}]\n",
)

OPERATOR_CONFIG_AMBIGUOUS = Rule(
    code="OME016",
    slug="operator-config-ambiguous",
    severity=Severity.ERROR,
    summary="The repository holds more than one inferenceservice-config",
    why="OME reads one ConfigMap, that of its own namespace; which of these the cluster has is not known.",
    fix="Keep one of them, or leave the others out with exclude in omec.toml.",
    source="OME docs: guides/operate-ome/configure-the-controller",
    bad="metadata: {name: inferenceservice-config, namespace: staging}\n",
    good="metadata: {name: inferenceservice-config, namespace: ome}\n",
)

OPERATOR_CONFIG_INVALID = Rule(
    code="OME017",
    slug="operator-config-invalid",
    severity=Severity.ERROR,
    summary="The ConfigMap inferenceservice-config holds settings that OME cannot read",
    why="With such a ConfigMap OME's manager stops reconciling: no InferenceService is created or updated any more.",
    fix="Correct the JSON text under the key.",
    source="OME docs: guides/operate-ome/configure-the-controller",
    bad='data:\n  deploy: \'{"defaultDeploymentMode": "RawDeployment", "replicas": {"defaultMinReplicas": 0}}\'\n',
    good='data:\n  deploy: \'{"defaultDeploymentMode": "RawDeployment", "replicas": {"defaultMinReplicas": 1}}\'\n',
)
