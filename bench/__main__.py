"""Runs the measurements and prints one line each: `python -m bench [NAME …] [--quick]`.

Absolute numbers depend on the machine and on what else it does; only the ratios within one run are meant to be
compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Measurement:
    """`argv` prints progress on standard error and one JSON object on standard output."""

    name: str
    argv: tuple[str, ...]


MEASUREMENTS = (
    Measurement("commits", ("bench.commits",)),
    Measurement("commits postgresql", ("bench.commits_postgresql",)),
    Measurement("document size", ("bench.document_size",)),
    Measurement("tool call", ("bench.tool_call",)),
    Measurement("opening", ("bench.opening",)),
    Measurement("history", ("bench.history",)),
    Measurement("idle sockets", ("bench.idle_sockets",)),
    Measurement("first delta", ("bench.first_delta",)),
    Measurement("typing", ("bench.typing",)),
    Measurement("group_send", ("bench.fanout", "--server", "group_send")),
    Measurement("fan-out daphne", ("bench.fanout", "--server", "daphne")),
    Measurement("fan-out uvicorn", ("bench.fanout", "--server", "uvicorn")),
)


def run(measurement: Measurement, *, quick: bool) -> dict[str, Any]:
    """The measurement's result. Raises CalledProcessError when it failed."""
    print(f"… {measurement.name}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        env = {
            **os.environ,
            "CAREERVECTOR_DATA": folder,
            "CAREERVECTOR_TESTING": "1",
            "CAREERVECTOR_RATE_LIMITS": "off",
            "DJANGO_SETTINGS_MODULE": "careervector.settings.embedded",
        }
        argv = [sys.executable, "-m", *measurement.argv, *(["--quick"] if quick else [])]
        done = subprocess.run(argv, env=env, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _ratio(label: str, value: float, bar: str = "") -> None:
    print(f"{label:<78} {value:7.2f}  {bar}", flush=True)


def report(results: dict[str, dict[str, Any]]) -> None:
    """The ratios that the results allow, with their bars."""
    if found := results.get("commits"):
        _ratio("commits/s ÷ ORM get/save loop (SQLite, both synchronous=FULL)", found["ratio"], "bar ≥ 1.5, beyond ≥ 3")
        print(f"    {found['commits_per_s']:.0f} commits/s, {found['orm_per_s']:.0f} loops/s")
    if found := results.get("commits postgresql"):
        for label, words in (("8 apart", "8 writers on 8 workspaces"), ("1", "1 writer"), ("8 together", "8 on one")):
            bar = "bar ≥ 3, beyond ≥ 8" if label == "8 apart" else ""
            one = found[label]
            _ratio(f"commits/s ÷ ORM select_for_update loop (PostgreSQL, {words})", one["ratio"], bar)
            print(f"    {one['commits_per_s']:.0f} commits/s, {one['orm_per_s']:.0f} loops/s")
    if found := results.get("document size"):
        _ratio("one operation on a 100 kB document ÷ on a 10 kB document", found["ratio"], "bar ≤ 1.5, beyond 1.1")
        print(f"    {found['large_us']:.0f} µs, {found['small_us']:.0f} µs")
    if found := results.get("tool call"):
        _ratio("tool call apply_workspace_operations ÷ the bare commit", found["ratio"], "bar ≤ 1.5, beyond 1.2")
        print(f"    {found['tool_us']:.0f} µs, {found['commit_us']:.0f} µs")
    if found := results.get("opening"):
        _ratio("opening a document after 10,000 commits ÷ after 100", found["ratio"], "bar ≤ 1.5, beyond 1.1")
        print(f"    {found['many_us']:.0f} µs, {found['few_us']:.0f} µs; {found['many']}, {found['few']}")
    if found := results.get("history"):
        _ratio(
            f"history of {found['events']:,} events, last page ÷ first page", found["ratio"], "bar ≤ 1.5, beyond 1.0"
        )
        print(f"    {found['last_us']:.0f} µs, {found['first_us']:.0f} µs")
    if found := results.get("idle sockets"):
        for server, taken in found.items():
            _ratio(f"kB of memory an idle workspace socket, {server}", taken / 1000, "bar ≤ 60, beyond ≤ 20")
            print(f"    10,000 of them: {taken * 10_000 / 1e6:.0f} MB")
    if found := results.get("first delta"):
        _ratio("first delta in the page, ms after the provider's, p50", found["p50_ms"], "bar ≤ 30, beyond ≤ 10")
        print(f"    p95 {found['p95_ms']:.1f} ms")
    if found := results.get("typing"):
        _report_typing(found)
    base = results.get("group_send")
    for clients in ("50", "200"):
        for server in ("daphne", "uvicorn"):
            ours = results.get(f"fan-out {server}")
            if ours and base:
                ratio = ours[clients]["per_s"] / base[clients]["per_s"]
                _ratio(f"fan-out at {clients} clients, delivered/s: {server} ÷ Channels group_send", ratio)
                print(
                    f"    {ours[clients]['per_s']:.0f}/s, p95 at 30/s {ours[clients]['p95_ms']:.1f} ms "
                    f"(group_send {base[clients]['per_s']:.0f}/s)"
                )


def _report_typing(found: dict[str, dict[str, float]]) -> None:
    ours, hocuspocus, reference = found["ours"], found["hocuspocus"], found["y_websocket"]
    per_s, p95 = ours["per_s"], ours["p95_ms"]
    _ratio("live typing, 200 clients, delivered/s: ours ÷ Hocuspocus", per_s / hocuspocus["per_s"], "bar ≥ 2")
    _ratio("live typing, 200 clients, delivered/s: ours ÷ y-websocket", per_s / reference["per_s"], "beyond ≥ 1")
    _ratio("live typing, 200 clients at 30/s, p95: ours ÷ Hocuspocus", p95 / hocuspocus["p95_ms"], "bar ≤ 0.3")
    _ratio("live typing, 200 clients at 30/s, p95: ours ÷ y-websocket", p95 / reference["p95_ms"], "beyond ≤ 1")
    for name, row in found.items():
        print(f"    {name}: {row['per_s']:.0f} delivered/s, p95 at 30/s {row['p95_ms']:.1f} ms")


def main() -> int:
    names = [measurement.name for measurement in MEASUREMENTS]
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(names)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: only to see that it runs")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(names):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    results: dict[str, dict[str, Any]] = {}
    failed = []
    for measurement in MEASUREMENTS:
        if chosen.names and measurement.name not in chosen.names:
            continue
        try:
            results[measurement.name] = run(measurement, quick=chosen.quick)
        except subprocess.CalledProcessError as error:
            failed.append(f"{measurement.name} (exit {error.returncode})")
    report(results)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
