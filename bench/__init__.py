"""Measurements as ratios in one run: `make bench`. Each measurement is a module of its own, run in a fresh process."""
