import re
import threading
import urllib.request

import pytest

from rmp3d.cli import main
from rmp3d.viewer.web_server import PageServer


@pytest.fixture
def once(monkeypatch):
    """What one browser got from the server; then it ends as by Ctrl-C."""
    got = []

    def serve(self):
        threading.Thread(target=self._server.handle_request).start()
        with urllib.request.urlopen(self.address, timeout=60) as answer:
            got.append((self.address, answer.read().decode()))
        raise KeyboardInterrupt

    monkeypatch.setattr(PageServer, "serve", serve)
    return got


def test_a_browser_gets_the_page_until_ctrl_c(once, capsys):
    assert main(["view", "--web", "plain", "--set", "simulation.duration=0.2", "-q"]) == 130
    said = capsys.readouterr().out
    ((address, page),) = once
    assert re.search(r"^open (\S+)$", said, re.MULTILINE).group(1) == address
    assert '<script id="recording"' in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "8000", "plain"], "--port: is for --web"),
        (["--web", "--fullscreen", "plain"], "--web: takes neither --screenshot"),
        (["--web", "--port", "70000", "plain"], "--port 70000: is not allowed"),
    ],
)
def test_what_does_not_go_together_is_said(words, said, capsys):
    assert main(["view", *words]) == 2
    assert said in capsys.readouterr().err
