"""Measurements of design §10, as ratios within one run; `python -m bench` writes `bench/results/performance.json`."""
