"""The request bodies of threads, turns and connectors: strict, and the source of their OpenAPI description."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from assistant.connectors import PROVIDERS
from assistant.threads.starting import SURFACES
from workspaces.http.fields import ClocksField, StringField
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


class TurnUndo(StrictSerializer):
    expected_clocks = ClocksField()
    reason = StringField(required=False, allow_null=True)


class NewConnector(StrictSerializer):
    provider = StringField()


class Login(StrictSerializer):
    method = StringField()


class ThreadAnswer(serializers.Serializer[Any]):
    """A thread; `recent_after` (one thread only) is where its newest 50 turns begin."""

    id = serializers.CharField()
    title = serializers.CharField()
    connector = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    last_seq = serializers.IntegerField()
    running_turn = serializers.CharField(allow_null=True)
    recent_after = serializers.IntegerField(required=False)


class TurnAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    thread = serializers.CharField()
    connector = serializers.CharField()
    state = serializers.ChoiceField(("queued", "assigned", "running", "completed", "failed", "cancelled"))
    text = serializers.CharField()
    surface = serializers.ChoiceField(SURFACES, allow_null=True)
    document = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    deadline_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    seq = serializers.IntegerField()
    event = serializers.CharField()


class ThreadEventAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    seq = serializers.IntegerField()
    turn = serializers.CharField()
    kind = serializers.CharField()
    at = serializers.DateTimeField()
    data = serializers.DictField()  # type: ignore[assignment]  # the wire's name; nobody reads `.data` of this class


class ConnectorAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    provider = serializers.ChoiceField(PROVIDERS)
    state = serializers.ChoiceField(("ready", "needs_login", "connecting", "unavailable"))
    version = serializers.CharField(allow_null=True)
    capabilities = serializers.DictField()
    shared = serializers.BooleanField()
    login = serializers.DictField(allow_null=True)
