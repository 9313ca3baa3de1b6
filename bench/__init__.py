"""What the platform costs, as ratios within one run: `python -m bench` writes them to `bench/results`.

Measured are bulk loads (P1), GraphQL pages (P3), the new scores that one more verdict makes (P5), inclusion proofs
(P6), exports (P7), audits and batches.
"""
