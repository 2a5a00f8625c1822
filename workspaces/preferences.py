"""A workspace's settings: whether the assistant sees contact details, its time zone and its language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from .commits.batch import check_body
from .contracts import Access
from .documents.values import ValueFlaw, ValueType, check_value
from .errors import Flaw, InvalidRequest, NotFound
from .links import lock_as_owner
from .models import Workspace
from .realtime import hub

_ANNOUNCEMENT = {"type": "settings"}
_TYPES = {
    "assistant_sees_contact_details": ValueType("boolean"),
    "time_zone": ValueType("time_zone"),
    "language": ValueType("language"),
}


def get_settings(*, access: Access) -> dict[str, Any]:
    """The three settings. Raises NotFound."""
    row = Workspace.objects.filter(id=access.workspace, erased_at=None).values(*_TYPES).first()
    if row is None:
        raise NotFound
    return dict(row)


def update_settings(*, access: Access, body: Mapping[str, Any]) -> dict[str, Any]:
    """Changes those settings that the body names, and tells the open pages that there is something to read anew.

    Raises InvalidRequest, LinkInvalid, OwnerOnly.
    """
    values = {}
    flaws = []
    for name, value in check_body(body, required=(), optional=_TYPES).items():
        try:
            values[name] = check_value(value, _TYPES[name])
            if values[name] is None:
                raise ValueFlaw("required", "This setting always has a value.")
        except ValueFlaw as flaw:
            flaws.append(Flaw(name, flaw.code, flaw.message))
    if flaws:
        raise InvalidRequest(flaws[0].message, flaws=flaws)
    with transaction.atomic():
        lock_as_owner(access)
        if values:
            Workspace.objects.filter(id=access.workspace).update(**values)
            # Without the values: whoever may know them asks.
            transaction.on_commit(lambda: hub.publish(topic=f"workspace:{access.workspace}", message=_ANNOUNCEMENT))
        return get_settings(access=access)


def workspace_locale(*, workspace: str) -> tuple[str, str]:
    """(IANA time zone, BCP 47 language)."""
    row = Workspace.objects.filter(id=workspace).values_list("time_zone", "language").first()
    return ("UTC", "en") if row is None else (row[0], row[1])
