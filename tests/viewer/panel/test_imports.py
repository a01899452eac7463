import subprocess
import sys

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs
CODE = """
import sys
import rmp3d.viewer, rmp3d.viewer.rendering.offscreen, rmp3d.viewer.panel.window, rmp3d.live
assert "imgui_bundle" not in sys.modules
assert "pyglet.window" not in sys.modules
"""


def test_the_panel_s_widgets_are_loaded_only_with_its_window():
    subprocess.run([sys.executable, "-c", CODE], check=True, timeout=HUNG)
