"""The request bodies of threads, turns and connectors: strict, and the source of their OpenAPI description."""

from __future__ import annotations

from workspaces.http.fields import StringField
from workspaces.operations.fields import StrictSerializer


class NewThread(StrictSerializer):
    """`title` may be absent: the first question names the thread."""

    title = StringField(required=False, allow_null=True)
    connector = StringField()


class NewTurn(StrictSerializer):
    """`id` may be the client's own (`trn_…`), so that a repeated delivery starts nothing twice."""

    id = StringField(required=False, allow_null=True)
    text = StringField()
    surface = StringField(required=False, allow_null=True)
    document = StringField(required=False, allow_null=True)


class NewConnector(StrictSerializer):
    provider = StringField()


class Login(StrictSerializer):
    method = StringField()


class Confirmation(StrictSerializer):
    """The workspace's own id, so that nobody erases another one than they think."""

    confirm = StringField()


class Nothing(StrictSerializer):
    """A body that may be left out, and says nothing."""
