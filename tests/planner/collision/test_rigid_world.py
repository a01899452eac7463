"""Worlds: walls around the body, closed pieces, containment."""

import dataclasses

import numpy as np

from rmp3d.geometry.mesh import join
from rmp3d.planner.collision.pieces import closed_pieces, pieces
from rmp3d.planner.collision.rigid_world import RigidCollisionWorld


def test_pieces_are_found_by_place_and_open_ones_are_no_solids(window):
    mesh = window.obstacles
    assert len(np.unique(pieces(mesh))) == 4
    np.testing.assert_array_equal(closed_pieces(mesh).areas.sum(), mesh.areas.sum())
    torn = mesh.select(np.arange(len(mesh.faces)) != 0)
    assert len(closed_pieces(torn).faces) == 36
    assert closed_pieces(mesh.select(np.arange(5))) is None


def test_walls_hold_the_whole_body_in(window):
    near = window.start.copy()
    near[0] = window.bounds[0, 0] + 0.1
    for contain, free in ((False, True), (True, False)):
        world = RigidCollisionWorld(dataclasses.replace(window, contain_body=contain))
        assert world.is_free(near[None])[0] == free


def test_planar_worlds_have_no_floor(bends):
    world = RigidCollisionWorld(bends)
    assert world.is_free(bends.start[None])[0]
    outside = bends.start.copy()
    outside[0] = bends.bounds[0, 0] + 0.2
    assert not world.is_free(outside[None])[0]


def test_a_body_inside_a_solid_collides(window):
    small = window.robot.transformed(0.05 * np.eye(3))
    inside = np.array([[0, 1.8, 0, 1.0, 0, 0, 0]])
    for solids, free in ((True, False), (False, True)):
        problem = dataclasses.replace(window, robot=small, solids=solids)
        assert RigidCollisionWorld(problem).is_free(inside)[0] == free


def test_a_piece_of_the_body_inside_a_solid_is_enough(window):
    small = window.robot.transformed(0.05 * np.eye(3))
    body = join([small, small.transformed(None, np.array([0.0, 1.8, 0.0]))])
    problem = dataclasses.replace(window, robot=body)
    assert not RigidCollisionWorld(problem).is_free(np.array([[0, 0, 0, 1.0, 0, 0, 0]]))[0]


def test_queries_are_counted(window):
    world = RigidCollisionWorld(window)
    world.is_free(np.tile(window.start, (5, 1)))
    assert world.counts.collision == 5
    world.motions_are_free(window.start[None], window.goal[None])
    assert world.counts.collision > 5
