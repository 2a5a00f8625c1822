"""What one operation costs on a document of about 100 kB against one of about 10 kB, in alternating rounds."""

from __future__ import annotations

import argparse
import json
import statistics

from bench.product import Writer, facade, median_us, migrate, say


def grown_profile(kilobytes: int) -> Writer:
    """The profile of a fresh workspace, filled with work items of about 2 kB each."""
    made = facade.create_workspace()
    writer = Writer(made, "profile", 1)
    for index in range(kilobytes // 2):
        item = [
            {"field": "name", "value": f"Company {index}"},
            {"field": "position", "value": "Engineer"},
            {"field": "summary", "value": f"{index} " + "what was done there " * 97},
        ]
        writer.commit({"kind": "item.add", "section": "work", "item": item})
    return writer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    rounds, times = (2, 20) if parser.parse_args().quick else (8, 100)
    migrate()
    small, large = grown_profile(10), grown_profile(100)
    taken: dict[str, list[float]] = {"small": [], "large": []}
    for turn in range(rounds):
        for name, writer in (("small", small), ("large", large)):
            taken[name].append(
                median_us(lambda index, w=writer, t=turn: w.set_field("label", f"Engineer {t} {index}"), times)
            )
        say(f"round {turn + 1} of {rounds}: {taken['large'][-1]:.0f} µs, {taken['small'][-1]:.0f} µs")
    small_us, large_us = statistics.median(taken["small"]), statistics.median(taken["large"])
    print(json.dumps({"ratio": large_us / small_us, "small_us": small_us, "large_us": large_us}))


if __name__ == "__main__":
    main()
