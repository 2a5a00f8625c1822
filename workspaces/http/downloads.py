"""Answers that are files: written to a nameless temporary file at one moment, then sent piece by piece.

The database is left alone before the first byte goes out, however slow the reader is; memory stays flat. Above: the
export views of both packages. Below: Django's streaming answers, which under ASGI would read a plain iterator whole.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import IO

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

from workspaces.clock import now
from workspaces.facade import sql

_PIECE = 64 * 1024


class FileAnswer(StreamingHttpResponse):
    """Sends an open file from its beginning and closes it."""

    def __init__(self, file: IO[bytes], *, size: int, media_type: str, name: str) -> None:
        self._file = file
        super().__init__(_pieces(file), content_type=media_type)
        self._resource_closers.append(file.close)  # type: ignore[attr-defined]
        self.headers["Content-Length"] = str(size)
        self.headers["Content-Disposition"] = f'attachment; filename="{name}"'

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await sync_to_async(self._file.read)(_PIECE):
            yield piece


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def file_answer(write: Callable[[IO[bytes]], None], *, media_type: str, name: str) -> FileAnswer:
    """What `write` writes into the file, read from the database at one moment."""
    file = tempfile.TemporaryFile()
    try:
        with sql.snapshot():
            write(file)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return FileAnswer(file, size=size, media_type=media_type, name=name)


def text_answer(parts: Callable[[], Iterable[str]], *, media_type: str, name: str) -> FileAnswer:
    """The same for text, as UTF-8."""

    def write(file: IO[bytes]) -> None:
        for part in parts():
            file.write(part.encode())

    return file_answer(write, media_type=media_type, name=name)


def file_name(words: str, ending: str) -> str:
    """`careervector-WORDS-DAY.ENDING`: plain characters only, so that it needs no encoding anywhere."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return "-".join(part for part in ("careervector", slug, now().date().isoformat()) if part) + f".{ending}"
