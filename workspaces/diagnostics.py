"""What a person chooses to tell the operators: kept word for word, with their consent, until the workspace is erased.

Above: the facade. Below: its own rows, which staff read and delete in the admin. Nothing of it enters a log, a metric
or a page. Source: contract section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from .clock import now
from .contracts import Access
from .documents.values import ValueFlaw, clean_string
from .errors import CardinalityExceeded, Flaw, InvalidRequest
from .ids import new_id
from .links import hold_link, require_write
from .models import Diagnostic

MAX_TEXT = 4_000
MAX_KEPT = 100


@dataclass(frozen=True, slots=True)
class DiagnosticInfo:
    """A diagnostic as its sender gets it back."""

    id: str
    created_at: datetime


def send_diagnostic(*, access: Access, text: Any, consent: Any) -> DiagnosticInfo:
    """Keeps a text for the operators. Raises ViewOnly, LinkInvalid, InvalidRequest (also without consent),
    CardinalityExceeded."""
    require_write(access)
    flaws = []
    clean = ""
    try:
        clean = clean_string(text, maximum=MAX_TEXT, newlines=True)
        if not clean.strip():
            raise ValueFlaw("blank", "This must not be blank.")
    except ValueFlaw as flaw:
        flaws.append(Flaw("text", flaw.code, flaw.message))
    if consent is not True:
        flaws.append(Flaw("consent", "consent", "This must be true: the operators will read the text."))
    if flaws:
        raise InvalidRequest(flaws=flaws)
    with transaction.atomic():
        hold_link(workspace=access.workspace, link=access.link)
        if Diagnostic.objects.filter(workspace_id=access.workspace).count() >= MAX_KEPT:
            raise CardinalityExceeded(f"The operators keep at most {MAX_KEPT} of these for a workspace.")
        row = Diagnostic.objects.create(id=new_id("dia"), workspace_id=access.workspace, text=clean, created_at=now())
    return DiagnosticInfo(id=row.id, created_at=row.created_at)
