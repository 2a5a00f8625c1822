"""Is what an answer claims in what its tools returned? Ids, numbers with unit and subject, dates and times.

Pure Python over the answer's Markdown and plain JSON, no Django. `check` gives the claims that nothing supports;
they are marked in the answer's provenance, not taken out. What it does not judge: opinions, names, negations
("there is no deadline"), and sums or averages that the answer worked out itself (those come back as unsupported).
Source: contract section 8 and 9 (`provenance`).
"""

from __future__ import annotations

from .claims import Claim
from .judging import check, check_citations

__all__ = ["Claim", "check", "check_citations"]
