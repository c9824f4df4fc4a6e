"""Where a benchmark puts its results: the arguments that say so (reference 16 §4)."""

from __future__ import annotations

from collections.abc import Mapping

from omec.api.storage_uri import (
    AzureUri,
    GcsUri,
    GithubUri,
    OciUri,
    PvcUri,
    S3Uri,
    StorageUri,
)

_LATEST = "latest"

PARAMETERS: dict[type[StorageUri], dict[str, str]] = {
    OciUri: {
        "auth": "--auth",
        "config_file": "--config-file",
        "profile": "--profile",
        "security_token": "--security-token",
        "region": "--region",
    },
    S3Uri: {
        "aws_access_key_id": "--storage-aws-access-key-id",
        "aws_secret_access_key": "--storage-aws-secret-access-key",
        "aws_profile": "--storage-aws-profile",
        "aws_region": "--storage-aws-region",
    },
    AzureUri: {
        "azure_account_name": "--storage-azure-account-name",
        "azure_account_key": "--storage-azure-account-key",
        "azure_connection_string": "--storage-azure-connection-string",
        "azure_sas_token": "--storage-azure-sas-token",
    },
    GcsUri: {"gcp_project_id": "--storage-gcp-project-id", "gcp_credentials_path": "--storage-gcp-credentials-path"},
    GithubUri: {"github_token": "--github-token"},
    PvcUri: {},
}
"""The flag of each parameter, by kind of URI, in the order in which OME passes them; other parameters count nowhere."""

CREDENTIALS = (
    "security_token",
    "aws_access_key_id",
    "aws_secret_access_key",
    "azure_account_key",
    "azure_connection_string",
    "azure_sas_token",
    "github_token",
)
"""Parameters whose values are secrets. They stand in plain text in the Job."""


class UnsupportedStorageError(ValueError):
    """A kind of URI that genai-bench cannot write to; the text is OME's."""

    def __init__(self, uri: StorageUri) -> None:
        super().__init__(f"failed to build storage args: unsupported storage type: {uri.type}")


def storage_arguments(uri: StorageUri, parameters: Mapping[str, str]) -> list[str]:
    """The arguments for results at ``uri``; raises :class:`UnsupportedStorageError`."""
    if type(uri) not in PARAMETERS:
        raise UnsupportedStorageError(uri)
    if isinstance(uri, PvcUri):
        return ["--experiment-base-dir", f"/{uri.sub_path}"]
    values = {**_implied(uri), **parameters}
    given = [word for name, flag in PARAMETERS[type(uri)].items() if name in values for word in (flag, values[name])]
    return ["--upload-results", *_destination(uri), *given]


def _destination(uri: StorageUri) -> list[str]:
    match uri:
        case OciUri():
            place = ["--namespace", uri.namespace, "--storage-bucket", uri.bucket]
            return [*place, "--storage-prefix", uri.prefix]
        case S3Uri():
            return _bucket("aws", uri.bucket, uri.prefix)
        case AzureUri():
            return _bucket("azure", uri.container, uri.blob_path)
        case GcsUri():
            return _bucket("gcp", uri.bucket, uri.object)
        case GithubUri():
            tag = [] if uri.tag == _LATEST else ["--github-tag", uri.tag]
            repository = ["--github-owner", uri.owner, "--github-repo", uri.repository]
            return ["--storage-provider", "github", *repository, *tag]
    raise UnsupportedStorageError(uri)


def _bucket(provider: str, bucket: str, prefix: str) -> list[str]:
    place = ["--storage-provider", provider, "--storage-bucket", bucket]
    return [*place, "--storage-prefix", prefix] if prefix else place


def _implied(uri: StorageUri) -> dict[str, str]:
    """Parameters that the URI itself gives; written ones come before them."""
    if isinstance(uri, S3Uri) and uri.region:
        return {"aws_region": uri.region}
    return {"azure_account_name": uri.account} if isinstance(uri, AzureUri) else {}
