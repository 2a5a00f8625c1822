"""Whether a word is anywhere in files, in any of the forms in which software writes words down."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")


def forms_of(word: str) -> list[bytes]:
    """UTF-8 and 16, JSON with escapes, a part of an address, hexadecimal, base64 wherever its groups begin."""
    plain = word.encode()
    found = [
        plain,
        word.encode("utf-16-le"),
        word.encode("utf-16-be"),
        plain.hex().encode(),
        plain.hex().upper().encode(),
    ]
    found += [json.dumps(word)[1:-1].encode(), quote(word, safe="").encode()]
    for before in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            # Without the groups that hold a neighbour's bits too.
            found.append(encode(b"\0" * before + plain)[4 if before else 0 :][: (len(plain) - 3) // 3 * 4])
    return list(dict.fromkeys(found))


def traces_in(data: bytes, words: Iterable[str]) -> list[str]:
    """Those of the words that the bytes hold, compressed ones included."""
    found = []
    for word in words:
        forms = forms_of(word)
        if any(form in piece for piece in _pieces(data) for form in forms):
            found.append(word)
    return found


def files_with(folder: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """File (relative) → the words in it, of every file below the folder, by name or by content."""
    wanted = list(words)
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        if held := traces_in(name.encode() + b"\n" + data, wanted):
            found[name] = held
    return found


def _pieces(data: bytes) -> Iterator[bytes]:
    yield data
    for match in _ZLIB.finditer(data):
        try:
            yield zlib.decompressobj().decompress(data[match.start() :], 1 << 20)
        except zlib.error:
            continue
