"""How far the consensus can be trusted: accuracy, attacks, speed and calibration; `python -m bench.trust`."""
