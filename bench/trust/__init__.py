"""Benchmark of the consensus: accuracy, attacks, speed and calibration; `python -m bench.trust`."""
