"""Logs that hold no content: what happened, where and how often, never what somebody wrote.

A record from a library is written as its template without the arguments, because arguments carry paths, bodies and
SQL parameters; an exception as its class and its frames, because its message may quote data. Our own records come
through structlog with keys chosen by us (ids, counts, durations).
"""

from __future__ import annotations

import json
import logging
import logging.config
import time
import traceback
from collections.abc import MutableMapping
from types import TracebackType
from typing import Any

import structlog

OUR_LOGGERS = ("careervector", "workspaces", "assistant", "jobcache_client")
_FRAMES = 12


def _where(trace: TracebackType | None) -> list[str]:
    frames = traceback.extract_tb(trace)[-_FRAMES:]
    return [f"{'/'.join(frame.filename.split('/')[-3:])}:{frame.lineno} {frame.name}" for frame in frames]


class ContentFreeFormatter(logging.Formatter):
    """One JSON line a record."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if isinstance(record.msg, dict):  # from structlog: keys of our own choosing
            event.update(record.msg)
        else:
            event["event"] = str(record.msg)[:300]
        if record.exc_info and record.exc_info[0] is not None:
            event["exception"] = record.exc_info[0].__qualname__
            event["frames"] = _where(record.exc_info[2])
        return json.dumps(event, default=str, ensure_ascii=False)


def _as_record(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    exc_info = event.pop("exc_info", None)
    return (dict(event),), {"exc_info": exc_info}


def logging_config(level: str = "INFO") -> None:
    """Send everything to standard error in the content-free form. Idempotent."""
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"content_free": {"()": ContentFreeFormatter}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "content_free"}},
            "root": {"level": "WARNING", "handlers": ["stderr"]},
            "loggers": {name: {"level": level} for name in (*OUR_LOGGERS, "celery", "daphne", "uvicorn.error")},
        }
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            _as_record,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
