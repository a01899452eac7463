"""How a window begins: the moment, the camera and the selected member."""

from dataclasses import dataclass

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.cameras.presets import check_camera, ride_of
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.player.controls import Controls


@dataclass(frozen=True)
class Opening:
    """What is asked for when the panel is opened.

    Attributes:
        time: Of the run [s]; at 0 the draft is shown.
        camera: Of `rmp3d.viewer.cameras.presets.named_camera`.
        selected: Row of a member, -1 for nobody.

    Raises:
        InputError: There is no such camera.
    """

    time: float = 0.0
    camera: str = "iso"
    selected: int = -1

    def __post_init__(self) -> None:
        check_camera(self.camera)

    def reached(self, state: PanelState, controls: Controls) -> bool:
        """Go there as far as it is simulated; return whether no more is to be waited for.

        What is asked for and not there is said in the panel.
        """
        if state.is_live:
            controls.clock.seek(self.time)
        drafted = self.time <= 0.0 and bool(state.places)
        ran = state.phase == "over" or (state.is_live and state.simulated >= self.time)
        if not (drafted or ran or state.notice.is_error):
            return False
        if not state.notice.is_error:
            try:
                self._apply(controls)
            except InputError as error:
                state.refuse(str(error))
        return True

    def _apply(self, controls: Controls) -> None:
        count = controls.playback.member_count
        if self.selected >= count:
            raise InputError(f"--select {self.selected}: there are {count} members, from 0 on")
        if self.camera != "iso":
            controls.look(self.camera)
        if self.selected >= 0:
            controls.select(self.selected)
        ride, member = ride_of(self.camera)
        if ride:
            controls.rig.join(ride, member)
