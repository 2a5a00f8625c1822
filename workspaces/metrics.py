"""Content-free counters of the canonical documents' doors: fan-out, conflicts, refusals.

Below everything that counts, so it imports nothing of ours. Labels are closed sets (codes, reasons), never ids.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

HUB_PUBLISHED = Counter("careervector_hub_published", "Messages handed to the hub of this process")
HUB_DELIVERED = Counter("careervector_hub_delivered", "Frames put into the buffers of local sockets")
HUB_SLOW = Counter("careervector_hub_slow_subscribers", "Subscriptions ended because their reader was too slow")
HUB_DROPPED = Counter("careervector_hub_dropped", "Messages that could not be handed to other processes")
HUB_RECONNECTS = Counter("careervector_hub_reconnects", "Times the link between processes was made anew")
HUB_SUBSCRIPTIONS = Gauge("careervector_hub_subscriptions", "Open local subscriptions", multiprocess_mode="livesum")
SOCKETS_CLOSED = Counter("careervector_sockets_closed", "Sockets closed by the server, by code", ["code"])
SOCKETS_OPEN = Gauge("careervector_sockets_open", "Open sockets by kind", ["kind"], multiprocess_mode="livesum")
LIVE_UPDATES = Counter(
    "careervector_live_updates", "Live typing updates: accepted, known already, refused by code", ["outcome"]
)
LIVE_GROUP = Histogram(
    "careervector_live_group", "Live typing updates committed in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64, 128)
)
SOCKET_GAPS = Counter("careervector_socket_gaps", "Gaps in the commit numbers filled from the update log")
CONFLICTS = Counter("careervector_conflicts", "Writes refused because of other people's work", ["code"])
HTTP_REFUSALS = Counter("careervector_http_refusals", "Requests refused, by problem code", ["code"])
RATE_LIMITED = Counter("careervector_rate_limited", "Requests over a rate limit", ["limit"])
CACHE_BYTES = Gauge(
    "careervector_document_cache_bytes", "Estimated weight of the warm documents", multiprocess_mode="livesum"
)
CACHE_ENTRIES = Gauge("careervector_document_cache_entries", "Warm documents", multiprocess_mode="livesum")
CACHE_HITS = Counter("careervector_document_cache_hits", "Documents found warm")
CACHE_MISSES = Counter("careervector_document_cache_misses", "Documents that were not warm")
CACHE_EVICTIONS = Counter("careervector_document_cache_evictions", "Warm documents given up for want of room")
