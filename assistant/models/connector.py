"""Connectors of a workspace, and the hosts and host tokens that run them.

Written by `assistant.connectors` and `assistant.threads.hosts`. Source: contract section 9.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Connector(models.Model):
    """A reviewed instance of a provider runtime in one workspace.

    `link` made it (empty for the builtin one, which the server makes). `login_state` is what its home host last told;
    whether the connector can be used now also depends on a live host. `login` is JSON or empty.
    """

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.CharField(max_length=40)
    provider = models.CharField(max_length=20)
    link = models.CharField(max_length=40, default="")
    shared = models.BooleanField(default=False)
    home_host = models.CharField(max_length=40, null=True)  # noqa: DJ001  null: lives nowhere in particular
    login_state = models.CharField(max_length=12, default="ready")
    login = models.TextField(default="")
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "assistant_connector"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(provider="builtin"), name="one_builtin_a_workspace"
            )
        ]
        indexes = [models.Index(fields=["workspace", "provider"], name="connector_by_workspace")]

    def __str__(self) -> str:
        return self.id


class ConnectorErasure(models.Model):
    """A connector's home that its host has still to erase. Goes when the host acknowledges it (contract section 9).

    Written in the transaction that deletes the connector or erases its workspace, and naming neither link nor
    workspace: it may outlive both.
    """

    connector = models.CharField(primary_key=True, max_length=40)
    host = models.CharField(max_length=40)
    queued_at = models.DateTimeField()

    class Meta:
        db_table = "assistant_connectorerasure"
        indexes = [models.Index(fields=["host"], name="connector_erasure_by_host")]

    def __str__(self) -> str:
        return self.connector


class HostToken(models.Model):
    """The right to be a host. Only a digest of the secret (`cvh_…`) is kept.

    `providers` is a JSON list or empty for all. A token with a workspace is a companion: that workspace's turns only.
    """

    id = models.CharField(primary_key=True, max_length=40)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    last4 = models.CharField(max_length=4)
    providers = models.TextField(default="")
    workspace = models.CharField(max_length=40, null=True)  # noqa: DJ001  null: any workspace
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "assistant_hosttoken"

    def __str__(self) -> str:
        return self.id


class Host(models.Model):
    """A host, known by its token and the name it gives. `session` names its current socket; a newer one replaces it.

    `connectors` is the JSON of its hello, already narrowed to what its token and the settings allow.
    """

    id = models.CharField(primary_key=True, max_length=40)
    token = models.ForeignKey(HostToken, on_delete=models.CASCADE, related_name="hosts")
    name = models.CharField(max_length=100)
    session = models.CharField(max_length=40, default="")
    connectors = models.TextField(default="[]")
    connected_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    disconnected_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "assistant_host"
        constraints = [models.UniqueConstraint(fields=["token", "name"], name="host_once_a_token_and_name")]
        indexes = [models.Index(fields=["last_seen_at"], name="host_by_last_seen")]

    def __str__(self) -> str:
        return self.id
