"""Examples of the fixture `twin`: run them in a clone with pytest --armtwin . python/tests."""
import sys
from pathlib import Path

import pytest

from pytest_armtwin import ApiError, Twin, TwinError, twin as module

CELLS = Path(__file__).parents[2] / "fixtures" / "cells"
TARGET = [0.3, 0.0, 0.0, 0.0, 0.0, 0.0]


def go_to(twin: Twin, joints=TARGET) -> None:
    twin.call("POST", "/api/v1/controls/lock")
    twin.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": joints})


def test_go_to_arrives(twin: Twin) -> None:
    go_to(twin)
    assert twin.state == "running"
    assert twin.until("ready", 30)
    assert twin.joints == pytest.approx(TARGET, abs=1e-3)


def test_time_passes_only_by_advance(twin: Twin) -> None:
    go_to(twin)
    before = twin.joints
    assert twin.joints == before
    twin.advance(0.5)
    assert twin.joints != before


def test_every_test_starts_in_the_initial_state(twin: Twin) -> None:
    assert twin.call("GET", "/api/v1/controls/lock")["owner"] == "none"
    assert twin.joints == pytest.approx([0.0] * 6, abs=1e-3)


def test_a_refusal_is_an_error(twin: Twin) -> None:
    with pytest.raises(ApiError) as refusal:
        twin.call("POST", "/api/v1/controls/pause")
    assert refusal.value.status == 403


@pytest.mark.armtwin_clock(10)
def test_the_clock_runs_by_itself(twin: Twin) -> None:
    assert twin.call("GET", "/sim/v1/clock")["pace"] == 10


@pytest.mark.armtwin_fault("driver", joint=1, fault="following_error")
def test_a_fault_stops_the_arm(twin: Twin) -> None:
    go_to(twin)
    assert twin.until("error", 10)


@pytest.mark.parametrize("turn", range(14))
def test_resets_are_fast(twin: Twin, turn: int) -> None:
    go_to(twin, [turn / 20, 0, 0, 0, 0, 0])
    assert twin.until("ready", 30)


def test_parts_are_where_they_belong(twin: Twin) -> None:
    twin.load_cell(CELLS / "trays.json")
    assert twin.cell_object("part 1")["at"] == "A1"
    assert twin.cell_object("part 1")["events"] == []


def test_an_object_is_waited_for(twin: Twin) -> None:
    twin.load_cell(CELLS / "trays.json")
    assert twin.wait_until_object("part 1", "A1")
    assert not twin.wait_until_object("part 1", "A2", limit_s=1)
    with pytest.raises(ApiError):
        twin.wait_until_object("part 1", "no such nest")


def test_a_power_cycle_ends_no_test(twin: Twin) -> None:
    twin.call("POST", "/sim/v1/power_cycle")
    assert twin.state == "ready"


def test_a_twin_that_dies_is_an_error_with_its_exit_code(twin: Twin) -> None:
    if twin._process is None:
        pytest.skip("the twin was started by another program")
    twin._process.kill()
    with pytest.raises(TwinError, match="the twin ended with exit code -9"):
        twin.advance(1)


def test_the_test_after_it_has_a_new_twin(twin: Twin) -> None:
    assert twin.state == "ready"


BUILDS = """
import sys, time
for step in range(int(sys.argv[1])):
    print("building", step, file=sys.stderr, flush=True)
    time.sleep(0.2)
time.sleep(float(sys.argv[2]))
print("armtwin ready http://127.0.0.1:1", flush=True)
"""


def test_a_program_that_builds_may_take_longer_to_start(monkeypatch) -> None:
    monkeypatch.setattr(module, "READY_S", 0.6)
    program = [sys.executable, "-c", BUILDS]
    Twin.start([*program, "10", "0"], []).stop()
    with pytest.raises(TwinError, match="did not become ready:\nbuilding 0"):
        Twin.start([*program, "1", "30"], [])
