from rmp3d.viewer.gpu.dropping import paths_of


def test_what_is_dropped_is_a_list_of_paths_and_other_addresses_stay_as_they_are():
    uris = b"# by a file manager\r\nfile:///a/my%20run.rmp3d\r\n\r\nhttps://b/c.glb\r\n\0"
    assert paths_of(uris) == ["/a/my run.rmp3d", "https://b/c.glb"]
    assert paths_of("file://host/caf\u00e9".encode("latin-1")) == ["/caf\udce9"]
    assert paths_of(b"") == []
