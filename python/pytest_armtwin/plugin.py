"""The fixtures, options and markers."""
import contextlib
import importlib
import os
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional

import pytest

from armtwin import FLAGS, ApiError, Twin, TwinError
from armtwin.program import find_program

from . import artefacts
from .deadline import REPORT_S, Deadline


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("armtwin", "digital twin of the arm")
    group.addoption("--armtwin", metavar="COMMAND", help="the command that starts armtwin")
    group.addoption(
        "--armtwin-url",
        metavar="URL",
        help="use a running twin instead, which is reset before each test: what is saved there goes",
    )
    group.addoption("--armtwin-token", metavar="TOKEN", help="API token of the running twin")
    group.addoption(
        "--armtwin-artefacts",
        metavar="FOLDER",
        default=".armtwin",
        help="where failed tests leave recording and state (.armtwin); empty keeps none",
    )
    parser.addini("armtwin_deadline", "wall time of a test with a twin (s); 0: none", default="60")


def pytest_configure(config: pytest.Config) -> None:
    workers = os.environ.get("PYTEST_XDIST_WORKER") or config.getoption("numprocesses", None)
    url = _setting(config, "--armtwin-url", "ARMTWIN_URL")
    if workers and url:
        raise pytest.UsageError(
            f"the workers of pytest-xdist would share and reset the one twin at {url}: run without "
            "-n, or without --armtwin-url and ARMTWIN_URL, so that each worker starts its own twin"
        )
    config.addinivalue_line(
        "markers", "armtwin_clock(pace): clock of the test: 'stepped' (default), 'max' or a factor"
    )
    config.addinivalue_line(
        "markers", "armtwin_deadline(seconds): wall time of the test; 0: none"
    )
    config.addinivalue_line(
        "markers", "armtwin_situation(name, **fields): begin a situation before the test"
    )
    config.addinivalue_line(
        "markers", "armtwin_fault(kind, **fields): inject a fault before the test"
    )


def _setting(config: pytest.Config, option: str, variable: str) -> str:
    return str(config.getoption(option) or os.environ.get(variable, ""))


def pytest_report_header(config: pytest.Config) -> List[str]:
    url = _setting(config, "--armtwin-url", "ARMTWIN_URL")
    said = f"armtwin: the twin at {url} is reset before each test with it: what is saved there goes"
    return [said] if url else []


def _running_twin(config: pytest.Config, url: str) -> Iterator[Twin]:
    """A twin that others started; at the end its clock goes on as it did."""
    token = _setting(config, "--armtwin-token", "ARMTWIN_TOKEN")
    problem = "" if token else f"the twin at {url} needs its API token: --armtwin-token, or ARMTWIN_TOKEN"
    twin = Twin(url.rstrip("/"), token)
    pace: Any = None
    if not problem:
        try:
            pace = twin.call("GET", "/sim/v1/clock")["pace"]
        except (ApiError, TwinError) as error:
            problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    yield twin
    with contextlib.suppress(ApiError, TwinError):
        twin.deadline = None
        twin.set_clock(pace)


@pytest.fixture(scope="session")
def armtwin_process(request: pytest.FixtureRequest) -> Iterator[Twin]:
    """One twin for the session; use `twin`, which is reset for every test."""
    config = request.config
    url = _setting(config, "--armtwin-url", "ARMTWIN_URL")
    if url:
        yield from _running_twin(config, url)
        return
    problem = ""
    try:
        command = find_program(_setting(config, "--armtwin", "ARMTWIN_COMMAND"))
        started = Twin.start(command, [*FLAGS])
    except TwinError as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    yield started
    started.stop()


@pytest.fixture
def start_twin(request: pytest.FixtureRequest) -> Iterator[Callable[..., Twin]]:
    """Starts further twins, each with flags of its own; they end with the test."""
    started: List[Twin] = []

    def start(*flags: str) -> Twin:
        command = find_program(_setting(request.config, "--armtwin", "ARMTWIN_COMMAND"))
        another = Twin.start(command, [*FLAGS, *flags])
        started.append(another)
        return another

    yield start
    for one in started:
        one.stop()


def _deadline_s(request: pytest.FixtureRequest) -> float:
    marker = request.node.get_closest_marker("armtwin_deadline")
    if marker and len(marker.args) != 1:
        raise TwinError("armtwin_deadline needs one number of seconds, such as 10")
    given = marker.args[0] if marker else request.config.getini("armtwin_deadline")
    try:
        return float(given)
    except (TypeError, ValueError):
        raise TwinError(f"armtwin_deadline is a number of seconds, not {given!r}") from None


def _prepare(twin: Twin, request: pytest.FixtureRequest) -> None:
    """The initial state, with the clock, the faults and the situations of the markers."""
    twin.deadline = None
    twin.revive()
    twin.reset()
    clock = request.node.get_closest_marker("armtwin_clock")
    if clock and len(clock.args) != 1:
        raise TwinError("armtwin_clock needs one pace: 'stepped', 'max' or a factor, such as 10")
    twin.set_clock(clock.args[0] if clock else "stepped")
    if request.config.getoption("--armtwin-artefacts"):
        twin.call("POST", "/sim/v1/recording")
    for fault in request.node.iter_markers("armtwin_fault"):
        if not fault.args:
            raise TwinError("armtwin_fault needs the kind of the fault, such as 'driver'")
        twin.inject(*fault.args, **fault.kwargs)
    for situation in request.node.iter_markers("armtwin_situation"):
        if not situation.args:
            raise TwinError("armtwin_situation needs its name, such as 'gripper jams'")
        twin.situation(*situation.args, **situation.kwargs)


def _watch(twin: Twin, deadline_s: float) -> "contextlib.AbstractContextManager[None]":
    """Ends the test after its deadline: its own waits, and those of what it calls."""
    if deadline_s <= 0:
        return contextlib.nullcontext()

    def report() -> str:
        # With a session of its own: the test may be within a call of this one.
        other = Twin(twin.url, twin.token)
        other.deadline = time.monotonic() + REPORT_S
        try:
            return other.standing()
        except (ApiError, TwinError) as error:
            return str(error)

    # Calls of the twin that wait are interrupted by the same deadline, which says more.
    return Deadline(deadline_s, report).running()


@pytest.fixture
def twin(armtwin_process: Twin, request: pytest.FixtureRequest) -> Iterator[Twin]:
    """The twin in its initial state, with the clock, the faults and the deadline of the markers."""
    problem = ""
    deadline_s = 0.0
    try:
        deadline_s = _deadline_s(request)
        _prepare(armtwin_process, request)
    except (ApiError, TwinError) as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    with _watch(armtwin_process, deadline_s):
        yield armtwin_process


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    """Keeps the run of a failed test, and says where."""
    outcome: Any = yield
    report = outcome.get_result()
    twin: Optional[Twin] = getattr(item, "funcargs", {}).get("twin")
    base = item.config.getoption("--armtwin-artefacts")
    if report.when != "call" or not report.failed or not isinstance(twin, Twin) or not base:
        return
    twin.deadline = time.monotonic() + 10
    try:
        folder = artefacts.folder_of(Path(str(item.config.rootpath)) / base, item.nodeid)
        report.sections.append(("armtwin", artefacts.save(twin, folder)))
    except OSError as error:
        report.sections.append(("armtwin", f"the run could not be kept: {error}"))
    finally:
        twin.deadline = None


def _import_sdk() -> Any:
    """The SDK; skips where it is not installed, and fails where it or what it imports is broken."""
    problem = ""
    try:
        return importlib.import_module("evasdk")
    except ModuleNotFoundError as error:
        if error.name == "evasdk":
            pytest.skip("evasdk, the arm's Python SDK, is not installed")
        problem = str(error)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    return pytest.fail(f"evasdk is installed, and cannot be imported: {problem}", pytrace=False)


@pytest.fixture
def eva(request: pytest.FixtureRequest) -> Any:
    """The arm's Python SDK connected to the twin, on a clock of ten times real time by default.

    The SDK waits in wall time, so a stepped clock would keep it waiting.
    """
    sdk = _import_sdk()
    twin: Twin = request.getfixturevalue("twin")
    if request.node.get_closest_marker("armtwin_clock") is None:
        twin.set_clock(10)
    return sdk.Eva(twin.host, twin.token)
