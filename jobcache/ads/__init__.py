"""Ads and the roles they belong to: values (what comes in), freshness, and store (the only writer)."""
