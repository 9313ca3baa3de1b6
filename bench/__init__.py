"""What the platform costs, P1 to P7, as ratios within one run: `python -m bench` writes them to `bench/results`."""
