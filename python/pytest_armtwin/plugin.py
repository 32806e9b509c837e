"""The fixtures, options and markers."""
import importlib
import os
from typing import Any, Iterator

import pytest

from .twin import ApiError, Twin, TwinError, find_program


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("armtwin", "digital twin of the arm")
    group.addoption("--armtwin", metavar="COMMAND", help="the command that starts armtwin")
    group.addoption("--armtwin-url", metavar="URL", help="use a running twin instead")
    group.addoption("--armtwin-token", metavar="TOKEN", help="API token of the running twin")


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
        "markers", "armtwin_fault(kind, **fields): inject a fault before the test"
    )


def _setting(config: pytest.Config, option: str, variable: str) -> str:
    return str(config.getoption(option) or os.environ.get(variable, ""))


@pytest.fixture(scope="session")
def armtwin_process(request: pytest.FixtureRequest) -> Iterator[Twin]:
    """One twin for the session; use `twin`, which is reset for every test."""
    config = request.config
    url = _setting(config, "--armtwin-url", "ARMTWIN_URL")
    if url:
        yield Twin(url.rstrip("/"), _setting(config, "--armtwin-token", "ARMTWIN_TOKEN"))
        return
    problem = ""
    try:
        command = find_program(_setting(config, "--armtwin", "ARMTWIN_COMMAND"))
        flags = ["--driver", "fast", "--clock", "stepped", "--log-level", "warn"]
        started = Twin.start(command, flags)
    except TwinError as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    yield started
    started.stop()


@pytest.fixture
def twin(armtwin_process: Twin, request: pytest.FixtureRequest) -> Iterator[Twin]:
    """The twin in its initial state, with the clock and the faults of the markers."""
    problem = ""
    try:
        armtwin_process.revive()
        armtwin_process.reset()
        clock = request.node.get_closest_marker("armtwin_clock")
        if clock and len(clock.args) != 1:
            raise TwinError("armtwin_clock needs one pace: 'stepped', 'max' or a factor, such as 10")
        armtwin_process.set_clock(clock.args[0] if clock else "stepped")
        for fault in request.node.iter_markers("armtwin_fault"):
            if not fault.args:
                raise TwinError("armtwin_fault needs the kind of the fault, such as 'driver'")
            armtwin_process.inject(*fault.args, **fault.kwargs)
    except (ApiError, TwinError) as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    yield armtwin_process


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
