"""Benchmarks of the platform, as ratios within one run: `python -m bench` writes them to `bench/results`.

They measure bulk loads (P1), GraphQL pages (P3), new scores after one more verdict (P5), inclusion proofs (P6), exports
(P7), audits and batches.
"""
