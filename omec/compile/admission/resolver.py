"""Rules on how the containers of a pod resolve names."""

from __future__ import annotations

import re

from omec.api.gotext import parse_integer
from omec.compile.admission.fielderror import Object, Refusals, invalid, one_of, required
from omec.compile.admission.names import DNS_SUBDOMAIN, SEARCH_DOMAIN
from omec.finding import FieldPath

_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_MOST_SERVERS, _MOST_SEARCHES, _LONGEST_SEARCHES = 3, 32, 2048


def resolver(spec: Object, path: FieldPath) -> Refusals:
    """``dnsPolicy``, ``dnsConfig`` and ``hostAliases`` of a pod's ``spec``."""
    yield from one_of(spec, path, {"dnsPolicy": _POLICIES})
    if "dnsConfig" in spec:
        yield from _config(spec["dnsConfig"], (*path, "dnsConfig"), alone=spec.get("dnsPolicy") == "None")
    elif spec.get("dnsPolicy") == "None":
        yield required((*path, "dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None")
    for index, alias in enumerate(spec.get("hostAliases", ())):
        at = (*path, "hostAliases", index)
        yield from _address(alias["ip"], (*at, "ip"))
        for number, name in enumerate(alias.get("hostnames", ())):
            yield from DNS_SUBDOMAIN.check(name, (*at, "hostnames", number))


def _config(config: Object, path: FieldPath, *, alone: bool) -> Refusals:
    servers, searches = config.get("nameservers", []), config.get("searches", [])
    if alone and not servers:
        detail = "must provide at least one DNS nameserver when `dnsPolicy` is None"
        yield required((*path, "nameservers"), detail)
    if len(servers) > _MOST_SERVERS:
        yield invalid((*path, "nameservers"), servers, f"must not have more than {_MOST_SERVERS} nameservers")
    for index, server in enumerate(servers):
        yield from _address(server, (*path, "nameservers", index))
    if len(searches) > _MOST_SEARCHES:
        yield invalid((*path, "searches"), searches, f"must not have more than {_MOST_SEARCHES} search paths")
    elif len(" ".join(searches)) > _LONGEST_SEARCHES:
        detail = f"must not have more than {_LONGEST_SEARCHES} characters (including spaces) in the search list"
        yield invalid((*path, "searches"), searches, detail)
    for index, search in enumerate(searches):
        if search != ".":
            yield from SEARCH_DOMAIN.check(search.removesuffix("."), (*path, "searches", index))
    for index, option in enumerate(config.get("options", ())):
        if not option.get("name"):
            yield required((*path, "options", index), "must not be empty")


def _address(text: str, path: FieldPath) -> Refusals:
    if not _is_address(text):
        yield invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")


def _is_address(text: str) -> bool:
    """As the API server sees it: leading zeros are allowed, names of interfaces are not."""
    if re.fullmatch(r"\d+(\.\d+){3}", text, re.ASCII):
        return all(parse_integer(part) in range(256) for part in text.split("."))
    from ipaddress import IPv6Address  # noqa: PLC0415 - few pods have a resolver of their own

    try:
        IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text
