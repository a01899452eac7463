import numpy as np

from rmp3d.viewer.plots import maps, raster
from rmp3d.viewer.plots.maps import save_map

LOW, HIGH = np.array([-1.0, 2.0]), np.array([5.0, 6.0])
NO_LINES = np.zeros((0, 2, 2))


def soup(count, size):
    rng = np.random.default_rng(5)
    middle = np.append(LOW, 0.0) + rng.random((count, 1, 3)) * np.append(HIGH - LOW, 3.0)
    return middle + rng.normal(0.0, size, (count, 3, 3)), rng.random((count, 3))


def test_each_pixel_shows_the_highest_triangle_over_its_middle(monkeypatch):
    monkeypatch.setattr(raster, "PIXELS", 60)
    triangles, colors = soup(25, 0.8)
    picture, scale = raster.picture_from_above(triangles, colors, NO_LINES, LOW, HIGH)
    assert picture.shape == (40, 60, 4)
    assert scale == 10.0
    wrong = 0
    for row in range(40):
        for column in range(60):
            point = LOW + (np.array([column, row]) + 0.5) / scale
            a, b, c = np.moveaxis(triangles[..., :2] - point, 1, 0)
            turn = np.array(
                [p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))]
            )
            over = np.flatnonzero((turn > 0.0).all(axis=0) | (turn < 0.0).all(axis=0))
            shown = picture[row, column]
            if len(over) == 0:
                wrong += shown[3] != 0
                continue
            best = over[np.argmax(triangles[over, :, 2].max(axis=1))]
            wrong += not np.array_equal(shown[:3], np.round(255.0 * colors[best]).astype(np.uint8))
    assert wrong <= len(triangles)  # each triangle also has the pixel of its own middle


def test_triangles_smaller_than_a_pixel_are_seen(monkeypatch):
    monkeypatch.setattr(raster, "PIXELS", 30)
    triangles, colors = soup(40, 1e-4)
    picture, scale = raster.picture_from_above(triangles, colors, NO_LINES, LOW, HIGH)
    column, row = ((triangles.mean(axis=1)[:, :2] - LOW) * scale).astype(int).T
    assert (picture[row, column, 3] == 255).all()
    assert (picture[..., 3] > 0).sum() <= 40


def test_lines_are_dark_over_triangles(monkeypatch):
    monkeypatch.setattr(raster, "PIXELS", 60)
    lines = np.array([[[0.0, 3.0], [4.0, 5.0]], [[2.0, 3.0], [2.0, 3.0]]])
    picture, scale = raster.picture_from_above(*soup(25, 0.8), lines, LOW, HIGH)
    for share in np.linspace(0.0, 1.0, 37):
        column, row = ((lines[0, 0] + share * (lines[0, 1] - lines[0, 0]) - LOW) * scale).astype(
            int
        )
        assert (picture[row, column, :3] == raster.LINE).all()


def test_large_triangles_that_overlap_make_the_picture_coarser(monkeypatch):
    monkeypatch.setattr(raster, "MOST_TESTS", 1e5)
    picture, scale = raster.picture_from_above(*soup(200, 5.0), NO_LINES, LOW, HIGH)
    assert picture.shape[1] < 100
    np.testing.assert_allclose(np.array(picture.shape[1::-1]) / scale, HIGH - LOW, atol=1.0 / scale)


def test_a_map_drawn_as_a_picture_looks_like_one_of_polygons(playback, tmp_path, monkeypatch):
    from matplotlib.image import imread

    save_map(tmp_path / "polygons.png", playback.scene, dpi=50)
    monkeypatch.setattr(maps, "MOST_POLYGONS", 0)
    save_map(tmp_path / "picture.png", playback.scene, dpi=50)
    one, two = imread(tmp_path / "polygons.png"), imread(tmp_path / "picture.png")
    assert one.shape == two.shape
    assert np.abs(one - two)[..., :3].mean() < 0.03
