import socket
import struct
import threading
import urllib.error
import urllib.request

import pytest

from rmp3d.geometry import InputError
from rmp3d.viewer.web_server import PageServer


@pytest.fixture
def server():
    made = PageServer(b"<p>here</p>")
    thread = threading.Thread(target=made.serve)
    thread.start()
    yield made
    made.stop()
    thread.join()
    made.close()


def asked(address, host=None, method="GET"):
    request = urllib.request.Request(address, method=method)
    if host:
        request.add_header("Host", host)
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def test_only_the_whole_address_gets_the_page(server):
    code, body, headers = asked(server.address)
    assert (code, body) == (200, b"<p>here</p>")
    assert headers["Cache-Control"] == "no-store"
    assert asked(server.address, method="HEAD")[:2] == (200, b"")
    root, token = server.address[:-1].rsplit("/", 1)
    assert len(token) >= 20
    for wrong in ("/", f"/{token}", f"/{token[:-1]}/", f"/{token}/../", "/favicon.ico"):
        assert asked(root + wrong)[0] == 404
    assert asked(server.address, method="POST")[0] == 501


class Growing:
    """What a page of a run that goes on is made of."""

    def page(self):
        return b"<p>so far</p>"

    def more(self, after):
        return b"" if after >= 12 else b"frames from %d on" % after


def test_a_page_of_a_run_that_goes_on_gets_more(server):
    made = PageServer(Growing())
    thread = threading.Thread(target=made.serve)
    thread.start()
    try:
        assert asked(made.address)[:2] == (200, b"<p>so far</p>")
        assert asked(f"{made.address}more?after=7")[:2] == (200, b"frames from 7 on")
        assert asked(f"{made.address}more?after=12")[:2] == (204, b"")
        other = server.address.split("/")[3]
        for wrong in (
            "more",
            "more?after=",
            "more?after=-1",
            "more?after=1234567890",
            "more?after=a",
        ):
            assert asked(made.address + wrong)[0] == 404
        assert asked(f"{made.address.rsplit('/', 2)[0]}/{other}/more?after=7")[0] == 404
    finally:
        made.stop()
        thread.join()
        made.close()
    assert asked(f"{server.address}more?after=7")[0] == 404, "there is only a page"


def test_another_site_cannot_name_this_machine_its_own(server):
    code, body, _ = asked(server.address, host="evil.example:80")
    assert code == 403
    assert b"here" not in body


def test_it_is_not_reached_from_elsewhere_and_says_when_a_port_is_taken(server):
    assert server.address.startswith("http://127.0.0.1:")
    port = int(server.address.split(":")[2].split("/")[0])
    with pytest.raises(InputError, match=f"--port {port}: is in use; choose another"):
        PageServer(b"", port)
    with pytest.raises(InputError, match="--port 70000: is not allowed"):
        PageServer(b"", 70_000)


def test_each_server_has_an_address_of_its_own():
    made = [PageServer(b"") for _ in range(2)]
    tokens = {each.address.split("/")[3] for each in made}
    for each in made:
        each.close()
    assert len(tokens) == 2


@pytest.mark.parametrize("words", [b"GET / HT", b"\x16\x03\x01\r\n\r\n"])
def test_a_browser_that_leaves_in_the_middle_is_no_traceback(server, words, capfd):
    port = int(server.address.split(":")[2].split("/")[0])
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.sendall(words)
    assert asked(server.address)[0] == 200
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(300)
    assert capfd.readouterr().err == ""
