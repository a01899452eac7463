"""The panel's end of the wires to the processes that do the work."""

from collections.abc import Mapping, Sequence

from rmp3d.live.worker_process import Worker
from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.viewer.panel.protocol import Command, Export, OfExport, Report


class LiveSession:
    """Carries out commands in other processes; see `rmp3d.viewer.panel.session.Session`.

    One does all the work but exports: these have a process of their own from the first one on, as
    they take long, and a run goes on meanwhile.
    """

    forms: Mapping[str, type] = {
        "group": GroupTable,
        "planner": PlannerSettings,
        "simulation": SimulationSettings,
    }

    def __init__(self, extensions: Sequence[str] = ()) -> None:
        """Start the process that does the work.

        Args:
            extensions: Python files of the user's own, which this process has loaded already.
        """
        self._work, self._exports = Worker(extensions), Worker(extensions)
        self._work.start()

    @property
    def busy(self) -> bool:
        """Whether a command other than an export is under way or waits."""
        return self._work.busy

    def send(self, command: Command) -> None:
        """Carry out a command after those that were sent before; returns at once."""
        (self._exports if isinstance(command, Export) else self._work).send(command)

    def cancel(self) -> None:
        """Give up the command that runs and those that wait; their later reports are ignored."""
        self._work.cancel()

    def cancel_exports(self) -> None:
        """Give up the export that is under way, and those that wait."""
        self._exports.cancel()

    def reports(self) -> list[Report]:
        """Return what has come in since the last call."""
        return [*self._work.reports(), *map(OfExport, self._exports.reports())]

    def close(self) -> None:
        """End everything, also a running command."""
        self._work.close()
        self._exports.close()
