"""The request bodies of threads, turns and connectors: strict, and the source of their OpenAPI description."""

from __future__ import annotations

from assistant.connectors import PROVIDERS
from assistant.threads.conversations import MAX_TITLE
from assistant.threads.starting import MAX_TEXT, SURFACES, TURN_ID
from workspaces.http.fields import StringField
from workspaces.operations.fields import StrictSerializer


class NewThread(StrictSerializer):
    """`title` may be absent: the first question names the thread."""

    title = StringField(required=False, allow_null=True, form={"maxLength": MAX_TITLE})
    connector = StringField(form={"pattern": "^con_"})


class NewTurn(StrictSerializer):
    """`id` may be the client's own (`trn_…`), so that a repeated delivery starts nothing twice."""

    id = StringField(required=False, allow_null=True, form={"pattern": f"^{TURN_ID.pattern}$"})
    text = StringField(form={"minLength": 1, "maxLength": MAX_TEXT})
    surface = StringField(required=False, allow_null=True, form={"enum": list(SURFACES)})
    document = StringField(required=False, allow_null=True, form={"minLength": 1, "maxLength": 40})


class NewConnector(StrictSerializer):
    provider = StringField(form={"enum": list(PROVIDERS)})


class Login(StrictSerializer):
    method = StringField(form={"minLength": 1, "maxLength": 40})


class Confirmation(StrictSerializer):
    """The workspace's own id, so that nobody erases another one than they think."""

    confirm = StringField(form={"pattern": "^ws_"})


class Nothing(StrictSerializer):
    """A body that may be left out, and says nothing."""
