"""Logs say what happened and never what somebody wrote."""

from __future__ import annotations

import json
import logging
import sys

import structlog

from careervector.logging import ContentFreeFormatter


def _line(record: logging.LogRecord) -> dict[str, object]:
    line: dict[str, object] = json.loads(ContentFreeFormatter().format(record))
    return {name: value for name, value in line.items() if name != "at"}


def test_a_library_s_record_is_written_as_its_template_without_the_arguments() -> None:
    record = logging.LogRecord(
        "django.request", logging.WARNING, "x.py", 1, "%s: %s", ("Not Found", "/w/private"), None
    )
    assert _line(record) == {"level": "warning", "logger": "django.request", "event": "%s: %s"}


def test_an_exception_is_written_as_class_and_places_without_its_message() -> None:
    try:
        raise ValueError("the letter to Acme")
    except ValueError:
        record = logging.LogRecord("workspaces", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info())
    line = _line(record)
    frames = line.pop("frames")
    assert line == {"level": "error", "logger": "workspaces", "event": "failed", "exception": "ValueError"}
    assert isinstance(frames, list)
    assert [frame.split(":")[0] for frame in frames] == ["tests/careervector/test_logging.py"]


def test_our_own_records_keep_the_keys_that_we_chose() -> None:
    records: list[logging.LogRecord] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    keeper = Keep()
    logger = logging.getLogger("workspaces.tasks")
    logger.addHandler(keeper)
    try:
        structlog.get_logger("workspaces.tasks").info("expired", what="receipts", count=3)
    finally:
        logger.removeHandler(keeper)
    assert [_line(record) for record in records] == [
        {"level": "info", "logger": "workspaces.tasks", "event": "expired", "what": "receipts", "count": 3}
    ]
