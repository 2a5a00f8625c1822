"""The Celery application: tasks are found in `workspaces.tasks` and `assistant.tasks`, each of which calls a facade."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")

app = Celery("careervector")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
