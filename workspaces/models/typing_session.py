"""One author's editing session of one document, until it is sealed as an event (contract section 7)."""

from __future__ import annotations

from django.db import models

from .document import Document
from .workspace import Workspace


class TypingSession(models.Model):
    """Written by `commits.store` in the transaction of each live update; deleted when its event is written.

    `author` is the actor (`link:<link id>`); `texts` a JSON list of the texts typed in. The session covers the
    document's clocks `clock_from` to `clock_to`; other authors' typing may lie between. `base_state` is the Yjs state
    vector before its first update.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="typing_sessions", db_index=False)
    author = models.CharField(max_length=200)
    texts = models.TextField(default="[]")
    clock_from = models.BigIntegerField()
    clock_to = models.BigIntegerField()
    base_state = models.BinaryField()
    started_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        db_table = "workspaces_typingsession"
        constraints = [models.UniqueConstraint(fields=["document", "author"], name="typing_once_an_author")]
        indexes = [models.Index(fields=["last_at"], name="typing_by_rest")]

    def __str__(self) -> str:
        return f"{self.document_id} {self.author}"
