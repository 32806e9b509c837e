"""pytest with the plugin of armtwin, shown in docs/testing.md."""
import pytest

TARGET = [0.3, 0, 0, 0, 0, 0]


def go_to(twin):
    twin.call("POST", "/api/v1/controls/lock")
    twin.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": TARGET})


def test_the_arm_arrives(twin):
    go_to(twin)
    assert twin.until("ready", 30)
    assert twin.joints == pytest.approx(TARGET, abs=1e-3)


def test_an_emergency_stop_disables_the_arm(twin):
    go_to(twin)
    with twin.emergency_stop():
        twin.advance(1)
        assert twin.state == "disabled"


@pytest.mark.armtwin_deadline(10)
def test_a_drive_that_overheats_stops_the_arm(twin):
    go_to(twin)
    with twin.situation("drive overheats", joint=1):
        assert twin.until("error", 5)
