"""Somebody of the staff, logged in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def staff(db) -> Client:
    User.objects.create_superuser("auditor", password="pw")
    client = Client()
    client.force_login(User.objects.get(username="auditor"))
    return client
