"""The settings of OME's quota manager, as the configuration gives them."""

from __future__ import annotations

from omec.errors import OmecError
from omec.repo.config import Config
from omec.resolve.quota.settings import QuotaSettings, QuotaSettingsError, quota_settings


def settings_of(config: Config) -> QuotaSettings:
    """The table ``[quota]`` of ``config`` over the chart; raises :class:`OmecError` where it cannot be used."""
    try:
        return quota_settings(config.quota)
    except QuotaSettingsError as error:
        message = f"quota.{error.key} {error.message}"
        raise OmecError(message, hint="correct omec.toml", code="OME013") from error
