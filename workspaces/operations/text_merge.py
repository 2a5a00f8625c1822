"""text.merge: a client's own Yjs update of one text, the way in which live typing reaches a document over HTTP.

No schema of ours says what the update holds, so people may use it and the assistant may not; nor has it a safe inverse:
what others typed in between cannot be told from it. Document sockets commit the same updates without an operation.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from rest_framework import serializers

from workspaces.documents.live_update import MAX_UPDATE_BYTES
from workspaces.documents.update_reader import UpdateFlaw, read_update
from workspaces.errors import EpochGone, LiveUpdateRefused

from .base import NOTHING, Data, Effect, OperationFlaw, OperationSerializer, Planned
from .fields import NameField
from .text_edit import TextOperation


class UpdateField(serializers.Field[bytes, Any, str, Any]):
    """A Yjs update (version 1) in base64. Becomes bytes that can be read as one."""

    default_error_messages = {
        "base64": "This must be a Yjs update in base64.",
        "update": "This is not a Yjs update: {why}.",
    }

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "contentEncoding": "base64"}

    def to_internal_value(self, data: Any) -> bytes:
        if not isinstance(data, str) or len(data) > MAX_UPDATE_BYTES:
            self.fail("base64")
        try:
            update = base64.b64decode(data, validate=True)
        except (ValueError, binascii.Error):
            self.fail("base64")
        try:
            read_update(update)
        except UpdateFlaw as flaw:
            self.fail("update", why=str(flaw))
        return update

    def to_representation(self, value: bytes) -> str:
        return base64.b64encode(value).decode()


class MergeSerializer(OperationSerializer):
    text = NameField()
    update = UpdateField()  # type: ignore[assignment]  # DRF takes declared fields off the class, so its method stays


class TextMerge(TextOperation):
    kind = "text.merge"
    Serializer = MergeSerializer
    assistant = False
    # An update that inserts nothing and deletes nothing.
    example = {"kind": "text.merge", "document": "plan", "text": "strategy", "update": "AAA="}

    def apply(self, data: Data, planned: Planned) -> Effect:
        try:
            changed = planned.merge(data["document"], data["text"], data["update"])
        except EpochGone as gone:
            raise OperationFlaw("update", "epoch_gone", gone.detail) from None
        except LiveUpdateRefused as refusal:
            raise OperationFlaw("update", "update_refused", refusal.detail) from None
        if not changed:
            return NOTHING
        return Effect(changed=True, not_reversible_because="What was typed is not taken back as a whole.")
