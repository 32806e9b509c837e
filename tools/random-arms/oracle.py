"""An oracle for the kinematics of random arms: forward kinematics as a product of matrices, and a
dense search for joint angles by Newton's method from random starts. Independent of the program."""

import json
import sys

import numpy as np

STARTS = 64
STEPS = 40
BATCH = 100
LENGTH_M = 0.3


def load(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def chain_of(rows):
    joints = [row["chain"]["joints"] for row in rows]
    offset = np.array([[j["offset_m"] for j in arm] for arm in joints])
    sign = np.array([[-1.0 if j["axis"][0] == "-" else 1.0 for j in arm] for arm in joints])
    zero = np.array([[j.get("zero_rad", 0.0) for j in arm] for arm in joints])
    flange = np.array([row["flange"]["offset_m"] for row in rows])
    return offset, sign, zero, flange


ABOUT_Z = [True, False, False, True, False, True]


def frames(chain, q):
    """Rotations and origins of the joints, and the flange; q is (..., arm, 6) with arms last but one."""
    offset, sign, zero, flange = chain
    shape = q.shape[:-1]
    rotation = np.broadcast_to(np.eye(3), shape + (3, 3))
    origin = np.zeros(shape + (3,))
    axes, origins = [], []
    for j in range(6):
        origin = origin + np.einsum("...ij,...j->...i", rotation, np.broadcast_to(offset[:, j], shape + (3,)))
        angle = sign[:, j] * (q[..., j] + zero[:, j])
        c, s = np.cos(angle), np.sin(angle)
        turn = np.zeros(shape + (3, 3))
        if ABOUT_Z[j]:
            turn[..., 0, 0], turn[..., 0, 1], turn[..., 1, 0], turn[..., 1, 1], turn[..., 2, 2] = c, -s, s, c, 1
        else:
            turn[..., 0, 0], turn[..., 0, 2], turn[..., 2, 0], turn[..., 2, 2], turn[..., 1, 1] = c, s, -s, c, 1
        rotation = rotation @ turn
        axes.append(sign[:, j][..., None] * rotation[..., :, 2 if ABOUT_Z[j] else 1])
        origins.append(origin)
    tip = origin + np.einsum("...ij,...j->...i", rotation, np.broadcast_to(flange, shape + (3,)))
    return rotation, tip, np.stack(axes, -1), np.stack(origins, -1)


def wrap(angle):
    return angle - 2 * np.pi * np.round(angle / (2 * np.pi))


def search(chain, goal_rotation, goal_tip, random):
    """Joint angles that Newton's method finds from random starts: angles and whether they solve."""
    count = len(goal_tip)
    q = random.uniform(-np.pi, np.pi, (STARTS, count, 6))
    for _ in range(STEPS):
        rotation, tip, axes, origins = frames(chain, q)
        turn = 0.5 * np.cross(rotation, goal_rotation, axis=-2).sum(-1)
        error = np.concatenate([turn, (goal_tip - tip) / LENGTH_M], -1)
        lever = np.cross(np.moveaxis(axes, -1, -2), tip[..., None, :] - np.moveaxis(origins, -1, -2))
        jacobian = np.concatenate([axes, np.moveaxis(lever, -2, -1) / LENGTH_M], -2)
        size = (error**2).sum(-1)
        normal = np.swapaxes(jacobian, -1, -2) @ jacobian
        normal = normal + (1e-3 * size + 1e-13)[..., None, None] * np.eye(6)
        side = np.einsum("...ji,...j->...i", jacobian, error)
        move = np.linalg.solve(normal, side[..., None])[..., 0]
        most = np.abs(move).max(-1, keepdims=True)
        q = q + move * np.minimum(1, 0.5 / np.maximum(most, 1e-300))
    rotation, tip, axes, origins = frames(chain, q)
    same = np.abs(rotation - goal_rotation).max((-1, -2)) < 1e-9
    there = np.abs(tip - goal_tip).max(-1) < 1e-9
    lever = np.cross(np.moveaxis(axes, -1, -2), tip[..., None, :] - np.moveaxis(origins, -1, -2))
    jacobian = np.concatenate([axes, np.moveaxis(lever, -2, -1) / LENGTH_M], -2)
    regular = np.linalg.svd(jacobian, compute_uv=False)[..., -1] > 1e-4
    return wrap(q), same & there & regular


def main():
    rows = load(sys.argv[1])
    random = np.random.default_rng(1)
    worst_forward = worst_solution = 0.0
    missed = own_missed = dense = solutions = continua = 0
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        chain = chain_of(part)
        pose = np.array([row["pose"] for row in part])
        goal_rotation, goal_tip = pose[:, :9].reshape(-1, 3, 3), pose[:, 9:]
        rotation, tip, _, _ = frames(chain, np.array([row["q"] for row in part]))
        worst_forward = max(worst_forward, np.abs(rotation - goal_rotation).max(), np.abs(tip - goal_tip).max())
        found, solves = search(chain, goal_rotation, goal_tip, random)
        for i, row in enumerate(part):
            one = tuple(values[i : i + 1] for values in chain)
            ours = np.array(row["found"]).reshape(-1, 6)
            solutions += len(ours)
            if len(ours):
                rotation, tip, _, _ = frames(one, ours[:, None, :])
                off = max(np.abs(rotation - goal_rotation[i]).max(), np.abs(tip - goal_tip[i]).max())
                worst_solution = max(worst_solution, off)
            if row["continuum"]:
                continua += 1
                continue
            def known(q, tolerance=1e-5):
                return len(ours) > 0 and np.abs(wrap(ours - q)).max(-1).min() < tolerance
            if not known(np.array(row["q"]), 1e-4):
                own_missed += 1
                print("missed its own angles:", row["seed"], row["q"])
            for q in found[solves[:, i], i]:
                dense += 1
                if not known(q):
                    missed += 1
                    print("missed:", row["seed"], q)
    print(f"{len(rows)} arms, {solutions} solutions, {continua} continua")
    print(f"forward kinematics: {worst_forward:.1e}; worst pose of a solution: {worst_solution:.1e}")
    print(f"dense search: {dense} solutions, {missed} missed; own angles missed: {own_missed}")
    return 1 if missed or own_missed or worst_forward > 1e-12 or worst_solution > 1e-9 else 0


sys.exit(main())
