"""Examples with the arm's Python SDK; they are skipped where it is not installed."""
import pytest


def test_go_to(eva, twin) -> None:
    target = [0.2, 0.3, -1.2, 0.0, -0.6, 0.0]
    with eva.lock():
        eva.control_wait_for_ready()
        eva.control_go_to(target)
    assert eva.data_servo_positions() == pytest.approx(target, abs=1e-3)
    assert twin.state == "ready"


def test_lock_is_released(eva) -> None:
    with eva.lock():
        assert eva.lock_status()["status"] == "locked"
    assert eva.lock_status()["status"] == "unlocked"


def test_inverse_kinematics(eva) -> None:
    joints = [0.2, 0.3, -1.2, 0.0, -0.6, 0.0]
    pose = eva.calc_forward_kinematics(joints)
    found = eva.calc_inverse_kinematics(joints, pose["position"], pose["orientation"])
    assert found == pytest.approx(joints, abs=1e-3) or found["ik"]["joints"]
