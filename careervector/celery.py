"""The Celery application: tasks are found in `workspaces.tasks` and `assistant.tasks`, each of which calls a facade.

Each of the two says itself when its tasks are due (`BEAT`); logs take the product's content-free form.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from careervector.logging import logging_config

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")

app = Celery("careervector")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Views name a task by the current application; requests run on threads of their own.
app.set_default()


@setup_logging.connect
def _keep_our_logging(**_kwargs: Any) -> None:
    logging_config()


@app.on_after_finalize.connect
def _take_schedules(**_kwargs: Any) -> None:
    # Not above: the tasks' modules need Django's models, which are ready only now.
    from assistant import tasks as assistant
    from workspaces import tasks as workspaces

    app.conf.beat_schedule = {**workspaces.BEAT, **assistant.BEAT}
