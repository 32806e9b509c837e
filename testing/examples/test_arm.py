"""pytest over HTTP: ARMTWIN_URL and ARMTWIN_TOKEN name a twin with --clock stepped."""
import json
import os
import urllib.error
import urllib.request

import pytest

URL = os.environ.get("ARMTWIN_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("ARMTWIN_TOKEN", "")


class Arm:
    def __init__(self):
        self.session = None
        self.session = self.call("POST", "/api/v1/auth", {"token": TOKEN})["token"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(URL + path, data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.session:
            request.add_header("Authorization", f"Bearer {self.session}")
        with urllib.request.urlopen(request) as reply:
            text = reply.read()
        return json.loads(text) if text else None


@pytest.fixture
def arm():
    arm = Arm()
    arm.call("POST", "/sim/v1/reset", {})
    return arm


def test_go_to_arrives(arm):
    arm.call("POST", "/api/v1/controls/lock")
    joints = [0.3, 0, 0, 0, 0, 0]
    arm.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": joints})
    passed = arm.call("POST", "/sim/v1/clock/until", {"state": "ready", "limit_s": 30})
    assert passed["reached"]
    snapshot = arm.call("GET", "/api/v1/data/snapshot")["snapshot"]
    assert snapshot["servos.telemetry.position"] == pytest.approx(joints, abs=1e-3)


def test_a_reset_leaves_no_lock(arm):
    assert arm.call("GET", "/api/v1/controls/lock")["owner"] == "none"


def test_control_needs_the_lock(arm):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        arm.call("POST", "/api/v1/controls/pause")
    assert refusal.value.code == 403
