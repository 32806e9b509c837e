"""A running twin: its process, its API, and its clock."""
import http.client
import json
import os
import shlex
import subprocess
import threading
import time
import urllib.error
import urllib.request
from typing import Any, Dict, List, Optional, Tuple, Union
from urllib.parse import quote, urlsplit

READY = "armtwin ready "
#: Time in which the program is ready, or says what it installs or builds (s).
READY_S = 30.0
#: Time of a call (s): one that advances the clock may take 600 s (call_advance_s of the limits).
CALL_S = 630.0
#: Time that the program has to end (s).
STOP_S = 5.0
#: Time in which the exit code of a twin that does not answer is awaited (s).
EXIT_S = 0.5
TOKEN = "pytest-armtwin-token"
#: Status of a call whose session has ended.
UNAUTHORIZED = 401

#: The calls of a test are spared by the faults of connections, so that it can look and end them.
CONTROL = "X-Armtwin-Control"

Body = Dict[str, Any]


class TwinError(Exception):
    """The twin could not be started, or it has ended."""


def _sentence(body: str) -> str:
    """Title and details of an error of the API; other bodies as they are."""
    try:
        error = json.loads(body)["error"]
        details = error.get("details")
    except (ValueError, KeyError, TypeError, AttributeError):
        return body
    if isinstance(details, list):
        details = "; ".join(f"{one.get('path')} {one.get('problem')}".strip() for one in details)
    return str(error.get("title")) + (f": {details}" if details else "")


def _base_url(url: str) -> str:
    """A base URL as calls need it, of one with a slash at its end or of host and port alone."""
    return (url if "://" in url or not url else f"http://{url}").rstrip("/")


class Reached:
    """Whether something came to be; where not, an assertion that fails shows why not."""

    def __init__(self, why_not: str) -> None:
        self.why_not = why_not

    def __bool__(self) -> bool:
        return not self.why_not

    def __eq__(self, other: object) -> bool:
        return bool(self) == other

    def __repr__(self) -> str:
        return f"<{self.why_not or 'reached'}>"


class ApiError(Exception):
    """The twin refused a call."""

    def __init__(self, call: str, status: int, body: str) -> None:
        super().__init__(f"{call} answered {status}: {_sentence(body)}")
        self.status = status
        self.body = body


def _is_answer(raised: Any) -> bool:
    """Whether pytest hides a frame of this file: the answer says all, the test shows the call."""
    return isinstance(raised.value, (ApiError, TwinError))


def _end_silent(
    process: "subprocess.Popen[str]", lines: List[str], started: threading.Event
) -> None:
    """Ends a program that neither starts nor prints: a clone may first install and build."""
    seen = 0
    while not started.wait(READY_S):
        if len(lines) == seen:
            process.kill()
            return
        seen = len(lines)


class Situation:
    """A situation that has begun; in a `with` it ends with the block, else with the test."""

    def __init__(self, twin: "Twin", name: str) -> None:
        self.name = name
        self._twin = twin

    def end(self) -> None:
        """Ends it, if it still lasts: a reset ends all."""
        __tracebackhide__ = _is_answer
        if self.active:
            self._twin.call("DELETE", f"/sim/v1/situations/{quote(self.name)}")

    @property
    def active(self) -> bool:
        """Whether it lasts."""
        __tracebackhide__ = _is_answer
        return any(one["name"] == self.name and one["active"] for one in self._twin.situations())

    def __enter__(self) -> "Situation":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Twin:
    """A twin over HTTP. Times are seconds, angles radians."""

    def __init__(self, url: str, token: str) -> None:
        #: Base URL, such as http://127.0.0.1:40123; an address alone is of HTTP.
        self.url = _base_url(url)
        #: API token of the admin.
        self.token = token
        #: Host and port, as the SDK takes them.
        self.host = urlsplit(self.url).netloc
        #: Time (`time.monotonic`) at which calls end with a TwinError; None: after CALL_S.
        self.deadline: Optional[float] = None
        self._session: Optional[str] = None
        self._process: Optional["subprocess.Popen[str]"] = None
        self._errors: List[str] = []
        self._program: Optional[Tuple[List[str], List[str]]] = None

    @classmethod
    def start(cls, command: List[str], flags: List[str]) -> "Twin":
        """Starts a twin on a free port. It ends with this process, however that ends."""
        twin = cls("", TOKEN)
        twin._launch(command, flags)
        return twin

    def revive(self) -> None:
        """Starts the program again, if this object started it and it has ended."""
        if self._program is not None and self._process and self._process.poll() is not None:
            self.stop()
            self._launch(*self._program)

    def _launch(self, command: List[str], flags: List[str]) -> None:
        args = [*command, "--port", "0", "--token", TOKEN, "--parent", str(os.getpid()), *flags]
        try:
            process = subprocess.Popen(
                args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        except OSError as error:
            reason = "it was not found" if isinstance(error, FileNotFoundError) else str(error)
            raise TwinError(f"{command[0]} cannot be started: {reason}") from error
        errors: List[str] = []
        reader = threading.Thread(target=_collect, args=(process.stderr, errors), daemon=True)
        reader.start()
        started = threading.Event()
        threading.Thread(
            target=_end_silent, args=(process, errors, started), daemon=True
        ).start()
        line = process.stdout.readline() if process.stdout else ""
        started.set()
        if not line.startswith(READY):
            process.kill()
            process.wait()
            reader.join(1)
            raise TwinError(f"{shlex.join(args)} did not become ready:\n{''.join(errors)}")
        self.url = line[len(READY) :].strip()
        self.host = urlsplit(self.url).netloc
        self._session = None
        self._process = process
        self._errors = errors
        self._program = (command, flags)

    def stop(self) -> None:
        """Stops the program, if this object started it."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process = None

    def __enter__(self) -> "Twin":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def call(self, method: str, path: str, body: Optional[Body] = None) -> Any:
        """Calls the API; returns the JSON of the reply, or None. Raises ApiError on a refusal.

        A session that has ended, as by a power cycle or an update, is replaced by a new one.
        """
        __tracebackhide__ = _is_answer
        text = self._answer(method, path, body)
        return json.loads(text) if text else None

    def text(self, method: str, path: str) -> str:
        """Calls the API; returns the reply as text, for calls that answer no JSON."""
        __tracebackhide__ = _is_answer
        return self._answer(method, path, None).decode()

    def _answer(self, method: str, path: str, body: Optional[Body]) -> bytes:
        __tracebackhide__ = _is_answer
        known = self._session
        if known is None:
            self._begin_session()
        try:
            return self._send(method, path, body)
        except ApiError as error:
            if error.status != UNAUTHORIZED or known is None:
                raise
            self._begin_session()
            return self._send(method, path, body)

    def _begin_session(self) -> None:
        __tracebackhide__ = _is_answer
        self._session = None
        reply = json.loads(self._send("POST", "/api/v1/auth", {"token": self.token}))
        self._session = reply["token"]

    def _send(self, method: str, path: str, body: Optional[Body]) -> bytes:
        __tracebackhide__ = _is_answer
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header(CONTROL, "1")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._session is not None:
            request.add_header("Authorization", f"Bearer {self._session}")
        try:
            with urllib.request.urlopen(request, timeout=self._time_left(f"{method} {path}")) as reply:
                return bytes(reply.read())
        except urllib.error.HTTPError as error:
            raise ApiError(f"{method} {path}", error.code, error.read().decode()) from None
        except (OSError, http.client.HTTPException) as error:
            # A twin that dies closes its connections before its exit code is known.
            raise TwinError(self._gone(error)) from None

    def _time_left(self, call: str) -> float:
        if self.deadline is None:
            return CALL_S
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TwinError(f"the test's deadline is over before {call}")
        return min(left, CALL_S)

    def _gone(self, error: Exception) -> str:
        code = None
        if self._process is not None:
            try:
                code = self._process.wait(EXIT_S)
            except subprocess.TimeoutExpired:
                pass
        if code is None:
            return f"the twin at {self.url} does not answer: {getattr(error, 'reason', error)}"
        return f"the twin ended with exit code {code}:\n{''.join(self._errors)}"

    def reset(self) -> None:
        """Restores the initial state: pose, lock, toolpaths, users, faults, situations and obstacles."""
        __tracebackhide__ = _is_answer
        self.call("POST", "/sim/v1/reset", {})

    def advance(self, seconds: float) -> None:
        """Advances the clock of the twin."""
        __tracebackhide__ = _is_answer
        self.call("POST", "/sim/v1/clock/advance", {"seconds": seconds})

    def step(self, ticks: int = 1) -> None:
        """Advances the clock of the twin by ticks of 4 ms."""
        __tracebackhide__ = _is_answer
        self.call("POST", "/sim/v1/clock/step", {"ticks": ticks})

    def until(self, state: str, limit_s: float = 60.0) -> Reached:
        """Advances the clock until the arm is in a state; true where it is, else it says how the arm stands."""
        __tracebackhide__ = _is_answer
        body = {"state": state, "limit_s": limit_s}
        if self.call("POST", "/sim/v1/clock/until", body)["reached"]:
            return Reached("")
        status = self.call("GET", "/sim/v1/status")
        reason = status["error"]
        stands = ", ".join([status["state"], *([reason] if reason else [])])
        return Reached(f"not {state} within {limit_s:g} s: the arm is {stands}")

    def wait_until_object(
        self,
        name: str,
        at: Optional[str] = None,
        limit_s: float = 60.0,
        **goal: Any,
    ) -> bool:
        """Advances the clock until an object of the cell rests at a place; returns whether it does.

        `goal` has the other fields of POST /sim/v1/cell/until, such as `held_by` and `within_mm`.
        """
        __tracebackhide__ = _is_answer
        where = {} if at is None else {"at": at}
        body = {"object": name, **where, **goal, "limit_s": limit_s}
        return bool(self.call("POST", "/sim/v1/cell/until", body)["reached"])

    def set_clock(self, pace: Any) -> None:
        """Sets the pace of the clock: 'stepped', 'max', or a multiple of real time."""
        __tracebackhide__ = _is_answer
        self.call("PUT", "/sim/v1/clock", {"pace": pace})

    def inject(self, kind: str, **fields: Any) -> Any:
        """Injects a fault; returns it with its id."""
        __tracebackhide__ = _is_answer
        return self.call("POST", "/sim/v1/faults", {"kind": kind, **fields})["fault"]

    def situation(self, name: str, **fields: Any) -> Situation:
        """Begins a situation, such as "gripper jams" or "network cut"; `situations` lists them.

        It lasts until its `end`, until the block of a `with` ends, or until the next test.
        """
        __tracebackhide__ = _is_answer
        body = {"name": name.strip().lower().replace(" ", "_"), **fields}
        self.call("POST", "/sim/v1/situations", body)
        return Situation(self, body["name"])

    def situations(self) -> List[Body]:
        """What can go wrong by name: what each does, whether it is active, and what hinders it."""
        __tracebackhide__ = _is_answer
        return list(self.call("GET", "/sim/v1/situations")["situations"])

    def emergency_stop(self) -> Situation:
        """Presses the emergency stop; it is released by `end`, a `with`, or the next test."""
        __tracebackhide__ = _is_answer
        return self.situation("emergency_stop")

    def release_emergency_stop(self) -> None:
        """Releases the emergency stop, whoever has pressed it."""
        __tracebackhide__ = _is_answer
        self.call("PUT", "/sim/v1/emergency_stop", {"engaged": False})

    def load_cell(self, cell: Union[str, "os.PathLike[str]", Body]) -> None:
        """Puts the things of a cell, a file or its content, around the arm."""
        __tracebackhide__ = _is_answer
        if not isinstance(cell, dict):
            with open(cell, encoding="utf-8") as file:
                cell = dict(json.load(file))
        self.call("PUT", "/sim/v1/cell", cell)

    def cell_object(self, name: str) -> Body:
        """An object of the cell as a dict: `at` is its nest, `held_by` its gripper.

        `events` is what happened to it, `faults` what is wrong by injection, in sentences.
        """
        __tracebackhide__ = _is_answer
        reply = self.call("GET", f"/sim/v1/cell/objects/{quote(name, safe='')}")
        return {**reply["object"], "events": reply["events"], "faults": reply["faults"]}

    def is_at(self, name: str, place: str, **goal: Any) -> bool:
        """Whether an object rests at a place now: a nest, or what has nests, such as a tray."""
        __tracebackhide__ = _is_answer
        return self.wait_until_object(name, place, limit_s=0, **goal)

    def assert_at(self, name: str, place: str, limit_s: float = 0, **goal: Any) -> None:
        """Asserts that an object comes to rest at a place within `limit_s` of twin time.

        What fails says where it is, and why: "part 1 is resting at B1, not at tray A; never grasped".
        """
        __tracebackhide__ = True
        if not self.wait_until_object(name, place, limit_s, **goal):
            raise AssertionError(f"{self._whereabouts(name)}, not at {place}{self._why_not(name)}")

    def assert_held(self, name: str, gripper: str, limit_s: float = 0) -> None:
        """Asserts that a gripper comes to hold an object within `limit_s` of twin time."""
        __tracebackhide__ = True
        if not self.wait_until_object(name, limit_s=limit_s, held_by=gripper):
            text = f"{self._whereabouts(name)}, not held by {gripper}{self._why_not(name)}"
            raise AssertionError(text)

    def _whereabouts(self, name: str) -> str:
        found = self.cell_object(name)
        if found["held_by"] is not None:
            return f"{name} is held by {found['held_by']}"
        if found["at"] is not None:
            return f"{name} is {found['status']} at {found['at']}"
        place = ", ".join(f"{found['position'][axis]:.4f}" for axis in "xyz")
        return f"{name} is {found['status']} at ({place}) m"

    def _why_not(self, name: str) -> str:
        """How the last grasp ended, or what missed the object, and the faults that may have done it."""
        found = self.cell_object(name)
        events = found["events"]
        kinds = [event["kind"] for event in events]
        grasp = len(kinds) - 1 - kinds[::-1].index("grasped") if "grasped" in kinds else -1
        after = events[grasp + 1 :]
        lost = [event for event in after if event["kind"] in ("dropped", "jammed")]
        missed = [event for event in after if event["kind"] == "missed"]
        cause = lost[0] if lost else missed[-1] if missed else None
        if cause is not None:
            never = "never grasped: " if grasp < 0 else ""
            text = cause["text"].split(" missed: ", 1)[-1]
            why = f"; {never}{text} at {cause['at_s']:.2f} s"
        else:
            why = "; never grasped: no gripper closed near it" if grasp < 0 else ""
        faults = found["faults"]
        return why + (f"; injected faults: {', '.join(faults)}" if faults else "")

    def standing(self) -> str:
        """How the twin stands, in a sentence for a person: state, cause, clock and situations."""
        status = self.call("GET", "/sim/v1/status")
        clock = self.call("GET", "/sim/v1/clock")
        causes = [f"the emergency stop is {status['emergency_stop']}"] if status["emergency_stop"] else []
        causes += [str(status["error"])] if status["error"] else []
        state = status["state"] + (f" ({', '.join(causes)})" if causes else "")
        active = [one["name"] for one in self.situations() if one["active"]]
        going = f"; active situations: {', '.join(active)}" if active else ""
        still = ", so time passes only by advance()" if clock["pace"] == "stepped" else ""
        pace = f"the clock is at {clock['now_s']:.2f} s, pace {clock['pace']}{still}"
        return f"the arm is {state}; {pace}{going}"

    def snapshot(self) -> Body:
        """The data snapshot of the arm."""
        __tracebackhide__ = _is_answer
        return dict(self.call("GET", "/api/v1/data/snapshot")["snapshot"])

    @property
    def state(self) -> str:
        """The state of the arm, such as 'ready' or 'collision'."""
        __tracebackhide__ = _is_answer
        return str(self.snapshot()["control"]["state"])

    @property
    def joints(self) -> List[float]:
        """The joint positions."""
        __tracebackhide__ = _is_answer
        return list(self.snapshot()["servos.telemetry.position"])


def _collect(stream: Any, lines: List[str]) -> None:
    lines.extend(stream)
