"""Examples of the fixture `twin`: run them in a clone with pytest --armtwin . python/tests."""
import asyncio
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from armtwin import ApiError, Twin, TwinError, twin as module

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


def test_a_script_goes_on_after_a_collision(twin: Twin) -> None:
    go_to(twin)
    twin.advance(0.5)
    twin.inject("collision", joint=1, with_detection=True)
    assert twin.until("collision", 5)
    stopped = twin.joints
    twin.advance(60)
    assert twin.state == "collision" and twin.joints == pytest.approx(stopped, abs=0.1)
    twin.call("POST", "/api/v1/controls/acknowledge_collision")
    assert twin.until("ready", 5)
    twin.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": TARGET})
    assert twin.until("ready", 30)
    assert twin.joints == pytest.approx(TARGET, abs=1e-3)


def test_a_state_that_is_not_reached_says_how_the_arm_stands(twin: Twin) -> None:
    go_to(twin)
    twin.inject("driver", joint=0, fault="overload")
    reached = twin.until("ready", 3)
    assert not reached and reached == False  # noqa: E712
    assert re.fullmatch(r"<not ready within 3 s: the arm is error, J1 .*>", repr(reached)), reached
    assert twin.until("error", 0)


def test_the_collision_of_the_readme(twin: Twin) -> None:
    page = (Path(__file__).parents[1] / "README.md").read_text()
    [block] = [one for one in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if "collision" in one]
    names: dict = {}
    exec(compile(block, "README.md", "exec"), names)
    names["test_the_arm_goes_on_after_a_collision"](twin)


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


def _pytest_with(*options: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """One test with a twin, in a pytest of its own."""
    (folder / "test_one.py").write_text("def test_one(twin):\n    twin.advance(1)\n")
    plugin = ["-p", "pytest_armtwin.plugin"] if "pytest_armtwin.plugin" in sys.argv else []
    command = [sys.executable, "-m", "pytest", *plugin, *options, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_a_running_twin_goes_on_as_it_did(start_twin, tmp_path: Path) -> None:
    other = start_twin("--clock", "5")
    address = ["--armtwin-url", other.url, "--armtwin-token", other.token]
    done = _pytest_with(*address, folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "is reset before each test" in done.stdout
    assert other.call("GET", "/sim/v1/clock")["pace"] == 5


def test_a_running_twin_needs_its_token(start_twin, tmp_path: Path) -> None:
    done = _pytest_with("--armtwin-url", start_twin().url, folder=tmp_path)
    assert "--armtwin-token" in done.stdout


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


def test_a_situation_is_one_line(twin: Twin) -> None:
    twin.load_cell(CELLS / "trays.json")
    with twin.situation("gripper jams") as jam:
        assert jam.active
        assert "is jammed" in twin.cell_object("part 1")["faults"][0]
    assert not jam.active
    with pytest.raises(ApiError, match="is no field of disk_full"):
        twin.situation("disk full", joint=1)


def test_an_impossible_situation_says_what_to_do(twin: Twin) -> None:
    with pytest.raises(ApiError, match="load a cell with one"):
        twin.situation("gripper jams")


@pytest.mark.armtwin_situation("drive overheats", joint=1)
def test_a_marker_begins_a_situation(twin: Twin) -> None:
    twin.step(10)
    assert twin.state == "error"


def test_the_emergency_stop_is_pressed_and_released(twin: Twin) -> None:
    with twin.emergency_stop():
        twin.advance(0.5)
        assert twin.state == "disabled"
    assert twin.until("ready", 5)
    twin.emergency_stop()
    twin.release_emergency_stop()
    assert twin.until("ready", 5)


def test_a_cut_network_hides_the_arm_from_clients_but_not_from_the_test(twin: Twin) -> None:
    address = (urlsplit(twin.url).hostname, urlsplit(twin.url).port)
    with twin.situation("network cut"):
        with socket.create_connection(address, 5) as client:
            client.settimeout(0.3)
            client.sendall(b"GET /api/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            with pytest.raises(socket.timeout):
                client.recv(1)
        assert twin.state == "ready"


def test_an_assertion_about_a_part_explains(twin: Twin) -> None:
    twin.load_cell(CELLS / "trays.json")
    twin.assert_at("part 1", "A1")
    twin.assert_at("part 1", "tray A")
    assert twin.is_at("part 1", "tray A")
    with pytest.raises(AssertionError, match="part 1 is resting at A1, not at tray B; never grasped"):
        twin.assert_at("part 1", "tray B")
    with pytest.raises(AssertionError, match="not held by gripper; never grasped"):
        twin.assert_held("part 1", "gripper")


def test_two_twins_under_one_pytest(twin: Twin, start_twin) -> None:
    other = start_twin()
    go_to(other)
    assert other.until("ready", 30)
    assert other.joints != pytest.approx(twin.joints, abs=1e-3)


def test_it_works_beside_an_event_loop(twin: Twin) -> None:
    async def move() -> bool:
        run = asyncio.get_running_loop().run_in_executor
        await run(None, go_to, twin)
        arrived, state = await asyncio.gather(
            run(None, twin.until, "ready", 30), run(None, twin.snapshot)
        )
        return bool(arrived and state)

    assert asyncio.run(move())


@pytest.mark.parametrize("spelling", ["{host}", "{url}/", "{url}"])
def test_a_twin_is_found_by_each_spelling_of_its_address(twin: Twin, spelling: str) -> None:
    other = Twin(spelling.format(host=twin.host, url=twin.url), twin.token)
    assert (other.url, other.host, other.state) == (twin.url, twin.host, "ready")


def test_a_missed_part_says_by_how_much(monkeypatch) -> None:
    missed = {"kind": "missed", "text": "gripper missed: jaws closed 14 mm above it", "at_s": 2.1}
    part = {"status": "resting", "at": "B1", "held_by": None, "events": [missed], "faults": []}
    twin = Twin("http://127.0.0.1:1", "")
    monkeypatch.setattr(twin, "cell_object", lambda name: part)
    monkeypatch.setattr(twin, "wait_until_object", lambda *_, **__: False)
    with pytest.raises(AssertionError) as failed:
        twin.assert_at("part 1", "tray A")
    where = "part 1 is resting at B1, not at tray A; never grasped"
    assert str(failed.value) == f"{where}: jaws closed 14 mm above it at 2.10 s"
