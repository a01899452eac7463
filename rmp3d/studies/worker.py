"""The process that does the runs of a study: `python -m rmp3d.studies.worker`.

It reads jobs from standard input and writes rows to standard output, each a pickle after its
length. It ends when its input does, in the middle of a run, too: nobody waits for the row any more.
"""

import os
import queue
import sys
import threading
from time import perf_counter, process_time

from rmp3d.studies.messages import Job, Outcome, receive, send


def measured(job: Job) -> Outcome:
    """Plan, simulate, verify and measure one run; the failure of one is an outcome, too."""
    from rmp3d.extensions import load_extension, words_of_fault
    from rmp3d.geometry.errors import Rmp3dError
    from rmp3d.planner import PlanningError
    from rmp3d.studies.figures import CRASHED, NO_PATH, REFUSED, failed

    began = perf_counter()
    try:
        for path in job.extensions:
            load_extension(path)
        return _measured(job)
    except PlanningError as error:
        row = failed(NO_PATH, str(error))
    except Rmp3dError as error:
        row = failed(REFUSED, str(error))
    except MemoryError:
        row = failed(REFUSED, "out of memory")
    except Exception as error:  # a fault of the program is the row of this run alone
        row = failed(CRASHED, words_of_fault(error).replace("\n", "; "))
    job.recording.unlink(missing_ok=True)
    return Outcome(row, {"wall": round(perf_counter() - began, 3)})


def _measured(job: Job) -> Outcome:
    import numpy as np

    from rmp3d.recording import RecordingReader
    from rmp3d.reporting.members import arrival_times
    from rmp3d.reporting.motion import group_figures
    from rmp3d.scenario import Scenario
    from rmp3d.simulation import simulate
    from rmp3d.studies.figures import figures_of
    from rmp3d.studies.own_figures import own_figures
    from rmp3d.verification import verify

    began, worked = perf_counter(), process_time()
    scenario = Scenario.held_by(job.table, job.held)
    report = simulate(scenario, recording_path=job.recording)
    simulated, processor = perf_counter(), process_time() - worked
    with RecordingReader.open(job.recording) as recording:
        verdict = verify(recording) if job.verify else None
        verified = perf_counter()
        position, kinds = recording.position(), recording.load_characters()
        times = arrival_times(recording, position, kinds)
        arrivals = [float(time) for time in times[np.isfinite(times)]]
        row = figures_of(report, arrivals, group_figures(recording, position, kinds), verdict)
        row |= own_figures(job.figures, recording)
    ended = perf_counter()
    seconds = {
        "plan": report.plan_seconds,
        "simulate": report.wall_seconds,
        "verify": verified - simulated,
        "wall": ended - began,
        "processor": processor,
    }
    return Outcome(row, {key: round(value, 3) for key, value in seconds.items()})


def main() -> None:
    """Do jobs until there are no more."""
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    rows = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no row

    def read() -> None:
        try:
            while True:
                jobs.put(receive(sys.stdin.buffer))
        except EOFError:
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        job = jobs.get()
        send(rows, measured(job))


if __name__ == "__main__":
    main()
