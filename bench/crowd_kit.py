"""Runs crowd-kit's methods on label files, in a process and an environment of its own (`.venv-crowd-kit`).

crowd-kit 1.4.2 needs older libraries than ours, so `bench.trust` starts this module as a program, gives it one job a
line on its standard input and reads one answer a line: `{"labels": path, "method": name, "numbers": bool}` gives
`{"best": {item: [labels]}, "seconds": …, "processor": …, "before_kib": …, "peak_kib": …}`. All tied labels are given.
Both times, wall and processor, are the method's, without reading the file; the memory is the process's, at the start of
the method and at its peak.
"""

import json
import sys
import time
from typing import Any

import pandas
from crowdkit import aggregation

from bench.memory import peak_kib

_TIE = 1e-9


def main() -> None:
    """Answer each job of the standard input."""
    for line in sys.stdin:
        print(json.dumps(run_job(json.loads(line))), flush=True)


def run_job(job: dict[str, Any]) -> dict[str, Any]:
    """Run one method on one file of `item,worker,label`."""
    # Short numbers stay numbers where all are: that is how crowd-kit is fastest.
    table = pandas.read_csv(job["labels"], keep_default_na=False, dtype=None if job.get("numbers") else str)
    table = table.rename(columns={"item": "task"})
    before = peak_kib()
    started, worked = time.perf_counter(), time.process_time()
    shares = getattr(aggregation, job["method"])().fit_predict_proba(table)
    seconds, processor = time.perf_counter() - started, time.process_time() - worked
    after = peak_kib()
    tied = shares.ge(shares.max(axis=1) - _TIE, axis=0).to_numpy()
    names = [str(label) for label in shares.columns]
    best = {
        str(item): [name for name, ties in zip(names, row, strict=True) if ties]
        for item, row in zip(shares.index, tied, strict=True)
    }
    return {"best": best, "seconds": seconds, "processor": processor, "before_kib": before, "peak_kib": after}


if __name__ == "__main__":
    main()
